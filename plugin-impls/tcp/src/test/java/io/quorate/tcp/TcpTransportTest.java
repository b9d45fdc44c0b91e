package io.quorate.tcp;

import static io.quorate.tcp.Dialler.hello;
import static io.quorate.tcp.Dialler.talk;
import static io.quorate.testkit.Deadline.await;
import static io.quorate.testkit.Deadline.repeat;
import static io.quorate.testkit.Inbox.frame;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.quorate.spi.EventLoop;
import io.quorate.spi.NodeId;
import io.quorate.spi.Transport;
import io.quorate.spi.TransportException;
import io.quorate.spi.TransportProvider;
import io.quorate.spi.TransportProvider.HostAndPort;
import io.quorate.spi.TransportProvider.Settings;
import io.quorate.tcp.Wire.Answer;
import io.quorate.tcp.Wire.Hello;
import io.quorate.tcp.Wire.Welcome;
import io.quorate.testkit.CapturedLog;
import io.quorate.testkit.Deadline;
import io.quorate.testkit.FreePorts;
import io.quorate.testkit.Inbox;
import io.quorate.testkit.RealTime;
import io.quorate.testkit.WaitingCall;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.spi.AbstractSelectableChannel;
import java.nio.channels.spi.AbstractSelector;
import java.nio.channels.spi.SelectorProvider;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The transport over real sockets of 127.0.0.1; what every transport must do is in {@link TcpConformanceTest}. */
class TcpTransportTest {

    private static final NodeId A = new NodeId("a");
    private static final NodeId B = new NodeId("b");

