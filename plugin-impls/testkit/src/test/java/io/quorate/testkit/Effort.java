package io.quorate.testkit;

import io.quorate.spi.Check;

/**
 * How often a test repeats itself. The first command of the README has time for a sample; {@code -Deffort=whole} runs
 * all of it: docs/verification.md#long-suites.
 */
public final class Effort {

    private static final String WHOLE = "whole";

    private Effort() {}

    /**
     * Whether everything runs, and not only a sample.
     *
     * @throws IllegalArgumentException if the system property {@code effort} is neither empty nor {@code whole}
     */
    public static boolean isWhole() {
        return isWhole(System.getProperty("effort", ""));
    }

    static boolean isWhole(String effort) {
        Check.argument(
                effort.isEmpty() || effort.equals(WHOLE), "effort '%s': must be %s, or not be given", effort, WHOLE);
        return effort.equals(WHOLE);
    }

    /** How often something is repeated: {@code sample} times, or {@code whole} times. */
    public static int of(int whole, int sample) {
        Check.argument(0 < sample && sample < whole, "a sample of %d of %d", sample, whole);
        return isWhole() ? whole : sample;
    }
}
