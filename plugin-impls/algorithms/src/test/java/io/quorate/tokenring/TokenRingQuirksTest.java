package io.quorate.tokenring;

import static io.quorate.ring.RingClusters.ascending;
import static io.quorate.ring.RingClusters.isElected;
import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.ring.RingClusters;
import io.quorate.spi.Options;
import io.quorate.spi.Variant;
import io.quorate.testkit.simulation.ElectionCluster;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** docs/algorithms/token-ring.md#quirks, (a) to (d), in clusters: what goes wrong in F and what H makes of it. */
class TokenRingQuirksTest {

    private static ElectionCluster cluster(List<Integer> ring, Variant variant) {
        return RingClusters.of(new TokenRingAlgorithm(), ring, new Options(variant, false, false));
    }

    private static ElectionCluster cluster(int size, Variant variant) {
        return cluster(ascending(size), variant);
    }

    private static List<Integer> ring(ElectionCluster cluster, int process) {
        return TokenRingNotation.ring(cluster.election(process));
    }

    /** As in the traces: 4 is dead and known to be, and the initiator is the only one that took it for the leader. */
    private static ElectionCluster withDeadHighest(Variant variant, int initiator, int leader) {
        ElectionCluster cluster = cluster(4, variant);
        for (int process = 0; process < 3; process++) {
            cluster.start(process, OptionalInt.of(process == initiator ? 3 : leader));
        }
        for (int process = 0; process < 3; process++) {
            int knowing = process;
            cluster.at(process == initiator ? 10 : 1, () -> cluster.setSuspected(knowing, 3, true));
        }
        return cluster;
    }

    // Weakness (a), trace D3: the initiator dies, its list comes to an end with its name, and nobody reacts because
    // it is suspected already.
    @ParameterizedTest
    @CsvSource({"FAITHFUL, 2", "HARDENED, 1"})
    void memberThatDiedIsElectedForGoodInFaithful(Variant variant, int leader) {
        ElectionCluster cluster = withDeadHighest(variant, 2, 0);
        cluster.at(12, () -> cluster.crash(2));
        cluster.at(19, () -> cluster.setSuspected(1, 2, true));
        cluster.at(23, () -> cluster.setSuspected(0, 2, true));
        cluster.runUntil(1000);
        assertThat(isElected(cluster, leader)).isTrue();
    }

    // Weakness (b), trace D4: the starter dies, so nobody removes its COORDINATOR.
    @ParameterizedTest
    @CsvSource({"FAITHFUL, false", "HARDENED, true"})
    void coordinatorOfADeadStarterCirculatesForEverInFaithful(Variant variant, boolean ends) {
        ElectionCluster cluster = withDeadHighest(variant, 1, 2);
        cluster.at(27, () -> cluster.crash(1));
        cluster.at(31, () -> cluster.setSuspected(0, 1, true));
        cluster.at(31, () -> cluster.setSuspected(2, 1, true));
        cluster.runUntil(500);
        assertThat(isElected(cluster, 2)).isTrue();
        long before = cluster.sent();
        cluster.runUntil(1500);
        // F: one every 5. H: 2 every 40.
        assertThat(cluster.sent() - before).isBetween(ends ? 48L : 199L, ends ? 52L : 201L);
    }

    // Weakness (c): a list that runs into the dead leader is lost, but its predecessor sends one when it notices, as
    // the
    // others do. The last list finds all of them informed, whether they notice together, within 3 delta or within 30.
    @ParameterizedTest
    @CsvSource({"FAITHFUL, 1", "FAITHFUL, 20", "FAITHFUL, 290", "HARDENED, 1", "HARDENED, 20"})
    void deathOfTheLeaderIsSurvivedHoweverLateEachNotices(Variant variant, int spread) {
        assertThat(RingClusters.hangsAfterADeath(2000, 2, spread, ring -> cluster(ring, variant)))
                .isZero();
    }

    // Trace D5: P1 starts, and P3, the last that its list reaches, does not suspect 4 yet.
    @ParameterizedTest
    @EnumSource
    void listIntoTheDeadLeaderIsFollowedByAnother(Variant variant) {
        ElectionCluster cluster = cluster(4, variant);
        RingClusters.startWithDeadLeader(cluster);
        cluster.at(10, () -> cluster.setSuspected(0, 3, true));
        cluster.at(30, () -> cluster.setSuspected(1, 3, true));
        cluster.at(30, () -> cluster.setSuspected(2, 3, true));
        cluster.runUntil(1000);
        assertThat(isElected(cluster, 2)).isTrue();
        assertThat(cluster.election(0).isParticipating()).isFalse();
    }

    // Weakness (c), trace D6: all have noticed, and P3 dies with the list of P1 inside; those of P2 and P3 run into it.
    @ParameterizedTest
    @CsvSource({"FAITHFUL, false", "HARDENED, true"})
    void listsInAProcessThatDiesAfterAllHaveNoticedAreLostInFaithful(Variant variant, boolean elects) {
        ElectionCluster cluster = cluster(4, variant);
        RingClusters.startWithDeadLeader(cluster);
        cluster.at(10, () -> ascending(3).forEach(process -> cluster.setSuspected(process, 3, true)));
        cluster.at(12, () -> cluster.crash(2));
        cluster.at(27, () -> ascending(2).forEach(process -> cluster.setSuspected(process, 2, true)));
        cluster.runUntil(1000);
        assertThat(isElected(cluster, 1)).isEqualTo(elects);
        assertThat(isElected(cluster, 3)).isEqualTo(!elects);
        assertThat(cluster.election(0).isParticipating()).isEqualTo(!elects);
    }

    // Weakness (d): a process that was suspected for a while is missing in the ring.
    @ParameterizedTest
    @CsvSource({"FAITHFUL, false", "HARDENED, true"})
    void processThatComesBackIsOutOfTheRingInFaithful(Variant variant, boolean isBack) {
        ElectionCluster cluster = cluster(3, variant);
        for (int process = 1; process < 3; process++) {
            cluster.start(process, OptionalInt.of(0));
        }
        for (int process = 1; process < 3; process++) {
            cluster.setSuspected(process, 0, true);
        }
        cluster.runUntil(200);
        assertThat(ring(cluster, 2)).containsExactlyInAnyOrder(1, 2);
        cluster.start(0, OptionalInt.of(2));
        cluster.setSuspected(1, 0, false);
        cluster.setSuspected(2, 0, false);
        cluster.runUntil(600);
        assertThat(ring(cluster, 2).contains(0)).isEqualTo(isBack);
        assertThat(ring(cluster, 1).contains(0)).isEqualTo(isBack);
    }

    // A message to a process that has not started is lost, as in LCR (docs/algorithms/lcr.md#quirks, 8).
    @ParameterizedTest
    @CsvSource({"FAITHFUL, false", "HARDENED, true"})
    void tokenToAProcessThatHasNotStartedIsLostInFaithful(Variant variant, boolean elects) {
        ElectionCluster cluster = cluster(3, variant);
        cluster.start(2);
        cluster.at(20, () -> cluster.start(0, OptionalInt.of(1)));
        cluster.at(20, () -> cluster.start(1, OptionalInt.of(1)));
        cluster.runUntil(1000);
        assertThat(isElected(cluster, 2)).isEqualTo(elects);
    }
}
