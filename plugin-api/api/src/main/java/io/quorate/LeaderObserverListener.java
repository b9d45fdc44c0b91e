package io.quorate;

/** Told who leads a path, by a {@link LeaderObserver}. */
@FunctionalInterface
public interface LeaderObserverListener {

    /**
     * Somebody else leads, or nobody does any more. May block.
     *
     * @param leader       who leads; if nobody is known to, it has an empty id and {@link Participant#isLeader} is
     *                     false
     * @param fencingToken the token of that leadership, at least 1; never below one that was told before. 0 if nobody
     *                     is known to lead
     */
    void leaderChanged(Participant leader, long fencingToken);
}
