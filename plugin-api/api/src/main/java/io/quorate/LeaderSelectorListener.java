package io.quorate;

/** What a {@link LeaderSelector} has done while it leads. */
public interface LeaderSelectorListener extends ConnectionStateListener {

    /**
     * Called when leadership has been taken; it is given up when this returns. The thread is interrupted when
     * leadership ends otherwise: the lease has run out, the selector is closed or interrupted. Runs on the selector's
     * executor, never twice at a time.
     *
     * @throws Exception is logged, and ends leadership as a return does
     */
    void takeLeadership(ElectionClient client) throws Exception;
}
