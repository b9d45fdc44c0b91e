package io.quorate.vertx;

import static io.quorate.testkit.Deadline.await;
import static io.quorate.testkit.Deadline.repeat;
import static io.quorate.testkit.Inbox.frame;
import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.spi.NodeId;
import io.quorate.spi.Transport;
import io.quorate.spi.TransportProvider.HostAndPort;
import io.quorate.testkit.CapturedLog;
import io.quorate.testkit.Inbox;
import io.quorate.testkit.RealTime;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Whoever reaches the port of a node on a Vertx of its own, without keys: what a connection may take before it proves itself. */
@RealTime
class StrangersTest {

    private static final NodeId A = new NodeId("a");
    private static final NodeId B = new NodeId("b");
    private static final int BUFFER = 11;
    private static final int PONG = 1;
    private static final int COPIES = 1_000_000;

    private final CapturedLog log = new CapturedLog();
    private final Nodes nodes = new Nodes("a", "b");
    private final Inbox inbox = new Inbox();
    /** Takes what begins with "good". */
    private final VertxTransport a = nodes.start("a", (sender, frame) -> {
        inbox.received(sender, frame);
        return new String(frame, StandardCharsets.UTF_8).startsWith("good");
    });

    @AfterEach
    void close() {
        nodes.close();
        log.close();
    }

    private Socket stranger(String from) throws IOException {
        Socket socket = nodes.keep(new Socket("127.0.0.1", nodes.address("a").port(), InetAddress.getByName(from), 0));
        socket.setTcpNoDelay(true);
        return socket;
    }

    private static boolean isClosed(Socket socket, int millis) {
        try {
            socket.setSoTimeout(millis);
            return socket.getInputStream().read() < 0;
        } catch (SocketTimeoutException e) {
            return false;
        } catch (IOException e) {
            return true;
        }
    }

    private static void awaitClosed(Socket socket) {
        assertThat(isClosed(socket, 600_000)).as("closed").isTrue();
    }

    /** Answers whether the node still took it. */
    private static boolean send(Socket socket, String from, String text) {
        byte[] body = (((char) from.length()) + from + text).getBytes(StandardCharsets.US_ASCII);
        byte[] message = BusMessageTest.message(BUFFER, "quorate.a", body);
        try {
            DataOutputStream out = new DataOutputStream(socket.getOutputStream());
            out.writeInt(message.length);
            out.write(message);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private List<String> closings() {
        return log.lines("WARN", "a: closes the connection of 127.0.0.");
    }

    // 16, and 4 for the peer, which is at this address.
    @Test
    void fewThatSayNothingAreLetInAndNoneStays() throws IOException {
        List<Socket> silent = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            silent.add(stranger("127.0.0.1"));
        }
        await(() -> a.connectionsRefused() >= 80, a::connectionsRefused);
        silent.forEach(StrangersTest::awaitClosed);
        assertThat(closings()).isEmpty();
    }

    @Test
    void fewerAreLetInFromWhereNoPeerIs() throws IOException {
        for (int i = 0; i < 60; i++) {
            stranger("127.0.0." + (2 + i % 2));
        }
        await(() -> a.connectionsRefused() >= 60 - 16, a::connectionsRefused);
    }

    @Test
    void silentStrangersLeaveRoomForThePeer() throws IOException {
        List<Socket> silent = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            silent.add(stranger("127.0.0." + (2 + i)));
        }
        await(() -> a.connectionsRefused() == 200 - 16, a::connectionsRefused);
        Socket peer = stranger("127.0.0.1");
        send(peer, "b", "good");
        await(() -> inbox.has("good") || isClosed(peer, 1), log::text);
        assertThat(inbox.all()).containsExactly("good");
        assertThat(silent)
                .as("all places were taken")
                .filteredOn(each -> !isClosed(each, 1))
                .hasSize(16);
    }

