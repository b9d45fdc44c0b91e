package io.quorate.core;

import io.quorate.testkit.simulation.HighestUp;
import io.quorate.testkit.simulation.Seeds;
import io.quorate.testkit.simulation.Simulation;
import io.quorate.testkit.simulation.Simulation.Depth;
import io.quorate.testkit.simulation.Storms;
import org.junit.jupiter.api.Test;

/** What the mutants of {@link OverloadMutantsTest} are run against; no test of its own. */
class OverloadStormHunt {

    /** Each mutant fails in several of them. */
    private static final int RUNS = 160;

    @Test
    void overload() {
        Seeds.each(RUNS, 1, seed -> Simulation.run(Storms.overload(seed), new HighestUp(), Depth.NODE));
    }
}
