package io.quorate;

/**
 * Says in which connection states a leader gives up its leadership.
 *
 * <p>{@link ConnectionState#LOST} ends every leadership whatever the policy says, because the lease has run out; the
 * connected states never do. So a policy decides about {@link ConnectionState#SUSPENDED} only. It is asked once, when
 * the client is built.
 */
@FunctionalInterface
public interface ConnectionStateErrorPolicy {

    /** Whether leadership is given up in this state. */
    boolean isErrorState(ConnectionState state);
}
