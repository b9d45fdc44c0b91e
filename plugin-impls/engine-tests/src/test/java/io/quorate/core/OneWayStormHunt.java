package io.quorate.core;

import io.quorate.testkit.simulation.HighestUp;
import io.quorate.testkit.simulation.Seeds;
import io.quorate.testkit.simulation.Simulation;
import io.quorate.testkit.simulation.Simulation.Depth;
import io.quorate.testkit.simulation.Storms;
import org.junit.jupiter.api.Test;

/** Storms that {@link ProbationTest} runs with rules about links that pass one way only switched off. */
class OneWayStormHunt {

    /** The rule that is hardest to miss is missed at seed 829. */
    private static final int RUNS = 1_000;

    @Test
    void storms() {
        Seeds.each(RUNS, 1, seed -> Simulation.run(Storms.scenarioWithOneWayLinks(seed), new HighestUp(), Depth.NODE));
    }
}
