package io.quorate;

/**
 * Hears when a {@link LeaderLatch} gains or loses leadership.
 *
 * <p>The two methods are called strictly in turns. {@link #isLeader} comes first, unless the listener was added to a
 * latch that led already. They run on a daemon thread of the library, or on the executor that was given at
 * registration. They report the past: when one runs, {@link LeaderLatch#hasLeadership} may already answer the opposite,
 * and then the other one is called next. An exception of theirs is logged and has no other effect.
 *
 * <p>They may block, and they may call any method of the latch, {@code close} included. A blocked callback delays only
 * the later callbacks of its own latch, as long as fewer than 256 callbacks block in the process. Beyond that the
 * others wait, which is logged.
 */
public interface LeaderLatchListener {

    /** The latch has begun to lead: {@link LeaderLatch#hasLeadership} has become true. */
    void isLeader();

    /**
     * The latch no longer leads: {@link LeaderLatch#hasLeadership} has become false. The latch does not lead again
     * before this has returned, or before 30 s are over. Closing a latch in the mode {@link
     * LeaderLatch.CloseMode#SILENT} does not call this.
     */
    void notLeader();
}
