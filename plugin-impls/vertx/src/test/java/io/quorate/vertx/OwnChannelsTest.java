package io.quorate.vertx;

import static io.quorate.testkit.Deadline.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.channel.local.LocalAddress;
import io.netty.handler.timeout.IdleStateHandler;
import io.netty.util.concurrent.ImmediateExecutor;
import io.quorate.spi.NodeId;
import io.quorate.spi.Transport;
import io.quorate.spi.TransportProvider.HostAndPort;
import io.quorate.testkit.CapturedLog;
import io.quorate.testkit.Certificates;
import io.quorate.transport.Keyring;
import io.vertx.core.Vertx;
import io.vertx.core.VertxBuilder;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetClientOptions;
import io.vertx.core.net.NetSocket;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The channels below the event bus: nothing leaves them in the clear, and none of them lasts for ever. */
class OwnChannelsTest {

    /** What a packet of TLS begins with that belongs to a handshake: RFC 8446, 5.1. */
    private static final int HANDSHAKE = 22;

    @TempDir
    private static Path directory;

    private static Keyring keys;

    private final Endpoint endpoint = new Endpoint(
            "c",
            new NodeId("a"),
            Map.of(new NodeId("a"), new HostAndPort("a", 1), new NodeId("b"), new HostAndPort("b", 1)));
    private final OwnChannels channels = new OwnChannels("c", new NodeId("a"), keys, endpoint);
    private final Vertx vertx = Vertx.vertx();
    private final Queue<Runnable> work = new ArrayDeque<>();

    @AfterEach
    void close() throws Exception {
        answer(vertx.close());
    }

    @BeforeAll
    static void sign() throws IOException, GeneralSecurityException {
        Certificates.Identity ca = Certificates.authority("CN=ca");
        keys = new Keyring(new Certificates(directory)
                .pem(ca.signs("CN=a").uris("quorate://c/a").sign(), ca.certificate()));
    }

    private static <T> T answer(io.vertx.core.Future<T> future) throws Exception {
        return get(future.toCompletionStage().toCompletableFuture());
    }

    // ---------------------------------------------------------------- nothing in the clear

