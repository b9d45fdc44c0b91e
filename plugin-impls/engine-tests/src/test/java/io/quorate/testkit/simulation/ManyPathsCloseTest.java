package io.quorate.testkit.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.core.settings.NodeSettings;
import io.quorate.spi.NodeId;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A client that leads very many paths is closed, over production drivers, whose links take so much at a time. */
class ManyPathsCloseTest {

    /** With names so long that it is as much to tell as 10,000 usual paths are: twice what a link takes at once. */
    private static final int PATHS = 1_000;

    private static final String PREFIX = "/application/" + "p".repeat(900) + "/";

    /** Made once, because a name remembers its hash code. */
    private static final List<String> ALL =
            IntStream.range(0, PATHS).mapToObj(number -> PREFIX + number).toList();

    @Test
    void allPathsAreLedByTheirNamedSuccessors() {
        VirtualCluster cluster = new VirtualCluster(1, new HighestUp());
        // As a connection does, each link keeps the order: what is overtaken is dropped, and would be lost here.
        cluster.delays(500, 500);
        List<NodeId> voters = List.of(new NodeId("n1"), new NodeId("n2"), new NodeId("n3"));
        for (NodeId voter : voters) {
            NodeSettings settings = VirtualCluster.settings(voter, voters);
            cluster.addDriver(settings, Optional.empty());
            cluster.start(voter);
        }
        NodeId closed = voters.get(0);
        contend(cluster, closed);
        cluster.await("n1 leads all", 60_000, () -> leadsAll(cluster, closed));
        NodeId next = voters.get(1);
        contend(cluster, next);
        cluster.advance(10_000);
        contend(cluster, voters.get(2));
        cluster.advance(10_000);
        assertThat(led(cluster, closed)).isEqualTo(PATHS);
        cluster.process(closed).shutdown();
        cluster.await("all are led", 100, () -> leadsAll(cluster, next));
        cluster.advance(2_000);
        assertThat(led(cluster, next))
                .as("also when the support of the closed voter is over")
                .isEqualTo(PATHS);
        assertThat(cluster.describe()).contains("frames dropped {} and 0 unread, held back 0");
    }

    private static void contend(VirtualCluster cluster, NodeId node) {
        ALL.forEach(path -> cluster.contend(node, path));
    }

    private static int led(VirtualCluster cluster, NodeId node) {
        return (int) ALL.stream().filter(path -> leads(cluster, node, path)).count();
    }

    private static boolean leadsAll(VirtualCluster cluster, NodeId node) {
        return ALL.stream().allMatch(path -> leads(cluster, node, path));
    }

    private static boolean leads(VirtualCluster cluster, NodeId node, String path) {
        return cluster.leaders(path).contains(node);
    }
}