    @Test
    void theProviderIsFoundUnderItsName() throws IOException {
        TransportProvider provider = ServiceLoader.load(TransportProvider.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(found -> found.name().equals("tcp"))
                .findFirst()
                .orElseThrow();
        try (Nodes nodes = new Nodes("a");
                Transport transport = provider.create(nodes.settings("a"))) {
            transport.start(new Inbox());
        }
    }

    /** As when the system has no descriptors for it any more: from the first look at the sockets on, or after some. */
    private static final class BrokenSelector extends AbstractSelector {

        private final Deque<Runnable> looks = new ArrayDeque<>();

        /** @param looks told of each look at the sockets before it breaks */
        private BrokenSelector(Runnable... looks) {
            super(SelectorProvider.provider());
            this.looks.addAll(List.of(looks));
        }

        @Override
        protected SelectionKey register(AbstractSelectableChannel channel, int ops, Object attachment) {
            return null;
        }

        @Override
        public Set<SelectionKey> keys() {
            return Set.of();
        }

        @Override
        public Set<SelectionKey> selectedKeys() {
            return Set.of();
        }

        @Override
        public int selectNow() throws IOException {
            Runnable told = looks.poll();
            if (told == null) {
                throw new IOException("meant to fail, by the test");
            }
            told.run();
            return 0;
        }

        @Override
        public int select(long timeout) throws IOException {
            return selectNow();
        }

        @Override
        public int select() throws IOException {
            return selectNow();
        }

        @Override
        public Selector wakeup() {
            return this;
        }

        @Override
        protected void implCloseSelector() {
            // There is nothing to close.
        }
    }

    // What somebody else's task throws is said once, as what the receiver throws.
    @Test
    void aTaskThatThrowsIsLoggedOnce() throws IOException {
        try (Nodes nodes = new Nodes("a");
                CapturedLog log = new CapturedLog()) {
            EventLoop loop = nodes.start("a", new Inbox()).loop().orElseThrow();
            CountDownLatch areDone = new CountDownLatch(2);
            for (int i = 0; i < 2; i++) {
                loop.execute(() -> {
                    areDone.countDown();
                    throw new AssertionError("meant to be thrown, by the test");
                });
            }
            await(() -> areDone.getCount() == 0, () -> "");
            CountDownLatch isOver = new CountDownLatch(1);
            loop.execute(isOver::countDown);
            await(() -> isOver.getCount() == 0, () -> "");
            awaitLine(nodes, log, "failed");
        }
    }

    // A node that lives there has to tell its application that it hears nobody any more.
    @Test
    void waitingTasksRunWhenTheLoopFails() throws Exception {
        int many = 10_000;
        List<String> ran = new ArrayList<>();
        Loop loop = loop(new BrokenSelector());
        loop.schedule(() -> ran.add("scheduled"), 0);
        loop.schedule(() -> ran.add("for later"), TimeUnit.HOURS.toNanos(1));
        loop.later(() -> {
            throw new IllegalStateException("a task that fails, by the test");
        });
        AtomicInteger tasks = new AtomicInteger();
        for (int i = 0; i < many; i++) {
            loop.execute(tasks::incrementAndGet);
        }
        loop.execute(() -> ran.add("behind all others"));
        try (CapturedLog log = new CapturedLog()) {
            loop.run();
            awaitLines(log, 1, "meant to fail, by the test");
            awaitLines(log, 1, "a task that fails, by the test");
        }
        assertThat(tasks).hasValue(many);
        assertThat(ran).containsExactlyInAnyOrder("scheduled", "for later", "behind all others");
        assertThatExceptionOfType(RejectedExecutionException.class).isThrownBy(() -> loop.execute(() -> {}));
    }

    private static Loop loop(BrokenSelector selector) throws IOException {
        HostAndPort here = new HostAndPort("127.0.0.1", 1);
        return new Loop(
                "test",
                A,
                Map.of(A, here),
                Optional.of(here),
                new Inbox(),
                selector,
                (ServerSocketChannel) ServerSocketChannel.open().configureBlocking(false),
                new Resolver("test"),
                Optional.empty(),
                Optional.empty());
    }

    // A node with much to do takes a millisecond each time, and heartbeats wait in the sockets.
    @Test
    void aTaskThatTakesLongIsTheLastBeforeTheSocketsHaveTheirTurn() throws IOException {
        AtomicInteger tasks = new AtomicInteger();
        List<Integer> seen = new ArrayList<>();
        Runnable look = () -> seen.add(tasks.get());
        Loop loop = loop(new BrokenSelector(look, look, look, look));
        loop.execute(new Runnable() {
            @Override
            public void run() {
                tasks.incrementAndGet();
                // Justification: a lower bound. The turn ends after it in any case.
                long begin = System.nanoTime();
                while (System.nanoTime() - begin < Loop.TASKS_NANOS_PER_STEP) {
                    Thread.onSpinWait();
                }
                loop.execute(this);
            }
        });
        try (CapturedLog log = new CapturedLog()) {
            loop.run();
            awaitLines(log, 1, "meant to fail, by the test");
        }
        assertThat(seen).containsExactly(0, 1, 2, 3);
    }

    @RealTime
    @Test
    void framesArriveInOrderWhileAConnectionLives() throws IOException {
        try (Nodes nodes = new Nodes("a", "b")) {
            Inbox inbox = new Inbox();
            nodes.start("b", inbox);
            TcpTransport a = nodes.start("a", new Inbox());
            List<String> texts =
                    IntStream.range(0, Peer.FRAMES_MAX).mapToObj(i -> "" + i).toList();
            texts.forEach(text -> a.send(B, frame(text)));
            await(() -> inbox.all().size() == texts.size(), inbox::all);
            assertThat(inbox.all()).isEqualTo(texts);
            assertThat(a.sendsDropped()).isZero();
        }
    }

    // Both begin at the same moment, again and again: one connection stays, and nothing is lost on it.
    @RealTime
    @Test
    void ofTwoConnectionsThatCrossOneStays() throws IOException {
        for (int round = 0; round < 20; round++) {
            try (Nodes nodes = new Nodes("a", "b")) {
                Inbox inboxA = new Inbox();
                Inbox inboxB = new Inbox();
                TcpTransport a = nodes.start("a", inboxA);
                TcpTransport b = nodes.start("b", inboxB);
                a.send(B, frame("first of a"));
                b.send(A, frame("first of b"));
                await(
                        () -> inboxA.has("first of b") && inboxB.has("first of a"),
                        () -> inboxA.all() + " " + inboxB.all());
            }
        }
    }

    // The smaller id has said HELLO and waits; the HELLO of the larger one is sent away, and the answer is waited for.
    @RealTime
    @Test
    void ofTwoConnectionsThatCrossTheOneOfTheSmallerIdStays() throws Exception {
        try (Nodes nodes = new Nodes("a", "b");
                ServerSocket b = new ServerSocket(nodes.port("b"), 5, Nodes.loopback())) {
            TcpTransport a = nodes.start("a", new Inbox());
            a.send(B, frame("to b"));
            try (Dialler ofA = new Dialler(b.accept())) {
                Hello hello = Hello.read(ofA.read(Wire.HELLO));
                try (Dialler crossing = new Dialler(nodes.port("a"))) {
                    assertThat(crossing.greet(hello(Nodes.CLUSTER, "b", "a")).answer())
                            .isEqualTo(Answer.CROSSED);
                }
                ofA.send(Wire.WELCOME, new Welcome(Answer.ADMITTED, 2, hello.nonce(), "", "", 0).toBytes());
                assertThat(ofA.read(Wire.DATA)).isEqualTo(frame("to b"));
            }
        }
    }

    @RealTime
    @Test
    void ofTwoConnectionsThatCrossTheOneOfTheLargerIdGoes() throws Exception {
        try (Nodes nodes = new Nodes("a", "b");
                ServerSocket a = new ServerSocket(nodes.port("a"), 5, Nodes.loopback())) {
            TcpTransport b = nodes.start("b", new Inbox());
            b.send(A, frame("to a"));
            try (Dialler ofB = new Dialler(a.accept())) {
                ofB.read(Wire.HELLO);
                try (Dialler crossing = new Dialler(nodes.port("b"))) {
                    assertThat(crossing.greet(hello(Nodes.CLUSTER, "a", "b")).answer())
                            .isEqualTo(Answer.ADMITTED);
                    assertThat(crossing.read(Wire.DATA)).isEqualTo(frame("to a"));
                    assertThat(ofB.awaitClosed()).isZero();
                }
            }
        }
    }

    // Whoever says that it is a peer pushes no connection aside that works; one that is silent gives way.
    @RealTime
    @Test
    void aConnectionThatWorksIsNotPushedAside() throws Exception {
        try (Nodes nodes = new Nodes("a", "b")) {
            nodes.start("a", new Inbox());
            try (Dialler first = new Dialler(nodes.port("a"));
                    Dialler second = new Dialler(nodes.port("a"))) {
                assertThat(first.greet(hello(Nodes.CLUSTER, "b", "a")).answer()).isEqualTo(Answer.ADMITTED);
                assertThat(second.greet(hello(Nodes.CLUSTER, "b", "a")).answer())
                        .isEqualTo(Answer.BUSY);
                // A silent connection is asked for a sign of life, and closed at last.
                first.read(Wire.PING);
                repeat(
                        () -> {},
                        () -> {
                            try (Dialler later = new Dialler(nodes.port("a"))) {
                                return later.greet(hello(Nodes.CLUSTER, "b", "a"))
                                                .answer()
                                        == Answer.ADMITTED;
                            } catch (Exception e) {
                                // Too many connections a second: later.
                                return false;
                            }
                        },
                        () -> "");
                assertThat(first.awaitClosed()).isZero();
            }
        }
    }

    // Nothing is asked of it before: whoever only opens connections gets no line, and keeps none for long.
    @Test
    void silentConnectionIsClosedAfterASecond() throws Exception {
        try (Nodes nodes = new Nodes("a");
                CapturedLog log = new CapturedLog()) {
            nodes.start("a", new Inbox());
            // Justification: a lower bound. A busy machine closes it later, never sooner.
            long begin = System.nanoTime();
            try (Dialler silent = new Dialler(nodes.port("a"))) {
                assertThat(silent.awaitClosed()).isZero();
            }
            assertThat(System.nanoTime() - begin).isGreaterThanOrEqualTo(Loop.GREETING_NANOS);
            assertThat(log.text()).isEmpty();
        }
    }

    // One question after a second, and the end after 3.5.
    @Test
    void anAdmittedConnectionThatFallsSilentIsAskedAndClosed() throws Exception {
        try (Nodes nodes = new Nodes("a", "b");
                CapturedLog log = new CapturedLog()) {
            nodes.start("a", new Inbox());
            talk(nodes.port("a"), silent -> {
                // Justification: lower bounds. A busy machine asks and closes later, never sooner.
                long begin = System.nanoTime();
                silent.greet(hello(Nodes.CLUSTER, "b", "a"));
                silent.read(Wire.PING);
                assertThat(System.nanoTime() - begin).isGreaterThan(Loop.PING_NANOS / 2);
                assertThat(silent.awaitEnd()).isZero();
                assertThat(System.nanoTime() - begin).isGreaterThan(Loop.IDLE_NANOS / 2);
            });
            await(() -> !log.lines("cannot reach b", "not a word for 3.5 s").isEmpty(), log::text);
        }
    }

    @Test
    void aPingIsAnswered() throws Exception {
        try (Nodes nodes = new Nodes("a", "b")) {
            nodes.start("a", new Inbox());
            talk(nodes.port("a"), b -> {
                b.greet(hello(Nodes.CLUSTER, "b", "a"));
                b.send(Wire.PING, new byte[0]);
                assertThat(b.read(Wire.PONG)).isEmpty();
            });
        }
    }

    @Test
    void wrongGreetingsAreRefusedWithBothValuesAndNamedInTheLog() throws Exception {
        try (Nodes nodes = new Nodes("a", "b");
                CapturedLog log = new CapturedLog()) {
            nodes.start("a", new Inbox());
            Map<Hello, Welcome> expected = new HashMap<>();
            expected.put(hello("other", "b", "a"), new Welcome(Answer.CLUSTER, 0, 42, Nodes.CLUSTER, "other", 0));
            expected.put(hello(Nodes.CLUSTER, "b", "c"), new Welcome(Answer.NOT_FOR_US, 0, 42, "a", "c", 0));
            expected.put(hello(Nodes.CLUSTER, "a", "a"), new Welcome(Answer.OWN_ID, 0, 42, "a", "a", 0));
            expected.put(
                    new Hello(7, 9, Nodes.CLUSTER, B, A, 42, Optional.of(new HostAndPort("127.0.0.1", 1)), false, 0),
                    new Welcome(Answer.VERSION, 0, 42, "2-2", "7-9", 0));
            for (Map.Entry<Hello, Welcome> each : expected.entrySet()) {
                for (int i = 0; i < 2; i++) {
                    talk(nodes.port("a"), dialler -> {
                        assertThat(dialler.greet(each.getKey())).isEqualTo(each.getValue());
                        assertThat(dialler.awaitClosed()).isZero();
                    });
                }
            }
            await(() -> log.text().lines().count() >= 4, log::text);
            // Once, not twice.
            awaitLine(nodes, log, "WARN", "it is of cluster 'other', this node of 'test.cluster'");
            awaitLine(nodes, log, "WARN", "it looks for node c, this is a");
            awaitLine(nodes, log, "WARN", "it has the id of this node");
            awaitLine(nodes, log, "WARN", "it speaks wire versions 7-9, this node 2-2");
        }
    }

    // A later version may append to its HELLO, and speak ours as well.
    @Test
    void aLaterVersionThatSpeaksOursIsAdmitted() throws Exception {
        try (Nodes nodes = new Nodes("a", "b")) {
            nodes.start("a", new Inbox());
            Hello later =
                    new Hello(2, 9, Nodes.CLUSTER, B, A, 42, Optional.of(new HostAndPort("127.0.0.1", 1)), false, 0);
            byte[] longer = Arrays.copyOf(later.toBytes(), later.toBytes().length + 20);
            talk(nodes.port("a"), dialler -> {
                dialler.send(Wire.HELLO, longer);
                assertThat(Welcome.read(dialler.read(Wire.WELCOME)))
                        .isEqualTo(new Welcome(Answer.ADMITTED, 2, 42, "", "", 0));
            });
        }
    }

    @Test
    void malformedFrameEndsTheConnection() throws Exception {
        List<byte[]> inputs = List.of(
                new byte[] {0, 0, 0, 0},
                new byte[] {0x7f, -1, -1, -1},
                new byte[] {-1, -1, -1, -1, 1},
                // A HELLO that is longer than any.
                new byte[] {0, 0, 2, 2, 1},
                // DATA and WELCOME, where HELLO is due.
                new byte[] {0, 0, 0, 2, 3, 7},
                new byte[] {0, 0, 0, 1, 2},
                new byte[] {0, 0, 0, 5, 1, 'G', 'E', 'T', ' '},
                "GET / HTTP/1.1\r\nHost: a\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        try (Nodes nodes = new Nodes("a", "b");
                CapturedLog log = new CapturedLog()) {
            Inbox inbox = new Inbox();
            TcpTransport a = nodes.start("a", inbox);
            for (byte[] input : inputs) {
                long before = a.inputsDropped();
                // A client that says nothing within a second is sent away without being counted.
                repeat(
                        () -> talk(nodes.port("a"), dialler -> {
                            dialler.raw(input);
                            assertThat(dialler.awaitClosed()).isZero();
                        }),
                        () -> a.inputsDropped() > before,
                        log::text);
            }
            assertThat(a.inputsDropped()).isEqualTo(inputs.size());
            await(() -> !log.lines("not in the form of this library").isEmpty(), log::text);
            awaitLine(nodes, log, "not in the form of this library");
            assertThat(inbox.all()).isEmpty();
        }
    }

    @Test
    void malformedFrameEndsAnAdmittedConnection() throws Exception {
        List<byte[]> inputs = List.of(
                new byte[] {0, 0, 0, 0},
                new byte[] {0, 1, 0, 2, 3},
                // A type that nobody knows, and a second HELLO.
                new byte[] {0, 0, 0, 1, 9},
                new byte[] {0, 0, 0, 1, 1});
        try (Nodes nodes = new Nodes("a", "b");
                CapturedLog log = new CapturedLog()) {
            nodes.start("a", new Inbox());
            for (byte[] input : inputs) {
                talk(nodes.port("a"), dialler -> {
                    dialler.greet(hello(Nodes.CLUSTER, "b", "a"));
                    dialler.raw(input);
                    assertThat(dialler.awaitClosed()).isZero();
                });
            }
            await(() -> !log.lines("cannot reach b").isEmpty(), log::text);
            awaitLine(nodes, log, "cannot reach b");
        }
    }

    // A stranger that names itself with a legal id, and with an address that is not: nothing of it makes a line.
    @Test
    void textOfStrangersIsEscapedAndCut() throws Exception {
        try (Nodes nodes = new Nodes("a", "b");
                CapturedLog log = new CapturedLog()) {
            nodes.start("a", new Inbox());
            talk(nodes.port("a"), dialler -> {
                dialler.greet(hello("x\n[main] ERROR forged \u001b[31m", "b", "a"));
            });
            awaitLine(nodes, log, "x\\u000a[main] ERROR forged \\u001b[31m");
            assertThat(log.text()).doesNotContain("\n[main] ERROR forged").doesNotContain("\u001b");
        }
    }

    @Test
    void aWelcomeForAnotherHelloIsNotBelieved() throws Exception {
        try (Nodes nodes = new Nodes("a", "b");
                ServerSocket b = new ServerSocket(nodes.port("b"), 5, Nodes.loopback());
                CapturedLog log = new CapturedLog()) {
            TcpTransport a = nodes.start("a", new Inbox());
            AtomicBoolean wasAnswered = new AtomicBoolean();
            // Again, if the node hung up before it said HELLO, or before the answer, as one that is slow does.
            repeat(
                    () -> {
                        WaitingCall<Socket> dialled = new WaitingCall<>(b::accept);
                        repeat(() -> a.send(B, frame("secret")), dialled::isDone, log::text);
                        wasAnswered.set(answersAnotherHello(dialled));
                    },
                    wasAnswered::get,
                    log::text);
            await(() -> !log.lines("b at 127.0.0.1").isEmpty(), log::text);
            await(() -> a.sendsDropped() > 0, a::sendsDropped);
        }
    }

    @RealTime
    @Test
    void theFrameBehindAWelcomeForAnotherHelloIsDropped() throws Exception {
        try (Nodes nodes = new Nodes("a", "b");
                ServerSocket b = new ServerSocket(nodes.port("b"), 5, Nodes.loopback());
                CapturedLog log = new CapturedLog()) {
            TcpTransport a = nodes.start("a", new Inbox());
            a.send(B, frame("secret"));
            assertThat(answersAnotherHello(new WaitingCall<>(b::accept))).isTrue();
            await(() -> !log.lines("b at 127.0.0.1").isEmpty(), log::text);
            assertThat(a.sendsDropped()).isEqualTo(1);
        }
    }

    /** Sends the node that dialled a WELCOME for another HELLO. Returns whether the node waited for it. */
    private static boolean answersAnotherHello(WaitingCall<Socket> dialled) {
        try (Dialler dialling = new Dialler(dialled.awaitAnswer())) {
            Hello hello = Hello.read(dialling.read(Wire.HELLO));
            dialling.send(Wire.WELCOME, new Welcome(Answer.ADMITTED, 2, hello.nonce() + 1, "", "", 0).toBytes());
            assertThat(dialling.awaitClosed()).as("frames that it was told").isZero();
            return true;
        } catch (EOFException | SocketException e) {
            return false;
        } catch (Exception e) {
            // Justification: reading a frame declares it.
            throw new AssertionError(e);
        }
    }

    /** An answer may come before the line about it is written. */
    private static void awaitLines(CapturedLog log, int count, String... fragments) {
        await(() -> log.lines(fragments).size() >= count, log::text);
        assertThat(log.lines(fragments)).hasSize(count);
    }

    /** The line is logged at most once a minute. */
    private static void awaitLine(Nodes nodes, CapturedLog log, String... fragments) {
        await(() -> !log.lines(fragments).isEmpty(), log::text);
        assertThat(log.lines(fragments)).hasSizeBetween(1, nodes.linesMax());
    }

    // The wrong process at an address: both sides say it.
    @Test
    void anAddressThatLeadsToAnotherNodeIsNamedOnBothSides() throws Exception {
        sendToAnAddressThatLeadsToAnotherNode(Deadline::repeat);
    }

    @RealTime
    @Test
    void oneFrameToAnAddressOfAnotherNodeNamesItOnBothSides() throws Exception {
        sendToAnAddressThatLeadsToAnotherNode((sending, isNamed, state) -> {
            sending.run();
            await(isNamed, state);
        });
    }

    /** Sends a frame once or more often, until a condition holds. */
    private interface Sending {
        void until(Runnable sending, BooleanSupplier condition, Supplier<?> state);
    }

    private static void sendToAnAddressThatLeadsToAnotherNode(Sending sending) throws Exception {
        try (Nodes nodes = new Nodes("a", "b", "c");
                CapturedLog log = new CapturedLog()) {
            Map<NodeId, HostAndPort> wrong = new TreeMap<>(nodes.addresses());
            wrong.put(new NodeId("c"), nodes.address("b"));
            nodes.start("b", new Inbox());
            TcpTransport a = nodes.start(new Settings(Nodes.CLUSTER, A, wrong), new Inbox());
            sending.until(
                    () -> a.send(new NodeId("c"), frame("to c")),
                    () -> !log.lines("a: c at", "is another node", "there 'b', here 'c'")
                            .isEmpty(),
                    log::text);
            awaitLine(nodes, log, "b: refuses", "it looks for node c, this is b");
        }
    }

    @Test
    void aPeerThatWasNeverReachedIsNotReachedAgain() throws Exception {
        // Later ones are of a connection that this machine was too busy to keep.
        assertThat(linesOfAPeerReachedFirst().get(0)).doesNotContain("reached again");
    }

    @RealTime
    @Test
    void aPeerReachedForTheFirstTimeIsNeverReachedAgain() throws Exception {
        assertThat(linesOfAPeerReachedFirst()).noneMatch(line -> line.contains("reached again"));
    }

    /** Starts a peer after frames to it were lost. Returns the lines that say that it is reached. */
    private static List<String> linesOfAPeerReachedFirst() throws IOException {
        try (Nodes nodes = new Nodes("a", "b");
                CapturedLog log = new CapturedLog()) {
            TcpTransport a = nodes.start("a", new Inbox());
            repeat(
                    () -> a.send(B, frame("lost")),
                    () -> !log.lines("a: b at", "is not there yet").isEmpty(),
                    log::text);
            nodes.start("b", new Inbox());
            repeat(
                    () -> a.send(B, frame("hello")),
                    () -> !log.lines("a: b is reached").isEmpty(),
                    log::text);
            return log.lines("reached");
        }
    }

    // The peer was away, and has come with another cluster id: that is said, although it was lost before.
    @RealTime
    @Test
    void aRefusalIsSaidAlsoIfThePeerWasAwayBefore() throws Exception {
        try (Nodes nodes = new Nodes("a", "b");
                CapturedLog log = new CapturedLog()) {
            TcpTransport a = nodes.start("a", new Inbox());
            repeat(
                    () -> a.send(B, frame("lost")),
                    () -> !log.lines("is not there yet").isEmpty(),
                    log::text);
            nodes.start(new Settings("other", B, nodes.addresses()), new Inbox());
            repeat(
                    () -> a.send(B, frame("lost")),
                    () -> !log.lines("WARN", "a: b at", "another cluster", "there 'other', here 'test.cluster'")
                            .isEmpty(),
                    log::text);
            long dropped = a.sendsDropped();
            repeat(() -> a.send(B, frame("lost")), () -> a.sendsDropped() > dropped + 500, log::text);
            awaitLines(log, 1, "another cluster");
        }
    }

    // Two processes with one id: the second one has to be told, and by its own log. What a connection that has just
    // ended may explain is no fault of anybody.
    @RealTime
    @Test
    void aSecondProcessUnderAnIdIsWarnedInItsOwnLog() throws Exception {
        try (Nodes nodes = new Nodes("a", "b");
                CapturedLog log = new CapturedLog()) {
            Inbox inbox = new Inbox();
            nodes.start("a", inbox);
            TcpTransport first = nodes.start("b", new Inbox());
            repeat(() -> first.send(A, frame("first")), () -> inbox.has("first"), log::text);
            // It listens elsewhere: at the same address it would not start.
            Map<NodeId, HostAndPort> elsewhere = new TreeMap<>(nodes.addresses());
            elsewhere.put(B, new HostAndPort("127.0.0.1", FreePorts.take()));
            long begun = System.nanoTime();
            TcpTransport second = nodes.start(new Settings(Nodes.CLUSTER, B, elsewhere), new Inbox());
            String line = "b: a at " + nodes.address("a")
                    + ": the node there is connected with another process under our node id, or with us still; of two"
                    + " processes stop one";
            repeat(
                    () -> {
                        first.send(A, frame("alive"));
                        second.send(A, frame("refused"));
                    },
                    () -> !log.lines("WARN", line).isEmpty(),
                    log::text);
            assertThat(System.nanoTime() - begun).isGreaterThan(Connection.REPLACED_NANOS);
            assertThat(log.lines("is not there yet")).isEmpty();
            // The node that refuses it says so too, and no sooner: greetings that cross look the same at first.
            repeat(
                    () -> {
                        first.send(A, frame("alive"));
                        second.send(A, frame("refused"));
                    },
                    () -> !log.lines(
                                    "WARN",
                                    "a: refuses",
                                    "it is connected already; two processes may have this node id; stop one")
                            .isEmpty(),
                    log::text);
            long dropped = second.sendsDropped();
            repeat(
                    () -> {
                        first.send(A, frame("alive"));
                        second.send(A, frame("refused"));
                    },
                    () -> second.sendsDropped() > dropped + 500,
                    log::text);
            awaitLines(log, 1, "WARN", line);
        }
    }

    @RealTime
    @Test
    void aDeadPeerCostsFewLogLines() throws IOException {
        try (Nodes nodes = new Nodes("a", "b");
                CapturedLog log = new CapturedLog()) {
            TcpTransport a = nodes.start("a", new Inbox());
            repeat(() -> a.send(B, frame("lost")), () -> a.sendsDropped() > 1_000, log::text);
            assertThat(log.text().lines()).hasSize(1);
            awaitLines(log, 1, "INFO", "a: b at 127.0.0.1", "is not there yet (Connection refused); retrying");
        }
    }

    @RealTime
    @Test
    void aPeerThatComesAndGoesIsReportedOnceAMinute() throws IOException {
        try (Nodes nodes = new Nodes("a", "b");
                CapturedLog log = new CapturedLog()) {
            TcpTransport a = nodes.start("a", new Inbox());
            for (int life = 0; life < 3; life++) {
                Inbox inbox = new Inbox();
                TcpTransport b = nodes.start("b", inbox);
                repeat(() -> a.send(B, frame("alive")), () -> inbox.has("alive"), log::text);
                b.close();
                long dropped = a.sendsDropped();
                repeat(() -> a.send(B, frame("lost")), () -> a.sendsDropped() > dropped + 50, log::text);
            }
            assertThat(log.text().lines()).as(log.text()).hasSizeLessThanOrEqualTo(3);
            assertThat(log.text()).doesNotContain("Exception");
        }
    }

    // ---------------------------------------------------------------- faults of others

    @Test
    void aReceiverThatThrowsAnErrorGoesOnReceiving() throws IOException {
        try (Nodes nodes = new Nodes("a", "b");
                CapturedLog log = new CapturedLog()) {
            Inbox inbox = new Inbox();
            TcpTransport b = nodes.start("b", (sender, frame) -> {
                inbox.received(sender, frame);
                throw new AssertionError("meant to be thrown, by the test");
            });
            TcpTransport a = nodes.start("a", new Inbox());
            repeat(() -> a.send(B, frame("first")), () -> inbox.has("first"), log::text);
            repeat(() -> a.send(B, frame("second")), () -> inbox.has("second"), log::text);
            awaitLine(nodes, log, "the receiver failed");
            assertThat(b.inputsDropped()).isGreaterThanOrEqualTo(2);
        }
    }

    // A node that lives on the thread and always has something to do shall hear the others all the same.
    @Test
    void tasksThatNeverEndLeaveTheSocketsTheirTurn() throws IOException {
        try (Nodes nodes = new Nodes("a", "b")) {
            Inbox inbox = new Inbox();
            TcpTransport a = nodes.start("a", new Inbox());
            TcpTransport b = nodes.start("b", inbox);
            EventLoop loop = b.loop().orElseThrow();
            AtomicBoolean isOver = new AtomicBoolean();
            loop.execute(new Runnable() {
                @Override
                public void run() {
                    if (!isOver.get()) {
                        loop.execute(this);
                    }
                }
            });
            try {
                repeat(() -> a.send(B, frame("heard")), () -> inbox.has("heard"), inbox::all);
            } finally {
                isOver.set(true);
            }
        }
    }

    // Strangers may come from as many addresses as they like; each has a line, but not all of them.
    @RealTime
    @Test
    void theLinesOfStrangersHaveABound() throws IOException {
        try (Nodes nodes = new Nodes("a", "b");
                CapturedLog log = new CapturedLog()) {
            TcpTransport a = nodes.start("a", new Inbox());
            for (int i = 0; i < 2 * Reports.STRANGERS_MAX; i++) {
                try (Socket stranger = new Socket()) {
                    stranger.bind(new InetSocketAddress("127.0.1." + (1 + i), 0));
                    stranger.connect(new InetSocketAddress("127.0.0.1", nodes.port("a")));
                    stranger.getOutputStream().write(frame("GET / HTTP/1.1\r\n\r\n"));
                    assertThat(stranger.getInputStream().read()).isEqualTo(-1);
                }
            }
            assertThat(a.inputsDropped()).isEqualTo(2 * Reports.STRANGERS_MAX);
            awaitLines(log, 1 + Reports.STRANGERS_MAX, "closes the connection of 127.0.1.");
        }
    }

    // A thread whose interrupt nobody takes never waits again: it would keep a processor busy for good.
    @Test
    void anInterruptIsTakenAndChangesNothing() throws IOException {
        try (Nodes nodes = new Nodes("a", "b")) {
            Inbox inbox = new Inbox();
            Queue<Thread> loop = new ConcurrentLinkedQueue<>();
            nodes.start("b", (sender, frame) -> {
                inbox.received(sender, frame);
                loop.add(Thread.currentThread());
                Thread.currentThread().interrupt();
                return true;
            });
            TcpTransport a = nodes.start("a", new Inbox());
            repeat(() -> a.send(B, frame("first")), () -> inbox.has("first"), inbox::all);
            await(() -> !loop.element().isInterrupted(), inbox::all);
            repeat(() -> a.send(B, frame("second")), () -> inbox.has("second"), inbox::all);
            await(() -> !loop.element().isInterrupted(), inbox::all);
        }
    }

    // Two threads close it at one time, and one of them is its own.
    @RealTime
    @Test
    void aReceiverMayCloseTheTransport() throws Exception {
        try (Nodes nodes = new Nodes("a", "b");
                CapturedLog log = new CapturedLog()) {
            AtomicReference<TcpTransport> b = new AtomicReference<>();
            AtomicBoolean hasReturned = new AtomicBoolean();
            Thread closing = Thread.currentThread();
            Inbox inbox = new Inbox();
            b.set(nodes.start("b", (sender, frame) -> {
                inbox.received(sender, frame);
                await(
                        () -> Arrays.stream(closing.getStackTrace())
                                .anyMatch(call -> call.getMethodName().equals("join")),
                        () -> "close");
                b.get().close();
                hasReturned.set(true);
                return true;
            }));
            TcpTransport a = nodes.start("a", new Inbox());
            a.send(B, frame("close it"));
            await(() -> inbox.has("close it"), inbox::all);
            b.get().close();
            assertThat(hasReturned).isTrue();
            assertThat(log.lines("did not close")).isEmpty();
        }
    }

    @RealTime
    @Test
    void interruptedCloseCompletesAndKeepsTheInterrupt() throws Exception {
        try (Nodes nodes = new Nodes("a");
                CapturedLog log = new CapturedLog()) {
            TcpTransport a = nodes.start("a", new Inbox());
            CountDownLatch goesOn = new CountDownLatch(1);
            a.loop().orElseThrow().execute(() -> await(() -> goesOn.getCount() == 0, () -> "the loop waits"));
            WaitingCall<Boolean> closing = WaitingCall.begun(() -> {
                Thread.currentThread().interrupt();
                a.close();
                return Thread.interrupted();
            });
            assertThat(closing.isDone()).isFalse();
            goesOn.countDown();
            assertThat(closing.awaitAnswer()).isTrue();
            new ServerSocket(nodes.port("a"), 1, Nodes.loopback()).close();
            assertThat(log.lines("WARN")).isEmpty();
        }
    }

    // Else each attempt to come back would begin at an address where nobody, or somebody else, is.
    @RealTime
    @Test
    void aPeerOfSeveralAddressesIsDialledFirstWhereItWasReachedLast() throws Exception {
        InetAddress[] addresses = {InetAddress.getByAddress(new byte[] {127, 0, 0, 2}), Nodes.loopback()};
        AtomicInteger strayed = new AtomicInteger();
        try (Nodes nodes = new Nodes("a", "b");
                ServerSocket elsewhere = new ServerSocket(nodes.port("b"), 5, addresses[0]);
                ServerSocket b = new ServerSocket(nodes.port("b"), 5, addresses[1])) {
            Loop loop = new Loop(
                    Nodes.CLUSTER,
                    A,
                    Map.of(B, new HostAndPort("b.example", nodes.port("b"))),
                    Optional.empty(),
                    new Inbox(),
                    Selector.open(),
                    null,
                    new Resolver("test-names", host -> addresses),
                    Optional.empty(),
                    Optional.empty());
            new WaitingCall<>(() -> {
                while (true) {
                    elsewhere.accept().close();
                    strayed.incrementAndGet();
                }
            });
            new WaitingCall<>(() -> {
                loop.run();
                return true;
            });
            try {
                greet(loop, b);
                assertThat(strayed).hasValue(1);
                greet(loop, b);
                assertThat(strayed).hasValue(1);
            } finally {
                loop.stop();
            }
        }
    }

    /** B takes a connection and a frame of this loop, and closes it then. */
    private static void greet(Loop loop, ServerSocket b) throws Exception {
        WaitingCall<Socket> accepted = new WaitingCall<>(b::accept);
        repeat(() -> loop.send(B, frame("to b")), accepted::isDone, () -> "nobody calls");
        try (Dialler ofA = new Dialler(accepted.answer())) {
            Hello hello = Hello.read(ofA.read(Wire.HELLO));
            ofA.send(Wire.WELCOME, new Welcome(Answer.ADMITTED, 2, hello.nonce(), "", "", 0).toBytes());
            ofA.read(Wire.DATA);
        }
    }

    // An appender that throws: frames go on, and so does the thread.
    @Test
    void aLoggerThatThrowsEndsNothing() throws IOException {
        PrintStream before = System.err;
        AtomicInteger lines = new AtomicInteger();
        System.setErr(new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8) {
            @Override
            public void println(String line) {
                lines.incrementAndGet();
                throw new IllegalStateException("meant to be thrown, by the test");
            }
        });
        try (Nodes nodes = new Nodes("a", "b")) {
            TcpTransport a = nodes.start("a", new Inbox());
            repeat(() -> a.send(B, frame("lost")), () -> lines.get() > 0, lines::get);
            Inbox inbox = new Inbox();
            nodes.start("b", inbox);
            repeat(() -> a.send(B, frame("found")), () -> inbox.has("found"), inbox::all);
        } finally {
            System.setErr(before);
        }
    }

