package io.quorate.testkit.simulation;

import java.util.function.LongConsumer;

/** Runs a randomised test under many seeds, and says which one failed and how to repeat it. */
public final class Seeds {

    private Seeds() {
    }

    /**
     * Runs {@code test} with {@code count} seeds from {@code first} on; with {@code -Dseed=N} with that one alone.
     *
     * @throws AssertionError with the seed and the failure as its cause
     */
    public static void each(int count, long first, LongConsumer test) {
        String given = System.getProperty("seed", "");
        if (!given.isBlank()) {
            one(Long.parseLong(given.trim()), test);
            return;
        }
        for (long seed = first; seed < first + count; seed++) {
            one(seed, test);
        }
    }

    private static void one(long seed, LongConsumer test) {
        try {
            test.accept(seed);
        } catch (RuntimeException | AssertionError e) {
            throw new AssertionError("failed with seed=" + seed + "; rerun: mvn test -Dseed=" + seed + "\n"
                    + e.getMessage(), e);
        }
    }
}
