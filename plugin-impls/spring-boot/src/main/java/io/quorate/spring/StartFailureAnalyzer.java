package io.quorate.spring;

import io.quorate.spi.TransportException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Says why the client cannot use its data directory, or its address, without a stack trace. */
final class StartFailureAnalyzer extends AbstractFailureAnalyzer<StartFailureAnalyzer.StartException> {

    /** What the library says of its files, or of its transport. */
    static final class StartException extends IllegalStateException {

        private static final long serialVersionUID = 1L;

        StartException(String nodeId, RuntimeException cause) {
            super("node " + nodeId + ": " + cause.getMessage(), cause);
        }
    }

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, StartException cause) {
        return new FailureAnalysis(
                "The ElectionClient cannot start: " + cause.getMessage(),
                (cause.getCause() instanceof TransportException
                                ? "Stop the process that has the address, or correct the own address in quorate.peers, or"
                                        + " quorate.listen. "
                                : "Do that, or correct quorate.data-directory. ")
                        + SettingsFailureAnalyzer.WITHOUT,
                cause);
    }
}
