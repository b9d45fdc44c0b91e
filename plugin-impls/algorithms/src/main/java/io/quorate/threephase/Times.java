package io.quorate.threephase;

import io.quorate.machine.Patience;
import io.quorate.spi.Timing;
import io.quorate.spi.Variant;

/**
 * The durations of the algorithm, all in the unit of {@link Timing}.
 *
 * @param delta     the bound on a one-way delay
 * @param heartbeat T_hb: how often a leader sends a heartbeat
 * @param detection T_D: after the crash of the leader and a mean delay, this long at most until it is suspected
 * @param window    how long an ACK counts, how long the others wait for an OK (TMR), and how long the judge waits for
 *                  reports (P3): 2 delta as printed in F (G8); 4 delta in H, which survives the loss of one OK or ACK
 */
record Times(long delta, long heartbeat, long detection, long window) {

    static Times of(Timing timing, Variant variant) {
        // T_D = (m+1) T_hb + delta, for m = 1 heartbeat in a row that may get lost.
        return new Times(
                timing.delta(), timing.deltas(2), timing.deltas(5), timing.deltas(variant == Variant.FAITHFUL ? 2 : 4));
    }

    /** S4: time-outs are longer by this much; a process sends as often as before. */
    Times stretched(Patience patience) {
        return new Times(delta, heartbeat, patience.of(detection), patience.of(window));
    }

    /** G4: the freshness point of the first heartbeat of a leader; its mean delay is taken for delta. */
    long firstFreshness() {
        return delta + detection;
    }

    /** G8: the windows are inclusive, so a process that waits for the other side's window waits one unit longer. */
    long judgeTimeout() {
        return window + 1;
    }

    /** H: how often COLLECT and LEADER are repeated to those who have not answered, a round trip. */
    long repetition() {
        return 2 * delta;
    }

    /** H: how long the judge repeats a LEADER; then it is up to the leader's heartbeats to tell the others. */
    long announcement() {
        return 8 * delta;
    }
}