    // ---------------------------------------------------------------- a receiver that is behind

    // What was sent waits with the transport, is not lost, and comes in order.
    @RealTime
    @Test
    void framesAreHeldBackWhileTheReceiverIsBehind() throws Exception {
        try (Nodes nodes = new Nodes("a", "b")) {
            AtomicBoolean isBehind = new AtomicBoolean();
            Inbox inbox = new Inbox();
            nodes.start("a", new Transport.Receiver() {
                @Override
                public boolean received(Optional<NodeId> sender, byte[] frame) {
                    inbox.received(sender, frame);
                    isBehind.set(inbox.all().size() == 10);
                    return true;
                }

                @Override
                public boolean isBehind() {
                    return isBehind.get();
                }
            });
            List<String> texts = IntStream.range(0, 3 * Traffic.TURN_FRAMES)
                    .mapToObj(i -> "" + i)
                    .toList();
            try (Dialler b = new Dialler(nodes.port("a"))) {
                b.greet(hello(Nodes.CLUSTER, "b", "a"));
                for (String text : texts) {
                    b.send(Wire.DATA, frame(text));
                }
                await(isBehind::get, inbox::all);
                // Others are greeted meanwhile.
                try (Dialler other = new Dialler(nodes.port("a"))) {
                    assertThat(other.greet(hello(Nodes.CLUSTER, "other", "a")).answer())
                            .isEqualTo(Answer.ADMITTED);
                    other.send(Wire.PING, new byte[0]);
                }
                assertThat(inbox.all()).hasSize(10);
                isBehind.set(false);
                await(() -> inbox.all().size() == texts.size(), inbox::all);
                assertThat(inbox.all()).isEqualTo(texts);
            }
        }
    }

