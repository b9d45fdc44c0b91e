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

    /** How many turns the ratio is of; without one, in how many Quorate was measured. */
    int turns();

    /** Empty without values of Curator, and if its median is 0 in each turn. */
    Optional<Ratio> ratio();

    /** What the goal says, only what is missed of it if so, and whether it is reached; empty without a goal. */
    Optional<Verdict> verdict();

    /** The ratio of the medians of one turn: its median over all turns, the least and the greatest. */
    record Ratio(double value, double low, double high) {}

    /** A goal and whether it is reached. */
    record Verdict(String goal, boolean isReached) {}
}
