package io.quorate.algorithms;

import java.util.function.LongConsumer;

/** The seeds of the randomised tests: {@code 1 .. count}, or the one that {@code -Dseed} gives. */
public final class Seeds {

    private Seeds() {
    }

    /** Runs {@code test} for every seed; a failure names its seed and how to run it again. */
    public static void forEach(int count, LongConsumer test) {
        String given = System.getProperty("seed", "").trim();
        if (!given.isEmpty()) {
            run(Long.parseLong(given), test);
            return;
        }
        for (long seed = 1; seed <= count; seed++) {
            run(seed, test);
        }
    }

    private static void run(long seed, LongConsumer test) {
        try {
            test.accept(seed);
        } catch (AssertionError | RuntimeException e) {
            throw new AssertionError("failed with seed=" + seed + "; rerun: mvn test -Dseed=" + seed + "\n"
                    + e.getMessage(), e);
        }
    }
}
