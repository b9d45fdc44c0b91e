package io.quorate.spi;

import java.io.IOException;

/**
 * Keeps the two numbers of a voter that must outlive its process: the highest term that it may have voted in, and its
 * incarnation. One thread at a time calls it; {@link #open} and {@link #store} may block on a disk.
 */
public interface TermStore extends AutoCloseable {

    /**
     * The two numbers. Neither goes down from one {@link TermStore#store} to the next.
     *
     * @param termCeiling the highest term that the voter may have voted in, at least 0
     * @param incarnation the number of the voter's life, at least 0
     */
    record Stored(long termCeiling, long incarnation) {
        /** Nothing was ever stored. */
        public static final Stored NOTHING = new Stored(0, 0);

        /**
         * Two numbers to keep.
         *
         * @param termCeiling at least 0
         * @param incarnation at least 0
         * @throws IllegalArgumentException if a number is negative
         */
        public Stored {
            Check.argument(termCeiling >= 0, "term ceiling %d: must not be negative", termCeiling);
            Check.argument(incarnation >= 0, "incarnation %d: must not be negative", incarnation);
        }
    }

    /**
     * {@return whether the numbers survive the end of the process} It is the same for all voters of a cluster, and the
     * same at each call.
     */
    boolean isDurable();

    /**
     * Locks the store against other processes and reads it. Called once, before everything else.
     *
     * @return the numbers that were stored last, never lower ones; {@link Stored#NOTHING} if there are none
     * @throws IOException if another process holds the lock, or the store is unreadable or corrupt; the message says
     *                     which it is, where, and what to do
     */
    Stored open() throws IOException;

    /**
     * Stores the numbers, durably before it returns if the store {@linkplain #isDurable is durable}.
     *
     * @param stored neither number is lower than the one that was stored before
     * @throws IOException              if that failed; the numbers that were stored before are still there
     * @throws IllegalArgumentException if a number is lower than the one that was stored before
     */
    void store(Stored stored) throws IOException;

    /** Gives up the lock. A second call has no effect. */
    @Override
    void close();
}
