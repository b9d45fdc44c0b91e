package io.quorate.core;

import io.quorate.testkit.simulation.HighestUp;
import io.quorate.testkit.simulation.Storms;
import org.junit.jupiter.api.Test;

/** docs/reconfiguration.md: other nodes come to vote while everything else happens that can; {@code -Dchanges=N}. */
class ChangeStormTest {

    private static final int COUNT = Integer.getInteger("changes", 500);

    @Test
    void otherNodesComeToVoteInStorms() {
        System.out.println("ChangeStormTest: seeds from 1, " + COUNT + " of them");
        System.out.println(Storms.runWithChanges(COUNT, 1, new HighestUp()));
    }
}
