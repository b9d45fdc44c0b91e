package io.quorate.vertx;

import static io.quorate.testkit.Deadline.get;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.embedded.EmbeddedChannel;
import io.quorate.spi.NodeId;
import io.quorate.spi.Transport;
import io.quorate.spi.Transport.Standing;
import io.quorate.spi.TransportProvider.HostAndPort;
import io.quorate.vertx.Callers.Caller;
import io.vertx.core.Vertx;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Connections end or stay, depending on what the node notes of their frames. Virtual time. */
class AcceptedConnectionTest {

    private static final String NEWS = "news";
    /** A life that shows nothing sends it: a new life, or one that is over and was recorded. */
    private static final String UNPROVED = "unproved";

    private static final String COPY = "copy";
    private static final String REFUSED = "refused";
    private static final String ANSWERED = "answered";
    private static final int BUFFER = 11;
    private static final long STEP_MILLIS = 1000;

    private final Vertx vertx = Vertx.vertx();
    private final Endpoint endpoint = new Endpoint(
            "c",
            new NodeId("a"),
            Map.of(new NodeId("a"), new HostAndPort("a", 1), new NodeId("b"), new HostAndPort("127.0.0.1", 1)));
    private final List<String> reasons = new ArrayList<>();
    /** What the node notes when it gets around to it. */
    private final List<Runnable> later = new ArrayList<>();

    private boolean isLate;

    @BeforeEach
    void deploy() throws Exception {
        endpoint.prepare(vertx, new Transport.Receiver() {
            @Override
            public boolean received(Optional<NodeId> sender, byte[] frame) {
                throw new AssertionError("a bus of our own tells which connection it is");
            }

            @Override
            public boolean received(Optional<NodeId> sender, byte[] frame, Standing standing) {
                String text = new String(frame, StandardCharsets.US_ASCII);
                if (text.equals(NEWS)) {
                    later.add(standing::onNews);
                } else if (text.equals(COPY)) {
                    later.add(standing::onCopy);
                } else if (text.equals(ANSWERED)) {
                    later.add(() -> standing.answer(frame));
                }
                if (!isLate) {
                    note();
                }
                return !text.equals(REFUSED);
            }
        });
        get(endpoint.deploy(vertx.getOrCreateContext()).toCompletionStage().toCompletableFuture());
    }

    @AfterEach
    void close() throws Exception {
        get(vertx.close().toCompletionStage().toCompletableFuture());
    }

    // A frame for the process that has dialled, which need not be the one at the address of its node.
    @Test
    void nodesAnswerOnTheConnection() throws Exception {
        EmbeddedChannel channel = accepted();
        send(channel, ANSWERED);
        ByteBuf answer = channel.readOutbound();
        assertThat(BusMessage.isAnswer(answer)).isTrue();
        assertThat(BusMessage.takeAnswer(answer)).contains(ANSWERED.getBytes(StandardCharsets.US_ASCII));
        channel.config().setWriteBufferWaterMark(new WriteBufferWaterMark(0, 1));
        channel.write(Unpooled.buffer().writeLong(0));
        assertThat(channel.isWritable()).as("the other side reads").isFalse();
        send(channel, ANSWERED);
        channel.flush();
        assertThat(channel.<ByteBuf>readOutbound().readableBytes()).isEqualTo(Long.BYTES);
        assertThat(channel.<Object>readOutbound()).isNull();
    }

    private void note() {
        later.forEach(Runnable::run);
        later.clear();
    }

    private EmbeddedChannel accepted(String from) throws UnknownHostException {
        Optional<Caller> caller = endpoint.callers().enter(InetAddress.getByName(from));
        EmbeddedChannel channel = new EmbeddedChannel();
        channel.freezeTime();
        channel.pipeline().addLast(new AcceptedConnection(caller.orElseThrow(), endpoint, reasons::add, false));
        channel.closeFuture().addListener(closed -> caller.orElseThrow().leave());
        return channel;
    }

