package io.quorate.ranks;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.spi.ElectionAlgorithm;
import io.quorate.spi.NodeId;
import io.quorate.testkit.simulation.Seeds;
import io.quorate.testkit.simulation.VirtualCluster;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Contenders that reach a majority of voters and not each other. Whether an election ends there depends on the
 * algorithm; when it does not, the patience of the contenders bounds what that costs.
 */
class CutLinksTest {

    private static final String PATH = "/app/leader";
    private static final int NODES = 5;
    private static final long SUPPORT_MILLIS = 1000;
    /** Patience, its jitter of a quarter, and the claim. */
    private static final long PATIENCE_MILLIS = SUPPORT_MILLIS + SUPPORT_MILLIS / 4 + 50;

    private static NodeId node(int number) {
        return new NodeId("n" + number);
    }

    private static List<Integer> link(NodeId a, NodeId b) {
        return Stream.of(a, b)
                .map(node -> Integer.parseInt(node.value().substring(1)))
                .sorted()
                .toList();
    }

    private static void awaitLeader(VirtualCluster cluster, long limitMillis) {
        cluster.await("somebody leads", limitMillis, () -> cluster.leader(PATH).isPresent());
    }

    // Each reaches its two neighbours, and so a majority. The first connection takes up to a support time.
    @ParameterizedTest(name = "{0}")
    @MethodSource("io.quorate.complaints.Contenders#algorithms")
    void aColdStartInARingOfLinks(ElectionAlgorithm algorithm) {
        Seeds.each(20, 1, seed -> {
            VirtualCluster cluster = VirtualCluster.ofVoters(NODES, seed, algorithm);
            cluster.drop(flight -> {
                List<Integer> ends = link(flight.from(), flight.to());
                return !List.of(1, NODES - 1).contains(ends.get(1) - ends.get(0));
            });
            IntStream.rangeClosed(1, NODES).forEach(number -> cluster.contend(node(number), PATH));
            awaitLeader(cluster, SUPPORT_MILLIS + PATIENCE_MILLIS);
        });
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("io.quorate.complaints.Contenders#algorithms")
    void aLeaderCrashesWhileSomeLinksOfTheOthersAreCut(ElectionAlgorithm algorithm) {
        Seeds.each(30, 1, seed -> {
            Random random = new Random(seed);
            VirtualCluster cluster = VirtualCluster.ofVoters(NODES, seed, algorithm);
            cluster.advance(1500);
            for (int number = 1; number <= NODES; number++) {
                cluster.contend(node(number), PATH);
                cluster.advance(300);
            }
            cluster.advance(1000 + random.nextInt(200));
            assertThat(cluster.leaders(PATH)).containsExactly(node(1));
            Set<List<Integer>> cut = new HashSet<>();
            for (int a = 2; a <= NODES; a++) {
                for (int b = a + 1; b <= NODES; b++) {
                    if (random.nextInt(3) == 0) {
                        cut.add(List.of(a, b));
                    }
                }
            }
            cluster.drop(flight -> cut.contains(link(flight.from(), flight.to())));
            cluster.crash(node(1));
            boolean isMajorityReached = IntStream.rangeClosed(2, NODES)
                    .anyMatch(number ->
                            cut.stream().filter(link -> link.contains(number)).count() <= 1);
            if (isMajorityReached) {
                awaitLeader(cluster, SUPPORT_MILLIS + PATIENCE_MILLIS);
            }
        });
    }
}
