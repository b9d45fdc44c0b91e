package io.quorate.camel;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.camel.CamelNode.By;
import io.quorate.demo.Cluster;
import io.quorate.spi.NodeId;
import io.quorate.spi.TransportProvider.HostAndPort;
import io.quorate.testkit.RepeatedWhenStalled;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.apache.camel.ServiceStatus;
import org.apache.camel.cluster.CamelClusterEventListener;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What Camel tests of its own cluster services, with master endpoints and with clustered routes: elections, fail-overs,
 * leadership that is lost and comes back. Contexts of one JVM, over sockets. Not in each build: a clustered route of Camel
 * 4.18.0 can hang where its context stops while leadership changes, and a thread that waits so cannot be interrupted.
 */
@Tag("nemesis")
@ExtendWith(RepeatedWhenStalled.class)
class CamelRoutesTest {

    /** Generous, because a machine may be busy. */
    private static final Duration DEADLINE = Duration.ofMinutes(10);

    private static final int SOME = 5;

    private final List<CamelNode> nodes = new ArrayList<>();

    private void start(int count, By by) throws Exception {
        Map<NodeId, HostAndPort> addresses = new HashMap<>();
        Cluster.freeAddresses(
                        IntStream.rangeClosed(1, count).mapToObj(i -> "n" + i).toList())
                .forEach((id, address) -> addresses.put(
                        new NodeId(id), new HostAndPort("127.0.0.1", Integer.parseInt(address.split(":")[1]))));
        for (int i = 1; i <= count; i++) {
            nodes.add(new CamelNode("n" + i, addresses, by));
        }
        nodes.forEach(CamelNode::start);
    }

    @AfterEach
    void close() {
        nodes.forEach(CamelNode::close);
    }

    private void await(String what, BooleanSupplier condition) {
        try {
            Awaitility.await()
                    .atMost(DEADLINE)
                    .pollInterval(Duration.ofMillis(5))
                    .until(condition::getAsBoolean);
        } catch (ConditionTimeoutException e) {
            throw new AssertionError("not within " + DEADLINE.toSeconds() + " s: " + what + "; " + nodes, e);
        }
    }

    /** Waits until one of these leads, and its route has made some exchanges more. */
    private CamelNode awaitWorker(List<CamelNode> candidates) {
        await("one leads", () -> candidates.stream().anyMatch(CamelNode::isLeader));
        CamelNode leader =
                candidates.stream().filter(CamelNode::isLeader).findFirst().orElseThrow();
        int before = leader.exchanges.get();
        await(leader.id + " works", () -> leader.exchanges.get() >= before + SOME);
        return leader;
    }

    private List<CamelNode> others(CamelNode node) {
        return nodes.stream().filter(other -> other != node).toList();
    }

    @ParameterizedTest
    @EnumSource
    void aNodeThatIsAloneLeads(By by) throws Exception {
        start(1, by);
        assertThat(awaitWorker(nodes).id).isEqualTo("n1");
    }

    @ParameterizedTest
    @EnumSource
    void onlyTheLeaderWorks(By by) throws Exception {
        start(3, by);
        CamelNode leader = awaitWorker(nodes);
        assertThat(others(leader)).allSatisfy(other -> {
            assertThat(other.exchanges).hasValue(0);
            assertThat(other.ticker.spans).isEmpty();
        });
    }

    // Each works for a while and stops its context, until the last one has.
    @ParameterizedTest
    @EnumSource
    void eachHasItsTurnWhenTheContextBeforeItStops(By by) throws Exception {
        start(3, by);
        List<CamelNode> left = new ArrayList<>(nodes);
        while (!left.isEmpty()) {
            CamelNode worker = awaitWorker(left);
            left.remove(worker);
            worker.context.stop();
            assertThat(worker.runs()).isFalse();
            assertThat(worker.isLeader()).isFalse();
        }
        assertThat(nodes).allSatisfy(node -> assertThat(node.ticker.spans).hasSize(1));
    }

