package io.quorate.engine;

/**
 * The time of one process. Safety rests on {@link #nanoTime()} alone: its <em>rate</em> must stay within the configured
 * drift of real time, even while the process is paused. Readings of two processes are never compared. All methods may
 * be called from any thread, and none blocks or throws.
 */
public interface Clock {

    /** The clock of this machine. */
    Clock SYSTEM = new Clock() {
        @Override
        public long nanoTime() {
            return System.nanoTime();
        }

        @Override
        public long wallMillis() {
            return System.currentTimeMillis();
        }
    };

    /**
     * Reads the elapsed time. Compare two readings by their difference, because the number may overflow.
     *
     * @return nanoseconds since an arbitrary origin; never less than an earlier reading
     */
    long nanoTime();

    /**
     * Reads the wall clock. It serves only numbers that should rise over restarts, so steps of it do no harm.
     *
     * @return milliseconds since the beginning of 1970, UTC
     */
    long wallMillis();
}
