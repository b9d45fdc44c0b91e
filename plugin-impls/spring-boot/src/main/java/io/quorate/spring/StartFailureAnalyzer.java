package io.quorate.spring;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.stream.Stream;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Says why the client cannot use its data directory, or its address, without a stack trace. */
final class StartFailureAnalyzer extends AbstractFailureAnalyzer<StartFailureAnalyzer.StartException> {

    /** The library's message about its files or its transport. */
    static final class StartException extends IllegalStateException {

        private static final long serialVersionUID = 1L;

        private StartException(String nodeId, RuntimeException cause) {
            super("node " + nodeId + ": " + cause.getMessage(), cause);
        }

        /**
         * Returns an exception whose message says everything; others are returned unchanged, with their stack trace.
         */
        static RuntimeException of(String nodeId, RuntimeException cause) {
            boolean isOfTheSystem = Stream.iterate((Throwable) cause, each -> each != null, Throwable::getCause)
                    .anyMatch(IOException.class::isInstance);
            return isOfTheSystem ? new StartException(nodeId, cause) : cause;
        }
    }

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, StartException cause) {
        return new FailureAnalysis(
                "The ElectionClient cannot start: " + cause.getMessage(),
                (cause.getCause() instanceof UncheckedIOException
                                ? "Do that, or correct quorate.data-directory. "
                                : "Stop the process that has the address, or correct the own address in quorate.peers, or"
                                        + " quorate.listen. ")
                        + SettingsFailureAnalyzer.WITHOUT,
                cause);
    }
}
