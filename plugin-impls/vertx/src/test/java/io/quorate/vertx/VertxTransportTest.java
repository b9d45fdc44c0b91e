package io.quorate.vertx;

import static io.quorate.testkit.Deadline.await;
import static io.quorate.testkit.Deadline.repeat;
import static io.quorate.testkit.Inbox.frame;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.quorate.spi.NodeId;
import io.quorate.spi.Transport;
import io.quorate.spi.TransportException;
import io.quorate.spi.TransportProvider;
import io.quorate.testkit.CapturedLog;
import io.quorate.testkit.Deadline;
import io.quorate.testkit.Inbox;
import io.quorate.testkit.RealTime;
import io.quorate.testkit.WaitingCall;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.EventBus;
import io.vertx.core.eventbus.MessageCodec;
import io.vertx.core.eventbus.MessageProducer;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The transport over real sockets of 127.0.0.1. */
class VertxTransportTest {

    private static final NodeId A = new NodeId("a");
    private static final NodeId B = new NodeId("b");

    private static Set<Thread> vertxThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("vert.x-") && thread.isAlive())
                .collect(Collectors.toSet());
    }

    @RealTime
    @Test
    void interruptedCloseCompletesAndKeepsTheInterrupt() throws Exception {
        try (Nodes nodes = new Nodes("a");
                CapturedLog log = new CapturedLog()) {
            VertxTransport a = nodes.start("a", new Inbox());
            CountDownLatch goesOn = new CountDownLatch(1);
            a.loop().orElseThrow().execute(() -> Deadline.await(goesOn, "the loop waits"));
            WaitingCall<Boolean> closing = WaitingCall.begun(() -> {
                Thread.currentThread().interrupt();
                a.close();
                return Thread.interrupted();
            });
            assertThat(closing.isDone()).isFalse();
            goesOn.countDown();
            assertThat(closing.awaitAnswer()).isTrue();
            new ServerSocket(nodes.address("a").port(), 1, InetAddress.getLoopbackAddress()).close();
            assertThat(log.lines("did not close")).isEmpty();
        }
    }

    @Test
    void sendingBeforeTheStartIsRefused() {
        Transport transport = VertxTransport.embedded(new TransportProvider.Settings(
                Nodes.CLUSTER, A, Map.of(A, new TransportProvider.HostAndPort("127.0.0.1", 1))));
        assertThatIllegalStateException()
                .isThrownBy(() -> transport.send(A, new byte[1]))
                .withMessage("transport of node " + A + ": is not started");
    }

    // As behind a translation of addresses: the own name does not resolve here.
    @Test
    void aNodeListensElsewhereThanOthersReachIt() throws IOException {
        try (Nodes nodes = new Nodes("a", "b")) {
            Inbox inboxA = new Inbox();
            Map<NodeId, TransportProvider.HostAndPort> addresses = new TreeMap<>(nodes.addresses());
            addresses.put(A, new TransportProvider.HostAndPort("a.invalid", 7400));
            nodes.start(
                    new TransportProvider.Settings(
                            Nodes.CLUSTER, A, addresses, Optional.of(nodes.address("a")), Optional.empty()),
                    inboxA);
            VertxTransport b = nodes.start("b", new Inbox());
            repeat(() -> b.send(A, frame("hello")), () -> inboxA.has("hello"), inboxA::all);
        }
    }

    @Test
    void threeNodesExchangeFramesAllToAll() throws IOException {
        allToAll((sending, inboxes) -> {
            repeat(
                    sending,
                    () -> inboxes.values().stream()
                            .allMatch(inbox -> Set.copyOf(inbox.all()).size() == 2),
                    () -> inboxes.values().stream().map(Inbox::all).toList());
            assertThat(inboxes.get(A).all()).containsOnly("b>a", "c>a");
            assertThat(inboxes.get(B).all()).containsOnly("a>b", "c>b");
        });
    }

    @RealTime
    @Test
    void eachFrameOfThreeNodesArrivesOnce() throws IOException {
        allToAll((sending, inboxes) -> {
            sending.run();
            await(
                    () -> inboxes.values().stream()
                            .allMatch(inbox -> inbox.all().size() == 2),
                    () -> inboxes.values().stream().map(Inbox::all).toList());
            assertThat(inboxes.get(A).all()).containsExactlyInAnyOrder("b>a", "c>a");
            assertThat(inboxes.get(B).all()).containsExactlyInAnyOrder("a>b", "c>b");
        });
    }

    /** Starts three nodes. The test gets a task by which each sends a frame to both others, and their inboxes. */
    private static void allToAll(BiConsumer<Runnable, Map<NodeId, Inbox>> test) throws IOException {
        try (Nodes nodes = new Nodes("a", "b", "c")) {
            Map<NodeId, Inbox> inboxes = new TreeMap<>();
            Map<NodeId, VertxTransport> transports = new TreeMap<>();
            for (NodeId node : nodes.addresses().keySet()) {
                inboxes.put(node, new Inbox());
                transports.put(node, nodes.start(node.value(), inboxes.get(node)));
            }
            test.accept(
                    () -> transports.forEach((from, transport) -> nodes.addresses().keySet().stream()
                            .filter(to -> !to.equals(from))
                            .forEach(to -> transport.send(to, frame(from + ">" + to)))),
                    inboxes);
        }
    }

    @RealTime
    @Test
    void framesArriveInOrderAndUnchanged() throws IOException {
        try (Nodes nodes = new Nodes("a", "b")) {
            Inbox inbox = new Inbox();
            nodes.start("b", inbox);
            VertxTransport a = nodes.start("a", new Inbox());
            String longest = "x".repeat(Transport.FRAME_LENGTH_MAX);
            List<String> texts = List.of("", "1", "2", longest, "3");
            texts.forEach(text -> a.send(B, frame(text)));
            await(() -> inbox.all().size() == texts.size(), () -> inbox.all().size());
            assertThat(inbox.all()).isEqualTo(texts);
        }
    }

    @Test
    void anApplicationsVertxIsUsedAndNotClosed() throws IOException {
        onApplicationsVertx((sending, areHeard) -> repeat(sending, areHeard, () -> "not heard"));
    }

    @RealTime
    @Test
    void firstFramesOnApplicationsVertxArrive() throws IOException {
        onApplicationsVertx((sending, areHeard) -> {
            sending.run();
            await(areHeard, () -> "not heard");
        });
    }

    private static void onApplicationsVertx(BiConsumer<Runnable, BooleanSupplier> exchange) throws IOException {
        try (Nodes nodes = new Nodes("a", "b")) {
            Vertx application = nodes.vertx("a");
            Inbox inboxA = new Inbox();
            Inbox inboxB = new Inbox();
            VertxTransport a = VertxTransport.on(application, Nodes.CLUSTER, A);
            a.start(inboxA);
            VertxTransport b = onApplicationsVertx(nodes, "b", inboxB);
            exchange.accept(
                    () -> {
                        a.send(B, frame("to b"));
                        b.send(A, frame("to a"));
                    },
                    () -> inboxA.has("to a") && inboxB.has("to b"));
            a.close();
            a.send(B, frame("after close"));
            CompletableFuture<String> alive = new CompletableFuture<>();
            application.runOnContext(ignored -> alive.complete("alive"));
            assertThat(alive.orTimeout(600, TimeUnit.SECONDS).join()).isEqualTo("alive");
        }
    }

    @Test
    void aTransportOutlivesTheApplicationsVertxWithoutThrowing() throws IOException {
        try (Nodes nodes = new Nodes("a", "b")) {
            Vertx application = nodes.vertx("a");
            VertxTransport a = nodes.keep(VertxTransport.on(application, Nodes.CLUSTER, A));
            a.start(new Inbox());
            assertThat(a.failure()).isEmpty();
            Nodes.closeVertx(application);
            assertThat(a.failure())
                    .contains("the Vertx on which it runs was closed before the client; close the client first");
            a.send(B, frame("nobody carries this"));
            await(() -> a.sendsDropped() == 1, a::sendsDropped);
            VertxTransport late = nodes.keep(VertxTransport.on(application, Nodes.CLUSTER, A));
            assertThatExceptionOfType(TransportException.class).isThrownBy(() -> late.start(new Inbox()));
        }
    }

    // Netty's loop ends with an error that comes between its tasks. Its sockets stay open then, and nothing reads them.
    @Test
    void aThreadThatEndsIsAFailureUnlessItIsStopped() throws Exception {
        Endpoint endpoint = new Endpoint(Nodes.CLUSTER, A, Map.of());
        assertThat(endpoint.failure()).isEmpty();
        Thread acceptor = new Thread(endpoint::acceptsHere);
        acceptor.start();
        acceptor.join();
        assertThat(endpoint.failure()).contains("an event loop of its Vertx has ended");
        endpoint.stop();
        assertThat(endpoint.failure()).isEmpty();
    }

    @Test
    void aTransportThatWorksOrIsClosedHasNotFailed() throws IOException {
        try (Nodes nodes = new Nodes("a", "b")) {
            VertxTransport a = nodes.start("a", new Inbox());
            assertThat(a.failure()).isEmpty();
            a.close();
            assertThat(a.failure()).isEmpty();
        }
    }

    @Test
    void aVertxThatIsNotClusteredIsRefused() {
        Vertx local = Vertx.vertx();
        try {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> VertxTransport.on(local, Nodes.CLUSTER, A))
                    .withMessageContaining("must be clustered")
                    .withMessageContaining("embedded");
        } finally {
            Nodes.closeVertx(local);
        }
    }

    @Test
    void aPortInUseIsNamedAndLeavesNoThreads() throws IOException {
        Set<Thread> before = vertxThreads();
        try (Nodes nodes = new Nodes("a");
                CapturedLog log = new CapturedLog();
                ServerSocket squatter =
                        new ServerSocket(nodes.address("a").port(), 1, InetAddress.getByName("127.0.0.1"))) {
            VertxTransport a = VertxTransport.embedded(nodes.settings("a"));
            assertThatExceptionOfType(TransportException.class)
                    .isThrownBy(() -> a.start(new Inbox()))
                    .withMessageContaining("127.0.0.1:" + squatter.getLocalPort());
            assertThat(log.lines("Failed to initialize clustered Vert.x")).hasSize(1);
            a.close();
        }
        await(() -> before.containsAll(vertxThreads()), VertxTransportTest::vertxThreads);
    }

    @Test
    void closingTwiceLeavesNoThreads() throws IOException {
        Set<Thread> before = vertxThreads();
        try (Nodes nodes = new Nodes("a", "b")) {
            Inbox inbox = new Inbox();
            VertxTransport a = nodes.start("a", new Inbox());
            VertxTransport b = nodes.start("b", inbox);
            repeat(() -> a.send(B, frame("hello")), () -> inbox.has("hello"), inbox::all);
            assertThat(before.containsAll(vertxThreads())).isFalse();
            a.close();
            a.close();
            b.close();
        }
        await(() -> before.containsAll(vertxThreads()), VertxTransportTest::vertxThreads);
    }

    @Test
    void startingTwiceOrAfterCloseOrOnAnEventLoopIsRefused() throws IOException {
        try (Nodes nodes = new Nodes("a", "b")) {
            VertxTransport a = nodes.start("a", new Inbox());
            assertThatIllegalStateException().isThrownBy(() -> a.start(new Inbox()));
            VertxTransport closed = VertxTransport.embedded(nodes.settings("b"));
            closed.close();
            assertThatIllegalStateException().isThrownBy(() -> closed.start(new Inbox()));
            Vertx application = nodes.vertx("b");
            VertxTransport b = VertxTransport.on(application, Nodes.CLUSTER, B);
            CompletableFuture<Throwable> thrown = new CompletableFuture<>();
            application.runOnContext(ignored -> {
                try {
                    b.start(new Inbox());
                    thrown.complete(null);
                } catch (IllegalStateException e) {
                    thrown.complete(e);
                }
            });
            assertThat(thrown.orTimeout(600, TimeUnit.SECONDS).join())
                    .hasMessageContaining("event loop")
                    .hasMessageEndingWith("call ElectionClient.startAsync()");
        }
    }

    // A refusal would leave it open, and the loop is needed for what it would wait for.
    @Test
    void closingOnAnEventLoopDoesNotWaitAndSaysWhatDoes() throws IOException {
        try (Nodes nodes = new Nodes("a", "b");
                CapturedLog log = new CapturedLog()) {
            Vertx application = nodes.vertx("a");
            VertxTransport a = VertxTransport.on(application, Nodes.CLUSTER, A);
            a.start(new Inbox());
            CompletableFuture<Long> closed = new CompletableFuture<>();
            application.runOnContext(ignored -> {
                a.close();
                a.close();
                closed.complete(a.sendsDropped());
            });
            long dropped = closed.orTimeout(600, TimeUnit.SECONDS).join();
            assertThat(log.lines("VertxTransport", "call ElectionClient.closeAsync()"))
                    .as(log.text())
                    .hasSize(1)
                    .allMatch(line -> line.startsWith("WARN"));
            a.send(B, frame("too late"));
            assertThat(a.sendsDropped()).isEqualTo(dropped + 1);
        }
    }

    private static VertxTransport onApplicationsVertx(Nodes nodes, String name, Transport.Receiver receiver) {
        VertxTransport transport = nodes.keep(VertxTransport.on(nodes.vertx(name), Nodes.CLUSTER, new NodeId(name)));
        transport.start(receiver);
        return transport;
    }

    private static VertxTransport start(Nodes nodes, String name, Transport.Receiver receiver, boolean isEmbedded) {
        return isEmbedded ? nodes.start(name, receiver) : onApplicationsVertx(nodes, name, receiver);
    }

    private static int failedConnects(CapturedLog log, String peer) {
        return log.lines("Connecting to server " + peer + " failed").size();
    }

    // Each write to a dead peer is an attempt to connect, which Vert.x logs with a stack trace. A frame per millisecond
    // may cause no more attempts than the pauses allow, and on a Vertx of our own none that Vert.x logs.
    @Test
    void aDeadPeerCostsFewAttemptsAndLogLines() throws IOException {
        try (Nodes nodes = new Nodes("a", "b", "c", "d");
                CapturedLog log = new CapturedLog()) {
            VertxTransport a = onApplicationsVertx(nodes, "a", new Inbox());
            VertxTransport c = nodes.start("c", new Inbox());
            // Justification: a lower bound. A busy machine pauses longer, never shorter.
            long begin = System.nanoTime();
            repeat(
                    () -> {
                        a.send(B, frame("lost"));
                        c.send(new NodeId("d"), frame("lost"));
                    },
                    () -> failedConnects(log, "b") >= 4,
                    log::text);
            // At once, and after 100, 200 and 400 ms.
            assertThat(System.nanoTime() - begin).as("three pauses").isGreaterThanOrEqualTo(700_000_000L);
            assertThat(log.lines("VertxTransport", "b is not there yet")).hasSizeBetween(1, nodes.linesMax());
            await(() -> !log.lines("VertxTransport", "d is not there yet").isEmpty(), log::text);
            assertThat(log.lines("VertxTransport", "d is not there yet")).hasSizeBetween(1, nodes.linesMax());
            assertThat(failedConnects(log, "d")).isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aDeadPeerIsReachedWhenItComesUp(boolean isEmbedded) throws IOException {
        try (Nodes nodes = new Nodes("a", "b");
                CapturedLog log = new CapturedLog()) {
            VertxTransport a = start(nodes, "a", new Inbox(), isEmbedded);
            repeat(
                    () -> a.send(B, frame("lost")),
                    () -> !log.lines("b is not there yet").isEmpty(),
                    log::text);
            Inbox inbox = new Inbox();
            start(nodes, "b", inbox, isEmbedded);
            repeat(() -> a.send(B, frame("from a")), () -> inbox.has("from a"), log::text);
            assertThat(log.lines("VertxTransport", "b is not there yet")).hasSizeBetween(1, nodes.linesMax());
        }
    }

    // The bus logs a failed connection with a stack trace; none may be tried that fails.
    @RealTime
    @Test
    void aPeerThatDiesWhileFramesFlowIsReportedOnceAndWithoutAWordOfVertx() throws IOException {
        try (Nodes nodes = new Nodes("a", "b");
                CapturedLog log = new CapturedLog()) {
            VertxTransport a = nodes.start("a", new Inbox());
            for (int life = 0; life < 3; life++) {
                Inbox inbox = new Inbox();
                VertxTransport b = nodes.start("b", inbox);
                repeat(() -> a.send(B, frame("alive")), () -> inbox.has("alive"), log::text);
                for (int i = 0; i < PeerGate.PENDING_MAX; i++) {
                    a.send(B, frame("under way"));
                }
                b.close();
                long dropped = a.sendsDropped();
                repeat(() -> a.send(B, frame("lost")), () -> a.sendsDropped() > dropped + 200, log::text);
            }
            assertThat(log.lines("cannot reach b any more"))
                    .as("once per minute")
                    .hasSize(1);
            assertThat(log.text().lines()).as(log.text()).allMatch(line -> line.contains("io.quorate.vertx"));
        }
    }

    // As of processes that are killed before they have read all. The bus has no handler for that, and logs an error.
    @RealTime
    @Test
    void connectionsThatAreResetEndWithoutAWordOfVertx() throws IOException {
        try (Nodes nodes = new Nodes("a", "b");
                CapturedLog log = new CapturedLog()) {
            Inbox inbox = new Inbox();
            nodes.start("a", inbox);
            for (int i = 0; i < 20; i++) {
                try (Socket killed = new Socket("127.0.0.1", nodes.address("a").port())) {
                    killed.getOutputStream().write(0);
                    killed.setSoLinger(true, 0);
                }
            }
            // The transport has noticed all earlier events by then.
            VertxTransport b = nodes.start("b", new Inbox());
            repeat(() -> b.send(A, frame("heard")), () -> inbox.has("heard"), log::text);
            assertThat(log.text().lines()).as(log.text()).allMatch(line -> line.contains("io.quorate.vertx"));
        }
    }

    @RealTime
    @Test
    void aFrameFromThePeerEndsThePause() throws IOException {
        try (Nodes nodes = new Nodes("a", "b");
                CapturedLog log = new CapturedLog()) {
            Inbox inboxA = new Inbox();
            VertxTransport a = onApplicationsVertx(nodes, "a", inboxA);
            repeat(() -> a.send(B, frame("lost")), () -> failedConnects(log, "b") >= 4, log::text);
            Inbox inboxB = new Inbox();
            VertxTransport b = onApplicationsVertx(nodes, "b", inboxB);
            b.send(A, frame("here I am"));
            // The pause ends when the first one is taken, which is before the second comes.
            repeat(() -> b.send(A, frame("and again")), () -> inboxA.has("and again"), log::text);
            a.send(B, frame("at the first try"));
            await(() -> inboxB.has("at the first try"), log::text);
        }
    }

    // A wrong port in one list, a firewall: what b says arrives, and nobody is where a believes b to be.
    @RealTime
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aLinkThatWorksInOneDirectionOnlyFloodsNoLog(boolean isEmbedded) throws IOException {
        try (Nodes nodes = new Nodes("a", "b", "nobody");
                CapturedLog log = new CapturedLog()) {
            Map<NodeId, TransportProvider.HostAndPort> wrong = new TreeMap<>(nodes.addresses());
            wrong.put(B, nodes.address("nobody"));
            Inbox inbox = new Inbox();
            VertxTransport a = isEmbedded
                    ? VertxTransport.embedded(new TransportProvider.Settings(Nodes.CLUSTER, A, wrong))
                    : VertxTransport.on(nodes.vertx("a", wrong), Nodes.CLUSTER, A);
            nodes.keep(a).start(inbox);
            VertxTransport b = start(nodes, "b", new Inbox(), isEmbedded);
            repeat(
                    () -> {
                        b.send(A, frame("heard"));
                        a.send(B, frame("lost"));
                    },
                    () -> inbox.all().size() >= 300,
                    log::text);
            assertThat(log.lines("VertxTransport"))
                    .hasSize(1)
                    .first()
                    .asString()
                    .contains("b is not there yet");
            assertThat(failedConnects(log, "b")).isLessThanOrEqualTo(isEmbedded ? 0 : 10);
        }
    }

    // One entry of the list leads to another node: who that is says the frame, to whoever reads it.
    @Test
    void aFrameForAnotherNodeOfTheListIsDeliveredSoThatItCanBeNamed() throws IOException {
        try (Nodes nodes = new Nodes("a", "b", "c")) {
            Map<NodeId, TransportProvider.HostAndPort> wrong = new TreeMap<>(nodes.addresses());
            wrong.put(new NodeId("c"), nodes.address("b"));
            Inbox inbox = new Inbox();
            nodes.start("b", inbox);
            VertxTransport a =
                    nodes.keep(VertxTransport.embedded(new TransportProvider.Settings("another cluster", A, wrong)));
            a.start(new Inbox());
            repeat(() -> a.send(new NodeId("c"), frame("to c")), () -> inbox.has("to c"), inbox::all);
        }
    }

    // Foreign code: what it throws is a write that failed, not one that is under way for ever.
    @Test
    void aProducerThatThrowsIsAWriteThatFailed() throws IOException {
        try (Nodes nodes = new Nodes("a", "b")) {
            Inbox inbox = new Inbox();
            onApplicationsVertx(nodes, "b", inbox);
            Vertx application = nodes.vertx("a");
            AtomicInteger throwing = new AtomicInteger(2 * PeerGate.PENDING_MAX);
            Vertx broken = proxy(
                    Vertx.class,
                    application,
                    "eventBus",
                    bus -> proxy(
                            EventBus.class,
                            bus,
                            "sender",
                            sender -> proxy(MessageProducer.class, sender, "write", written -> {
                                if (throwing.decrementAndGet() >= 0) {
                                    throw new IllegalStateException("broken");
                                }
                                return written;
                            })));
            Endpoint endpoint = new Endpoint(Nodes.CLUSTER, A, Map.of());
            endpoint.prepare(broken, new Inbox());
            application
                    .deployVerticle(endpoint)
                    .toCompletionStage()
                    .toCompletableFuture()
                    .join();
            for (int i = 0; i < PeerGate.PENDING_MAX; i++) {
                endpoint.send(B, frame("lost"));
            }
            await(() -> endpoint.sendsDropped() == PeerGate.PENDING_MAX, endpoint::sendsDropped);
            throwing.set(1);
            repeat(() -> endpoint.send(B, frame("again")), () -> inbox.has("again"), inbox::all);
        }
    }

    /** What one method answers is changed, after it was called. */
    private static <T> T proxy(Class<T> type, Object behind, String method, UnaryOperator<Object> change) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (self, called, args) -> {
            Object answer = called.invoke(behind, args);
            return called.getName().equals(method) ? change.apply(answer) : answer;
        }));
    }

    @Test
    void ofVeryManyPeersTheOneThatWasWrittenToLongestAgoIsForgotten() throws IOException {
        try (Nodes nodes = new Nodes("a")) {
            Vertx application = nodes.vertx("a");
            AtomicInteger senders = new AtomicInteger();
            Vertx counting = proxy(
                    Vertx.class,
                    application,
                    "eventBus",
                    bus -> proxy(EventBus.class, bus, "sender", sender -> {
                        senders.incrementAndGet();
                        return sender;
                    }));
            Endpoint endpoint = new Endpoint(Nodes.CLUSTER, A, Map.of());
            endpoint.prepare(counting, new Inbox());
            application
                    .deployVerticle(endpoint)
                    .toCompletionStage()
                    .toCompletableFuture()
                    .join();
            int strangers = 3 * Endpoint.PEERS_MAX;
            for (int i = 0; i < strangers; i++) {
                endpoint.send(new NodeId("stranger-" + i), frame("hello"));
                endpoint.send(B, frame("to a voter"));
            }
            assertThat(endpoint.peerCount()).isEqualTo(Endpoint.PEERS_MAX);
            assertThat(senders).as("the voter was never forgotten").hasValue(strangers + 1);
        }
    }

    @Test
    void anUnknownNodeIsNotReachableAndHarmsNobody() throws IOException {
        try (Nodes nodes = new Nodes("a", "b")) {
            Inbox inbox = new Inbox();
            VertxTransport a = nodes.start("a", new Inbox());
            nodes.start("b", inbox);
            a.send(new NodeId("stranger"), frame("to nobody"));
            await(() -> a.sendsDropped() == 1, a::sendsDropped);
            repeat(() -> a.send(B, frame("to b")), () -> inbox.has("to b"), inbox::all);
        }
    }

    // A configuration that names the wrong process: the frame must not be taken for one to that node.
    @Test
    void aFrameForAnotherNodeAtOurAddressIsNotDelivered() throws IOException {
        try (Nodes nodes = new Nodes("a", "b")) {
            Map<NodeId, TransportProvider.HostAndPort> wrong = new TreeMap<>(nodes.addresses());
            wrong.put(new NodeId("c"), nodes.address("b"));
            Inbox inbox = new Inbox();
            nodes.start("b", inbox);
            VertxTransport a =
                    nodes.keep(VertxTransport.embedded(new TransportProvider.Settings(Nodes.CLUSTER, A, wrong)));
            a.start(new Inbox());
            a.send(new NodeId("c"), frame("to c"));
            repeat(() -> a.send(B, frame("to b")), () -> inbox.has("to b"), inbox::all);
            assertThat(inbox.all()).doesNotContain("to c");
        }
    }

    @RealTime
    @Test
    void tooLongFramesAreRefusedOutboundAndDroppedInbound() throws IOException {
        try (Nodes nodes = new Nodes("a", "b")) {
            Inbox inbox = new Inbox();
            VertxTransport b = nodes.start("b", inbox);
            assertThatIllegalArgumentException().isThrownBy(() -> b.send(A, new byte[Transport.FRAME_LENGTH_MAX + 1]));
            Vertx application = nodes.vertx("a");
            String address = VertxTransport.address(B);
            byte[] tooLong = new byte[Transport.FRAME_LENGTH_MAX + 2];
            List<Object> foreign =
                    List.of(Buffer.buffer(tooLong), Buffer.buffer(), Buffer.buffer(new byte[] {9, 'a'}), "text", 42);
            foreign.forEach(body -> application.eventBus().send(address, body));
            application.eventBus().send(address, Buffer.buffer(new byte[] {1, 'a', 'o', 'k'}));
            await(() -> inbox.has("ok"), inbox::all);
            assertThat(b.inputsDropped()).isEqualTo(foreign.size());
            assertThat(inbox.all()).hasSize(1);
        }
    }

    @RealTime
    @Test
    void aSerialisedObjectIsDroppedAndCounted() throws IOException {
        try (Nodes nodes = new Nodes("a", "b")) {
            Inbox inbox = new Inbox();
            VertxTransport b = nodes.start("b", inbox);
            Vertx application = nodes.vertx("a");
            String address = VertxTransport.address(B);
            application.eventBus().send(address, java.math.BigInteger.TEN);
            application.eventBus().send(address, Buffer.buffer(new byte[] {1, 'a', 'o', 'k'}));
            await(() -> inbox.has("ok"), inbox::all);
            assertThat(b.inputsDropped()).isEqualTo(1);
        }
    }

    /** A codec of an application, at whose class path something is missing. */
    private static final class BrokenCodec implements MessageCodec<String, String> {
        @Override
        public void encodeToWire(Buffer buffer, String text) {
            buffer.appendString(text);
        }

        @Override
        public String decodeFromWire(int position, Buffer buffer) {
            throw new NoClassDefFoundError("meant to be thrown, by the test");
        }

        @Override
        public String transform(String text) {
            return text;
        }

        @Override
        public String name() {
            return "broken";
        }

        @Override
        public byte systemCodecID() {
            return -1;
        }
    }

    @Test
    void aCodecThatThrowsAnErrorIsCounted() throws IOException {
        try (Nodes nodes = new Nodes("a", "b")) {
            Vertx here = nodes.vertx("b");
            here.eventBus().registerCodec(new BrokenCodec());
            VertxTransport b = nodes.keep(VertxTransport.on(here, Nodes.CLUSTER, B));
            b.start(new Inbox());
            Vertx there = nodes.vertx("a");
            there.eventBus().registerCodec(new BrokenCodec());
            repeat(
                    () -> there.eventBus()
                            .send(
                                    VertxTransport.address(Nodes.CLUSTER, B),
                                    "text",
                                    new DeliveryOptions().setCodecName("broken")),
                    () -> b.inputsDropped() > 0,
                    () -> "not counted");
        }
    }

    @Test
    void aReceiverThatThrowsAnErrorIsLoggedOnceAndGoesOnReceiving() throws IOException {
        sendToAReceiverThatThrows(
                (a, b) -> repeat(() -> a.send(B, frame("fails")), () -> b.inputsDropped() >= 5, b::inputsDropped));
    }

    @RealTime
    @Test
    void eachFrameAtWhichTheReceiverThrowsIsCountedOnce() throws IOException {
        sendToAReceiverThatThrows((a, b) -> {
            for (int i = 0; i < 5; i++) {
                a.send(B, frame("" + i));
            }
            await(() -> b.inputsDropped() == 5, b::inputsDropped);
        });
    }

    private static void sendToAReceiverThatThrows(BiConsumer<VertxTransport, VertxTransport> sending)
            throws IOException {
        try (Nodes nodes = new Nodes("a", "b");
                CapturedLog log = new CapturedLog()) {
            VertxTransport b = nodes.start("b", (sender, frame) -> {
                throw new AssertionError("meant to be thrown, by the test");
            });
            VertxTransport a = nodes.start("a", new Inbox());
            sending.accept(a, b);
            await(() -> !log.lines("the receiver failed").isEmpty(), log::text);
            assertThat(log.lines("the receiver failed")).hasSizeBetween(1, nodes.linesMax());
        }
    }

    @Test
    void theProviderIsFoundUnderItsName() throws IOException {
        TransportProvider provider = ServiceLoader.load(TransportProvider.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(found -> found.name().equals("vertx"))
                .findFirst()
                .orElseThrow();
        try (Nodes nodes = new Nodes("a");
                Transport transport = provider.create(nodes.settings("a"))) {
            transport.start(new Inbox());
        }
    }
}