    // Vert.x decides which options the channels of its bus have. Whatever they are, there is TLS.
    @Test
    void channelSpeaksTlsUnderAllOptions() throws Exception {
        Vertx vertx = Vertx.builder().withTransport(channels.toVertxTransport()).build();
        try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getByAddress(new byte[] {127, 0, 0, 1}))) {
            for (NetClientOptions options : List.of(
                    new NetClientOptions(),
                    new NetClientOptions().setTcpNoDelay(false),
                    new NetClientOptions().setTcpNoDelay(true))) {
                NetClient client = vertx.createNetClient(options);
                NetSocket dialled = answer(client.connect(server.getLocalPort(), "127.0.0.1"));
                dialled.write("in the clear");
                try (Socket accepted = server.accept()) {
                    assertThat(accepted.getInputStream().read())
                            .as(options.toJson().encode())
                            .isEqualTo(HANDSHAKE);
                }
                // Vert.x closes the connections of a client that nobody holds.
                answer(client.close());
            }
        } finally {
            answer(vertx.close());
        }
    }

    // Such as a socket of the file system: who is there has not been looked at.
    @Test
    void optionsWithoutAPortAreRejected() {
        EmbeddedChannel dialled = new EmbeddedChannel(channels.dialling());
        assertThatExceptionOfType(SSLException.class)
                .isThrownBy(() -> dialled.connect(new LocalAddress("somewhere")).sync())
                .withMessage("no TLS for local:somewhere: must be a host and a port");
    }

    // A version of Vert.x may come that makes its sockets in another way. Then there is no TLS, and so no transport.
    @Test
    void aVertxThatMakesItsSocketsElsewhereIsClosed() throws Exception {
        try (Nodes nodes = new Nodes("a")) {
            HostAndPort listens = nodes.address("a");
            VertxBuilder builder = Vertx.builder()
                    .with(EmbeddedOptions.vertx(listens))
                    .withClusterManager(new StaticClusterManager(Nodes.CLUSTER, new NodeId("a"), nodes.addresses()));
            VertxBuilder deaf = (VertxBuilder) Proxy.newProxyInstance(
                    VertxBuilder.class.getClassLoader(),
                    new Class<?>[] {VertxBuilder.class},
                    (proxy, method, arguments) ->
                            method.getName().equals("withTransport") ? proxy : method.invoke(builder, arguments));
            assertThatExceptionOfType(ExecutionException.class)
                    .isThrownBy(() -> answer(channels.vertx(deaf, listens)))
                    .havingCause()
                    .withMessageStartingWith("this version of Vert.x does not make its sockets of ours");
            answer(answer(channels.vertx(builder, listens)).close());
        }
    }

    // ---------------------------------------------------------------- none for ever

    private OwnChannels working(Executor handshakes) {
        return new OwnChannels("c", new NodeId("a"), keys, endpoint, handshakes);
    }

    /** A channel as it is when it has been accepted. */
    private static EmbeddedChannel accepted(OwnChannels by) {
        EmbeddedChannel accepted = new EmbeddedChannel() {
            @Override
            protected SocketAddress remoteAddress0() {
                return new InetSocketAddress("127.0.0.1", 1);
            }
        };
        accepted.freezeTime();
        new EmbeddedChannel(by.accepting()).writeInbound(accepted);
        return accepted;
    }

    /** A channel as it is when it has connected. */
    private EmbeddedChannel dialled() {
        EmbeddedChannel dialled =
                new EmbeddedChannel(working(ImmediateExecutor.INSTANCE).dialling());
        dialled.freezeTime();
        dialled.connect(new InetSocketAddress(7400));
        return dialled;
    }

    // It would hold up the frames of everybody: strangers may begin as many handshakes as they like.
    @Test
    void theWorkOfAHandshakeIsNotDoneOnTheLoop() {
        EmbeddedChannel accepted = accepted(working(work::add));
        EmbeddedChannel dialled = dialled();
        carry(dialled, accepted);
        assertThat(work).hasSize(1);
        assertThat(accepted.<Object>readOutbound()).as("an answer").isNull();
        for (Runnable next = work.poll(); next != null; next = work.poll()) {
            next.run();
            accepted.runPendingTasks();
        }
        assertThat(accepted.<Object>readOutbound()).as("an answer").isNotNull();
    }

    @Test
    void aHandshakeForWhichThereIsNoRoomEndsItsConnection() {
        EmbeddedChannel accepted = accepted(working(task -> {
            throw new RejectedExecutionException("too many handshakes at one time");
        }));
        EmbeddedChannel dialled = dialled();
        carry(dialled, accepted);
        assertThat(accepted.isOpen()).isFalse();
    }

    @Test
    void bothSidesEndAConnectionAfterTwelveToTwentyFourHours() {
        EmbeddedChannel accepted = accepted(working(ImmediateExecutor.INSTANCE));
        EmbeddedChannel dialled = dialled();
        assertThat(carry(dialled, accepted)).as("bytes of the handshake").isPositive();
        assertThat(carry(dialled, accepted)).as("bytes after the handshake").isZero();
        for (EmbeddedChannel each : List.of(dialled, accepted)) {
            // As if something came all the time.
            each.pipeline().remove(IdleStateHandler.class);
            pass(each, Duration.ofHours(12).minusMillis(1));
            assertThat(each.isOpen()).as("before 12 hours").isTrue();
            pass(each, Duration.ofHours(12));
            assertThat(each.isOpen()).as("after 24 hours").isFalse();
        }
    }

    @Test
    void bothSidesEndAConnectionOverWhichNothingComes() {
        EmbeddedChannel accepted = accepted(working(ImmediateExecutor.INSTANCE));
        EmbeddedChannel dialled = dialled();
        carry(dialled, accepted);
        for (EmbeddedChannel each : List.of(dialled, accepted)) {
            pass(each, Duration.ofMillis(OwnChannels.SILENCE_MILLIS - 1));
            assertThat(each.isOpen()).as("before").isTrue();
            pass(each, Duration.ofMillis(1));
            assertThat(each.isOpen()).as("after").isFalse();
        }
    }

    // What was written is not taken: the other side is stopped, and its socket is full.
    @Test
    void theDialledSideEndsASilentConnectionWhoseSocketIsFull() {
        boolean[] isFull = {false};
        EmbeddedChannel accepted = accepted(working(ImmediateExecutor.INSTANCE));
        EmbeddedChannel dialled =
                new EmbeddedChannel(working(ImmediateExecutor.INSTANCE).dialling()) {
                    @Override
                    protected void doWrite(ChannelOutboundBuffer in) throws Exception {
                        if (!isFull[0]) {
                            super.doWrite(in);
                        }
                    }
                };
        dialled.freezeTime();
        dialled.connect(new InetSocketAddress(7400));
        carry(dialled, accepted);
        isFull[0] = true;
        pass(dialled, Duration.ofMillis(OwnChannels.SILENCE_MILLIS));
        dialled.runPendingTasks();
        assertThat(dialled.isOpen()).as("dialled").isFalse();
    }

    // ---------------------------------------------------------------- what a dialled channel reads

    private static final byte PONG = 1;

    /** Dials the event bus of a peer, without keys. */
    private EmbeddedChannel plain() {
        EmbeddedChannel dialled = new EmbeddedChannel(new OwnChannels("c", new NodeId("a"), null, endpoint).dialling());
        dialled.connect(new InetSocketAddress("127.0.0.1", 7400));
        return dialled;
    }

    private static void write(EmbeddedChannel dialled, byte... message) {
        dialled.writeOutbound(Unpooled.buffer().writeInt(message.length).writeBytes(message));
    }

    /** Asks for a sign of life, as the event bus does. */
    private static void ping(EmbeddedChannel dialled) {
        byte[] message = BusMessageTest.message(1, "__vertx_ping");
        write(dialled, Arrays.copyOf(message, message.length - Integer.BYTES));
    }

    /** Whether the event bus sees these bytes. */
    private static boolean isRead(EmbeddedChannel dialled, byte... said) {
        dialled.writeInbound(Unpooled.copiedBuffer(said));
        return dialled.readInbound() != null;
    }

    @Test
    void dialledChannelReadsOnePongPerPing() {
        EmbeddedChannel dialled = plain();
        for (int i = 0; i < 3; i++) {
            ping(dialled);
            assertThat(isRead(dialled, PONG)).isTrue();
            write(dialled, BusMessageTest.message(11, "quorate.b", (byte) 1));
            assertThat(dialled.isOpen()).isTrue();
        }
        assertThat(isRead(dialled, PONG)).as("second pong of one ping").isFalse();
        assertThat(dialled.isOpen()).isFalse();
        EmbeddedChannel fast = plain();
        ping(fast);
        assertThat(isRead(fast, PONG, PONG)).as("the first of two").isTrue();
        assertThat(fast.<Object>readInbound()).as("the second one").isNull();
        assertThat(fast.isOpen()).isFalse();
    }

    @Test
    void pongWithoutPingClosesTheChannel() {
        EmbeddedChannel dialled = plain();
        write(dialled, BusMessageTest.message(11, "quorate.b", (byte) 1));
        assertThat(isRead(dialled, PONG)).isFalse();
        assertThat(dialled.isOpen()).isFalse();
    }

    // The event bus takes each piece for a pong, and asks again for each of them.
    @Test
    void dialledChannelClosesAtAnythingButAPong() {
        byte[] message = BusMessageTest.message(11, "quorate.a", (byte) 1);
        for (byte[] said : List.of(new byte[] {0}, new byte[] {3}, message)) {
            try (CapturedLog log = new CapturedLog()) {
                EmbeddedChannel dialled = plain();
                ping(dialled);
                assertThat(isRead(dialled, said)).as("%d bytes", said.length).isFalse();
                assertThat(dialled.isOpen()).as("%d bytes", said.length).isFalse();
                assertThat(log.lines("WARN", "a: ends the connection with 127.0.0.1:7400"))
                        .singleElement()
                        .asString()
                        .contains("check its address in the peers of this node");
            }
        }
    }

    /** Collects the frames that the node of a dialled channel gets. */
    private List<String> answers(boolean isTaken, boolean isCopy) throws Exception {
        List<String> got = new ArrayList<>();
        endpoint.prepare(vertx, new Transport.Receiver() {
            @Override
            public boolean received(Optional<NodeId> sender, byte[] frame) {
                throw new AssertionError("a bus of our own tells which connection it is");
            }

            @Override
            public boolean received(Optional<NodeId> sender, byte[] frame, Transport.Standing standing) {
                got.add(sender + " " + new String(frame, StandardCharsets.US_ASCII) + standing.isForAnswers());
                if (isCopy) {
                    standing.onCopy();
                }
                return isTaken;
            }
        });
        answer(endpoint.deploy(vertx.getOrCreateContext()));
        return got;
    }

    private static byte[] bytes(String frame) {
        return ByteBufUtil.getBytes(BusMessage.answer(frame.getBytes(StandardCharsets.US_ASCII)));
    }

    @Test
    void dialledChannelGivesAnswersToTheNode() throws Exception {
        List<String> got = answers(true, false);
        EmbeddedChannel dialled = plain();
        assertThat(isRead(dialled, bytes("one"))).as("the event bus sees it").isFalse();
        for (byte each : bytes("two")) {
            assertThat(isRead(dialled, each)).isFalse();
        }
        ping(dialled);
        assertThat(isRead(dialled, PONG)).isTrue();
        assertThat(got).containsExactly("Optional.empty onetrue", "Optional.empty twotrue");
        assertThat(dialled.isOpen()).isTrue();
    }

    // A member must not refuse in the name of another one.
    @Test
    void certificateOfTheDialledSideTellsWhoAnswers() throws Exception {
        List<String> got = answers(true, false);
        EmbeddedChannel accepted = accepted(working(ImmediateExecutor.INSTANCE));
        EmbeddedChannel dialled = dialled();
        carry(dialled, accepted);
        accepted.writeOutbound(Unpooled.copiedBuffer(bytes("one")));
        carry(dialled, accepted);
        assertThat(got).containsExactly("Optional[a] onetrue");
    }

    @Test
    void answersThatNoNodeSendsCloseTheChannel() throws Exception {
        List<String> got = answers(false, false);
        EmbeddedChannel dialled = plain();
        assertThat(isRead(dialled, ByteBufUtil.getBytes(Unpooled.wrappedBuffer(bytes("one"), bytes("two")))))
                .isFalse();
        assertThat(got).hasSize(1);
        assertThat(dialled.isOpen()).isFalse();
    }

    @Test
    void copiesOfAnswersCloseTheChannel() throws Exception {
        List<String> got = answers(true, true);
        EmbeddedChannel dialled = plain();
        for (int i = 0; i < Transport.Standing.COPIES_MAX; i++) {
            assertThat(dialled.isOpen()).as("after %d", i).isTrue();
            isRead(dialled, bytes("one"));
        }
        assertThat(got).hasSize(Transport.Standing.COPIES_MAX);
        assertThat(dialled.isOpen()).isFalse();
    }

    @Test
    void dialledChannelsThatCloseShareOneLine() {
        try (CapturedLog log = new CapturedLog()) {
            OwnChannels attacked = new OwnChannels("c", new NodeId("a"), null, endpoint);
            for (int i = 0; i < 100; i++) {
                EmbeddedChannel dialled = new EmbeddedChannel(attacked.dialling());
                dialled.connect(new InetSocketAddress("127.0.0.1", 7400));
                assertThat(isRead(dialled, PONG)).isFalse();
            }
            assertThat(log.lines("WARN", "a: ends the connection")).hasSize(1);
        }
    }

    // A long answer of a name server comes over TCP.
    @Test
    void channelToANameServerReadsEverything() {
        EmbeddedChannel dialled = new EmbeddedChannel(channels.dialling());
        dialled.connect(new InetSocketAddress("127.0.0.1", OwnChannels.NAME_SERVER_PORT));
        assertThat(isRead(dialled, (byte) 0, (byte) 42)).isTrue();
        assertThat(dialled.isOpen()).isTrue();
    }

    private static void pass(EmbeddedChannel channel, Duration time) {
        channel.advanceTimeBy(time.toMillis(), TimeUnit.MILLISECONDS);
        channel.runScheduledPendingTasks();
    }

    /** Carries what the two say to each other, until they are silent; answers how many pieces that were. */
    private static int carry(EmbeddedChannel one, EmbeddedChannel other) {
        int pieces = 0;
        int before;
        do {
            before = pieces;
            pieces += carryOneWay(one, other) + carryOneWay(other, one);
        } while (pieces > before);
        return pieces;
    }

    private static int carryOneWay(EmbeddedChannel from, EmbeddedChannel to) {
        int pieces = 0;
        for (Object piece = from.readOutbound(); piece != null; piece = from.readOutbound()) {
            to.writeInbound(piece);
            pieces++;
        }
        return pieces;
    }
}
