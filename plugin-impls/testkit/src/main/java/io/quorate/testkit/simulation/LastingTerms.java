package io.quorate.testkit.simulation;

import io.quorate.runtime.TermStore;
import io.quorate.spi.Check;

/** The disk of one simulated node over all its lives: nothing that was stored is ever lost. */
public final class LastingTerms implements TermStore {

    private Stored stored = Stored.NOTHING;

    @Override
    public boolean isDurable() {
        return true;
    }

    @Override
    public Stored open() {
        return stored;
    }

    @Override
    public void store(Stored next) {
        Check.argument(next.termCeiling() >= stored.termCeiling(), "%s: must not be below the stored %s", next, stored);
        stored = next;
    }

    @Override
    public void close() {
        // There is no other process that it would have to be locked against.
    }
}
