package io.quorate;

/**
 * Leadership is given up as soon as the connection is suspended: Curator's default. Makes a leader sensitive to pauses
 * of three heartbeats and gains no safety; choose it if an application relies on stopping at SUSPENDED.
 */
public class StandardConnectionStateErrorPolicy implements ConnectionStateErrorPolicy {

    /** A policy; all are equal. */
    public StandardConnectionStateErrorPolicy() {
    }

    @Override
    public boolean isErrorState(ConnectionState state) {
        return state == ConnectionState.SUSPENDED || state == ConnectionState.LOST;
    }
}
