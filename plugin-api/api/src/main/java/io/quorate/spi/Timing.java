package io.quorate.spi;

/**
 * The time from which the algorithms compute their time-outs.
 *
 * @param delta the bound on a one-way delay with processing, which the documents call delta. It is in nanoseconds in
 *              production; a test may count in any unit. Too small: elections are repeated because answers come late.
 *              Too large: every election takes longer than it must
 */
public record Timing(long delta) {

    /**
     * A checked bound.
     *
     * @param delta at least 1
     * @throws IllegalArgumentException if {@code delta} is less than 1
     */
    public Timing {
        Check.argument(delta >= 1, "delta %d: must be at least 1", delta);
    }

    /**
     * Answers a multiple of delta.
     *
     * @param count how many times delta
     * @return {@code count * delta}, in the unit of delta
     * @throws ArithmeticException if that overflows
     */
    public long deltas(int count) {
        return Math.multiplyExact(delta, count);
    }
}
