package io.quorate;

/**
 * Takes a {@link LeaderSelector} out of the queue, or ends its leadership, when {@link
 * LeaderSelectorListener#stateChanged} throws it. Anywhere else it is an exception like any other. The library reads
 * neither its message nor its cause.
 */
public class CancelLeadershipException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** An exception without message and cause. */
    public CancelLeadershipException() {
        super();
    }

    /**
     * An exception with a message.
     *
     * @param message may be null
     */
    public CancelLeadershipException(String message) {
        super(message);
    }

    /**
     * An exception with a message and a cause.
     *
     * @param message may be null
     * @param cause   may be null
     */
    public CancelLeadershipException(String message, Throwable cause) {
        super(message, cause);
    }

    /**
     * An exception with a cause, whose text is the message.
     *
     * @param cause may be null; then there is no message either
     */
    public CancelLeadershipException(Throwable cause) {
        super(cause);
    }
}