    private EmbeddedChannel accepted() throws UnknownHostException {
        return accepted("127.0.0.1");
    }

    private static ByteBuf withLength(byte... message) {
        return Unpooled.buffer().writeInt(message.length).writeBytes(message);
    }

    private static void send(EmbeddedChannel channel, String what) {
        byte[] body = ("\u0001b" + what).getBytes(StandardCharsets.US_ASCII);
        channel.writeInbound(withLength(BusMessageTest.message(BUFFER, "quorate.a", body)));
    }

    private static void send(EmbeddedChannel channel, String what, int count) {
        for (int i = 0; i < count; i++) {
            send(channel, what);
        }
    }

    private static void ping(EmbeddedChannel channel) {
        byte[] message = BusMessageTest.message(1, "__vertx_ping");
        channel.writeInbound(withLength(Arrays.copyOf(message, message.length - Integer.BYTES)));
    }

    private static void pass(EmbeddedChannel channel, long millis) {
        for (long left = millis; left > 0; left -= STEP_MILLIS) {
            channel.advanceTimeBy(Math.min(left, STEP_MILLIS), TimeUnit.MILLISECONDS);
            channel.runScheduledPendingTasks();
        }
    }

    private void isOpen(EmbeddedChannel channel) {
        assertThat(channel.isOpen()).isTrue();
        assertThat(reasons).isEmpty();
    }

    private void isClosed(EmbeddedChannel channel, String reason) {
        assertThat(channel.isOpen()).isFalse();
        assertThat(reasons).singleElement().asString().contains(reason);
    }

    // A stranger may have recorded them: the secret is right, and so the node takes each of them.
    @Test
    void sixteenCopiesInARowEndTheConnection() throws UnknownHostException {
        EmbeddedChannel channel = accepted();
        send(channel, COPY, Standing.COPIES_MAX - 1);
        isOpen(channel);
        send(channel, COPY);
        isClosed(channel, "16 copies in a row");
    }

    // A stranger may mix them: what was recorded is taken.
    @Test
    void refusedFramesDoNotHideCopies() throws UnknownHostException {
        EmbeddedChannel channel = accepted();
        send(channel, NEWS);
        for (int i = 1; i < Standing.COPIES_MAX; i++) {
            send(channel, REFUSED, AcceptedConnection.FAILED_MAX - 1);
            send(channel, COPY);
        }
        isOpen(channel);
        send(channel, COPY);
        isClosed(channel, "16 copies in a row");
    }

    // Neither a recorded frame of a former life nor a first one of a new life hides copies.
    @Test
    void onlyNewsEndsARowOfCopies() throws UnknownHostException {
        EmbeddedChannel channel = accepted();
        for (int round = 0; round < 3; round++) {
            send(channel, COPY, Standing.COPIES_MAX - 1);
            send(channel, NEWS);
        }
        isOpen(channel);
        for (int i = 0; i < Standing.COPIES_MAX; i++) {
            isOpen(channel);
            send(channel, UNPROVED);
            send(channel, COPY);
        }
        isClosed(channel, "16 copies in a row");
    }

    // The node looks at frames later than the loop does.
    @Test
    void copiesThatAreNoticedLateEndTheConnectionAtItsNextMessage() throws UnknownHostException {
        EmbeddedChannel channel = accepted();
        isLate = true;
        send(channel, NEWS);
        send(channel, COPY, Standing.COPIES_MAX);
        isOpen(channel);
        note();
        ping(channel);
        isClosed(channel, "16 copies in a row");
    }

    @Test
    void framesOfALifeThatShowsNothingEndTheConnectionAfterAWhile() throws UnknownHostException {
        EmbeddedChannel channel = accepted();
        send(channel, UNPROVED, AcceptedConnection.UNPROVED_MAX - 1);
        isOpen(channel);
        send(channel, UNPROVED);
        isClosed(channel, "check its address in the peers of this node");
    }

