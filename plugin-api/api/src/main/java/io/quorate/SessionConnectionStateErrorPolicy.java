package io.quorate;

/**
 * Leadership survives a suspended connection and ends with the lease. This is the default. It is safe, because the
 * lease of the old leader is over before another node can get the votes.
 */
public class SessionConnectionStateErrorPolicy implements ConnectionStateErrorPolicy {

    /** A policy without state: one is as good as another, and all threads may share it. */
    public SessionConnectionStateErrorPolicy() {}

    @Override
    public boolean isErrorState(ConnectionState state) {
        return state == ConnectionState.LOST;
    }
}
