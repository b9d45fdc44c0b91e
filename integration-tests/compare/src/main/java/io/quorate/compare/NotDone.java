package io.quorate.compare;

import java.util.OptionalLong;

/**
 * What was begun and had no end in time, or was not begun because less than that had none.
 *
 * @param algorithm as of {@link Sample}
 * @param seconds   how long it was waited for; 0 if it was not begun
 * @param led       how many latches were led at the end, where that was waited for
 */
record NotDone(ComparedSide side, String algorithm, Metric metric, int scale, int seconds, OptionalLong led) {

    /** For a reader. */
    String how() {
        return seconds == 0
                ? "not tried, for less was not done"
                : "not done in " + seconds + " s" + (led.isPresent() ? ", when " + led.getAsLong() + " were led" : "");
    }

    @Override
    public String toString() {
        return "Not measured: " + side.label() + (algorithm.isEmpty() ? "" : " " + algorithm) + ", "
                + metric.name(scale) + ": " + how() + ".";
    }
}