    @Test
    void aByteAtATimeIsTooSlow() throws IOException {
        Socket slow = stranger("127.0.0.1");
        // The length of a message that would have room.
        slow.getOutputStream().write(new byte[] {0, 1});
        repeat(
                () -> {
                    try {
                        slow.getOutputStream().write(0);
                    } catch (IOException e) {
                        // It is closed.
                    }
                },
                () -> isClosed(slow, 1),
                log::text);
        assertThat(closings()).singleElement().asString().contains("no frame of a node within 2000 ms");
    }

    @Test
    void aLengthThatNoFrameHasEndsTheConnection() throws IOException {
        for (int length : new int[] {Integer.MAX_VALUE, -1, BusMessage.LENGTH_MAX + 1}) {
            Socket stranger = stranger("127.0.0.1");
            new DataOutputStream(stranger.getOutputStream()).writeInt(length);
            awaitClosed(stranger);
        }
        await(() -> !closings().isEmpty(), log::text);
        assertThat(closings()).singleElement().asString().contains("a message of 2147483647 bytes, of 69632 at most");
    }

    // Before, the node does not know whose it is.
    @Test
    void aConnectionThatHasCarriedAFrameOfANodeStays() throws IOException {
        Socket node = stranger("127.0.0.1");
        assertThat(send(node, "b", "good")).isTrue();
        await(() -> inbox.has("good"), log::text);
        assertThat(isClosed(node, (int) AcceptedConnection.FIRST_MILLIS + 500)).isFalse();
    }

    // The signs of life of the bus may wait behind them, with a peer that has much to say or a machine that is busy.
    @Test
    void framesAreSignsOfLifeAsWell() throws IOException {
        Socket node = stranger("127.0.0.1");
        long begun = System.nanoTime();
        long silence = TimeUnit.MILLISECONDS.toNanos(OwnChannels.SILENCE_MILLIS);
        AtomicInteger sent = new AtomicInteger();
        repeat(
                () -> assertThat(send(node, "b", "good " + sent.incrementAndGet()))
                        .as("sent %d", sent.get())
                        .isTrue(),
                () -> System.nanoTime() - begun > 2 * silence,
                log::text);
        await(() -> inbox.has("good " + sent), log::text);
        // Then nothing comes.
        awaitClosed(node);
        assertThat(closings()).isEmpty();
    }

    @Test
    void sixteenFramesInARowThatFailEndTheConnection() throws IOException {
        Socket node = stranger("127.0.0.1");
        for (int round = 0; round < 3; round++) {
            for (int i = 1; i < AcceptedConnection.FAILED_MAX; i++) {
                assertThat(send(node, "b", "bad")).isTrue();
            }
            assertThat(send(node, "b", "good " + round)).isTrue();
        }
        await(() -> inbox.has("good 2"), log::text);
        for (int i = 0; i < AcceptedConnection.FAILED_MAX; i++) {
            send(node, "b", "bad");
        }
        awaitClosed(node);
        assertThat(closings()).singleElement().asString().contains("16 messages in a row that no node");
    }

    @Test
    void forgersAreShutOutButPeersAreNot() throws IOException {
        Socket forging = stranger("127.0.0.2");
        for (int i = 0; i < AcceptedConnection.FAILED_MAX; i++) {
            send(forging, "b", "bad");
        }
        awaitClosed(forging);
        long refused = a.connectionsRefused();
        awaitClosed(stranger("127.0.0.2"));
        assertThat(a.connectionsRefused()).isEqualTo(refused + 1);
        VertxTransport b = nodes.start("b", new Inbox());
        repeat(() -> b.send(A, frame("good")), () -> inbox.has("good"), log::text);
    }

