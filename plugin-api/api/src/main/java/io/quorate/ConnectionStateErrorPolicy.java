package io.quorate;

/**
 * Says in which connection states a leader gives up its leadership.
 *
 * <p>A policy decides about {@link ConnectionState#SUSPENDED} only. {@link ConnectionState#LOST} always ends every
 * leadership, because the lease has run out, and the connected states end none. The client asks its policy once, when
 * it is built. The listener of a {@link LeaderSelector} may ask it at any time and on any thread.
 */
@FunctionalInterface
public interface ConnectionStateErrorPolicy {

    /**
     * Returns whether a leader gives up its leadership in this state. Must return the same each time. If it throws
     * while the client is built, {@code build()} throws that.
     *
     * @param state any state; never null
     * @return true if leadership is given up
     */
    boolean isErrorState(ConnectionState state);
}
