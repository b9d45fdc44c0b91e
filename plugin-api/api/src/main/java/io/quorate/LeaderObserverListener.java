package io.quorate;

/** Hears from a {@link LeaderObserver} who leads a path. */
@FunctionalInterface
public interface LeaderObserverListener {

    /**
     * A new leadership has begun, or no leader is known any more, as while the client is {@link
     * ConnectionState#LOST}. After that a leadership that has gone on meanwhile is told again. The calls come one at a
     * time, in order, on a callback thread of the library or on the executor that was given at registration. This
     * method may block. An exception of it is logged and has no other effect.
     *
     * @param leader       the leader. If no leader is known, it has an empty id, and {@link Participant#isLeader}
     *                     is false
     * @param fencingToken the token of that leadership, at least 1 and never below an earlier one; 0 if nobody is known
     *                     to lead
     */
    void leaderChanged(Participant leader, long fencingToken);
}
