package io.quorate.ops;

import io.micrometer.core.instrument.Clock;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * The least that was left of the majority's support in the last minute, in nanoseconds. A question takes nothing away,
 * so each of several readers sees the whole minute. One thread writes, any may read; neither waits.
 */
final class SupportMargin {

    private static final int SECONDS = 60;

    private final Clock clock;
    /** Each second has the place of the one a minute before. */
    private final AtomicReferenceArray<Second> seconds = new AtomicReferenceArray<>(SECONDS);

    /** @param least in nanoseconds */
    private record Second(long number, long least) {}

    SupportMargin(Clock clock) {
        this.clock = clock;
    }

    private long now() {
        return Math.floorDiv(clock.monotonicTime(), TimeUnit.SECONDS.toNanos(1));
    }

    /** The support was renewed when so much was left of it. Nothing was, if the node has lost it. */
    void renewed(long nanosLeft) {
        long now = now();
        int place = Math.floorMod(now, SECONDS);
        Second last = seconds.get(place);
        if (last == null || last.number != now || nanosLeft < last.least) {
            seconds.set(place, new Second(now, nanosLeft));
        }
    }

    /** 0 if the support was not renewed in the last minute. */
    long least() {
        long now = now();
        long least = Long.MAX_VALUE;
        for (int place = 0; place < SECONDS; place++) {
            Second second = seconds.get(place);
            if (second != null && now - second.number < SECONDS) {
                least = Math.min(least, second.least);
            }
        }
        return least == Long.MAX_VALUE ? 0 : least;
    }
}
