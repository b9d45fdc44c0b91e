package io.quorate.runtime;

import io.quorate.spi.Check;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Keeps what of a voter must outlive its process: the highest term that it may have voted in, and what it knows and has
 * promised of who votes. One thread at a time calls it; {@link #open} and {@link #store} may block on a disk.
 */
public interface TermStore extends AutoCloseable {

    /**
     * The kept values. The ceiling does not go down from one {@link TermStore#store} to the next, and an identity once
     * given stays.
     *
     * @param termCeiling the highest term that the voter may have voted in, at least 0
     * @param identity    tells this store from one that was emptied and begins anew; 0 while it has none
     * @param voters      who votes, in bytes that mean nothing to the store; read-only, empty if nobody has changed
     *                    that
     */
    record Stored(long termCeiling, long identity, ByteBuffer voters) {
        /** Nothing was ever stored. */
        public static final Stored NOTHING = new Stored(0);

        /**
         * The kept values.
         *
         * @param termCeiling at least 0
         * @param identity    any; 0 for none
         * @param voters      at most {@link TermStore#VOTERS_LENGTH_MAX} bytes; not to be changed
         * @throws IllegalArgumentException if the ceiling is negative, or {@code voters} is too long
         */
        public Stored {
            Check.argument(termCeiling >= 0, "term ceiling %d: must not be negative", termCeiling);
            Check.argument(
                    voters.remaining() <= VOTERS_LENGTH_MAX,
                    "voters of %d bytes: must be at most %d",
                    voters.remaining(),
                    VOTERS_LENGTH_MAX);
            voters = voters.asReadOnlyBuffer();
        }

        /**
         * The content of a store that nobody has asked for a change of voters.
         *
         * @param termCeiling at least 0
         * @throws IllegalArgumentException if it is negative
         */
        public Stored(long termCeiling) {
            this(termCeiling, 0, ByteBuffer.allocate(0));
        }
    }

    /** The most bytes that are kept of who votes. */
    int VOTERS_LENGTH_MAX = 32 * 1024;

    /**
     * {@return whether what is kept survives the end of the process} It is the same for all voters of a cluster, and
     * the same at each call.
     */
    boolean isDurable();

    /**
     * Locks the store against other processes and reads it. Called once, before everything else.
     *
     * @return what was stored last, never anything older; {@link Stored#NOTHING} if nothing was
     * @throws IOException if another process holds the lock, or the store is unreadable or corrupt; the message says
     *                     which it is, where, and what to do
     */
    Stored open() throws IOException;

    /**
     * Stores this, durably before it returns if the store {@linkplain #isDurable is durable}.
     *
     * @param stored its ceiling is not lower than the one that was stored before
     * @throws IOException              if that failed; what was stored before is still there
     * @throws IllegalArgumentException if the ceiling is lower than the one that was stored before
     */
    void store(Stored stored) throws IOException;

    /** Gives up the lock. A second call has no effect. */
    @Override
    void close();
}