    // ---------------------------------------------------------------- contenders

    @Test
    void aContenderThatNoListNamesIsAnsweredAndReachedAtItsAddress() throws Exception {
        try (Nodes nodes = new Nodes("a", "contender")) {
            NodeId contender = new NodeId("contender");
            Inbox inboxA = new Inbox();
            TcpTransport a = nodes.start(new Settings(Nodes.CLUSTER, A, Map.of(A, nodes.address("a"))), inboxA);
            a.send(contender, frame("not known"));
            assertThat(a.sendsDropped()).isEqualTo(1);
            Inbox first = new Inbox();
            TcpTransport life = nodes.start("contender", first);
            repeat(() -> life.send(A, frame("here")), () -> inboxA.has("here"), inboxA::all);
            repeat(() -> a.send(contender, frame("answer")), () -> first.has("answer"), first::all);
            // The next life says nothing at all, and is reached at the address that the former one has told.
            life.close();
            Inbox second = new Inbox();
            nodes.start("contender", second);
            repeat(() -> a.send(contender, frame("found")), () -> second.has("found"), second::all);
        }
    }

    // It calls, and is answered over its own connection. When that is gone, nothing is kept of it.
    @Test
    void aContenderThatListensNowhereIsAnsweredAndForgotten() throws Exception {
        // It calls again, because a busy machine cuts it off, and no other node can make the connection.
        answerAContenderThatListensNowhere(true);
    }

