package io.quorate.storms;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.testkit.Effort;
import io.quorate.testkit.simulation.HighestUp;
import io.quorate.testkit.simulation.Scenario;
import io.quorate.testkit.simulation.Simulation;
import io.quorate.testkit.simulation.Simulation.Depth;
import io.quorate.testkit.simulation.Storms;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Random storms over whole clusters: {@code -Dstorms=10000000} for more of them, {@code -Dseed=N} for one. */
class StormTest {

    /** If support is believed for as long as it lasts, storms 71 and 143 have two leaders. */
    private static final int STORMS = Integer.getInteger("storms", Effort.of(400, 150));

    private static final int DEEP_STORMS = Integer.getInteger("deep.storms", Effort.of(150, 24));

    @Test
    void noStormBreaksARule() {
        Storms.Total total = Storms.run(STORMS, 1, new HighestUp(), Depth.NODE);
        System.out.println("storms over nodes, seeds from 1: " + total);
    }

    @Test
    void noStormBreaksARuleOfTheDriver() {
        Storms.Total total = Storms.run(DEEP_STORMS, 1, new HighestUp(), Depth.DRIVER);
        System.out.println("storms over drivers, seeds from 1: " + total);
    }

    // ADR-0084: whoever is on standby leads only where nobody else can.
    @Test
    void noStormWithStandbyBreaksARule() {
        Storms.Total total = Storms.runWithStandby(STORMS / 4, 1, new HighestUp(), Depth.NODE);
        System.out.println("storms with standby over nodes, seeds from 1: " + total);
        total = Storms.runWithStandby(DEEP_STORMS / 6, 1, new HighestUp(), Depth.DRIVER);
        System.out.println("storms with standby over drivers, seeds from 1: " + total);
    }

    // ADR-0096: who leaves on purpose finishes its work, and that delays nothing that must not wait.
    @Test
    void noStormWithDrainsBreaksARule() {
        Storms.Total total = Storms.runWithDrains(STORMS, 1, new HighestUp(), Depth.NODE);
        System.out.println("storms with drains over nodes, seeds from 1: " + total);
        total = Storms.runWithDrains(DEEP_STORMS / 3, 1, new HighestUp(), Depth.DRIVER);
        System.out.println("storms with drains over drivers, seeds from 1: " + total);
    }

    // docs/protocol.md#support, rule 6 of the node. No vote stays behind a link that passes one way only.
    @Test
    void noStormWithOneWayLinksBreaksARule() {
        Storms.Total total = Storms.runWithOneWayLinks(STORMS, 1, new HighestUp(), Depth.NODE);
        System.out.println("storms with one-way links over nodes, seeds from 1: " + total);
        total = Storms.runWithOneWayLinks(DEEP_STORMS / 3, 1, new HighestUp(), Depth.DRIVER);
        System.out.println("storms with one-way links over drivers, seeds from 1: " + total);
    }

    // docs/protocol.md#persistence: what a cluster without disks promises.
    @Test
    void noStormWithoutDisksBreaksARule() {
        Storms.Total total = Storms.runWithoutDisks(STORMS / 4, 1, new HighestUp(), Depth.NODE);
        System.out.println("storms without disks over nodes, seeds from 1: " + total);
        total = Storms.runWithoutDisks(DEEP_STORMS / 2, 1, new HighestUp(), Depth.DRIVER);
        System.out.println("storms without disks over drivers, seeds from 1: " + total);
    }

    @Test
    void aSeedDecidesEverything() {
        for (Depth depth : Depth.values()) {
            for (long seed : List.of(3L, 14L, 159L)) {
                Scenario scenario = Storms.scenario(seed);
                assertThat(Storms.scenario(seed)).isEqualTo(scenario);
                assertThat(Simulation.run(scenario, new HighestUp(), depth).fingerprint())
                        .isEqualTo(
                                Simulation.run(scenario, new HighestUp(), depth).fingerprint());
            }
        }
        assertThat(LongStream.rangeClosed(1, 20)
                        .map(seed -> Simulation.run(Storms.scenario(seed), new HighestUp(), Depth.NODE)
                                .fingerprint())
                        .distinct()
                        .count())
                .as("different seeds")
                .isEqualTo(20);
    }
}
