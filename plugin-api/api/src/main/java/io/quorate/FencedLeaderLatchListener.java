package io.quorate;

/**
 * A listener that gets the fencing token of the leadership that begins. Send the token with each action that only the
 * leader may take. A resource that refuses every token below the highest that it has seen stays safe, however long the
 * process or its messages are delayed.
 */
@FunctionalInterface
public interface FencedLeaderLatchListener extends LeaderLatchListener {

    /**
     * The latch has begun to lead. Called in place of {@link #isLeader()}, with the contract of that method.
     *
     * @param fencingToken the token of this leadership, at least 1 and higher than each token of this path before it
     */
    void isLeader(long fencingToken);

    /**
     * Is never called: {@link #isLeader(long)} is called in its place.
     *
     * @throws UnsupportedOperationException always
     */
    @Override
    default void isLeader() {
        throw new UnsupportedOperationException("isLeader(long) is called in its place");
    }

    /** Leadership has ended. Does nothing by default. */
    @Override
    default void notLeader() {
        // Many listeners need only the token.
    }
}
