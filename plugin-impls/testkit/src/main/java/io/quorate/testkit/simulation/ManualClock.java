package io.quorate.testkit.simulation;

import io.quorate.engine.Clock;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/** A clock that stands still until a test moves it. All methods may be called from any thread. */
public final class ManualClock implements Clock {

    // Near the overflow, so that a comparison instead of a difference is noticed.
    private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 1_000_000);

    private final AtomicLong reads = new AtomicLong();

    @Override
    public long nanoTime() {
        reads.incrementAndGet();
        return nanos.get();
    }

    @Override
    public long wallMillis() {
        return 0;
    }

    /** {@return how often the elapsed time was asked for: once for each lease that a client looks at} */
    public long reads() {
        return reads.get();
    }

    /**
     * Moves the elapsed time. The wall clock stays at 0.
     *
     * @param duration added to {@link #nanoTime}
     */
    public void advance(Duration duration) {
        nanos.addAndGet(duration.toNanos());
    }
}