    @RealTime
    @Test
    void aContenderThatListensNowhereIsAnsweredAfterOneCall() throws Exception {
        answerAContenderThatListensNowhere(false);
    }

    private static void answerAContenderThatListensNowhere(boolean callsAgain) throws Exception {
        try (Nodes nodes = new Nodes("a")) {
            NodeId guest = new NodeId("guest");
            Inbox inboxA = new Inbox();
            TcpTransport a = nodes.start("a", inboxA);
            Inbox inbox = new Inbox();
            TcpTransport calling = nodes.start(new Settings(Nodes.CLUSTER, guest, nodes.addresses()), inbox);
            repeat(() -> calling.send(A, frame("here")), () -> inboxA.has("here"), inboxA::all);
            repeat(
                    () -> {
                        if (callsAgain) {
                            calling.send(A, frame("here"));
                        }
                        a.send(guest, frame("answer"));
                    },
                    () -> inbox.has("answer"),
                    inbox::all);
            calling.close();
            await(
                    () -> {
                        long dropped = a.sendsDropped();
                        a.send(guest, frame("gone"));
                        return a.sendsDropped() > dropped;
                    },
                    a::sendsDropped);
            // The next one is another life, and let in at once.
            Inbox next = new Inbox();
            TcpTransport again = nodes.start(new Settings(Nodes.CLUSTER, guest, nodes.addresses()), next);
            repeat(() -> again.send(A, frame("again")), () -> inboxA.has("again"), inboxA::all);
            repeat(
                    () -> {
                        if (callsAgain) {
                            again.send(A, frame("again"));
                        }
                        a.send(guest, frame("welcome"));
                    },
                    () -> next.has("welcome"),
                    next::all);
        }
    }

