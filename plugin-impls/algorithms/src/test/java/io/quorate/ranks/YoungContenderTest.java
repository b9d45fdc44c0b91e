package io.quorate.ranks;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.spi.ElectionAlgorithm;
import io.quorate.spi.NodeId;
import io.quorate.testkit.simulation.VirtualCluster;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A leader hands over to a contender whose node has joined less than a heartbeat ago. It does not know whether that one
 * is up, and the voters do. They keep the vote from a contender whose node has gone down.
 */
class YoungContenderTest {

    private static final String PATH = "/app/leader";
    private static final List<NodeId> VOTERS = List.of(new NodeId("n1"), new NodeId("n2"), new NodeId("n3"));
    private static final NodeId C1 = new NodeId("c1");
    private static final NodeId C2 = new NodeId("c2");
    private static final int SEEDS = 10;
    /** The longest election of an algorithm, with two contenders of which one is down. */
    private static final int ELECTION_MAX = 210;

    static Stream<Arguments> cases() {
        return io.quorate.complaints.Contenders.algorithms()
                .flatMap(algorithm -> Stream.of(0, 5, 20, 50).map(lag -> Arguments.of(algorithm, lag)));
    }

    /** C1 leads and sees C2, whose node has just started. */
    private static VirtualCluster joined(ElectionAlgorithm algorithm, long seed) {
        VirtualCluster cluster = new VirtualCluster(seed, algorithm);
        VOTERS.forEach(node -> add(cluster, node));
        add(cluster, C1);
        cluster.advance(1500 + 7 * seed);
        cluster.contend(C1, PATH);
        cluster.await("c1 leads", 1000, () -> cluster.leaders(PATH).contains(C1));
        cluster.advance(1000);
        add(cluster, C2);
        cluster.contend(C2, PATH);
        cluster.await("c1 sees c2", 1000, () -> cluster.view(C1, PATH).stream()
                .flatMap(view -> view.contenders().stream())
                .anyMatch(contender -> contender.node().equals(C2)));
        return cluster;
    }

    private static void add(VirtualCluster cluster, NodeId node) {
        cluster.add(VirtualCluster.settings(node, VOTERS));
        cluster.start(node);
    }

    @ParameterizedTest(name = "{0} after {1} ms")
    @MethodSource("cases")
    void leaderThatResignsIsFollowedByIt(ElectionAlgorithm algorithm, int lag) {
        for (long seed = 0; seed < SEEDS; seed++) {
            VirtualCluster cluster = joined(algorithm, seed);
            cluster.advance(lag);
            cluster.resign(C1, 1);
            cluster.await("c2 leads", 50, () -> cluster.leaders(PATH).contains(C2));
            cluster.advance(1000);
            assertThat(cluster.leaders(PATH)).as(cluster::describe).containsExactly(C2);
        }
    }

    @ParameterizedTest(name = "{0} after {1} ms")
    @MethodSource("cases")
    void leaderThatWithdrawsIsFollowedByIt(ElectionAlgorithm algorithm, int lag) {
        for (long seed = 0; seed < SEEDS; seed++) {
            VirtualCluster cluster = joined(algorithm, seed);
            cluster.advance(lag);
            cluster.withdraw(C1, 1);
            cluster.await("c2 leads", 50, () -> cluster.leaders(PATH).contains(C2));
        }
    }

    static Stream<Arguments> deadFor() {
        return io.quorate.complaints.Contenders.algorithms()
                .flatMap(algorithm -> Stream.of(600, 700, 800, 900).map(millis -> Arguments.of(algorithm, millis)));
    }

    // The voters support the dead node until 1000 ms, and a vote for it would be bound until then.
    @ParameterizedTest(name = "{0}, dead for {1} ms")
    @MethodSource("deadFor")
    void leaderThatResignsDoesNotLeaveItsVotesToADeadContender(ElectionAlgorithm algorithm, int millis) {
        for (long seed = 0; seed < SEEDS; seed++) {
            VirtualCluster cluster = joined(algorithm, seed);
            cluster.advance(3000);
            cluster.crash(C2);
            cluster.advance(millis);
            cluster.resign(C1, 1);
            cluster.await(
                    "c1 leads again", ELECTION_MAX, () -> cluster.leaders(PATH).contains(C1));
        }
    }
}
