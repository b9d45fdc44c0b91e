package io.quorate.vertx;

import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Lets a line of the log pass once per minute, and counts those that it leaves out. Thread-safe. */
final class LineLimit {

    private static final long PERIOD_NANOS = TimeUnit.MINUTES.toNanos(1);

    private long saidAt = System.nanoTime() - PERIOD_NANOS;
    private long leftOut;

    /** Returns the text about omitted lines; empty if this one is omitted too. */
    synchronized Optional<String> enter() {
        long now = System.nanoTime();
        if (now - saidAt < PERIOD_NANOS) {
            leftOut++;
            return Optional.empty();
        }
        String more = leftOut == 0 ? "" : " (and " + leftOut + " lines like this one, left out)";
        saidAt = now;
        leftOut = 0;
        return Optional.of(more);
    }
}