    @RealTime
    @Test
    void thereIsRoomForSoManyContendersAndThoseThatHaveGoneGiveWay() throws Exception {
        try (Nodes nodes = new Nodes("a")) {
            TcpTransport a = nodes.start("a", new Inbox());
            List<Dialler> diallers = new ArrayList<>();
            int next = 0;
            try {
                while (next < Peers.CONTENDERS_MAX) {
                    Optional<Dialler> admitted = contender(nodes, next, Answer.ADMITTED);
                    if (admitted.isPresent()) {
                        diallers.add(admitted.get());
                        next++;
                    } else {
                        // Too many connections a second.
                        diallers.forEach(TcpTransportTest::live);
                        LockSupport.parkNanos(50_000_000);
                    }
                }
                int oneMore = next;
                repeat(
                        () -> diallers.forEach(TcpTransportTest::live),
                        () -> contender(nodes, oneMore, Answer.NO_ROOM)
                                .map(TcpTransportTest::closed)
                                .isPresent(),
                        a::connectionsRefused);
                diallers.remove(7).close();
                repeat(
                        () -> diallers.forEach(TcpTransportTest::live),
                        () -> contender(nodes, oneMore, Answer.ADMITTED)
                                .map(diallers::add)
                                .isPresent(),
                        a::connectionsRefused);
                // Who has gone is forgotten; the others are not.
                long dropped = a.sendsDropped();
                a.send(new NodeId("contender-7"), frame("nobody"));
                a.send(new NodeId("contender-8"), frame("somebody"));
                assertThat(a.sendsDropped()).isEqualTo(dropped + 1);
            } finally {
                diallers.forEach(TcpTransportTest::closed);
            }
        }
    }

