package io.quorate;

/**
 * Leadership survives a suspended connection and ends with the lease: the default of this library. Safe, because the
 * lease of the old leader is over before another node can get the votes.
 */
public class SessionConnectionStateErrorPolicy implements ConnectionStateErrorPolicy {

    /** A policy; all are equal. */
    public SessionConnectionStateErrorPolicy() {
    }

    @Override
    public boolean isErrorState(ConnectionState state) {
        return state == ConnectionState.LOST;
    }
}
