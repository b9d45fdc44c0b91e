package io.quorate;

/**
 * Told when a {@link LeaderLatch} gains or loses leadership.
 *
 * <p>The two methods are called strictly in turns, beginning with {@link #isLeader} unless the listener was added to a
 * leading latch. They report the past: when one runs, {@link LeaderLatch#hasLeadership} may already answer the
 * opposite, and then the other one is called next. They may block and may call any method of the latch, {@code close}
 * included; a blocked callback delays the later callbacks of its own latch only, as long as fewer than 256 are
 * blocked in the process; from then on the others wait, which is logged. An exception is logged and has no other
 * effect.
 */
public interface LeaderLatchListener {

    /** The latch's {@link LeaderLatch#hasLeadership} has become true. */
    void isLeader();

    /**
     * The latch's {@link LeaderLatch#hasLeadership} has become false. Leadership is never regained before this has
     * returned, for 30 seconds at most. Not called for a latch that is closed {@link LeaderLatch.CloseMode#SILENT}.
     */
    void notLeader();
}
