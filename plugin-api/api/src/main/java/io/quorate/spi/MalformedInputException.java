package io.quorate.spi;

/** Bytes that are no legal frame or message. The reader counts it and drops the input. */
public final class MalformedInputException extends Exception {

    private static final long serialVersionUID = 1L;

    /**
     * An exception with this message and without a stack trace.
     *
     * @param message the value and the rule that it breaks
     */
    public MalformedInputException(String message) {
        // Justification: no stack trace, because anybody who can reach the port can cause this at any rate.
        super(message, null, false, false);
    }
}
