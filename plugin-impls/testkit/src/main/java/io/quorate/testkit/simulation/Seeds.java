package io.quorate.testkit.simulation;

import java.util.function.LongConsumer;

/** Runs a randomised test under many seeds, and says which one failed and how to repeat it. */
public final class Seeds {

    private Seeds() {}

    /**
     * Runs a test once per seed, on the calling thread. With the system property {@code seed} it runs the test with
     * that seed alone.
     *
     * @param count how many seeds
     * @param first the first seed; each next one is higher by 1
     * @param test  gets the seed
     * @throws AssertionError if the test fails; the message names the seed, and the failure is the cause
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
            throw new AssertionError(
                    "failed with seed=" + seed + "; rerun: mvn test -Dseed=" + seed + "\n" + e.getMessage(), e);
        }
    }
}
