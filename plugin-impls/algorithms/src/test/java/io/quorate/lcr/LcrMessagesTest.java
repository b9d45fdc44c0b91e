package io.quorate.lcr;

import static io.quorate.ring.RingClusters.ascending;
import static io.quorate.ring.RingClusters.startAll;
import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.lcr.LcrMessage.Selected;
import io.quorate.lcr.LcrRules.Join;
import io.quorate.ring.RingClusters;
import io.quorate.spi.Event;
import io.quorate.spi.Options;
import io.quorate.spi.Timing;
import io.quorate.spi.Variant;
import io.quorate.testkit.simulation.ElectionCluster;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** docs/algorithms/lcr.md#message-counts: messages per election and its time. */
class LcrMessagesTest {

    private static ElectionCluster cluster(List<Integer> ring, Variant variant, LcrRules rules) {
        return RingClusters.of(
                new LcrAlgorithm(),
                ring,
                membership ->
                        LcrAlgorithm.create(membership, new Timing(10), new Options(variant, false, false), rules));
    }

    private static List<Integer> descending(int size) {
        List<Integer> ring = ascending(size);
        Collections.reverse(ring);
        return ring;
    }

    private static ElectionCluster started(List<Integer> ring, Variant variant) {
        ElectionCluster cluster = cluster(ring, variant, LcrRules.DEFAULT);
        startAll(cluster);
        // Before the first repetition of H.
        cluster.runUntil(10L * ring.size() - 1);
        return cluster;
    }

    // PROBE 2N-1, SELECTED N.
    @ParameterizedTest
    @CsvSource({
        "3, FAITHFUL, 8",
        "5, FAITHFUL, 14",
        "9, FAITHFUL, 26",
        "3, HARDENED, 8",
        "5, HARDENED, 14",
        "9, HARDENED, 26"
    })
    void idsThatAscendAlongTheRingAreTheBestCase(int size, Variant variant, int messages) {
        ElectionCluster cluster = started(ascending(size), variant);
        assertThat(cluster.sent()).isEqualTo(messages);
        assertThat(cluster.leaders()).containsExactly(size - 1);
    }

    // PROBE N(N+1)/2, SELECTED N.
    @ParameterizedTest
    @CsvSource({
        "3, FAITHFUL, 9",
        "5, FAITHFUL, 20",
        "9, FAITHFUL, 54",
        "3, HARDENED, 9",
        "5, HARDENED, 20",
        "9, HARDENED, 54"
    })
    void idsThatDescendAlongTheRingAreTheWorstCase(int size, Variant variant, int messages) {
        assertThat(started(descending(size), variant).sent()).isEqualTo(messages);
    }

    // N*H_N + N, exactly, over all rings: 8.5 for 3 processes, 16.4 for 5, 20.7 for 6.
    @ParameterizedTest
    @CsvSource({"3, 8.5", "5, 16.4167", "6, 20.7"})
    void averageCaseIsHarmonic(int size, double messages) {
        double sent = RingClusters.all(size).stream()
                .mapToLong(ring -> started(ring, Variant.FAITHFUL).sent())
                .average()
                .orElseThrow();
        assertThat(sent).isBetween(messages - 0.001, messages + 0.001);
    }

    // Quirk 2: the literal 003 sends SELECTED once more, to a process that has stopped reading.
    @ParameterizedTest
    @CsvSource({"3, false, 3", "3, true, 4", "5, false, 5", "5, true, 6"})
    void literalProgramSendsOneSelectedMore(int size, boolean resend003, int selected) {
        ElectionCluster cluster = cluster(ascending(size), Variant.FAITHFUL, new LcrRules(Join.START, resend003));
        int[] sent = new int[1];
        cluster.observe((process, event, effects) -> {
            sent[0] += (int) effects.stream()
                    .filter(effect -> effect.toString().contains("Selected"))
                    .count();
            if (event instanceof Event.Received received && received.message() instanceof Selected) {
                cluster.at(cluster.now(), () -> cluster.crash(process));
            }
        });
        startAll(cluster);
        cluster.runUntil(1000);
        assertThat(sent[0]).isEqualTo(selected);
    }

    // Fail-over, with N-1 for N: here all survivors notice at once, on the best ring.
    @ParameterizedTest
    @CsvSource({
        "3, FAITHFUL, 5",
        "5, FAITHFUL, 11",
        "9, FAITHFUL, 23",
        "3, HARDENED, 5",
        "5, HARDENED, 11",
        "9, HARDENED, 23"
    })
    void failoverIsAnElectionOfTheSurvivors(int size, Variant variant, int messages) {
        ElectionCluster cluster = cluster(ascending(size), variant, LcrRules.DEFAULT);
        RingClusters.startWithDeadLeader(cluster);
        ascending(size).forEach(process -> cluster.setSuspected(process, size - 1, true));
        cluster.runUntil(10L * size - 1);
        assertThat(cluster.sent()).isEqualTo(messages);
        assertThat(cluster.leaders()).containsExactly(size - 2);
    }

    // 2N delta with all initiators, and it takes all of that on some ring.
    @Test
    void turnaroundIsTwoRoundsOfTheRing() {
        ElectionCluster cluster = cluster(ascending(5), Variant.HARDENED, LcrRules.DEFAULT);
        cluster.latency(() -> 10);
        startAll(cluster);
        cluster.runUntil(89);
        assertThat(cluster.election(3).leader()).isEmpty();
        cluster.runUntil(90);
        assertThat(cluster.election(3).leader()).hasValue(4);
    }
}
