package io.quorate.testkit.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.engine.Connection;
import io.quorate.spi.NodeId;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A network that loses nothing, and lets frames overtake each other by up to 80 ms: no frame is thrown away for that. */
class ReorderedFramesTest {

    private static final List<NodeId> VOTERS = List.of(new NodeId("n1"), new NodeId("n2"), new NodeId("n3"));
    private static final int SECONDS = 60;

    @Test
    void framesThatOvertakeEachOtherAreNotLost() {
        VirtualCluster cluster = new VirtualCluster(1, new HighestUp());
        VOTERS.forEach(id -> cluster.addDriver(VirtualCluster.settings(id, VOTERS), Optional.empty()));
        VOTERS.forEach(cluster::start);
        cluster.advance(3_000);
        for (int path = 0; path < 5; path++) {
            cluster.contend(VOTERS.get(0), "/led/" + path);
        }
        cluster.await("all are led", 3_000, () -> led(cluster) == 5);
        cluster.delays(200, 80_000);
        for (int tenth = 0; tenth < 10 * SECONDS; tenth++) {
            NodeId node = VOTERS.get(tenth % 3);
            int number = cluster.contend(node, "/busy/" + tenth);
            cluster.advance(100);
            cluster.withdraw(node, number);
        }
        assertThat(led(cluster)).isEqualTo(5);
        for (NodeId node : VOTERS) {
            assertThat(cluster.process(node).connections).containsExactly(Connection.CONNECTED);
            assertThat(cluster.process(node).host().describe()).doesNotContain("STALE_SEQUENCE");
        }
    }

    private static int led(VirtualCluster cluster) {
        int led = 0;
        for (int path = 0; path < 5; path++) {
            led += cluster.leaders("/led/" + path).size();
        }
        return led;
    }
}
