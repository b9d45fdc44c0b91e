package io.quorate;

import java.time.Duration;

/**
 * The token of a leadership and the time that is left of it; {@link LeaderLatch#leadership} reads both at one moment,
 * from one tenure.
 *
 * @param fencingToken as {@link LeaderLatch#fencingToken} answers it; at least 1
 * @param remaining    for how long this latch leads from the moment of the question on, if its lease is not renewed and
 *                     it does not give leadership up before. Each heartbeat renews the lease. 0 or more, and at
 *                     most the support duration; may be shorter than what is really left, never longer
 * @param isLeaving    whether it ends when the work of this leader is finished: see {@link LeaderLatch#drain}. Work that
 *                     is under way goes on, and no other should begin
 */
public record Leadership(long fencingToken, Duration remaining, boolean isLeaving) {

    /**
     * A leadership that does not leave.
     *
     * @param fencingToken as {@link #fencingToken}
     * @param remaining    as {@link #remaining}
     */
    public Leadership(long fencingToken, Duration remaining) {
        this(fencingToken, remaining, false);
    }
}
