package io.quorate;

/**
 * Thrown by {@link LeaderSelectorListener#stateChanged} to interrupt the election or the leadership of its selector.
 * Thrown anywhere else it means nothing.
 */
public class CancelLeadershipException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public CancelLeadershipException() {
        super();
    }

    public CancelLeadershipException(String message) {
        super(message);
    }

    public CancelLeadershipException(String message, Throwable cause) {
        super(message, cause);
    }

    public CancelLeadershipException(Throwable cause) {
        super(cause);
    }
}
