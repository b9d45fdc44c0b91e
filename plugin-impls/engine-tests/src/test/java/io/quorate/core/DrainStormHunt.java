package io.quorate.core;

import io.quorate.testkit.simulation.HighestUp;
import io.quorate.testkit.simulation.Seeds;
import io.quorate.testkit.simulation.Simulation;
import io.quorate.testkit.simulation.Simulation.Depth;
import io.quorate.testkit.simulation.Storms;
import org.junit.jupiter.api.Test;

/** What the mutants of {@link StormMutantsTest} about leaders that leave are run against; no test of its own. */
class DrainStormHunt {

    private static final int RUNS = 400;

    @Test
    void storms() {
        Seeds.each(RUNS, 1, seed -> Simulation.run(Storms.scenarioWithDrains(seed), new HighestUp(), Depth.NODE));
    }
}
