package io.quorate.testkit.model;

import io.quorate.engine.Fatal;
import io.quorate.spi.ElectionAlgorithm;
import java.util.function.Supplier;

/** An algorithm has thrown, where it must answer. The message says which one, at what, and what it threw. */
public final class AlgorithmFailed extends RuntimeException {

    private static final long serialVersionUID = 1;

    private AlgorithmFailed(String algorithm, String at, Throwable cause) {
        super("algorithm " + algorithm + " failed at " + at + ": " + cause, cause);
    }

    /**
     * Asks the algorithm something.
     *
     * @param at what is asked, for the message
     * @throws AlgorithmFailed if it throws
     */
    public static <T> T asked(ElectionAlgorithm algorithm, Supplier<String> at, Supplier<T> question) {
        try {
            return question.get();
            // Justification: a machine of somebody else may throw anything; its author wants to know at what.
        } catch (Throwable e) {
            Fatal.throwIfFatal(e);
            throw new AlgorithmFailed(algorithm.name(), at.get(), e);
        }
    }
}
