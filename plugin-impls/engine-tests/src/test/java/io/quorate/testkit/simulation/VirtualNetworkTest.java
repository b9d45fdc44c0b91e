package io.quorate.testkit.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.spi.NodeId;
import io.quorate.testkit.model.Keyed;
import io.quorate.testkit.simulation.VirtualCluster.Flight;
import io.quorate.testkit.simulation.VirtualNetwork.Trouble;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Ten thousand messages from one node to another, one per millisecond, in all weathers. */
class VirtualNetworkTest {

    private static final NodeId N1 = new NodeId("n1");
    private static final NodeId N2 = new NodeId("n2");
    private static final NodeId N3 = new NodeId("n3");
    private static final int MESSAGES = 10_000;
    private static final long MICRO = 1000;

    private final VirtualTime time = new VirtualTime();
    /** How long each message took, in the order of arrival; twice if it arrived twice. */
    private final Map<Integer, List<Long>> delays = new TreeMap<>();

    private final List<Integer> arrived = new ArrayList<>();
    private final VirtualNetwork network = network(5);

    private VirtualNetwork network(long seed) {
        VirtualNetwork made = new VirtualNetwork(time, new Keyed(seed), flight -> {
            int number = (Integer) flight.message();
            arrived.add(number);
            delays.computeIfAbsent(number, n -> new ArrayList<>()).add(time.now() - number * VirtualTime.MILLI);
        });
        List.of(N1, N2, N3).forEach(made::add);
        return made;
    }

    private void sendAll(VirtualNetwork over) {
        for (int number = 0; number < MESSAGES; number++) {
            int next = number;
            time.at(number * VirtualTime.MILLI, () -> over.send(new Flight(N1, N2, next, 0, 0)));
        }
        time.advanceTo(2L * MESSAGES * VirtualTime.MILLI);
    }

    /** Does it when this message is about to be sent. */
    private void before(int number, Runnable action) {
        time.at(number * VirtualTime.MILLI, action);
    }

    @Test
    void messagesOvertakeEachOtherUnlessInOrder() {
        network.trouble(N1, N2, Trouble.DELAY, 20);
        sendAll(network);
        assertThat(arrived).isNotEqualTo(arrived.stream().sorted().toList());
        arrived.clear();
        long begin = time.now();
        VirtualNetwork ordered = network(5);
        ordered.inOrder();
        ordered.trouble(N1, N2, Trouble.DELAY, 20);
        for (int number = 0; number < MESSAGES; number++) {
            int next = number;
            time.at(begin + number * VirtualTime.MILLI, () -> ordered.send(new Flight(N1, N2, next, 0, 0)));
        }
        time.advanceTo(begin + 2L * MESSAGES * VirtualTime.MILLI);
        assertThat(arrived).hasSize(MESSAGES).isSorted();
    }

    @Test
    void withoutTroubleEachArrivesOnceWithinTheDelay() {
        sendAll(network);
        assertThat(arrived).hasSize(MESSAGES);
        assertThat(delays).hasSize(MESSAGES);
        assertThat(delays.values()).allMatch(d -> d.get(0) >= 200 * MICRO && d.get(0) <= 1000 * MICRO);
        double mean =
                delays.values().stream().mapToLong(d -> d.get(0)).average().orElseThrow();
        assertThat(mean).isBetween(590.0 * MICRO, 610.0 * MICRO);
        assertThat(network.inFlight()).isZero();
        assertThat(network.counts()).isEqualTo(Map.of("Integer", MESSAGES));
    }

    @Test
    void aCutStopsOneDirectionAndWhatIsOnItsWay() {
        network.trouble(N2, N1, Trouble.CUT, 1);
        before(1000, () -> network.trouble(N1, N2, Trouble.CUT, 1));
        before(3000, () -> network.trouble(N1, N2, Trouble.CUT, 1));
        before(4000, () -> network.trouble(N1, N2, Trouble.CUT, -1));
        before(5000, () -> network.trouble(N1, N2, Trouble.CUT, -1));
        sendAll(network);
        assertThat(arrived).hasSize(MESSAGES - 4000).noneMatch(number -> number >= 1000 && number < 5000);
        // Sent before it, to arrive in the middle of it.
        network.send(new Flight(N1, N2, 0, 0, 0));
        network.trouble(N1, N2, Trouble.CUT, 1);
        time.advanceTo(3L * MESSAGES * VirtualTime.MILLI);
        // Sent in the middle of it, to arrive after it.
        network.send(new Flight(N1, N2, 0, 0, 0));
        network.trouble(N1, N2, Trouble.CUT, -1);
        time.advanceTo(4L * MESSAGES * VirtualTime.MILLI);
        assertThat(arrived).hasSize(MESSAGES - 4000);
    }

