package io.quorate.ops;

import java.util.concurrent.atomic.AtomicLong;

/** The least that was left of the majority's support, in nanoseconds, since somebody asked. Thread-safe. */
final class SupportMargin {

    private static final long NONE = Long.MAX_VALUE;

    private final AtomicLong least = new AtomicLong(NONE);
    private volatile long last;

    /** The support was renewed when so much was left of it. */
    void renewed(long nanosLeft) {
        last = nanosLeft;
        least.accumulateAndGet(nanosLeft, Math::min);
    }

    /** Nothing was left of it. */
    void lost() {
        last = 0;
        least.set(0);
    }

    /** The least since the last call; if there was nothing new, what was left at last. 0 before the first support. */
    long take() {
        long taken = least.getAndSet(NONE);
        return taken == NONE ? last : taken;
    }
}
