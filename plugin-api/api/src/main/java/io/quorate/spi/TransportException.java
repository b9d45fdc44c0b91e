package io.quorate.spi;

/** A transport could not start. */
public final class TransportException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public TransportException(String message, Throwable cause) {
        super(message, cause);
    }
}