    // As two contenders do that elect: no list names them, and somebody has told each where the other is.
    @Test
    void aNodeIsReachedAtAnAddressThatIsLearnedAtRunTime() throws Exception {
        try (Nodes nodes = new Nodes("a", "b", "c")) {
            Inbox inboxA = new Inbox();
            Inbox inboxB = new Inbox();
            TcpTransport a = nodes.start(new Settings(Nodes.CLUSTER, A, Map.of(A, nodes.address("a"))), inboxA);
            TcpTransport b = nodes.start(new Settings(Nodes.CLUSTER, B, Map.of(B, nodes.address("b"))), inboxB);
            a.reach(B, nodes.address("b"));
            repeat(() -> a.send(B, frame("to b")), () -> inboxB.has("to b"), inboxB::all);
            repeat(() -> b.send(A, frame("to a")), () -> inboxA.has("to a"), inboxA::all);
            // It has moved.
            b.close();
            Inbox moved = new Inbox();
            nodes.start(new Settings(Nodes.CLUSTER, B, Map.of(B, nodes.address("c"))), moved);
            a.reach(B, nodes.address("c"));
            repeat(() -> a.send(B, frame("to c")), () -> moved.has("to c"), moved::all);
            assertThatIllegalArgumentException().isThrownBy(() -> a.reach(A, nodes.address("a")));
        }
    }

