package io.quorate.core.step;

/** Draws the delays that should differ between nodes. Given by the driver; the core itself has no randomness. */
@FunctionalInterface
public interface Jitter {

    /** A number from {@code min} to {@code max}, both included. */
    long between(long min, long max);
}
