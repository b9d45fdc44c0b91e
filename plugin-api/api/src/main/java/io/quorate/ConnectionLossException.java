package io.quorate;

/**
 * No voter answered in time. Thrown where Curator throws {@code KeeperException.ConnectionLossException}; the message
 * names the path, the time-out and the state of the node. The call may be repeated.
 */
public class ConnectionLossException extends Exception {

    private static final long serialVersionUID = 1L;

    /**
     * An exception with this message.
     *
     * @param message the path, the time-out and the state of the node
     */
    public ConnectionLossException(String message) {
        super(message);
    }
}
