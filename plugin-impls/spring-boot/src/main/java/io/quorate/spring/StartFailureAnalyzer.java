package io.quorate.spring;

import java.io.UncheckedIOException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Says why the data directory of the client cannot be used, without a stack trace. */
final class StartFailureAnalyzer extends AbstractFailureAnalyzer<StartFailureAnalyzer.StartException> {

    /** What the library says of its files. */
    static final class StartException extends IllegalStateException {

        private static final long serialVersionUID = 1L;

        StartException(String nodeId, UncheckedIOException cause) {
            super("node " + nodeId + ": " + cause.getMessage(), cause);
        }
    }

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, StartException cause) {
        return new FailureAnalysis(
                "The ElectionClient cannot start: " + cause.getMessage(),
                "Do that, or correct quorate.data-directory. " + SettingsFailureAnalyzer.WITHOUT,
                cause);
    }
}
