package io.quorate.lab;

/** The lab cannot do what it was asked for. People get one line, and scripts get {@link Lab#NO}. */
final class LabFailed extends Exception {

    private static final long serialVersionUID = 1;

    /** @param message for the caller; names value and rule */
    LabFailed(String message) {
        // Nobody looks at its stack.
        super(message, null, false, false);
    }
}
