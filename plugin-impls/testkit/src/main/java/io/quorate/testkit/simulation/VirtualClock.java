package io.quorate.testkit.simulation;

import io.quorate.engine.Clock;

/**
 * The clock of one process: its rate may differ from real time, and its wall clock may be set. It may be read by any
 * thread while time passes.
 */
final class VirtualClock implements Clock {

    /** Any date of these years. */
    private static final long WALL_AT_BEGINNING = 1_700_000_000_000L;

    /** The reading of the clock when its rate changed, and the real time of that change. */
    private record Pace(double rate, long atChange, long realAtChange) {

        long at(long real) {
            return rate == 1.0 ? atChange + (real - realAtChange) : atChange + (long) ((real - realAtChange) * rate);
        }

        long realOf(long clock) {
            return rate == 1.0
                    ? realAtChange + (clock - atChange)
                    : realAtChange + (long) Math.ceil((clock - atChange) / rate);
        }
    }

    private final VirtualTime time;
    private volatile Pace pace = new Pace(1.0, 0, 0);
    private long wallOffsetMillis;

    VirtualClock(VirtualTime time) {
        this.time = time;
    }

    /** From now on this many nanoseconds of the clock pass in one of real time. */
    void rate(double next) {
        pace = new Pace(next, nanoTime(), time.now());
    }

    void stepWall(long millis) {
        wallOffsetMillis += millis;
    }

    @Override
    public long nanoTime() {
        Pace current;
        long shown;
        do {
            current = pace;
            shown = current.at(time.now());
            // If the rate has changed meanwhile, the old one was applied to a time that it does not hold for.
        } while (current != pace);
        return shown;
    }

    @Override
    public long wallMillis() {
        return WALL_AT_BEGINNING + time.nowMillis() + wallOffsetMillis;
    }

    /** The first instant of real time at which the clock shows at least this. */
    long realOf(long clock) {
        return pace.realOf(clock);
    }
}
