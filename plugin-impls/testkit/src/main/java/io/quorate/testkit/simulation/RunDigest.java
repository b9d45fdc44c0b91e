package io.quorate.testkit.simulation;

import io.quorate.testkit.model.LocalStates;

/** The events and log lines of a run as one number: equal for equal runs, and hardly ever for others. */
final class RunDigest {

    private long value;

    /** Something happened. Texts count by their characters, so that the number is the same on every JVM. */
    void add(long atNanos, String what, String why) {
        value = LocalStates.mix(value ^ atNanos);
        value = LocalStates.mix(value ^ what.hashCode());
        value = LocalStates.mix(value ^ why.hashCode());
    }

    long value() {
        return value;
    }
}
