package io.quorate.bully;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.spi.Membership;
import io.quorate.spi.Options;
import io.quorate.spi.Timing;
import io.quorate.spi.Variant;
import io.quorate.testkit.simulation.ElectionCluster;
import java.util.OptionalInt;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** docs/algorithms/bully.md#message-counts: messages per election, those to dead processes included. */
class BullyMessagesTest {

    private static ElectionCluster cluster(int size, Variant variant) {
        return new ElectionCluster(
                new BullyAlgorithm(),
                size,
                size,
                process -> BullyElection.create(
                        Membership.of(process, size), new Timing(10), new Options(variant, false, false)));
    }

    private static ElectionCluster withDeadLeader(int size, Variant variant) {
        ElectionCluster cluster = cluster(size, variant);
        for (int process = 0; process < size; process++) {
            cluster.start(process, OptionalInt.of(size - 1));
        }
        cluster.crash(size - 1);
        return cluster;
    }

    // N at best: the second highest notices. In H the repetition of K3 begins a heartbeat after the victory at 25.
    @ParameterizedTest
    @CsvSource({
        "3, FAITHFUL, 3",
        "5, FAITHFUL, 5",
        "9, FAITHFUL, 9",
        "3, HARDENED, 3",
        "5, HARDENED, 5",
        "9, HARDENED, 9"
    })
    void secondHighestNeedsOneMessagePerProcess(int size, Variant variant, int messages) {
        ElectionCluster cluster = withDeadLeader(size, variant);
        cluster.setSuspected(size - 2, size - 1, true);
        cluster.runUntil(39);
        assertThat(cluster.sent()).isEqualTo(messages);
        assertThat(cluster.election(0).leader()).hasValue(size - 2);
    }

    // N(N-1) at worst: the lowest notices.
    @ParameterizedTest
    @CsvSource({
        "3, FAITHFUL, 6",
        "5, FAITHFUL, 20",
        "9, FAITHFUL, 72",
        "3, HARDENED, 6",
        "5, HARDENED, 20",
        "9, HARDENED, 72"
    })
    void lowestWakesEverybody(int size, Variant variant, int messages) {
        ElectionCluster cluster = withDeadLeader(size, variant);
        cluster.setSuspected(0, size - 1, true);
        cluster.runUntil(39);
        assertThat(cluster.sent()).isEqualTo(messages);
        assertThat(cluster.election(0).leader()).hasValue(size - 2);
    }

    @ParameterizedTest
    @CsvSource({
        "3, FAITHFUL, 6",
        "5, FAITHFUL, 20",
        "9, FAITHFUL, 72",
        "3, HARDENED, 6",
        "5, HARDENED, 20",
        "9, HARDENED, 72"
    })
    void allThatNoticeTogetherCostNoMore(int size, Variant variant, int messages) {
        ElectionCluster cluster = withDeadLeader(size, variant);
        for (int process = 0; process < size - 1; process++) {
            cluster.setSuspected(process, size - 1, true);
        }
        cluster.runUntil(39);
        assertThat(cluster.sent()).isEqualTo(messages);
    }

    // 2N(N-1): the highest announces itself once, and again for every ELECTION it gets.
    @ParameterizedTest
    @CsvSource({"3, 12", "5, 40", "9, 144"})
    void coldStartOfFaithfulIsQuadratic(int size, int messages) {
        ElectionCluster cluster = cluster(size, Variant.FAITHFUL);
        for (int process = 0; process < size; process++) {
            cluster.start(process);
        }
        cluster.runUntil(1000);
        assertThat(cluster.sent()).isEqualTo(messages);
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 5, 9})
    void highestThatRecoversTellsEachOther(int size) {
        ElectionCluster cluster = cluster(size, Variant.FAITHFUL);
        for (int process = 0; process < size - 1; process++) {
            cluster.start(process, OptionalInt.of(size - 2));
        }
        cluster.start(size - 1);
        cluster.runUntil(1000);
        assertThat(cluster.sent()).isEqualTo(size - 1);
        assertThat(cluster.leaders()).containsExactly(size - 1);
    }

    // Repetition in H: N-1 per heartbeat.
    @ParameterizedTest
    @ValueSource(ints = {3, 5, 9})
    void hardenedLeaderRepeatsOncePerHeartbeat(int size) {
        ElectionCluster cluster = cluster(size, Variant.HARDENED);
        for (int process = 0; process < size; process++) {
            cluster.start(process);
        }
        cluster.runUntil(100);
        long before = cluster.sent();
        cluster.runUntil(200);
        assertThat(cluster.sent() - before).isEqualTo(5L * (size - 1));
    }
}