    @Test
    void theRightShareIsLostAndMoreIfTroublesAddUp() {
        network.trouble(N1, N2, Trouble.LOSS, 30);
        before(5000, () -> network.trouble(N1, N2, Trouble.LOSS, 40));
        sendAll(network);
        assertThat(arrived.stream().filter(number -> number < 5000).count()).isBetween(3400L, 3600L);
        assertThat(arrived.stream().filter(number -> number >= 5000).count()).isBetween(1400L, 1600L);
    }

    @Test
    void theRightShareArrivesTwice() {
        network.trouble(N1, N2, Trouble.DUPLICATION, 20);
        sendAll(network);
        assertThat(delays).hasSize(MESSAGES);
        assertThat(arrived.size() - MESSAGES).isBetween(1900, 2100);
        assertThat(delays.values())
                .allMatch(d -> d.size() <= 2)
                .anyMatch(d -> d.size() == 2 && !d.get(0).equals(d.get(1)));
    }

    @Test
    void aDelayedMessageIsOvertaken() {
        network.trouble(N1, N2, Trouble.DELAY, 400);
        sendAll(network);
        assertThat(arrived)
                .hasSize(MESSAGES)
                .isNotEqualTo(arrived.stream().sorted().toList());
        double mean =
                delays.values().stream().mapToLong(d -> d.get(0)).average().orElseThrow();
        assertThat(mean).isBetween(190.0 * VirtualTime.MILLI, 210.0 * VirtualTime.MILLI);
    }

    // ---------------------------------------------------------------- keyed randomness

    // What makes shrinking possible: the rest of the run stays as it was.
    @Test
    void aTroubleThatIsTakenOutLeavesTheDelaysOfAllOthers() {
        before(1000, () -> network.trouble(N1, N2, Trouble.CUT, 1));
        before(2000, () -> network.trouble(N1, N2, Trouble.CUT, -1));
        before(3000, () -> network.trouble(N1, N2, Trouble.LOSS, 50));
        before(4000, () -> network.trouble(N1, N2, Trouble.LOSS, -50));
        before(5000, () -> network.trouble(N1, N2, Trouble.DUPLICATION, 50));
        before(6000, () -> network.trouble(N1, N2, Trouble.DUPLICATION, -50));
        before(7000, () -> network.trouble(N1, N2, Trouble.DELAY, 300));
        before(8000, () -> network.trouble(N1, N2, Trouble.DELAY, -300));
        // Another link, and another direction.
        network.trouble(N1, N3, Trouble.LOSS, 50);
        network.trouble(N2, N1, Trouble.LOSS, 50);
        for (int number = 0; number < MESSAGES; number += 3) {
            before(number, () -> network.send(new Flight(N2, N1, 0, 0, 0)));
        }
        VirtualNetworkTest calm = new VirtualNetworkTest();
        calm.sendAll(calm.network);
        sendAll(network);
        delays.remove(0);
        delays.forEach((number, took) -> {
            if (number < 7000 || number >= 8000) {
                assertThat(took)
                        .as("message %d", number)
                        .contains(calm.delays.get(number).get(0));
            }
        });
        assertThat(delays.keySet()).hasSizeBetween(8400, 8600);
    }

    @Test
    void theSeedTheLinkAndTheNumberDecide() {
        VirtualNetworkTest same = new VirtualNetworkTest();
        VirtualNetworkTest other = new VirtualNetworkTest();
        sendAll(network);
        same.sendAll(same.network);
        other.sendAll(other.network(6));
        assertThat(same.delays).isEqualTo(delays);
        assertThat(other.delays).isNotEqualTo(delays);
        Keyed keyed = new Keyed(5);
        assertThat(keyed.of("n1>n2")).isEqualTo(keyed.of("n1>n2")).isNotEqualTo(keyed.of("n2>n1"));
        assertThat(keyed.between(1, 0, 1_000_000)).isNotEqualTo(keyed.between(2, 0, 1_000_000));
    }
}
