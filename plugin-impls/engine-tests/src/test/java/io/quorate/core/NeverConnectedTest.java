package io.quorate.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.engine.PathView;
import io.quorate.spi.NodeId;
import io.quorate.testkit.simulation.HighestUp;
import io.quorate.testkit.simulation.VirtualCluster;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a node knows that reaches one voter and never found a majority: as little as one that is LOST. */
class NeverConnectedTest {

    private static final String PATH = "/app/leader";
    private static final NodeId N1 = new NodeId("n1");
    private static final NodeId N2 = new NodeId("n2");
    private static final NodeId N3 = new NodeId("n3");
    private static final NodeId C = new NodeId("c");
    private static final List<NodeId> VOTERS = List.of(N1, N2, N3);

    @Test
    void nobodyIsKnownToLead() {
        VirtualCluster cluster = new VirtualCluster(7, new HighestUp());
        for (NodeId voter : VOTERS) {
            cluster.add(VirtualCluster.settings(voter, VOTERS));
            cluster.start(voter);
        }
        cluster.advance(3000);
        cluster.contend(N1, PATH);
        cluster.await("n1 leads", 5000, () -> cluster.leaders(PATH).equals(List.of(N1)));
        cluster.add(VirtualCluster.settings(C, VOTERS));
        cluster.cut(C, N2);
        cluster.cut(C, N3);
        cluster.start(C);
        cluster.contend(C, PATH);
        cluster.advance(3000);
        assertThat(cluster.connections(C)).isEmpty();
        cluster.crash(N1);
        cluster.advance(600_000);
        assertThat(cluster.connections(C)).isEmpty();
        assertThat(cluster.view(C, PATH).flatMap(PathView::leader))
                .as(cluster::describe)
                .isEmpty();
    }
}
