package io.quorate.ranks;

import static io.quorate.testkit.CodeChange.in;
import static io.quorate.testkit.Mutants.mutant;
import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.core.message.VoteMessage.Handover;
import io.quorate.core.message.VoteMessage.Vote;
import io.quorate.engine.Connection;
import io.quorate.spi.ElectionAlgorithm;
import io.quorate.spi.NodeId;
import io.quorate.testkit.Mutants;
import io.quorate.testkit.simulation.VirtualCluster;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Whoever goes to the tail is not the next to lead while others wait. Contenders that do not vote, among them such as
 * reach the voters alone: in an election these hear nothing of each other, and each may name itself.
 */
class TailTest {

    private static final String PATH = "/app/leader";
    private static final List<NodeId> VOTERS = List.of(new NodeId("n1"), new NodeId("n2"), new NodeId("n3"));
    private static final NodeId C1 = new NodeId("c1");
    private static final NodeId C2 = new NodeId("c2");
    private static final NodeId C3 = new NodeId("c3");
    private static final int SEEDS = 25;

    /** How the contenders are connected, and who waits in which order behind c1. */
    record Queue(boolean isMesh, List<NodeId> waiting) {}

    static Stream<Arguments> cases() {
        return io.quorate.complaints.Contenders.algorithms().flatMap(algorithm -> Stream.of(true, false)
                .flatMap(isMesh -> Stream.of(List.of(C2, C2), List.of(C2, C3))
                        .map(waiting -> Arguments.of(algorithm, new Queue(isMesh, waiting)))));
    }

    private static VirtualCluster led(ElectionAlgorithm algorithm, Queue queue, long seed) {
        VirtualCluster cluster = new VirtualCluster(seed, algorithm);
        Stream.concat(VOTERS.stream(), Stream.of(C1, C2, C3)).forEach(node -> {
            cluster.add(VirtualCluster.settings(node, VOTERS));
            cluster.start(node);
        });
        cutContenders(cluster, queue);
        // The outage begins at another moment of the heartbeats each time.
        cluster.advance(1500 + 7 * seed);
        cluster.contend(C1, PATH);
        cluster.await("c1 leads", 1000, () -> cluster.leaders(PATH).contains(C1));
        for (NodeId node : queue.waiting) {
            cluster.contend(node, PATH);
            cluster.advance(100);
        }
        return cluster;
    }

    private static void cutContenders(VirtualCluster cluster, Queue queue) {
        if (!queue.isMesh) {
            cluster.drop(flight -> !VOTERS.contains(flight.from()) && !VOTERS.contains(flight.to()));
        }
    }

    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("cases")
    void whoWasLostIsFollowedByTheFirstInTheQueue(ElectionAlgorithm algorithm, Queue queue) {
        for (long seed = 0; seed < SEEDS; seed++) {
            VirtualCluster cluster = led(algorithm, queue, seed);
            cluster.isolate(C1);
            cluster.await("c1 is lost", 2000, () -> cluster.connections(C1).contains(Connection.LOST));
            cluster.heal();
            cutContenders(cluster, queue);
            assertSecondFollows(cluster);
        }
    }

    // Its successor does not hear of it, and the votes for that are lost: then there is an election.
    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("cases")
    void whoResignedIsFollowedByTheFirstInTheQueueAlthoughItsWordIsLost(ElectionAlgorithm algorithm, Queue queue) {
        for (long seed = 0; seed < SEEDS; seed++) {
            VirtualCluster cluster = led(algorithm, queue, seed);
            cluster.drop(flight -> flight.message() instanceof Handover || flight.message() instanceof Vote);
            cluster.resign(C1, 1);
            cluster.advance(50);
            cluster.heal();
            cutContenders(cluster, queue);
            assertSecondFollows(cluster);
        }
    }

    private static void assertSecondFollows(VirtualCluster cluster) {
        cluster.await("somebody leads", 5000, () -> cluster.leader(PATH).isPresent());
        cluster.advance(1000);
        assertThat(cluster.leaders(PATH)).as(cluster::describe).containsExactly(C2);
    }

    // docs/protocol.md#liveness, rule 5: without it each nominee claims immediately, even if others rank better.
    @Tag("mutants")
    @TestFactory
    Stream<DynamicTest> missesTheTurnsOfNominees() {
        return Mutants.tests(List.of(mutant(
                "off: a nominee lets better-ranked nodes go first",
                TailTest.class.getName() + "#whoWasLostIsFollowedByTheFirstInTheQueue",
                in("io.quorate.core.path.Succession", "turnOfNominee")
                        .call("Math.min")
                        .answers(0))));
    }
}
