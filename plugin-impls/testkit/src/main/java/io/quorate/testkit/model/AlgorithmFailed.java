package io.quorate.testkit.model;

/** An algorithm has thrown, where it must answer. The message says which one, at what, and what it threw. */
public final class AlgorithmFailed extends RuntimeException {

    private static final long serialVersionUID = 1;

    AlgorithmFailed(String algorithm, String at, Throwable cause) {
        super("algorithm " + algorithm + " failed at " + at + ": " + cause, cause);
    }
}
