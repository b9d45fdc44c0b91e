package io.quorate.core;

import static io.quorate.core.Contexts.N1;
import static io.quorate.core.Contexts.N2;
import static io.quorate.core.Contexts.N3;
import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.core.message.VoteMessage.Handover;
import io.quorate.core.settings.NodeSettings;
import io.quorate.engine.Connection;
import io.quorate.spi.NodeId;
import io.quorate.spi.RankOrder;
import io.quorate.testkit.simulation.HighestUp;
import io.quorate.testkit.simulation.VirtualCluster;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** ADR-0081: a leader of many paths makes way on a few of them per heartbeat. */
class PreemptionTest {

    private static final List<NodeId> NODES = List.of(N1, N2, N3);
    private static final int PATHS = 240;
    private static final int PER_PERIOD = 16;
    private static final int HEARTBEAT_MILLIS = 150;

    private final VirtualCluster cluster = new VirtualCluster(1, new HighestUp());

    private static String path(int i) {
        return "/preempted/" + i;
    }

    private long ledBy(NodeId node) {
        return IntStream.range(0, PATHS)
                .filter(i -> cluster.leaders(path(i)).equals(List.of(node)))
                .count();
    }

    private void contend(NodeId node) {
        for (int i = 0; i < PATHS; i++) {
            cluster.contend(node, path(i));
        }
    }

    // All at one moment kept the successor so busy that its lease was lost, and what it led went back: for ever.
    @Test
    void manyPathsChangeHandsWithoutALossOfLeadership() {
        for (NodeId node : NODES) {
            NodeSettings usual = VirtualCluster.settings(node, NODES);
            int priority = node.equals(N2) ? 1 : 0;
            cluster.add(new NodeSettings(
                    "test", node, NODES, usual.lease(), usual.timing(), RankOrder.PRIORITY, priority, true));
            cluster.start(node);
            cluster.process(node).serviceTime(200_000);
        }
        cluster.advance(1_500);
        contend(N1);
        cluster.await("n1 leads all", 20_000, () -> ledBy(N1) == PATHS);
        contend(N2);
        contend(N3);
        int[] handedOver = {0};
        cluster.network(flight -> handedOver[0] += flight.message() instanceof Handover ? 1 : 0);
        int most = 0;
        while (ledBy(N2) < PATHS) {
            assertThat(cluster.nowMillis()).as("n2 leads all in time").isLessThan(20_000);
            int before = handedOver[0];
            cluster.advance(HEARTBEAT_MILLIS);
            most = Math.max(most, handedOver[0] - before);
        }
        // A period of the test and one of the node do not begin at one moment.
        assertThat(most).as("hand-overs in a heartbeat period").isBetween(PER_PERIOD, 2 * PER_PERIOD);
        assertThat(handedOver[0]).as("hand-overs").isEqualTo(PATHS);
        cluster.advance(5_000);
        assertThat(ledBy(N2)).as("paths that stay with n2").isEqualTo(PATHS);
        NODES.forEach(node -> assertThat(cluster.connections(node)).containsExactly(Connection.CONNECTED));
    }
}
