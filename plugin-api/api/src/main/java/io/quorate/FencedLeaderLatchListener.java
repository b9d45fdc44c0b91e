package io.quorate;

/**
 * A listener that is told the fencing token of the leadership that begins, to be sent along with whatever only the
 * leader may do: a resource that refuses a token below the highest it has seen is safe whatever delays or pauses there
 * are between the two.
 */
@FunctionalInterface
public interface FencedLeaderLatchListener extends LeaderLatchListener {

    /**
     * Called in place of {@link #isLeader()}; that one's contract holds.
     *
     * @param fencingToken as {@link LeaderLatch#fencingToken} has it; at least 1
     */
    void isLeader(long fencingToken);

    /** Not called. */
    @Override
    default void isLeader() {
        throw new UnsupportedOperationException("isLeader(long) is called in its place");
    }

    /** Leadership has ended; does nothing by default. */
    @Override
    default void notLeader() {
        // Whoever only needs the token need not say anything here.
    }
}
