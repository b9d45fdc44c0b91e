package io.quorate;

/** The work of a {@link LeaderSelector} while it leads. */
public interface LeaderSelectorListener extends ConnectionStateListener {

    /**
     * Does the work of the leader. Called when the selector has begun to lead; the selector gives leadership up when
     * this returns. If leadership ends in another way, the thread is interrupted: the lease has run out, the policy
     * ended leadership, or the selector was closed or interrupted. Runs on the selector's executor, and never twice at
     * one time.
     *
     * @param client the client of the selector
     * @throws Exception ends leadership as a return does. It is logged, except an {@link InterruptedException}
     */
    void takeLeadership(ElectionClient client) throws Exception;
}
