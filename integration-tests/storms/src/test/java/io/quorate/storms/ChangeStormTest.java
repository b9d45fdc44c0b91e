package io.quorate.storms;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.testkit.Effort;
import io.quorate.testkit.simulation.HighestUp;
import io.quorate.testkit.simulation.Simulation.Depth;
import io.quorate.testkit.simulation.Storms;
import org.junit.jupiter.api.Test;

/**
 * docs/reconfiguration.md: other nodes come to vote while everything else happens that can. {@code -Dchanges=200000} for
 * more of them, {@code -Dseed=N} for one.
 */
class ChangeStormTest {

    private static final int STORMS = Integer.getInteger("changes", Effort.of(1_000, 100));

    @Test
    void noStormBreaksARuleWhileVotersChange() {
        Storms.Total total = Storms.runWithChanges(STORMS, 1, new HighestUp(), Depth.NODE);
        System.out.println("storms with changes of voters, seeds from 1: " + total);
        assertThat(total.tenures()).as("there is somebody who leads").isGreaterThan(STORMS);
    }

    @Test
    void noLeaderIsLostWhereNothingHappensButChanges() {
        Storms.Total total = Storms.runWithChangesAlone(STORMS / 10, 1, new HighestUp(), Depth.NODE);
        System.out.println("changes of voters alone, seeds from 1: " + total);
        assertThat(total.tenures()).as("there is somebody who leads").isGreaterThanOrEqualTo(STORMS / 10);
    }

    // In frames of the wire, and with term files.
    @Test
    void noStormBreaksARuleOfTheDriverWhileVotersChange() {
        Storms.Total total = Storms.runWithChanges(STORMS / 20, 1, new HighestUp(), Depth.DRIVER);
        System.out.println("storms with changes of voters over drivers, seeds from 1: " + total);
        total = Storms.runWithChangesAlone(STORMS / 20, 1, new HighestUp(), Depth.DRIVER);
        System.out.println("changes of voters alone over drivers, seeds from 1: " + total);
        assertThat(total.tenures()).as("there is somebody who leads").isGreaterThanOrEqualTo(STORMS / 20);
    }
}
