package io.quorate.testkit;

import io.quorate.spi.Clock;

/** The clock of one process: its rate may differ from real time, and its wall clock may be set. */
final class VirtualClock implements Clock {

    /** Any date of these years. */
    private static final long WALL_AT_BEGINNING = 1_700_000_000_000L;

    private final VirtualTime time;
    private double rate = 1.0;
    private long atChange;
    private long realAtChange;
    private long wallOffsetMillis;

    VirtualClock(VirtualTime time) {
        this.time = time;
    }

    /** From now on this many nanoseconds of the clock pass in one of real time. */
    void rate(double next) {
        atChange = nanoTime();
        realAtChange = time.now();
        rate = next;
    }

    /** Sets the wall clock forward, or back. */
    void stepWall(long millis) {
        wallOffsetMillis += millis;
    }

    @Override
    public long nanoTime() {
        return at(time.now());
    }

    @Override
    public long wallMillis() {
        return WALL_AT_BEGINNING + time.nowMillis() + wallOffsetMillis;
    }

    private long at(long real) {
        return rate == 1.0 ? atChange + (real - realAtChange)
                : atChange + (long) ((real - realAtChange) * rate);
    }

    /** The first instant of real time at which the clock shows at least this. */
    long realOf(long clock) {
        return rate == 1.0 ? realAtChange + (clock - atChange)
                : realAtChange + (long) Math.ceil((clock - atChange) / rate);
    }
}
