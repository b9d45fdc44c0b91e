package io.quorate.algorithms;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.ballot.BallotAlgorithm;
import io.quorate.bully.BullyAlgorithm;
import io.quorate.lcr.LcrAlgorithm;
import io.quorate.spi.ElectionAlgorithm;
import io.quorate.spi.NodeId;
import io.quorate.testkit.simulation.VirtualCluster;
import io.quorate.threephase.ThreePhaseAlgorithm;
import io.quorate.tokenring.TokenRingAlgorithm;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each algorithm under the quorum lease, in whole nodes and virtual time (support 1000 ms, heartbeat 200 ms). */
class LeasedElectionTest {

    private static final String PATH = "/app/leader";
    private static final NodeId N1 = new NodeId("n1");
    private static final NodeId N2 = new NodeId("n2");
    private static final NodeId N3 = new NodeId("n3");
    private static final NodeId N5 = new NodeId("n5");
    private static final int LIMIT = 4000;

    static Stream<ElectionAlgorithm> algorithms() {
        return Stream.of(
                new BullyAlgorithm(),
                new BallotAlgorithm(),
                new LcrAlgorithm(),
                new TokenRingAlgorithm(),
                new ThreePhaseAlgorithm());
    }

    private static VirtualCluster contending(int voters, ElectionAlgorithm algorithm) {
        VirtualCluster cluster = VirtualCluster.ofVoters(voters, 3, algorithm);
        cluster.advance(1500);
        for (int i = 1; i <= voters; i++) {
            cluster.contend(new NodeId("n" + i), PATH);
            cluster.advance(100);
        }
        cluster.await("n1 leads", LIMIT, () -> cluster.leaders(PATH).equals(List.of(N1)));
        cluster.advance(1000);
        return cluster;
    }

    @ParameterizedTest
    @MethodSource("algorithms")
    void electionAmongNewcomersNamesTheBestRanked(ElectionAlgorithm algorithm) {
        VirtualCluster cluster = VirtualCluster.ofVoters(3, 5, algorithm);
        List.of(N1, N2, N3).forEach(node -> cluster.contend(node, PATH));
        cluster.await("a leader", LIMIT, () -> cluster.leader(PATH).isPresent());
        assertThat(cluster.leaders(PATH)).containsExactly(N1);
    }

    // The nominee is known by the time the votes are free: what is left of the support, and a round trip.
    @ParameterizedTest
    @MethodSource("algorithms")
    void failoverTakesNoLongerThanTheSupport(ElectionAlgorithm algorithm) {
        VirtualCluster cluster = contending(3, algorithm);
        cluster.crash(N1);
        assertThat(cluster.await("a leader", LIMIT, () -> cluster.leader(PATH).isPresent()))
                .isLessThan(1010);
        assertThat(cluster.leaders(PATH)).containsExactly(N2);
    }

    @ParameterizedTest
    @MethodSource("algorithms")
    void allPathsOfADeadNodeShareOneElection(ElectionAlgorithm algorithm) {
        VirtualCluster cluster = contending(3, algorithm);
        for (int i = 0; i < 100; i++) {
            for (NodeId node : List.of(N1, N2, N3)) {
                cluster.contend(node, "/many/" + i);
                cluster.advance(5);
            }
        }
        cluster.advance(3000);
        cluster.forgetMessages();
        cluster.crash(N1);
        cluster.advance(1300);
        for (int i = 0; i < 100; i++) {
            assertThat(cluster.leaders("/many/" + i)).as(cluster::describe).containsExactly(N2);
        }
        assertThat(cluster.messages().getOrDefault("Elect", 0))
                .as("messages of the algorithm")
                .isBetween(1, 150);
    }

    @ParameterizedTest
    @MethodSource("algorithms")
    void contendersThatDoNotVoteElect(ElectionAlgorithm algorithm) {
        List<NodeId> voters = List.of(N1, N2, N3);
        VirtualCluster cluster = VirtualCluster.ofVoters(3, 9, algorithm);
        List<NodeId> observers =
                Stream.of("o1", "o2", "o3", "o4").map(NodeId::new).toList();
        observers.forEach(observer -> {
            cluster.add(VirtualCluster.settings(observer, voters));
            cluster.start(observer);
            cluster.contend(observer, PATH);
        });
        cluster.await("a leader", LIMIT, () -> cluster.leader(PATH).isPresent());
        for (int round = 0; round < 2; round++) {
            NodeId leader = cluster.leader(PATH).orElseThrow();
            cluster.advance(1000);
            cluster.crash(leader);
            cluster.await("another leader", LIMIT, () -> cluster.leader(PATH).isPresent());
        }
        cluster.crash(N2);
        cluster.advance(3000);
        assertThat(cluster.leaders(PATH)).hasSize(1);
    }

    @ParameterizedTest
    @MethodSource("algorithms")
    void onlyNodeWithAMajorityLeads(ElectionAlgorithm algorithm) {
        VirtualCluster cluster = contending(5, algorithm);
        cluster.isolate(N1);
        cluster.drop(f -> !f.from().equals(N5) && !f.to().equals(N5));
        cluster.await("n5 leads", LIMIT, () -> cluster.leaders(PATH).equals(List.of(N5)));
        cluster.advance(20_000);
        assertThat(cluster.leaders(PATH)).containsExactly(N5);
    }

    @ParameterizedTest
    @MethodSource("algorithms")
    void quietPathsHoldNoElections(ElectionAlgorithm algorithm) {
        VirtualCluster cluster = contending(3, algorithm);
        cluster.forgetMessages();
        cluster.advance(30_000);
        assertThat(cluster.messages()).containsOnlyKeys("Heartbeat", "Ack");
    }
}
