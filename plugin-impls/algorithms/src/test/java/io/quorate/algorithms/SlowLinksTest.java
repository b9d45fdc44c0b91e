package io.quorate.algorithms;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.ballot.BallotAlgorithm;
import io.quorate.bully.BullyAlgorithm;
import io.quorate.lcr.LcrAlgorithm;
import io.quorate.spi.ElectionAlgorithm;
import io.quorate.spi.Membership;
import io.quorate.spi.Options;
import io.quorate.spi.Timing;
import io.quorate.testkit.simulation.ElectionCluster;
import io.quorate.tokenring.TokenRingAlgorithm;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** docs/algorithms/common.md#model: what the hardened algorithms do on links that are whole, and slower than delta. */
class SlowLinksTest {

    private static final int DELTA = 10;
    private static final int SIZE = 3;

    private static final List<ElectionAlgorithm> ALGORITHMS =
            List.of(new BallotAlgorithm(), new BullyAlgorithm(), new LcrAlgorithm(), new TokenRingAlgorithm());

    private static ElectionCluster cluster(ElectionAlgorithm algorithm, long delay) {
        ElectionCluster cluster = new ElectionCluster(
                algorithm,
                SIZE,
                SIZE,
                process -> algorithm.create(Membership.of(process, SIZE), new Timing(DELTA), Options.HARDENED));
        cluster.latency(() -> delay);
        for (int process = 0; process < SIZE; process++) {
            cluster.start(process);
        }
        return cluster;
    }

    private static List<OptionalInt> leaders(ElectionCluster cluster) {
        return cluster.running().stream()
                .map(process -> cluster.election(process).leader())
                .toList();
    }

    private static boolean settles(ElectionAlgorithm algorithm, int deltas) {
        long delay = (long) deltas * DELTA;
        ElectionCluster cluster = cluster(algorithm, delay);
        cluster.runUntil(100 * delay);
        List<OptionalInt> early = leaders(cluster);
        int[] changes = {0};
        cluster.observe(
                (process, event, effects) -> changes[0] += leaders(cluster).equals(early) ? 0 : 1);
        cluster.runUntil(400 * delay);
        return early.get(0).isPresent() && early.stream().distinct().count() == 1 && changes[0] == 0;
    }

    // The links lose nothing, and nothing fails.
    @TestFactory
    Stream<DynamicTest> leaderIsElectedAndStaysAtAnyConstantDelay() {
        return ALGORITHMS.stream().flatMap(algorithm -> Stream.of(1, 2, 3, 5, 20)
                .map(deltas -> DynamicTest.dynamicTest(
                        algorithm.name() + " at " + deltas + " delta",
                        () -> assertThat(settles(algorithm, deltas)).isTrue())));
    }
}