    // A node may have sent as much to a peer that stood still, and others may share its address.
    @Test
    void addressOfCopiesAndOfFramesThatShowNothingIsNotShutOut() throws UnknownHostException {
        String stranger = "127.0.0.2";
        send(accepted(stranger), UNPROVED, AcceptedConnection.UNPROVED_MAX);
        send(accepted(stranger), COPY, Standing.COPIES_MAX);
        assertThat(reasons).as("closed").hasSize(2);
        assertThat(accepted(stranger).isOpen()).isTrue();
    }

    @Test
    void pingsAloneEndTheConnectionAfterAWhile() throws UnknownHostException {
        EmbeddedChannel channel = accepted();
        for (int i = 1; i < AcceptedConnection.UNPROVED_MAX; i++) {
            ping(channel);
        }
        isOpen(channel);
        ping(channel);
        isClosed(channel, "do not show that a living node sent them");
    }

    // The node asks it, and its answer is news.
    @Test
    void newLifeThatShowsThatItLivesStays() throws UnknownHostException {
        EmbeddedChannel channel = accepted();
        send(channel, UNPROVED, AcceptedConnection.UNPROVED_MAX - 1);
        send(channel, NEWS);
        // Questions to a former life of this node come from a node that has heard a stranger.
        send(channel, UNPROVED, 2 * AcceptedConnection.UNPROVED_MAX);
        pass(channel, 2 * AcceptedConnection.PROOF_MILLIS);
        isOpen(channel);
    }

    @Test
    void newsThatIsNoticedLateKeepsTheConnection() throws UnknownHostException {
        EmbeddedChannel channel = accepted();
        isLate = true;
        send(channel, NEWS);
        note();
        pass(channel, AcceptedConnection.PROOF_MILLIS);
        isOpen(channel);
    }

    @Test
    void staleFramesDoNotBuyTime() throws UnknownHostException {
        for (String what : List.of(COPY, UNPROVED)) {
            reasons.clear();
            EmbeddedChannel channel = accepted();
            send(channel, what);
            pass(channel, AcceptedConnection.PROOF_MILLIS - 1);
            isOpen(channel);
            pass(channel, 1);
            isClosed(channel, "the messages of 10000 ms do not show");
        }
    }

    @Test
    void connectionWithoutAFrameOfANodeHasLessTime() throws UnknownHostException {
        EmbeddedChannel channel = accepted();
        ping(channel);
        send(channel, REFUSED);
        pass(channel, AcceptedConnection.FIRST_MILLIS - 1);
        isOpen(channel);
        pass(channel, 1);
        isClosed(channel, "no frame of a node within 2000 ms");
    }

    // Else recorded frames would keep nodes out.
    @Test
    void staleFramesDoNotTakePlacesOfNodes() throws UnknownHostException {
        List<EmbeddedChannel> recorded = new ArrayList<>();
        for (int i = 0; i < endpoint.callers().provedMax(); i++) {
            recorded.add(accepted());
            send(recorded.get(i), i % 2 == 0 ? COPY : UNPROVED);
        }
        assertThat(recorded).allMatch(EmbeddedChannel::isOpen);
        recorded.forEach(channel -> pass(channel, AcceptedConnection.PROOF_MILLIS));
        assertThat(recorded).noneMatch(EmbeddedChannel::isOpen);
    }

    @Test
    void addressOfRefusedMessagesIsShutOutButNotThatOfAPeer() throws UnknownHostException {
        for (String from : List.of("127.0.0.1", "127.0.0.2")) {
            EmbeddedChannel channel = accepted(from);
            send(channel, REFUSED, AcceptedConnection.FAILED_MAX);
            assertThat(channel.isOpen()).isFalse();
            assertThat(endpoint.callers().enter(InetAddress.getByName(from)).isPresent())
                    .as("%s is let in again", from)
                    .isEqualTo(from.equals("127.0.0.1"));
        }
    }
}