    // Connections that carry frames have a bound as well, as without a secret anybody can make some.
    @Test
    void notEverybodyWhoSpeaksIsLetIn() throws IOException {
        List<Socket> speaking = new ArrayList<>();
        repeat(
                () -> {
                    try {
                        Socket socket = stranger("127.0.0.1");
                        send(socket, "b", "good");
                        speaking.add(socket);
                    } catch (IOException e) {
                        throw new AssertionError(e);
                    }
                },
                () -> log.lines("a: closes the connection of", "there are 20 such connections")
                                .size()
                        == 1,
                log::text);
        await(() -> speaking.stream().filter(socket -> !isClosed(socket, 1)).count() <= 20, log::text);
    }

    @Test
    void aPingIsAnswered() throws IOException {
        Socket stranger = stranger("127.0.0.1");
        byte[] ping = BusMessageTest.message(1, "__vertx_ping");
        DataOutputStream out = new DataOutputStream(stranger.getOutputStream());
        out.writeInt(ping.length - 4);
        out.write(ping, 0, ping.length - 4);
        stranger.setSoTimeout(600_000);
        assertThat(stranger.getInputStream().read()).isEqualTo(PONG);
    }

    // The bus makes room for whatever length stands in a message, before it looks whether so much is there.
    @Test
    void aQuestionForASignOfLifeHasNoRoomForLengthsThatAreNotThere() throws IOException {
        Socket stranger = stranger("127.0.0.1");
        DataOutputStream out = new DataOutputStream(stranger.getOutputStream());
        for (int i = 0; i < AcceptedConnection.FAILED_MAX; i++) {
            out.writeInt(3 + Integer.BYTES);
            out.write(new byte[] {BusMessage.VERSION, PONG, 0});
            out.writeInt(Integer.MAX_VALUE - 64);
        }
        awaitClosed(stranger);
        assertThat(log.text()).doesNotContain("OutOfMemoryError");
        assertThat(closings()).singleElement().asString().contains("16 messages in a row that no node");
    }

    // A node that has heard a frame before says so when it looks at it.
    @Test
    void recordedFrameThatIsRepeatedEndsItsConnection() throws IOException {
        try (Nodes others = new Nodes("a", "b")) {
            Set<String> heard = ConcurrentHashMap.newKeySet();
            AtomicInteger taken = new AtomicInteger();
            VertxTransport node = others.keep(VertxTransport.embedded(others.settings("a")));
            node.start(new Transport.Receiver() {
                @Override
                public boolean received(Optional<NodeId> sender, byte[] frame) {
                    throw new AssertionError("a bus of our own tells which connection it is");
                }

                @Override
                public boolean received(Optional<NodeId> sender, byte[] frame, Transport.Standing standing) {
                    taken.incrementAndGet();
                    if (heard.add(new String(frame, StandardCharsets.UTF_8))) {
                        standing.onNews();
                    } else {
                        standing.onCopy();
                    }
                    return true;
                }
            });
            HostAndPort address = others.address("a");
            try (Socket recorder = new Socket(address.host(), address.port())) {
                for (int i = 0; i < COPIES && send(recorder, "b", "recorded"); i++) {
                    // Until the node closes it.
                }
                awaitClosed(recorder);
            }
            assertThat(taken.get()).isEqualTo(1 + Transport.Standing.COPIES_MAX);
            assertThat(closings()).singleElement().asString().contains("16 copies in a row");
            // One after the other, as a node that connects again sends them.
            for (int i = 0; i < 3; i++) {
                try (Socket again = new Socket(address.host(), address.port())) {
                    String fresh = "fresh " + i;
                    assertThat(send(again, "b", fresh)).isTrue();
                    await(() -> heard.contains(fresh), log::text);
                }
            }
        }
    }

