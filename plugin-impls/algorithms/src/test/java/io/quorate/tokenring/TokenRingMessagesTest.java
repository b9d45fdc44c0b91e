package io.quorate.tokenring;

import static io.quorate.ring.RingClusters.ascending;
import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.ring.RingClusters;
import io.quorate.spi.Event;
import io.quorate.spi.Options;
import io.quorate.testkit.simulation.ElectionCluster;
import io.quorate.tokenring.TokenRingMessage.Coordinator;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** docs/algorithms/token-ring.md#message-counts: messages per election and its time; and the figure of source 004. */
class TokenRingMessagesTest {

    private static ElectionCluster cluster(int size) {
        return RingClusters.of(new TokenRingAlgorithm(), ascending(size), Options.FAITHFUL);
    }

    /** The highest is dead, and everybody knows; only the initiators took it for the leader and will start. */
    private static ElectionCluster withDeadHighest(int size, List<Integer> initiators) {
        ElectionCluster cluster = cluster(size);
        for (int process = 0; process < size - 1; process++) {
            cluster.start(process, OptionalInt.of(initiators.contains(process) ? size - 1 : process));
            if (!initiators.contains(process)) {
                cluster.setSuspected(process, size - 1, true);
            }
        }
        initiators.forEach(process -> cluster.setSuspected(process, size - 1, true));
        return cluster;
    }

    // 2m with m = N-1 alive, whoever starts.
    @ParameterizedTest
    @CsvSource({"3, 4", "5, 8", "9, 16"})
    void oneInitiatorNeedsTwoCirculations(int size, int messages) {
        for (int initiator = 0; initiator < size - 1; initiator++) {
            ElectionCluster cluster = withDeadHighest(size, List.of(initiator));
            cluster.runUntil(1000);
            assertThat(cluster.sent()).isEqualTo(messages);
            assertThat(cluster.leaders()).containsExactly(size - 2);
        }
    }

    // 2m*m. Not in H: COORDINATORs of lower closers are dropped, but make the leader start once more.
    @ParameterizedTest
    @CsvSource({"3, 8", "5, 32", "9, 128"})
    void everyFurtherInitiatorCostsAsMuchAgain(int size, int messages) {
        ElectionCluster cluster = withDeadHighest(size, ascending(size - 1));
        cluster.runUntil(1000);
        assertThat(cluster.sent()).isEqualTo(messages);
        assertThat(cluster.leaders()).containsExactly(size - 2);
    }

    // Source 004's figure: processes 0 to 7, 7 is dead, 6 and 3 start. Decision 4: same members, same leader.
    @Test
    void figureOfTheDocumentIsReproduced() {
        ElectionCluster cluster = withDeadHighest(8, List.of(6, 3));
        List<List<Integer>> lists = new ArrayList<>();
        cluster.observe((process, event, effects) -> {
            if (event instanceof Event.Received received
                    && received.message() instanceof Coordinator coordinator
                    && coordinator.victory().closer() == process) {
                assertThat(effects).as("its starter removes it").isEmpty();
                assertThat(coordinator.victory().leader()).isEqualTo(6);
                lists.add(coordinator.ring());
            }
        });
        cluster.runUntil(1000);
        assertThat(lists).containsExactly(List.of(6, 0, 1, 2, 3, 4, 5), List.of(3, 4, 5, 6, 0, 1, 2));
        assertThat(cluster.sent()).isEqualTo(14 + 14);
        assertThat(cluster.leaders()).containsExactly(6);
    }

    // 2m delta; the last to learn is the predecessor of the initiator.
    @Test
    void turnaroundIsTwoRoundsOfTheRing() {
        ElectionCluster cluster = cluster(5);
        cluster.latency(() -> 10);
        ascending(5).subList(1, 5).forEach(process -> cluster.start(process, OptionalInt.of(2)));
        cluster.start(0);
        cluster.runUntil(89);
        // Until the COORDINATOR arrives it goes on with the configured leader.
        assertThat(cluster.election(4).leader()).hasValue(2);
        cluster.runUntil(90);
        assertThat(cluster.election(4).leader()).hasValue(4);
    }
}
