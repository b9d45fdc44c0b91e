package io.quorate.vertx;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.ElectionClient;
import io.quorate.demo.Cluster;
import io.quorate.spi.NodeId;
import io.quorate.spi.TransportProvider;
import io.quorate.spi.TransportProvider.HostAndPort;
import io.quorate.tcp.TcpTransport;
import io.quorate.testkit.CuttableTransport;
import io.quorate.testkit.RealTime;
import io.quorate.testkit.RepeatedWhenStalled;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A verticle that takes 500 ms to stop, on three nodes over sockets, each with a Vertx of its own. */
class StoppingVerticleTest {

    private static final String PATH = "/app/singleton";
    private static final String CLUSTER = "vertx";
    private static final int FEW = 3;
    private static final int MANY = 50;
    private static final Duration STOP = Duration.ofMillis(500);
    /** Generous, because a machine may be busy. */
    private static final Duration DEADLINE = Duration.ofMinutes(10);

    /** From the start of a verticle until it has stopped. */
    private static final class Span {
        private final String node;
        private final long token;
        private final long begin = System.nanoTime();
        private volatile long end = Long.MAX_VALUE;

        private Span(String node, long token) {
            this.node = node;
            this.token = token;
        }

        private boolean isOpen() {
            return end == Long.MAX_VALUE;
        }

        @Override
        public String toString() {
            return node + " with token " + token + " from " + begin + (isOpen() ? "" : " to " + end);
        }
    }

    private final class Stopping extends VerticleBase {
        private final Span span;

        private Stopping(String node, long token) {
            span = new Span(node, token);
            spans.add(span);
        }

        @Override
        public Future<?> stop() {
            return vertx.timer(STOP.toMillis(), TimeUnit.MILLISECONDS).andThen(done -> span.end = System.nanoTime());
        }
    }

    private final class Node {
        private final String id;
        private final CuttableTransport transport;
        private final ElectionClient client;
        private final Vertx vertx = Vertx.vertx();
        private SingletonVerticle singleton;

        private Node(String id, Map<NodeId, HostAndPort> addresses) {
            this.id = id;
            transport = new CuttableTransport(
                    new TcpTransport(new TransportProvider.Settings(CLUSTER, new NodeId(id), addresses)));
            client = ElectionClient.builder()
                    .clusterId(CLUSTER)
                    .nodeId(id)
                    .voters(addresses.keySet().stream().map(NodeId::value).toList())
                    .transport(transport)
                    .build();
            client.start();
        }

        private void deploy() {
            singleton = get(SingletonVerticle.deploy(
                    vertx, client, PATH, token -> new Stopping(id, token), new DeploymentOptions()));
        }

        @Override
        public String toString() {
            return id + (singleton.isDeployed() ? " has it, " : " has it not, ") + client.connectionState();
        }
    }

    /** In the order of their starts. */
    private final List<Span> spans = new CopyOnWriteArrayList<>();

    private final List<Node> nodes = new ArrayList<>();

    @BeforeEach
    void start() {
        spans.clear();
        Map<NodeId, HostAndPort> addresses = new HashMap<>();
        Cluster.freeAddresses(List.of("n1", "n2", "n3"))
                .forEach((id, address) -> addresses.put(
                        new NodeId(id), new HostAndPort("127.0.0.1", Integer.parseInt(address.split(":")[1]))));
        addresses.keySet().stream().sorted().forEach(id -> nodes.add(new Node(id.value(), addresses)));
        nodes.forEach(Node::deploy);
    }

    @AfterEach
    void close() {
        nodes.forEach(node -> get(node.vertx.close()));
        nodes.forEach(node -> node.client.close());
        nodes.clear();
    }

    private static <T> T get(Future<T> future) {
        return future.toCompletionStage()
                .toCompletableFuture()
                .orTimeout(DEADLINE.toSeconds(), TimeUnit.SECONDS)
                .join();
    }

    private void await(String what, BooleanSupplier condition) {
        try {
            Awaitility.await()
                    .atMost(DEADLINE)
                    .pollInterval(Duration.ofMillis(5))
                    .until(condition::getAsBoolean);
        } catch (ConditionTimeoutException e) {
            throw new AssertionError(what + ": not within " + DEADLINE + "; " + nodes + spans, e);
        }
    }

    private Node awaitHolder(List<Node> candidates) {
        await("one has it", () -> candidates.stream().anyMatch(node -> node.singleton.isDeployed()));
        return candidates.stream()
                .filter(node -> node.singleton.isDeployed())
                .findFirst()
                .orElseThrow();
    }

    private List<Node> others(Node node) {
        return nodes.stream().filter(other -> other != node).toList();
    }

    private static long millis(long nanos) {
        return TimeUnit.NANOSECONDS.toMillis(nanos);
    }

    private void assertNeverTwo() {
        for (int i = 1; i < spans.size(); i++) {
            assertThat(spans.get(i).begin).as("%s", spans).isGreaterThan(spans.get(i - 1).end);
            assertThat(spans.get(i).token).as("%s", spans).isGreaterThan(spans.get(i - 1).token);
        }
    }

    private void handOver(int count) {
        List<Long> took = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Node former = awaitHolder(nodes);
            long before = System.nanoTime();
            Future<Void> end = former.singleton.undeploy();
            awaitHolder(others(former));
            took.add(millis(spans.get(spans.size() - 1).begin - before));
            get(end);
            former.deploy();
        }
        assertThat(spans).hasSize(count + 1);
        assertNeverTwo();
        took.sort(null);
        System.out.printf(
                "Hand-over of a verticle that takes %d ms to stop: %d values, median %d ms, longest %d ms; none overlaps%n",
                STOP.toMillis(), count, took.get(count / 2), took.get(count - 1));
    }

    @RealTime
    @Test
    void nothingOverlapsWhenItIsHandedOver() {
        handOver(FEW);
    }

    @Test
    @Tag("nemesis")
    @ExtendWith(RepeatedWhenStalled.class)
    void nothingOverlapsInFiftyHandOvers() {
        handOver(MANY);
    }

    // vert.x#5235: three nodes, a quorum of two, a cut, and its end. Two are deployed there, and stay.
    @RealTime
    @Test
    void afterACutAndItsEndThereIsOne() {
        Node cut = awaitHolder(nodes);
        long before = System.nanoTime();
        cut.transport.cut();
        Node next = awaitHolder(others(cut));
        await("the verticle that was cut off has stopped", () -> !spans.get(0).isOpen());
        System.out.printf(
                "A verticle that is cut off has stopped after %d ms, and the next one starts after %d ms%n",
                millis(spans.get(0).end - before), millis(spans.get(1).begin - before));
        cut.transport.heal();
        await("all are connected", () -> nodes.stream()
                .allMatch(node -> node.client.health().supporters().size() == nodes.size()));
        assertThat(spans.stream().filter(Span::isOpen)).as("%s", spans).hasSize(1);
        assertThat(spans).as("one start on each").hasSize(2);
        assertThat(cut.singleton.isDeployed()).isFalse();
        assertThat(next.singleton.isDeployed()).isTrue();
    }
}
