package io.quorate.spi;

/**
 * The time of one process. Safety rests on {@link #nanoTime()} alone: its <em>rate</em> must stay within the configured
 * drift bound of real time, also while the process is paused. Readings of two processes are never compared.
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

    /** Elapsed time in nanoseconds from an arbitrary origin; never decreases; compare by difference. */
    long nanoTime();

    /** Wall-clock time in milliseconds. Only for numbers that should rise over restarts; steps do no harm. */
    long wallMillis();
}
