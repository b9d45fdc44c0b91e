package io.quorate.spi;

import java.io.IOException;

/**
 * Keeps the two numbers of a voter that must outlive its process: the highest term it may have voted in, and its
 * incarnation. Called by one thread at a time.
 */
public interface TermStore extends AutoCloseable {

    /** What is kept: a value never goes down from one {@link TermStore#store} to the next. */
    record Stored(long termCeiling, long incarnation) {
        /** Nothing was ever stored. */
        public static final Stored NOTHING = new Stored(0, 0);

        public Stored {
            Check.argument(termCeiling >= 0, "term ceiling %d: must not be negative", termCeiling);
            Check.argument(incarnation >= 0, "incarnation %d: must not be negative", incarnation);
        }
    }

    /** Whether what is stored survives the end of the process. All voters of a cluster must agree on that. */
    boolean isDurable();

    /**
     * Locks the store against other processes and reads it; called once, first.
     *
     * @throws IOException if it is locked by another process, unreadable or corrupt; the message says which, where, and
     *                     what to do. Never answers with a lower value than was stored
     */
    Stored open() throws IOException;

    /**
     * Stores durably before it returns.
     *
     * @throws IOException if that failed; then what was stored before is still there
     * @throws IllegalArgumentException if a number is lower than the one stored
     */
    void store(Stored stored) throws IOException;

    /** Gives up the lock. Twice is no error. */
    @Override
    void close();
}
