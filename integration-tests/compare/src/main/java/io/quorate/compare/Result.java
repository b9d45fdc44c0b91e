package io.quorate.compare;

import java.util.Optional;

/** What was found of one metric at one scale with one algorithm of Quorate. */
sealed interface Result permits Comparison, QuorateAlone {

    Metric metric();

    /** As of {@link Sample}. */
    int scale();

    /** As of {@link Sample}. */
    String algorithm();

    /** For a reader. */
    String name();

    Distribution quorate();

    /** How many values there are on the side that has fewer. */
    int values();

    /** Of the medians; empty without values of Curator, and if its median is 0. */
    Optional<Distribution.Ratio> ratio();

    /** What the goal says, only what is missed of it if so, and whether it is reached; empty without a goal. */
    Optional<Verdict> verdict();

    /** A goal and whether it is reached. */
    record Verdict(String goal, boolean isReached) {}
}
