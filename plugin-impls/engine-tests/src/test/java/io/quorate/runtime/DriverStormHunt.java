package io.quorate.runtime;

import io.quorate.testkit.simulation.HighestUp;
import io.quorate.testkit.simulation.Seeds;
import io.quorate.testkit.simulation.Simulation;
import io.quorate.testkit.simulation.Simulation.Depth;
import io.quorate.testkit.simulation.Storms;
import org.junit.jupiter.api.Test;

/** What the mutants of {@link DriverStormMutantsTest} are run against; no test of its own. */
class DriverStormHunt {

    /** A few more than the mutant that is hardest to find needs. */
    private static final int RUNS = 260;

    @Test
    void stormsWithoutDisks() {
        Storms.runWithoutDisks(RUNS, 1, new HighestUp(), Depth.DRIVER);
    }

    @Test
    void storms() {
        Seeds.each(RUNS, 1, seed -> Simulation.run(Storms.scenario(seed), new HighestUp(), Depth.DRIVER));
    }
}