    // The only member loses its majority, and takes its leadership back.
    @ParameterizedTest
    @EnumSource
    void leadershipThatIsLostComesBack(By by) throws Exception {
        start(2, by);
        CamelNode leader = awaitWorker(nodes);
        CamelNode other = others(leader).get(0);
        other.context.stop();
        leader.transport.cut();
        await("leadership is lost", () -> !leader.isLeader());
        await("its route has stopped", () -> !leader.runs());
        int before = leader.exchanges.get();
        leader.transport.heal();
        assertThat(awaitWorker(nodes)).isSameAs(leader);
        assertThat(leader.exchanges.get()).isGreaterThan(before);
        assertThat(leader.ticker.spans).hasSize(2);
        assertThat(other.ticker.spans).isEmpty();
    }

    // Leader, nobody, leader; and no event when the view stops.
    @Test
    void aClusteredRouteFollowsAnOutageInThreeEvents() throws Exception {
        start(2, By.POLICY);
        CamelNode leader = awaitWorker(nodes);
        others(leader).get(0).context.stop();
        List<String> events = new CopyOnWriteArrayList<>();
        QuorateClusterView view = leader.service.getView(CamelNode.NAMESPACE).unwrap(QuorateClusterView.class);
        view.addEventListener((CamelClusterEventListener.Leadership)
                (changed, member) -> events.add(member == null ? "nobody" : member.getId()));
        leader.transport.cut();
        await("the route has stopped", () -> status(leader) == ServiceStatus.Stopped);
        leader.transport.heal();
        await("the route has started", () -> status(leader) == ServiceStatus.Started);
        await("three events", () -> events.size() >= 3);
        view.stop();
        leader.client.close();
        assertThat(events).containsExactly(leader.id, "nobody", leader.id);
    }

    private static ServiceStatus status(CamelNode node) {
        return node.context.getRouteController().getRouteStatus(CamelNode.ROUTE);
    }

    // Its thread has locks that the listener wants. A clustered route of Camel itself may hang: docs/camel.md.
    @ParameterizedTest
    @EnumSource(names = "MASTER")
    void aContextThatStopsWhileLeadershipIsLostDoesNotHang(By by) throws Exception {
        start(2, by);
        CamelNode leader = awaitWorker(nodes);
        leader.transport.cut();
        await("leadership is lost", () -> !leader.isLeader());
        leader.context.stop();
        await("its consumer has stopped", () -> !leader.runs());
        assertThat(leader.ticker.spans).hasSize(1);
    }

    // docs/camel.md#when-the-leader-dies
    @ParameterizedTest
    @EnumSource
    void theRouteOfACutLeaderStopsBeforeAnotherStarts(By by) throws Exception {
        start(3, by);
        CamelNode cut = awaitWorker(nodes);
        long before = System.nanoTime();
        cut.transport.cut();
        await("leadership is lost", () -> !cut.isLeader());
        CamelNode next = awaitWorker(others(cut));
        await("the route of the former leader has stopped", () -> !cut.runs());
        Ticker.Span former = cut.ticker.spans.get(0);
        Ticker.Span present = next.ticker.spans.get(0);
        System.out.printf(
                "%s: the consumer of a leader that is cut off is told to stop after %d ms, and takes %d ms for that; the"
                        + " next one starts %d ms after the first was told%n",
                by,
                millis(former.stopping - before),
                millis(former.end - former.stopping),
                millis(present.begin - former.stopping));
        // But for the time that the consumer itself takes to stop.
        assertThat(present.begin).isGreaterThan(former.stopping);
        cut.transport.heal();
        await("it follows", () -> cut.client.connectionState().isPresent() && !cut.isLeader());
        assertThat(cut.ticker.spans).hasSize(1);
        assertThat(next.ticker.spans).hasSize(1);
    }

    private static long millis(long nanos) {
        return TimeUnit.NANOSECONDS.toMillis(nanos);
    }
}
