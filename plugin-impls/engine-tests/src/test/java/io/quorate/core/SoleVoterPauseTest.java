package io.quorate.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.engine.Connection;
import io.quorate.spi.NodeId;
import io.quorate.testkit.simulation.HighestUp;
import io.quorate.testkit.simulation.VirtualCluster;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * A sole voter stands still for longer than a support time. No voter is there that could refuse it, and its leases have
 * no end, so silence would not end them: docs/protocol.md#one-process-per-id.
 */
class SoleVoterPauseTest {

    private static final NodeId VOTER = new NodeId("n1");
    private static final NodeId CONTENDER = new NodeId("n2");
    /** Its voter votes again for some of them in one step, and for the others later. */
    private static final int MANY = 3000;

    private final VirtualCluster cluster = new VirtualCluster(7, new HighestUp());

    private void start(int paths) {
        cluster.add(VirtualCluster.settings(VOTER, List.of(VOTER)));
        cluster.add(VirtualCluster.settings(CONTENDER, List.of(VOTER)));
        cluster.start(VOTER);
        cluster.advance(2000);
        for (int i = 0; i < paths; i++) {
            cluster.contend(VOTER, "/app/" + i);
        }
        cluster.advance(8000);
        assertThat(cluster.leaders("/app/0")).containsExactly(VOTER);
        cluster.pause(VOTER);
        cluster.advance(1100);
        cluster.resume(VOTER);
    }

    // Otherwise its application is told LOST, and its latches lead on.
    @Test
    void pausesDoNotCostASoleVoterItsConnection() {
        start(1);
        cluster.advance(3000);
        assertThat(cluster.leaders("/app/0")).containsExactly(VOTER);
        assertThat(cluster.connections(VOTER)).containsExactly(Connection.CONNECTED);
    }

    // The cluster checks at each step that no path has two leaders.
    @Test
    void contendersThatStartThenDoNotLeadBesideIt() {
        start(MANY);
        cluster.advance(500);
        cluster.start(CONTENDER);
        for (int i = MANY - 1; i >= 0; i--) {
            cluster.contend(CONTENDER, "/app/" + i);
        }
        cluster.advance(3000);
        assertThat(cluster.leaders("/app/" + (MANY - 1))).containsExactly(VOTER);
    }
}