    @Test
    void impostorAtTheAddressOfAPeerDoesNotFillTheLog() throws IOException {
        AtomicInteger calls = new AtomicInteger();
        try (ServerSocket impostor =
                new ServerSocket(nodes.address("b").port(), 50, InetAddress.getByName("127.0.0.1"))) {
            Thread answering = new Thread(() -> {
                while (!impostor.isClosed()) {
                    try (Socket socket = impostor.accept()) {
                        calls.incrementAndGet();
                        socket.setTcpNoDelay(true);
                        for (int i = 0; i < COPIES; i++) {
                            socket.getOutputStream().write(PONG);
                        }
                    } catch (IOException e) {
                        // The node has closed the connection, or the test the impostor.
                    }
                }
            });
            answering.setDaemon(true);
            answering.start();
            repeat(() -> a.send(B, frame("lost")), () -> calls.get() >= 10, log::text);
        }
        assertThat(log.lines("a: ends the connection with 127.0.0.1", "something other than pongs and refusals"))
                .hasSizeBetween(1, nodes.linesMax());
        assertThat(log.text()).doesNotContain("No pong from server");
        // The true peer comes back.
        Inbox inboxB = new Inbox();
        nodes.start("b", inboxB);
        repeat(() -> a.send(B, frame("found")), () -> inboxB.has("found"), log::text);
    }

    // The event bus asks for a sign of life each second.
    @Test
    void dialledConnectionOutlivesManyPings() throws IOException {
        try (Nodes others = new Nodes("a", "b")) {
            Inbox inboxB = new Inbox();
            others.start("b", inboxB);
            VertxTransport dialling = others.start("a", new Inbox());
            repeat(() -> dialling.send(B, frame("first")), () -> inboxB.has("first"), log::text);
            long begun = System.nanoTime();
            await(
                    () -> System.nanoTime() - begun > 3 * TimeUnit.MILLISECONDS.toNanos(OwnChannels.SILENCE_MILLIS),
                    log::text);
            long dropped = dialling.sendsDropped();
            dialling.send(B, frame("last"));
            await(() -> inboxB.has("last"), log::text);
            assertThat(dialling.sendsDropped()).isEqualTo(dropped);
            assertThat(log.lines("connection")).isEmpty();
        }
    }

    // Behind a translation of addresses there may be nodes beside a stranger.
    @Test
    void aStrangerBesideANodeThatIsConnectedDoesNotShutItOut() throws IOException {
        Socket node = stranger("127.0.0.2");
        assertThat(send(node, "b", "good first")).isTrue();
        await(() -> inbox.has("good first"), log::text);
        Socket forging = stranger("127.0.0.2");
        new DataOutputStream(forging.getOutputStream()).writeInt(Integer.MAX_VALUE);
        awaitClosed(forging);
        node.close();
        assertThat(send(stranger("127.0.0.2"), "b", "good again")).isTrue();
        await(() -> inbox.has("good again"), log::text);
    }

    // Whose name stands beside a frame is anybody's word until the frame has passed: it makes nobody dial. A machine
    // that
    // stands still for a second ends the pause by itself, so once of five is enough.
    @Test
    void aFrameThatFailsEndsNoPause() throws IOException {
        for (int round = 0; round < 5; round++) {
            try (Nodes others = new Nodes("a", "b", "c")) {
                Inbox heard = new Inbox();
                VertxTransport deaf = others.keep(VertxTransport.on(others.vertx("a"), Nodes.CLUSTER, A));
                deaf.start((sender, frame) -> !heard.received(sender, frame));
                long before = failedConnects();
                repeat(() -> deaf.send(B, frame("lost")), () -> failedConnects() >= before + 4, log::text);
                Vertx forging = others.vertx("c");
                forging.eventBus().send(VertxTransport.address(Nodes.CLUSTER, A), Buffer.buffer("\u0001bforged"));
                await(() -> heard.has("forged"), log::text);
                long dropped = deaf.sendsDropped();
                deaf.send(B, frame("lost"));
                if (deaf.sendsDropped() > dropped) {
                    return;
                }
            }
        }
        throw new AssertionError("each time the pause was over; " + log.text());
    }

    private int failedConnects() {
        return log.lines("Connecting to server b failed").size();
    }
}
