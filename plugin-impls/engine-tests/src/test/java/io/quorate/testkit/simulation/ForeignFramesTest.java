package io.quorate.testkit.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.core.settings.NodeSettings;
import io.quorate.spi.NodeId;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Two clusters whose addresses are mixed up: both sides say so, in explanations too. Production driver. */
class ForeignFramesTest {

    private static final String PATH = "/app/leader";
    private static final NodeId N1 = new NodeId("n1");
    private static final NodeId N2 = new NodeId("n2");

    private static NodeSettings settings(String cluster, NodeId self) {
        NodeSettings like = VirtualCluster.settings(self, List.of(N1, N2));
        return new NodeSettings(cluster, self, like.voters(), like.lease(), like.timing(), like.rankOrder(), 0, false);
    }

    @Test
    void bothSidesNameBothClusters() {
        VirtualCluster cluster = new VirtualCluster(1, new HighestUp());
        cluster.addDriver(settings("one", N1), Optional.empty());
        cluster.addDriver(settings("two", N2), Optional.empty());
        List.of(N1, N2).forEach(cluster::start);
        List.of(N1, N2).forEach(node -> cluster.contend(node, PATH));
        cluster.advance(3000);
        assertThat(cluster.leaders(PATH)).isEmpty();
        assertThat(cluster.process(N1).host().describe()).contains("node n2 of cluster 'two'", "of cluster 'one'");
        assertThat(cluster.process(N2).host().describe()).contains("node n1 of cluster 'one'", "of cluster 'two'");
        // Healed by a restart with the right one, and a while later nothing is said of it any more.
        cluster.crash(N2);
        cluster.advance(3 * 60_000);
        assertThat(cluster.process(N1).host().describe()).doesNotContain("of cluster 'two'");
    }
}
