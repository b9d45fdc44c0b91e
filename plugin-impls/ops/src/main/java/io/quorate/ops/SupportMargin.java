package io.quorate.ops;

import io.quorate.ConnectionState;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.LongSupplier;

/**
 * How much was left of the majority's support, second by second, in nanoseconds. A question takes nothing away, so each
 * of several readers sees the whole minute. One thread writes, any may read; neither waits.
 */
final class SupportMargin {

    /** The number of seconds that are kept. */
    static final int SECONDS_MAX = 120;

    private static final int MINUTE = 60;

    private final LongSupplier nanoClock;
    /** Each second has the place of the one that is not kept any more. */
    private final AtomicReferenceArray<Second> seconds = new AtomicReferenceArray<>(SECONDS_MAX);

    /**
     * A second.
     *
     * @param number a second that is later by one has the next number; the first is any
     * @param least  that was left when the support was renewed, in nanoseconds; 0 if it was lost
     */
    record Second(long number, long least) {}

    /** @param nanoClock passes as {@link System#nanoTime} */
    SupportMargin(LongSupplier nanoClock) {
        this.nanoClock = nanoClock;
    }

    private long now() {
        return Math.floorDiv(nanoClock.getAsLong(), TimeUnit.SECONDS.toNanos(1));
    }

    /** The support was renewed when so much was left of it. */
    void renewed(long nanosLeft) {
        long now = now();
        int place = Math.floorMod(now, SECONDS_MAX);
        Second last = seconds.get(place);
        if (last == null || last.number != now || nanosLeft < last.least) {
            seconds.set(place, new Second(now, nanosLeft));
        }
    }

    /** Without a connection there is no support, and nothing is left of it. */
    void connectionChanged(ConnectionState state) {
        if (!state.isConnected()) {
            lost();
        }
    }

    void lost() {
        renewed(0);
    }

    /** The least of the last minute; empty if the support was neither renewed nor lost in it. */
    OptionalLong least() {
        return last(MINUTE).stream().mapToLong(Second::least).min();
    }

    /** The seconds in which the support was renewed or lost, oldest first. */
    List<Second> seconds() {
        return last(SECONDS_MAX);
    }

    private List<Second> last(int count) {
        long now = now();
        List<Second> found = new ArrayList<>();
        for (long number = now - count + 1; number <= now; number++) {
            Second second = seconds.get(Math.floorMod(number, SECONDS_MAX));
            if (second != null && second.number == number) {
                found.add(second);
            }
        }
        return found;
    }
}
