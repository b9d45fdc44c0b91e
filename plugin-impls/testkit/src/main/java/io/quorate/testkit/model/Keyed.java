package io.quorate.testkit.model;

/**
 * Random numbers that depend on a seed and on what they are drawn for, and not on what was drawn before. So a fault can
 * be taken out of a run, and all messages that it did not touch still take as long as they did.
 */
public record Keyed(long seed) {

    private static final long GOLDEN = 0x9e3779b97f4a7c15L;

    /** The randomness of one purpose. */
    public Keyed of(long purpose) {
        return new Keyed(LocalStates.mix(seed + GOLDEN * (purpose + 1)));
    }

    public Keyed of(String purpose) {
        return of(purpose.hashCode());
    }

    /** The {@code n}-th number, from {@code min} to {@code max}, both included. */
    public long between(long n, long min, long max) {
        long random = LocalStates.mix(seed ^ LocalStates.mix(n + GOLDEN));
        return min + Long.remainderUnsigned(random, max - min + 1);
    }

    /** Whether the {@code n}-th of events that happen to so many of a hundred happens. */
    public boolean chance(long n, int percent) {
        return percent > 0 && between(n, 0, 99) < percent;
    }
}
