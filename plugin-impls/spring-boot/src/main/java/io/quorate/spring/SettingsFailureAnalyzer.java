package io.quorate.spring;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Says what is wrong with the settings where Boot says why an application has not started, without a stack trace. */
final class SettingsFailureAnalyzer extends AbstractFailureAnalyzer<SettingsFailureAnalyzer.SettingsException> {

    /** What is lost with the switch that lets any application start. */
    static final String WITHOUT = "With quorate.enabled=false the application starts without a client, but then no"
            + " @LeaderOnly method runs in this process, and nothing says so.";

    /** All that is wrong, in the words of the library. */
    static final class SettingsException extends IllegalArgumentException {

        private static final long serialVersionUID = 1L;

        SettingsException(IllegalArgumentException faults) {
            super(faults.getMessage(), faults);
        }
    }

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, SettingsException cause) {
        return new FailureAnalysis(
                "The settings quorate.* are wrong: " + cause.getMessage(),
                "Correct them where the application has its properties. " + WITHOUT,
                cause);
    }
}
