package io.quorate.testkit.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.ConnectionLossException;
import io.quorate.LeaderLatch;
import io.quorate.testkit.ClusterSettings;
import io.quorate.testkit.SimulatedCluster;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What the first {@code getLeader} about a path answers on a node that has just been started. */
class FirstViewTest {

    private static final String PATH = "/app/leader";

    private SimulatedCluster cluster;

    private void cluster(int voters) {
        cluster = new SimulatedCluster(ClusterSettings.ofVoters(voters).algorithm(new HighestUp()));
    }

    @AfterEach
    void close() {
        cluster.close();
    }

    private LeaderLatch latch(String node) {
        return new LeaderLatch(cluster.client(node), PATH, node);
    }

    // A voter has a list of its own, which is empty, and is no reason to say that nobody leads.
    @Test
    void aVoterThatReachesNobodyDoesNotSayThatNobodyLeads() throws Exception {
        cluster(3);
        cluster.isolate("n3");
        latch("n1").start();
        assertThat(cluster.awaitLeader(PATH)).isEqualTo("n1");
        LeaderLatch view = latch("n3");
        cluster.advance(Duration.ofSeconds(5));
        assertThatThrownBy(view::getLeader)
                .isInstanceOf(ConnectionLossException.class)
                .hasMessageContaining(PATH);
        assertThatThrownBy(view::getParticipants).isInstanceOf(ConnectionLossException.class);
        cluster.heal();
        cluster.awaitUntil("n3 knows the leader", () -> leader(view).equals("n1"));
    }

    private static String leader(LeaderLatch view) {
        try {
            return view.getLeader().getId();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void theOnlyVoterAnswersByItself() throws Exception {
        cluster(1);
        LeaderLatch latch = latch("n1");
        assertThat(latch.getLeader().getId()).isEmpty();
        latch.start();
        cluster.awaitLeader(PATH);
        assertThat(latch.getLeader().getId()).isEqualTo("n1");
    }
}
