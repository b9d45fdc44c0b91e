package io.quorate;

/**
 * A leader gives up its leadership as soon as the connection is suspended. This is Curator's default. It adds no
 * safety, and a pause of three heartbeats then costs leadership. Choose it if an application relies on stopping at
 * SUSPENDED.
 */
public class StandardConnectionStateErrorPolicy implements ConnectionStateErrorPolicy {

    /** A policy without state: one is as good as another, and all threads may share it. */
    public StandardConnectionStateErrorPolicy() {}

    @Override
    public boolean isErrorState(ConnectionState state) {
        return state == ConnectionState.SUSPENDED || state == ConnectionState.LOST;
    }
}
