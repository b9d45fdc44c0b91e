package io.quorate;

/** Told of each change of a client's {@link ConnectionState}. */
@FunctionalInterface
public interface ConnectionStateListener {

    /**
     * The state has changed. Called one change after the other, in order, on a callback thread of the client or on the
     * executor given at registration; may block and may call any method of the client. It reports the past: by the time
     * it runs, the state may have changed again.
     */
    void stateChanged(ElectionClient client, ConnectionState newState);
}
