package io.quorate.spi;

/** A transport could not start. */
public final class TransportException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /**
     * An exception with a message and a cause.
     *
     * @param message names the address and the reason
     * @param cause   may be null
     */
    public TransportException(String message, Throwable cause) {
        super(message, cause);
    }
}