    @Test
    void anAddressOfTheListStays() throws Exception {
        try (Nodes nodes = new Nodes("a", "b", "c")) {
            Inbox inbox = new Inbox();
            nodes.start("b", inbox);
            TcpTransport a = nodes.start("a", new Inbox());
            a.reach(B, nodes.address("c"));
            repeat(() -> a.send(B, frame("to b")), () -> inbox.has("to b"), inbox::all);
        }
    }

    // It was not needed, or its keys have become old: nobody is lost.
    @RealTime
    @Test
    void aConnectionThatIsClosedForNowMakesNoLine() throws Exception {
        try (Nodes nodes = new Nodes("a", "b");
                CapturedLog log = new CapturedLog()) {
            nodes.start("a", new Inbox());
            try (Dialler first = new Dialler(nodes.port("a"))) {
                first.greet(hello(Nodes.CLUSTER, "b", "a"));
                first.send(Wire.BYE, Wire.BYE_FOR_NOW);
                assertThat(first.awaitClosed()).isZero();
            }
            assertThat(log.text()).isEmpty();
        }
    }

    // Each begins a frame of 64 KiB and never ends it: together they hold so much, and no more.
    @RealTime
    @Test
    void framesThatContendersDoNotEndTakeSoMuchMemory() throws Exception {
        try (Nodes nodes = new Nodes("a")) {
            Inbox inbox = new Inbox();
            nodes.start("a", inbox);
            List<Dialler> diallers = new ArrayList<>();
            byte[] most = new byte[60_000];
            System.arraycopy(new byte[] {0, 1, 0, 1, Wire.DATA}, 0, most, 0, 5);
            try {
                int[] next = {0};
                repeat(
                        () -> contender(nodes, next[0], Answer.ADMITTED).ifPresent(dialler -> {
                            next[0]++;
                            diallers.add(dialler);
                            sent(dialler, most);
                        }),
                        () -> diallers.stream().anyMatch(TcpTransportTest::isClosed),
                        () -> next[0] + " contenders");
                assertThat(diallers)
                        .hasSizeBetween(
                                Traffic.CONTENDERS_BYTES_MAX / most.length / 3,
                                Traffic.CONTENDERS_BYTES_MAX / most.length + 10);
                // Whoever ends its frames is heard.
                Dialler last = contender(nodes, 600, Answer.ADMITTED).orElseThrow();
                diallers.add(last);
                last.send(Wire.DATA, frame("short"));
                await(() -> inbox.has("short"), inbox::all);
            } finally {
                diallers.forEach(TcpTransportTest::closed);
            }
        }
    }

    private static void sent(Dialler dialler, byte[] bytes) {
        try {
            dialler.raw(bytes);
        } catch (IOException e) {
            // It was closed: that is looked at next.
        }
    }

    private static boolean isClosed(Dialler dialler) {
        try {
            dialler.send(Wire.PONG, new byte[0]);
            return false;
        } catch (IOException e) {
            return true;
        }
    }

    private static Optional<Dialler> contender(Nodes nodes, int number, Answer expected) {
        try {
            // Of different addresses, because each has its rate.
            Dialler dialler = new Dialler(new Socket(
                    Nodes.loopback(),
                    nodes.port("a"),
                    InetAddress.getByAddress(new byte[] {127, 0, 1, (byte) (number % 10)}),
                    0));
            try {
                Answer answer = dialler.greet(hello(Nodes.CLUSTER, "contender-" + number, "a"))
                        .answer();
                if (answer == expected) {
                    return Optional.of(dialler);
                }
                dialler.close();
                return Optional.empty();
            } catch (IOException e) {
                dialler.close();
                return Optional.empty();
            }
        } catch (Exception e) {
            return Optional.empty();
        }
    }

    private static void live(Dialler dialler) {
        try {
            dialler.send(Wire.PONG, new byte[0]);
        } catch (IOException e) {
            throw new AssertionError("a contender that lives was sent away", e);
        }
    }

    private static boolean closed(Dialler dialler) {
        try {
            dialler.close();
            return true;
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    // ---------------------------------------------------------------- addresses

    @Test
    void aNodeListensAtAnotherAddressThanTheOneThatOthersKnow() throws IOException {
        try (Nodes nodes = new Nodes("a", "b", "inside")) {
            // What is a's own name to others does not resolve here.
            Map<NodeId, HostAndPort> outside = new TreeMap<>();
            outside.put(A, new HostAndPort("a.invalid", nodes.port("inside")));
            outside.put(B, nodes.address("b"));
            Inbox inbox = new Inbox();
            TcpTransport a = nodes.start(
                    new Settings(
                            Nodes.CLUSTER,
                            A,
                            outside,
                            Optional.of(new HostAndPort("0.0.0.0", nodes.port("a"))),
                            Optional.empty()),
                    inbox);
            TcpTransport b = nodes.start("b", new Inbox());
            repeat(() -> b.send(A, frame("hello")), () -> inbox.has("hello"), inbox::all);
            assertThat(a.connectionsRefused()).isZero();
        }
    }

    @Test
    void anOwnNameThatDoesNotResolveIsNamed() {
        TcpTransport transport =
                new TcpTransport(new Settings(Nodes.CLUSTER, A, Map.of(A, new HostAndPort("a.invalid", 7400))));
        assertThatExceptionOfType(TransportException.class)
                .isThrownBy(() -> transport.start(new Inbox()))
                .withMessage("cannot listen at a.invalid:7400: the name does not resolve");
    }

    @Test
    void namesAreResolvedAndOneThatDoesNotResolveIsNamed() throws IOException {
        try (Nodes nodes = new Nodes("a", "b", "c");
                CapturedLog log = new CapturedLog()) {
            Map<NodeId, HostAndPort> named = new TreeMap<>(nodes.addresses());
            named.put(B, new HostAndPort("localhost", nodes.port("b")));
            named.put(new NodeId("c"), new HostAndPort("c.invalid", nodes.port("c")));
            Inbox inbox = new Inbox();
            nodes.start("b", inbox);
            TcpTransport a = nodes.start(new Settings(Nodes.CLUSTER, A, named), new Inbox());
            a.send(new NodeId("c"), frame("lost"));
            repeat(() -> a.send(B, frame("found")), () -> inbox.has("found"), inbox::all);
            await(() -> !log.lines("the name c.invalid does not resolve").isEmpty(), log::text);
        }
    }

    @Test
    void overlongHelloIsRejected() {
        HostAndPort address = new HostAndPort("h", 1);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new TcpTransport(new Settings("c".repeat(65), A, Map.of(A, address))))
                .withMessageContaining("65 bytes: must be at most 64");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new TcpTransport(
                        new Settings("c", A, Map.of(A, address, B, new HostAndPort("h".repeat(254), 1)))))
                .withMessageContaining("254 bytes: must be at most 253");
    }
}
