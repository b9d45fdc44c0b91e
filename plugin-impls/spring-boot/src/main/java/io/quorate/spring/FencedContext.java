package io.quorate.spring;

import org.springframework.integration.leader.Context;

/**
 * The context of one leadership, with its fencing token; {@link QuorateLeaderInitiator} gives it to its candidate and
 * puts it into its events. Unlike that of other initiators, it is another object for each leadership: once it does not
 * lead, it never leads again.
 */
public interface FencedContext extends Context {

    /**
     * Answers whether this leadership lasts, at the moment of the call, as {@link io.quorate.LeaderLatch#hasLeadership}
     * does. Never blocks.
     *
     * @return true if it does
     */
    @Override
    boolean isLeader();

    /**
     * Gives this leadership up; the initiator contends again, behind all others. It ends when the candidate has
     * returned from {@code onGranted}, or has had the client's {@linkplain io.quorate.ElectionSettings#drainTimeout
     * drain time-out}. It has no effect once it has ended.
     */
    @Override
    void yield();

    /**
     * Answers the fencing token of this leadership. Send it with each action that only the leader may take. It stays
     * the same when the leadership has ended; a store that has seen a higher one then refuses it.
     *
     * @return at least 1, and higher than the token of each leadership of the role before it
     * @throws IllegalStateException if this is the context of an initiator that does not lead
     */
    long fencingToken();
}
