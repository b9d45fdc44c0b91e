package io.quorate.runtime;

import io.quorate.spi.Check;

/**
 * Keeps nothing beyond the process. Leadership stays exclusive without a disk, because a starting voter keeps silent
 * until any support it may have given has run out. When a majority of the voters restarts at once, fencing tokens rise
 * only as far as the machines' wall clocks agree.
 */
public final class MemoryTermStore implements TermStore {

    private Stored stored = Stored.NOTHING;

    @Override
    public boolean isDurable() {
        return false;
    }

    /** {@link Stored#NOTHING}. */
    @Override
    public Stored open() {
        return Stored.NOTHING;
    }

    @Override
    public void store(Stored next) {
        checkRises(stored, next);
        stored = next;
    }

    @Override
    public void close() {
        // Nothing is held.
    }

    /** @throws IllegalArgumentException if the ceiling of {@code next} is below the one of {@code stored} */
    static void checkRises(Stored stored, Stored next) {
        Check.argument(
                next.termCeiling() >= stored.termCeiling(),
                "term ceiling %d: must not be below the stored %d",
                next.termCeiling(),
                stored.termCeiling());
    }
}
