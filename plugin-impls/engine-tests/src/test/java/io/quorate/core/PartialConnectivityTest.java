package io.quorate.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.core.message.VoteMessage.Release;
import io.quorate.spi.NodeId;
import io.quorate.testkit.simulation.HighestUp;
import io.quorate.testkit.simulation.VirtualCluster;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * docs/protocol.md#partial-connectivity: five voters, n1 leads, and some links fail. Whoever reaches a majority must
 * get a leader.
 */
class PartialConnectivityTest {

    private static final String PATH = "/app/leader";
    private static final NodeId N1 = new NodeId("n1");
    private static final NodeId N2 = new NodeId("n2");
    private static final NodeId N3 = new NodeId("n3");
    private static final NodeId N4 = new NodeId("n4");
    private static final NodeId N5 = new NodeId("n5");
    private static final List<NodeId> ALL = List.of(N1, N2, N3, N4, N5);

    /** Four leases. */
    private static final int LIMIT = 4000;

    private final VirtualCluster cluster = VirtualCluster.ofVoters(5, 11, new HighestUp());

    @BeforeEach
    void firstNodeLeads() {
        cluster.advance(1500);
        for (NodeId node : ALL) {
            cluster.contend(node, PATH);
            cluster.advance(50);
        }
        cluster.advance(1000);
        assertThat(cluster.leaders(PATH)).containsExactly(N1);
    }

    private void leaderIs(NodeId expected) {
        cluster.await(expected + " leads", LIMIT, () -> cluster.leaders(PATH).equals(List.of(expected)));
        cluster.advance(10_000);
        assertThat(cluster.leaders(PATH)).as("and stays").containsExactly(expected);
    }

    private void only(NodeId hub) {
        cluster.drop(f -> !f.from().equals(hub) && !f.to().equals(hub));
    }

    @Test
    void quorumLossLeavesTheHub() {
        only(N3);
        leaderIs(N3);
    }

    // The old leader is gone and only the worst ranked node reaches everybody.
    @Test
    void constrainedElectionLeavesTheHub() {
        cluster.isolate(N1);
        only(N5);
        leaderIs(N5);
    }

    @Test
    void minoritySideHasNoLeader() {
        cluster.isolate(N1, N2);
        leaderIs(N3);
        cluster.heal();
        cluster.advance(3000);
        assertThat(cluster.leaders(PATH)).as("healing disturbs nobody").containsExactly(N3);
    }

    @Test
    void noMajorityNoLeader() {
        cluster.drop(f -> true);
        cluster.advance(1000);
        assertThat(cluster.leaders(PATH)).isEmpty();
        cluster.advance(10_000);
        assertThat(cluster.leaders(PATH)).isEmpty();
        cluster.heal();
        cluster.await("a leader again", LIMIT, () -> cluster.leaders(PATH).size() == 1);
    }

    @Test
    void deafLeaderIsReplaced() {
        cluster.drop(f -> f.to().equals(N1));
        leaderIs(N2);
    }

    // Its release is lost, no challenge reaches it, and its heartbeats go on: only the renunciation in them frees the
    // voters.
    @Test
    void deafLeaderGivesItsVotesBackWithItsHeartbeats() {
        cluster.drop(f -> f.to().equals(N1) || f.from().equals(N1) && f.message() instanceof Release);
        leaderIs(N2);
    }

    @Test
    void muteLeaderIsReplaced() {
        cluster.drop(f -> f.from().equals(N1));
        leaderIs(N2);
    }

    // n1 and n5 cannot hear each other; n1 still has a majority, and nobody deposes it.
    @Test
    void chainChangesNothing() {
        cluster.cut(N1, N5);
        cluster.advance(20_000);
        assertThat(cluster.log().stream().filter(VirtualCluster.Change::isGranted))
                .hasSize(1);
    }

    @Test
    void flappingLinkChangesNothing() {
        for (int i = 0; i < 60; i++) {
            cluster.cut(N1, N2);
            cluster.advance(150);
            cluster.heal();
            cluster.advance(150);
        }
        assertThat(cluster.log().stream().filter(VirtualCluster.Change::isGranted))
                .hasSize(1);
    }

    // An old leader that reaches only a bridge must not keep the bridge's vote for ever (openraft 2080).
    @Test
    void bridgeIsFreedFromALeaderWithoutAMajority() {
        cluster.drop(f -> f.from().equals(N1) && !f.to().equals(N2)
                || f.to().equals(N1) && !f.from().equals(N2));
        cluster.crash(N4);
        leaderIs(N2);
    }

    @Test
    void fivePercentLossChangesNothing() {
        SplittableRandom loss = new SplittableRandom(5);
        cluster.drop(f -> loss.nextInt(20) == 0);
        cluster.advance(60_000);
        assertThat(cluster.log().stream().filter(VirtualCluster.Change::isGranted))
                .hasSize(1);
    }

    @Test
    void rollingRestartOfAll() {
        for (NodeId node : ALL) {
            cluster.crash(node);
            cluster.advance(500);
            cluster.start(node);
            cluster.contend(node, PATH);
            cluster.await("a leader", LIMIT, () -> cluster.leaders(PATH).size() == 1);
            cluster.advance(2000);
        }
        assertThat(cluster.log().stream()
                        .filter(VirtualCluster.Change::isGranted)
                        .map(VirtualCluster.Change::token))
                .isSorted()
                .doesNotHaveDuplicates();
    }

    @Test
    void restartOfAMajorityAtOnce() {
        List.of(N1, N2, N3).forEach(cluster::crash);
        cluster.advance(200);
        List.of(N1, N2, N3).forEach(node -> {
            cluster.start(node);
            cluster.contend(node, PATH);
        });
        cluster.await("a leader", LIMIT, () -> cluster.leaders(PATH).size() == 1);
    }
}
