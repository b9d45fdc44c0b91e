package io.quorate.spi;

/**
 * The time that the algorithms compute their time-outs from.
 *
 * @param delta the bound on a one-way delay including processing (the documents' delta), at least 1. Nanoseconds in
 *              production; a test may count in any unit. Too small: elections are repeated because answers come late;
 *              too large: every election takes longer than it must
 */
public record Timing(long delta) {

    public Timing {
        Check.argument(delta >= 1, "delta %d: must be at least 1", delta);
    }

    /** {@code count} times delta. */
    public long deltas(int count) {
        return Math.multiplyExact(delta, count);
    }
}
