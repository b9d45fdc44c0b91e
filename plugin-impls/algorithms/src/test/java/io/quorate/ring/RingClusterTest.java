package io.quorate.ring;

import static io.quorate.ring.RingClusters.ascending;
import static io.quorate.ring.RingClusters.isElected;
import static io.quorate.ring.RingClusters.startAll;
import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.spi.Options;
import io.quorate.spi.Timing;
import io.quorate.spi.Variant;
import io.quorate.testkit.simulation.ElectionCluster;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What a cluster of either ring does after the same faults, and what it costs: the quirks and message counts of
 * docs/algorithms/lcr.md and docs/algorithms/token-ring.md that are alike.
 */
@ParameterizedClass
@EnumSource
class RingClusterTest {

    @Parameter
    private Ring ring;

    private ElectionCluster cluster(int size, Variant variant) {
        return RingClusters.of(ring.algorithm, ascending(size), new Options(variant, false, false));
    }

    // Quirk 11 of LCR, weakness (e) of the token ring: nobody starts after a heal. H: the repetition of either leader
    // reaches the other (K3).
    @ParameterizedTest
    @CsvSource({"FAITHFUL, 2", "HARDENED, 1"})
    void partitionThatHealsLeavesTwoLeadersInFaithful(Variant variant, int leaders) {
        ElectionCluster cluster = cluster(4, variant);
        cluster.detector(() -> 15);
        startAll(cluster);
        cluster.at(100, () -> cluster.cut((one, other) -> one < 2 != other < 2));
        cluster.runUntil(500);
        assertThat(cluster.leaders()).containsExactly(1, 3);
        cluster.cut((one, other) -> false);
        cluster.runUntil(1500);
        assertThat(cluster.leaders()).hasSize(leaders).contains(3);
    }

    // K6: with option Q the half of four that is cut off has no leader, and neither has the other.
    @Test
    void noHalfLeadsWithTheQuorumGuard() {
        Options guarded = new Options(Variant.HARDENED, true, false);
        ElectionCluster cluster = RingClusters.of(ring.algorithm, ascending(4), guarded);
        cluster.detector(() -> 15);
        startAll(cluster);
        cluster.at(100, () -> cluster.cut((one, other) -> one < 2 != other < 2));
        cluster.runUntil(1000);
        assertThat(cluster.leaders()).isEmpty();
        cluster.cut((one, other) -> false);
        cluster.runUntil(2000);
        assertThat(isElected(cluster, 3)).isTrue();
    }

    // A process that comes back takes the lead from a lower one.
    @Test
    void highestThatRestartsIsElectedAgain() {
        ElectionCluster cluster = cluster(3, Variant.HARDENED);
        cluster.detector(() -> 15);
        startAll(cluster);
        cluster.at(200, () -> cluster.crash(2));
        cluster.runUntil(600);
        assertThat(isElected(cluster, 1)).isTrue();
        cluster.start(2);
        cluster.runUntil(1200);
        assertThat(isElected(cluster, 2)).isTrue();
    }

    // Repetition in H: one circulation per N delta.
    @ParameterizedTest
    @ValueSource(ints = {3, 5, 9})
    void hardenedLeaderRepeatsOncePerNDelta(int size) {
        ElectionCluster cluster = cluster(size, Variant.HARDENED);
        startAll(cluster);
        cluster.runUntil(40L * size - 1);
        long before = cluster.sent();
        cluster.runUntil(90L * size - 1);
        assertThat(cluster.sent() - before).isEqualTo(5L * size);
    }

    @ParameterizedTest
    @EnumSource
    void usualFailoverIsNotExceededOnAnyRing(Variant variant) {
        for (List<Integer> order : RingClusters.all(5)) {
            ElectionCluster cluster = RingClusters.of(ring.algorithm, order, new Options(variant, false, false));
            RingClusters.startWithDeadLeader(cluster);
            order.forEach(process -> cluster.setSuspected(process, 4, true));
            cluster.latency(() -> 10);
            cluster.runUntil(ring.algorithm.usualFailover(new Timing(10), 5));
            for (int process = 0; process < 4; process++) {
                assertThat(cluster.election(process).leader())
                        .as("leader of %d in %s", process, order)
                        .hasValue(3);
            }
        }
    }
}
