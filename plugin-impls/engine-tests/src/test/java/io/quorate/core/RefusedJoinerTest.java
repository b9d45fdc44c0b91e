package io.quorate.core;

import static io.quorate.core.ChangingCluster.from1to;
import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.DuplicateNodeException;
import io.quorate.core.step.NodeEvent;
import io.quorate.spi.NodeId;
import io.quorate.testkit.simulation.VirtualCluster;
import org.junit.jupiter.api.Test;

/**
 * A second process under the id of a contender that joins. Each voter refuses it as BUSY, so no voter tells it who
 * votes. By docs/protocol.md#one-process-per-id it ends after four support times of the slowest clock.
 */
class RefusedJoinerTest {

    @Test
    void secondProcessesThatJoinEnd() {
        ChangingCluster nodes = new ChangingCluster(7);
        VirtualCluster cluster = nodes.cluster;
        nodes.start(3, 3);
        NodeId joiner = new NodeId("n9");
        cluster.add(VirtualCluster.settings(joiner, from1to(3)).joining());
        // A transport does not pass frames of a refused process.
        cluster.drop(flight -> flight.from().equals(joiner) || flight.to().equals(joiner));
        cluster.start(joiner);
        for (int i = 0; i < 200 && cluster.failure(joiner).isEmpty(); i++) {
            from1to(3).forEach(voter -> cluster.step(joiner, new NodeEvent.PlaceTaken(voter, 99, true)));
            cluster.advance(100);
        }
        assertThat(cluster.failure(joiner)).get().isInstanceOf(DuplicateNodeException.class);
    }
}
