package io.quorate;

/**
 * Hears of each change of a client's {@link ConnectionState}, except that of its close, because a client that the
 * application closes has lost nothing.
 */
@FunctionalInterface
public interface ConnectionStateListener {

    /**
     * The state has changed. The changes come in order and one at a time, on a callback thread of the library or on the
     * executor that was given at registration. This method may block and may call any method of the client. It reports
     * the past: by the time it runs, the state may have changed again. An exception of it is logged and has no other
     * effect, except a {@link CancelLeadershipException} that the listener of a {@link LeaderSelector} throws.
     *
     * @param client   the client whose state has changed
     * @param newState never {@link ConnectionState#READ_ONLY}
     */
    void stateChanged(ElectionClient client, ConnectionState newState);
}
