package io.quorate.storms;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.engine.Connection;
import io.quorate.spi.ElectionAlgorithm;
import io.quorate.spi.NodeId;
import io.quorate.testkit.simulation.VirtualCluster;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Nodes whose work takes time, as in {@code LoadTest} of the kit, with each algorithm: over the core alone, and over the
 * production driver. Many paths that start at one moment, and lose their leader at one moment, cost no other lease.
 */
class AlgorithmLoadTest {

    private static final long WORK_NANOS = 200_000;
    private static final int PATHS = 150;
    private static final List<NodeId> NODES = List.of(new NodeId("n1"), new NodeId("n2"), new NodeId("n3"));

    /** What {@code allIsLed} waits for at most; an election and a claim for each path need a tenth of it. */
    private static final long LIMIT_MILLIS = 20_000;

    static Stream<Arguments> algorithms() {
        return AlgorithmStormsTest.algorithms()
                .flatMap(algorithm -> Stream.of(Arguments.of(algorithm, false), Arguments.of(algorithm, true)));
    }

    private static VirtualCluster cluster(ElectionAlgorithm algorithm, boolean isDriven) {
        VirtualCluster cluster = new VirtualCluster(1, algorithm);
        for (NodeId node : NODES) {
            if (isDriven) {
                cluster.addDriver(VirtualCluster.settings(node, NODES), Optional.empty());
            } else {
                cluster.add(VirtualCluster.settings(node, NODES));
            }
            cluster.start(node);
            cluster.process(node).serviceTime(WORK_NANOS);
        }
        return cluster;
    }

    private static String path(int i) {
        return "/load/" + i;
    }

    private static long awaitAllLed(VirtualCluster cluster, List<NodeId> leaders) {
        return cluster.await("all are led by " + leaders, LIMIT_MILLIS, () -> IntStream.range(0, PATHS)
                .allMatch(i -> cluster.leader(path(i)).filter(leaders::contains).isPresent()));
    }

    /** A heartbeat may come late, but not so late that a lease is lost. */
    private static void assertNoLeaseWasLost(VirtualCluster cluster, List<NodeId> nodes) {
        nodes.forEach(node -> assertThat(cluster.connections(node))
                .as("connections of " + node)
                .startsWith(Connection.CONNECTED)
                .doesNotContain(Connection.LOST));
    }

    @ParameterizedTest
    @MethodSource("algorithms")
    void manyPathsAtOneMomentCostNoLease(ElectionAlgorithm algorithm, boolean isDriven) {
        VirtualCluster cluster = cluster(algorithm, isDriven);
        cluster.advance(1_500);
        for (int i = 0; i < PATHS; i++) {
            for (NodeId node : NODES) {
                cluster.contend(node, path(i));
            }
        }
        long start = awaitAllLed(cluster, NODES);
        cluster.advance(3_000);
        assertNoLeaseWasLost(cluster, NODES);
        NodeId leader = cluster.leader(path(0)).orElseThrow();
        List<NodeId> others =
                NODES.stream().filter(node -> !node.equals(leader)).toList();
        cluster.crash(leader);
        long takeOver = awaitAllLed(cluster, others);
        cluster.advance(3_000);
        awaitAllLed(cluster, others);
        assertNoLeaseWasLost(cluster, others);
        System.out.printf(
                "load, %s, %s: started in %d ms, taken over in %d ms%n",
                algorithm.name(), isDriven ? "driver" : "core", start, takeOver);
    }
}
