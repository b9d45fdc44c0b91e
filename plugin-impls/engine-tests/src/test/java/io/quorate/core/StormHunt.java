package io.quorate.core;

import io.quorate.testkit.simulation.HighestUp;
import io.quorate.testkit.simulation.Seeds;
import io.quorate.testkit.simulation.Simulation;
import io.quorate.testkit.simulation.Simulation.Depth;
import io.quorate.testkit.simulation.Storms;
import org.junit.jupiter.api.Test;

/** What the mutants of {@link StormMutantsTest} are run against; no test of its own. */
class StormHunt {

    /** Twice what the mutant that is hardest to find needs. */
    private static final int RUNS = 6_000;

    @Test
    void storms() {
        Seeds.each(RUNS, 1, seed -> Simulation.run(Storms.scenario(seed), new HighestUp(), Depth.NODE));
    }
}
