package io.quorate.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.quorate.core.message.NodeMessage;
import io.quorate.core.message.SupportMessage.Ack;
import io.quorate.core.message.SupportMessage.Goodbye;
import io.quorate.core.message.SupportMessage.Heartbeat;
import io.quorate.core.message.VoteMessage.Elect;
import io.quorate.core.settings.NodeSettings;
import io.quorate.core.step.NodeEvent;
import io.quorate.settings.ClusterSecret;
import io.quorate.spi.NodeId;
import io.quorate.spi.Transport;
import io.quorate.spi.WireWriter;
import io.quorate.testkit.CapturedLog;
import io.quorate.testkit.simulation.HighestUp;
import io.quorate.testkit.simulation.LocalNetwork;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Messages share frames, and one that no frame can carry takes nothing else with it. */
class PostTest {

    private static final long SECOND = 1_000_000_000;
    private static final NodeMessage SMALL = new Goodbye();

    private static final Logger LOG = LoggerFactory.getLogger(Post.class);

    private final List<Throwable> harm = new ArrayList<>();
    private final Drivers drivers = new Drivers(2);
    private final LocalNetwork network = drivers.network;
    private final Post sender = post(1);
    private final Post receiver = post(2);
    private final List<Integer> frames = new ArrayList<>();
    private final List<NodeMessage> arrived = new ArrayList<>();

    private Post post(int number) {
        return post(number, number);
    }

    private Post post(int number, long life) {
        NodeSettings settings = drivers.settings(drivers.id(number));
        return new Post(
                settings,
                Optional.empty(),
                new HighestUp(),
                network.transport(drivers.id(number)),
                life,
                LOG,
                harm::add);
    }

    /** As a driver does with what arrives. */
    private static boolean open(
            Post post, Optional<NodeId> sender, byte[] frame, long now, Consumer<NodeEvent> events) {
        return open(post, sender, frame, new Transport.Standing(), now, events);
    }

    private static boolean open(
            Post post,
            Optional<NodeId> sender,
            byte[] frame,
            Transport.Standing standing,
            long now,
            Consumer<NodeEvent> events) {
        Checked checked = post.entrance().check(sender, frame);
        if (checked instanceof Checked.Passed passed) {
            post.open(passed, standing, now, events).ifPresent(rest -> post.handle(rest, now, events));
        } else {
            post.tell((DecodedFrame.Dropped) checked, now, events);
        }
        return checked instanceof Checked.Passed;
    }

    @BeforeEach
    void listen() {
        network.transport(drivers.id(2)).start((sender, frame) -> {
            frames.add(frame.length);
            return open(receiver, sender, frame, 0, event -> arrived.add(((NodeEvent.Received) event).message()));
        });
    }

    /** The two have shown each other that they live, and nothing is under way. */
    private void meet() {
        network.transport(drivers.id(1)).start((from, frame) -> open(sender, from, frame, 0, event -> {}));
        add(SMALL);
        sender.flush(0);
        assertThat(arrived).as("what is said first is heard").containsExactly(SMALL);
        frames.clear();
        arrived.clear();
    }

    private void add(NodeMessage message) {
        sender.add(drivers.id(2), message, 0);
    }

    /** A list of live nodes of this length. */
    private static NodeMessage ack(int nodes) {
        return new Ack(
                1,
                1,
                MessageSamples.EPOCH,
                1,
                1,
                Optional.of(Collections.nCopies(nodes, new NodeId("n".repeat(NodeId.LENGTH_MAX)))));
    }

    @Test
    void messagesShareAFrameUntilItIsFull() {
        meet();
        for (int i = 0; i < 5; i++) {
            add(SMALL);
        }
        assertThat(frames).isEmpty();
        sender.flush(0);
        assertThat(frames).hasSize(1);
        assertThat(arrived).hasSize(5).containsOnly(SMALL);
        add(ack(400));
        assertThat(frames).as("a full frame does not wait").hasSize(2);
        sender.flush(0);
        assertThat(frames).as("nothing is left").hasSize(2);
        assertThat(arrived).hasSize(6);
        assertThat(sender.dropped()).isEqualTo("{}");
        assertThat(sender.refused()).isZero();
    }

    // A busy peer acknowledges late, and the gate holds back what comes then. The words that leases depend on go on.
    @Test
    void overtakingFramesPassTheGateOfABusyPeer() {
        meet();
        network.transport(drivers.id(2))
                .start((from, frame) -> receiver.entrance().check(from, frame) != null);
        for (int i = 0; i < Window.LENGTH + Window.PROBES_PER_HEARTBEAT; i++) {
            add(SMALL);
            sender.flush(0);
        }
        assertThat(sender.refused()).isZero();
        listen();
        for (int i = 1; i <= 20; i++) {
            add(SMALL);
            add(ack(i));
            sender.flush(0);
        }
        assertThat(arrived).hasSize(20).allMatch(Ack.class::isInstance);
        assertThat(sender.refused())
                .as("frames of which something was held back")
                .isEqualTo(20);
        add(ack(21));
        sender.flush(0);
        assertThat(arrived).hasSize(21);
        assertThat(sender.refused()).as("all of this one has left").isEqualTo(20);
    }

    // Nobody reads what a silent one is sent, and a transport may have to connect for each frame.
    @Test
    void aSilentPeerGetsNoMoreForThat() {
        meet();
        add(SMALL);
        sender.flush(0);
        frames.clear();
        for (int i = 1; i <= 20; i++) {
            sender.add(drivers.id(2), ack(i), SECOND);
            sender.flush(SECOND);
        }
        assertThat(frames).hasSize(Window.PROBES_PER_HEARTBEAT);
    }

    // Leases depend on them; what stands before them in the same frame, or waits since before, may take long.
    @Test
    void heartbeatsAndAcknowledgementsOvertakeTheRest() {
        meet();
        List<Post.Rest> rests = new ArrayList<>();
        network.transport(drivers.id(2)).start((sender, frame) -> {
            Checked.Passed passed = (Checked.Passed) receiver.entrance().check(sender, frame);
            receiver.open(
                            passed,
                            new Transport.Standing(),
                            0,
                            event -> arrived.add(((NodeEvent.Received) event).message()))
                    .ifPresent(rests::add);
            return true;
        });
        NodeMessage ack = ack(1);
        NodeMessage heartbeat = new Heartbeat(1, 0, 1, Optional.empty(), true, true, 0, 0, true, -1);
        add(SMALL);
        add(heartbeat);
        add(SMALL);
        sender.flush(0);
        assertThat(arrived).containsExactly(heartbeat);
        add(ack);
        sender.flush(0);
        assertThat(arrived).containsExactly(heartbeat, ack);
        assertThat(rests)
                .as("the second frame waits for the first, of which nothing is said before")
                .hasSize(2);
        rests.forEach(rest -> receiver.handle(rest, 0, event -> arrived.add(((NodeEvent.Received) event).message())));
        assertThat(arrived).containsExactly(heartbeat, ack, SMALL, SMALL);
        add(ack);
        sender.flush(0);
        assertThat(rests).as("nothing waits any more").hasSize(2);
    }

    // What the first part of a frame has brought about may fill a frame that leaves before the rest is handled.
    @Test
    void aFrameIsNotAcknowledgedBeforeItsRestIsHandledAndIsThen() {
        Links peer = peer(1);
        meet(peer, 0);
        receiver.add(drivers.id(1), SMALL, 0);
        receiver.flush(0);
        peer.open(toPeer.remove(0), 0);
        peer.seal(drivers.id(2), new byte[] {4}, 1, 0);
        assertThat(peer.noteSilence(drivers.id(2), 1, 0))
                .as("from now on it does not answer")
                .isTrue();
        MessageCodec codec = new MessageCodec(new HighestUp());
        WireWriter body = new WireWriter();
        codec.write(ack(1), body);
        codec.write(SMALL, body);
        byte[] frame =
                peer.seal(drivers.id(2), body.toBytes(), body.length(), 1).orElseThrow();
        Checked.Passed passed = (Checked.Passed) receiver.entrance().check(Optional.empty(), frame);
        Post.Rest rest = receiver.open(
                        passed, new Transport.Standing(), 1, event -> receiver.add(drivers.id(1), ack(400), 1))
                .orElseThrow();
        assertThat(toPeer).as("a frame that left at once").hasSize(1);
        toPeer.forEach(each -> peer.open(each, 1));
        assertThat(peer.isAnswering(drivers.id(2))).isFalse();
        receiver.handle(rest, 1, event -> {});
        receiver.acknowledge(33 * MILLI);
        assertThat(toPeer).as("with an empty frame").hasSize(2);
        peer.open(toPeer.get(1), 33 * MILLI);
        assertThat(peer.isAnswering(drivers.id(2))).isTrue();
    }

    @Test
    void messageThatFitsIntoNoFrameIsCountedAndTheOthersArrive() {
        meet();
        add(SMALL);
        add(ack(1_100));
        add(new Elect(1, 1, 0, 1, false, out -> {
            throw new IllegalStateException("broken");
        }));
        add(SMALL);
        sender.flush(0);
        assertThat(arrived).containsExactly(SMALL, SMALL);
        assertThat(sender.dropped()).contains("fit into no frame 2");
    }

    // A frame is taken as a whole or not at all.
    @Test
    void bodyThatIsMalformedInPartGivesNothing() {
        Links links = new Links("test", drivers.id(1), 7, 1, 4, List.of(), Optional.empty());
        meet(links, 0);
        byte[] body = {4, 4, 99};
        open(
                receiver,
                Optional.empty(),
                links.seal(drivers.id(2), body, body.length, 0).orElseThrow(),
                0,
                event -> {
                    throw new AssertionError(event);
                });
        assertThat(receiver.dropped()).contains("1 with a malformed body");
    }

    // What has overtaken cannot be taken back; and what is bad in front leaves nothing that is known to begin a
    // message.
    @Test
    void malformedPartIsCountedOnceAndBlocksNothing() {
        Links links = new Links("test", drivers.id(1), 7, 1, 4, List.of(), Optional.empty());
        meet(links, 0);
        WireWriter good = new WireWriter();
        new MessageCodec(new HighestUp()).write(ack(1), good);
        byte[] badRest = Arrays.copyOf(good.toBytes(), good.length() + 1);
        badRest[good.length()] = 99;
        // A heartbeat with a flag that is neither 0 nor 1, and something that reads as a message behind it.
        byte[] badFirst = {1, 2, 0, 0, 0, 0, 0, 0, 0, 0, 4, 4, 4, 7, 4};
        for (byte[] body : List.of(badRest, badFirst)) {
            open(
                    receiver,
                    Optional.empty(),
                    links.seal(drivers.id(2), body, body.length, 0).orElseThrow(),
                    0,
                    event -> arrived.add(((NodeEvent.Received) event).message()));
        }
        assertThat(arrived).containsExactly(ack(1));
        assertThat(receiver.dropped()).contains("2 with a malformed body");
        Checked.Passed passed = (Checked.Passed) receiver.entrance()
                .check(
                        Optional.empty(),
                        links.seal(drivers.id(2), good.toBytes(), good.length(), 0)
                                .orElseThrow());
        assertThat(receiver.open(passed, new Transport.Standing(), 0, event -> {}))
                .as("what waits")
                .isEmpty();
        assertThat(harm).isEmpty();
    }

    private static void open(Post post, byte[] frame, Transport.Standing standing) {
        open(post, Optional.empty(), frame, standing, 0, event -> {});
    }

    /** Records what the sender sends next, after the receiver has sent something. */
    private List<byte[]> record(int number) {
        receiver.add(drivers.id(1), SMALL, 0);
        receiver.flush(0);
        List<byte[]> recorded = new ArrayList<>();
        network.transport(drivers.id(2)).start((from, frame) -> recorded.add(frame));
        for (int i = 0; i < number; i++) {
            add(SMALL);
            sender.flush(0);
        }
        return recorded;
    }

    @Test
    void copyIsAFailureOfItsConnectionAndANewFrameIsNot() {
        meet();
        List<byte[]> recorded = record(3);
        Transport.Standing standing = new Transport.Standing();
        open(receiver, recorded.get(0), standing);
        assertThat(standing.isOfNode()).isTrue();
        // Frames that overtake each other are new, each once.
        open(receiver, recorded.get(2), standing);
        for (int i = 1; i < Transport.Standing.COPIES_MAX; i++) {
            open(receiver, recorded.get(0), standing);
        }
        assertThat(standing.isReplayed()).isFalse();
        open(receiver, recorded.get(1), standing);
        for (int i = 1; i < Transport.Standing.COPIES_MAX; i++) {
            open(receiver, recorded.get(1), standing);
        }
        assertThat(standing.isReplayed()).isFalse();
        open(receiver, recorded.get(1), standing);
        assertThat(standing.isReplayed()).isTrue();
    }

    // Otherwise tcp would keep the place of a dead process for frames that an attacker has held back.
    @Test
    void frameThatAcknowledgesNothingRecentLeadsToAQuestion() {
        meet();
        List<byte[]> recorded = record(1);
        List<byte[]> questions = new ArrayList<>();
        network.transport(drivers.id(1)).start((from, frame) -> questions.add(frame));
        Transport.Standing standing = new Transport.Standing();
        open(
                receiver,
                Optional.empty(),
                recorded.get(0),
                standing,
                10 * SECOND,
                event -> arrived.add(((NodeEvent.Received) event).message()));
        assertThat(arrived).as("it is handled").containsExactly(SMALL);
        assertThat(standing.isOfNode()).isFalse();
        assertThat(questions).as("its life is asked").hasSize(1);
    }

    @Test
    void copiesDoNotShowANode() {
        meet();
        List<byte[]> recorded = new ArrayList<>();
        network.transport(drivers.id(2)).start((from, frame) -> recorded.add(frame));
        add(SMALL);
        sender.flush(0);
        open(receiver, recorded.get(0), new Transport.Standing());
        Transport.Standing standing = new Transport.Standing();
        for (int i = 0; i < Transport.Standing.COPIES_MAX; i++) {
            assertThat(standing.isReplayed()).isFalse();
            open(receiver, recorded.get(0), standing);
        }
        assertThat(standing.isReplayed()).isTrue();
        assertThat(standing.isOfNode()).isFalse();
    }

    // A stranger who has recorded the first frame of a life costs a refusal and a question, however often it sends
    // that.
    @Test
    void copyOfAFrameThatWaitsIsAFailureAndIsNotAskedAbout() {
        meet();
        List<byte[]> replies = new ArrayList<>();
        network.transport(drivers.id(1)).start((from, frame) -> replies.add(frame));
        Links former = new Links("test", drivers.id(1), 100, 1, 4, List.of(), Optional.empty());
        byte[] first = former.seal(drivers.id(2), new byte[] {99}, 1, 0).orElseThrow();
        byte[] second = former.seal(drivers.id(2), new byte[] {99}, 1, 0).orElseThrow();
        Transport.Standing standing = new Transport.Standing();
        open(receiver, first, standing);
        open(receiver, second, standing);
        assertThat(replies).as("two for each frame of a new life").hasSize(4);
        for (int i = 0; i < Transport.Standing.COPIES_MAX; i++) {
            assertThat(standing.isReplayed()).isFalse();
            open(receiver, i % 2 == 0 ? first : second, standing);
        }
        assertThat(replies).hasSize(4);
        assertThat(standing.isReplayed()).isTrue();
        assertThat(standing.isOfNode()).isFalse();
    }

    // The first frames of a new life look like recorded ones of a former life.
    @Test
    void frameOfALifeThatHasShownNothingIsNeitherNewsNorAFailure() {
        meet();
        Transport.Standing standing = new Transport.Standing();
        for (int life = 100; life < 200; life++) {
            byte[] frame = new Links("test", drivers.id(1), life, 1, 4, List.of(), Optional.empty())
                    .seal(drivers.id(2), new byte[] {99}, 1, 0)
                    .orElseThrow();
            open(receiver, frame, standing);
        }
        assertThat(standing.isOfNode()).isFalse();
        assertThat(standing.isReplayed()).isFalse();
    }

    // Whoever finds no room is dropped; that is no secret, and no flood of lines either.
    @Test
    void nodesForWhichThereIsNoRoomAreToldOfOnceAMinute() {
        List<String> lines = logged(() -> {
            for (int second = 0; second < 90; second++) {
                for (int i = 0; i < Links.PEERS_MAX + 2; i++) {
                    NodeId stranger = new NodeId("s" + i);
                    byte[] frame = new Links("test", stranger, 1 + second, 1, 4, List.of(), Optional.empty())
                            .seal(drivers.id(2), new byte[] {99}, 1, 0)
                            .orElseThrow();
                    open(receiver, Optional.empty(), frame, second * SECOND, event -> {});
                }
            }
        });
        assertThat(lines)
                .hasSize(2)
                .allMatch(line -> line.matches(".*n2: s\\d+ is not heard: 4096 other nodes were heard lately.*"));
    }

    private static List<String> logged(Runnable work) {
        try (CapturedLog log = new CapturedLog()) {
            work.run();
            return log.lines();
        }
    }

    // A fault of ours that a peer's message brings to light must not end this node.
    @Test
    void throwingMessageIsCountedAndLoggedOnceAMinute() {
        Links links = new Links("test", drivers.id(1), 7, 1, 4, List.of(), Optional.empty());
        meet(links, 0);
        WireWriter body = new WireWriter();
        new MessageCodec(new HighestUp()).write(SMALL, body);
        new MessageCodec(new HighestUp()).write(SMALL, body);
        List<NodeEvent> events = new ArrayList<>();
        int[] wakes = new int[1];
        List<String> lines = logged(() -> {
            for (int second = 0; second < 90; second++) {
                long now = second * SECOND;
                byte[] frame = links.seal(drivers.id(2), body.toBytes(), body.length(), now)
                        .orElseThrow();
                open(receiver, Optional.empty(), frame, now, event -> {
                    if (event instanceof NodeEvent.Wake) {
                        wakes[0]++;
                        return;
                    }
                    events.add(event);
                    if (events.size() % 2 == 0) {
                        throw new StackOverflowError("thrown by the test");
                    }
                    throw new IllegalStateException("thrown by the test");
                });
            }
        });
        assertThat(wakes[0]).as("what each has left behind is done").isEqualTo(90);
        assertThat(events).as("one of two messages of each frame").hasSize(90);
        assertThat(harm).hasSize(90);
        assertThat(receiver.dropped()).contains("could not be handled 90");
        assertThat(lines)
                .as("no stack trace either")
                .hasSize(2)
                .allMatch(line ->
                        line.contains("n2: cannot handle a message from n1 (Goodbye), and drops it: java.lang."));
    }

    @Test
    void aMachineThatFailsIsNoFaultOfAFrame() {
        Links links = new Links("test", drivers.id(1), 7, 1, 4, List.of(), Optional.empty());
        meet(links, 0);
        WireWriter body = new WireWriter();
        new MessageCodec(new HighestUp()).write(SMALL, body);
        byte[] frame =
                links.seal(drivers.id(2), body.toBytes(), body.length(), 0).orElseThrow();
        assertThatExceptionOfType(InternalError.class)
                .isThrownBy(() -> open(receiver, Optional.empty(), frame, 0, event -> {
                    throw new InternalError("thrown by the test");
                }));
    }

    static Stream<Throwable> anything() {
        return Stream.of(
                new IllegalStateException("thrown by the test"),
                new NoClassDefFoundError("thrown by the test"),
                new StackOverflowError("thrown by the test"),
                new Error("thrown by the test"),
                // As Kotlin throws it, without declaring it.
                new IOException("thrown by the test"));
    }

    @SuppressWarnings("unchecked")
    private static <T extends Throwable> void sneak(Throwable thrown) throws T {
        throw (T) thrown;
    }

    @ParameterizedTest
    @MethodSource("anything")
    void aTransportThatThrowsLosesAFrameAndNoMore(Throwable thrown) {
        Post post = new Post(
                drivers.settings(drivers.id(1)),
                Optional.empty(),
                new HighestUp(),
                new Transport() {
                    @Override
                    public void start(Receiver receiver) {
                        // Nothing arrives.
                    }

                    @Override
                    public void send(NodeId to, byte[] frame) {
                        PostTest.<RuntimeException>sneak(thrown);
                    }

                    @Override
                    public void close() {
                        // Nothing was opened.
                    }
                },
                1,
                LOG,
                harm::add);
        List<String> lines = logged(() -> {
            for (int now = 0; now < 3; now++) {
                post.add(drivers.id(2), SMALL, now);
                post.flush(now);
            }
        });
        assertThat(lines)
                .filteredOn(line -> line.contains("WARN"))
                .singleElement()
                .asString()
                .contains("node n1: the transport throws at a frame to n2, which is lost");
        assertThat(post.dropped()).contains("frames at which the transport threw 3");
    }

    // ---------------------------------------------------------------- one peer and this node, frame by frame

    private static final long MILLI = 1_000_000;

    private final List<byte[]> toPeer = new ArrayList<>();

    /** Another process under the id of the first voter; what this node sends to it is in {@link #toPeer}. */
    private Links peer(long incarnation) {
        network.transport(drivers.id(1)).start((from, frame) -> toPeer.add(frame));
        return new Links("test", drivers.id(1), incarnation, 25 * MILLI, 500 * MILLI, List.of(), Optional.empty());
    }

    /** The receiver and this peer have shown each other that they live; nothing is owed or under way. */
    private void meet(Links peer, long now) {
        NodeId n2 = drivers.id(2);
        network.transport(drivers.id(1)).start((from, frame) -> toPeer.add(frame));
        hears(receiver, peer, n2, now);
        answerAll(peer, now);
        says(peer, now);
        open(receiver, Optional.empty(), peer.seal(n2, new byte[0], 0, now).orElseThrow(), now, event -> {});
        assertThat(toPeer).isEmpty();
    }

    /** The peer hears what is sent to it, and shows who asks that it lives; answers the receiver's events. */
    private List<NodeEvent> answerAll(Links peer, long now) {
        List<NodeEvent> events = new ArrayList<>();
        while (!toPeer.isEmpty()) {
            if (peer.open(toPeer.remove(0), now) instanceof DecodedFrame.Accepted accepted
                    && accepted.passed().envelope().kind() == Envelope.Kind.QUESTION) {
                open(receiver, Optional.empty(), peer.answer(accepted), now, events::add);
            }
        }
        return events;
    }

    private List<NodeEvent> hears(Post post, Links peer, NodeId to, long now) {
        List<NodeEvent> events = new ArrayList<>();
        byte[] body = {7};
        open(post, Optional.empty(), peer.seal(to, body, 1, now).orElseThrow(), now, events::add);
        return events;
    }

    private void says(Links peer, long now) {
        receiver.add(drivers.id(1), SMALL, now);
        receiver.flush(now);
        toPeer.forEach(frame -> assertThat(peer.open(frame, now)).isInstanceOf(DecodedFrame.Accepted.class));
        toPeer.clear();
    }

    @Test
    void aPeerThatIsNotAnsweredOtherwiseGetsAnEmptyFrame() {
        Links peer = peer(1);
        meet(peer, 0);
        hears(receiver, peer, drivers.id(2), 0);
        receiver.acknowledge(25 * MILLI);
        assertThat(toPeer).as("the next heartbeat may say it").isEmpty();
        receiver.acknowledge(32 * MILLI);
        assertThat(toPeer).hasSize(1);
        DecodedFrame.Accepted word = (DecodedFrame.Accepted) peer.open(toPeer.get(0), 32 * MILLI);
        assertThat(word.passed().bodyLength()).isZero();
        receiver.acknowledge(100 * MILLI);
        assertThat(toPeer).hasSize(1);
        hears(receiver, peer, drivers.id(2), 200 * MILLI);
        receiver.add(drivers.id(1), SMALL, 300 * MILLI);
        receiver.acknowledge(300 * MILLI);
        assertThat(toPeer).as("what waits says it too").hasSize(2);
        word = (DecodedFrame.Accepted) peer.open(toPeer.get(1), 300 * MILLI);
        assertThat(word.passed().bodyLength()).isEqualTo(1);
    }

    @Test
    void aVoterThatFallsSilentIsToldOfOnceAndSoIsItsReturn() {
        Links peer = peer(1);
        meet(peer, 0);
        NodeId n2 = drivers.id(2);
        try (CapturedLog log = CapturedLog.atInfo(Post.class)) {
            hears(receiver, peer, n2, 0);
            says(peer, 0);
            hears(receiver, peer, n2, 1);
            receiver.acknowledge(2);
            receiver.add(drivers.id(1), SMALL, 10);
            receiver.acknowledge(10 + 75 * MILLI);
            assertThat(log.lines("INFO")).isEmpty();
            receiver.add(drivers.id(1), SMALL, 10 + 75 * MILLI);
            for (int look = 1; look <= 3; look++) {
                receiver.acknowledge(10 + 151 * MILLI + look);
            }
            assertThat(log.lines("INFO"))
                    .singleElement()
                    .asString()
                    .contains("node n2: voter n1 does not answer: nothing was heard of it for 75 ms");
            toPeer.forEach(frame -> peer.open(frame, 200 * MILLI));
            hears(receiver, peer, n2, 200 * MILLI);
            for (int look = 1; look <= 3; look++) {
                receiver.acknowledge(200 * MILLI + look);
            }
            assertThat(log.lines("INFO")).hasSize(2);
            assertThat(log.lines("node n2: voter n1 answers again")).hasSize(1);
        }
    }

    @Test
    void aPeerThatReadsNothingMakesTheGateHoldFramesBack() {
        Links peer = peer(1);
        meet(peer, 0);
        assertThat(receiver.isSomeoneBehind(0)).isFalse();
        for (int i = 0; i < 100; i++) {
            receiver.add(drivers.id(1), SMALL, 0);
            receiver.flush(0);
        }
        assertThat(receiver.isSomeoneBehind(0)).isTrue();
        assertThat(receiver.refused()).isEqualTo(100 - toPeer.size()).isPositive();
        assertThat(peer.open(toPeer.get(0), 0)).isInstanceOf(DecodedFrame.Accepted.class);
    }

    // The process at the address of its node may be another one.
    @Test
    void secondProcessIsToldOnItsOwnConnection() {
        Links first = peer(1);
        meet(first, 0);
        Post second = post(1, 99);
        List<byte[]> sent = new ArrayList<>();
        network.transport(drivers.id(2)).start((sender, frame) -> sent.add(frame));
        second.add(drivers.id(2), SMALL, 0);
        second.flush(0);
        List<byte[]> back = new ArrayList<>();
        open(
                receiver,
                Optional.empty(),
                sent.get(0),
                new Transport.Standing() {
                    @Override
                    public void answer(byte[] frame) {
                        back.add(frame);
                    }
                },
                0,
                event -> {});
        List<NodeEvent> events = new ArrayList<>();
        open(second, Optional.empty(), back.get(0), 0, events::add);
        assertThat(events).containsExactly(new NodeEvent.PlaceTaken(drivers.id(2), 0, true));
        assertThat(second.dropped()).startsWith("{}");
        // By the address of its id as well, because a transport need not have a way back. It counts once.
        toPeer.forEach(frame -> open(second, Optional.empty(), frame, 0, events::add));
        assertThat(events).hasSize(1);
        second.add(drivers.id(2), SMALL, 1);
        second.flush(1);
        toPeer.clear();
        open(receiver, Optional.empty(), sent.get(sent.size() - 1), 1, event -> {});
        toPeer.forEach(frame -> open(second, Optional.empty(), frame, 1, events::add));
        assertThat(events).hasSize(2).last().isEqualTo(new NodeEvent.PlaceTaken(drivers.id(2), 0, true));
    }

    // Each comes over the connection to the id first, and again as an answer.
    @Test
    void refusalsThatComeTwiceAreNoCopies() {
        meet(peer(1), 0);
        Post second = post(1, 99);
        List<byte[]> sent = new ArrayList<>();
        network.transport(drivers.id(2)).start((sender, frame) -> sent.add(frame));
        Transport.Standing answers = new Transport.Standing();
        List<NodeEvent> events = new ArrayList<>();
        for (int i = 0; i <= Transport.Standing.COPIES_MAX; i++) {
            long now = i * MILLI;
            second.add(drivers.id(2), SMALL, now);
            second.flush(now);
            List<byte[]> back = new ArrayList<>();
            Transport.Standing connection = new Transport.Standing() {
                @Override
                public void answer(byte[] frame) {
                    back.add(frame);
                }
            };
            open(receiver, Optional.empty(), sent.remove(0), connection, now, event -> {});
            toPeer.forEach(frame -> open(second, Optional.empty(), frame, now, events::add));
            toPeer.clear();
            // Its answer to a question is lost.
            sent.clear();
            back.forEach(frame -> open(second, Optional.empty(), frame, answers, now, events::add));
        }
        NodeEvent refusal = new NodeEvent.PlaceTaken(drivers.id(2), 0, true);
        assertThat(events).hasSize(Transport.Standing.COPIES_MAX + 1).containsOnly(refusal);
        assertThat(answers.isReplayed()).isFalse();
    }

    /** Of this life of n2 for n2. */
    private byte[] ownFrame(long incarnation) {
        NodeId n2 = drivers.id(2);
        int version = WireVersions.OURS.newest();
        return new Envelope(n2, n2, incarnation, 0, 1, 0, version, version, Envelope.Kind.MESSAGES)
                .write("test", new byte[] {4}, 1, null);
    }

    @Test
    void anotherLifeUnderOurIdIsHandedOn() {
        List<NodeEvent> events = new ArrayList<>();
        byte[] frame = ownFrame(99);
        open(receiver, Optional.empty(), frame, 0, events::add);
        assertThat(events).containsExactly(new NodeEvent.OwnIdHeard(99));
    }

    @Test
    void throwingDropListenerIsCounted() {
        byte[] frame = links("other", drivers.id(1), 1)
                .seal(drivers.id(2), new byte[] {4}, 1, 0)
                .orElseThrow();
        List<String> lines = logged(() -> open(receiver, Optional.empty(), frame, 0, event -> {
            if (!(event instanceof NodeEvent.Wake)) {
                throw new IllegalStateException("thrown by the test");
            }
        }));
        assertThat(lines)
                .filteredOn(line -> line.contains("WARN"))
                .singleElement()
                .asString()
                .contains("n2: cannot handle a message from n1 (OTHER_CLUSTER), and drops it");
        assertThat(harm).hasSize(1);
        assertThat(receiver.dropped()).isEqualTo("{OTHER_CLUSTER=1}, and could not be handled 1");
    }

    /** What the receiver says of a frame that another process sends. */
    private String complaint(Links from, NodeId to) {
        return complaint(from.seal(to, new byte[] {4}, 1, 0).orElseThrow());
    }

    private String complaint(byte[] frame) {
        List<NodeEvent> events = new ArrayList<>();
        open(receiver, Optional.empty(), frame, 0, events::add);
        assertThat(events).hasSize(1).first().isInstanceOf(NodeEvent.ForeignFrames.class);
        return ((NodeEvent.ForeignFrames) events.get(0)).text();
    }

    private static Links links(String cluster, NodeId self, long incarnation) {
        return new Links(cluster, self, incarnation, 1, 4, List.of(), Optional.empty());
    }

    @Test
    void misconfiguredPeerIsLoggedWithBothValuesAndTheCure() {
        NodeId n1 = drivers.id(1);
        NodeId n2 = drivers.id(2);
        assertThat(complaint(links("other", n1, 1), n2))
                .contains("node n1 of cluster 'other'", "of cluster 'test'", "the same cluster id");
        assertThat(complaint(links("test+tandem", n1, 1), n2))
                .contains("node n1 of cluster 'test+tandem'", "set migration=tandem on all nodes or on none");
        assertThat(complaint(links("test", n1, 1), new NodeId("n3")))
                .contains("frames of node n1 for node n3", "this node, n2", "correct the address of n3");
        assertThat(complaint(ownFrame(2))).contains("own frames come back");
        List<NodeEvent> events = new ArrayList<>();
        open(receiver, Optional.empty(), new byte[] {'Q', 1, 0, 0}, 0, events::add);
        assertThat(((NodeEvent.ForeignFrames) events.get(0)).text()).contains("wire version 1", "this node speaks 3:");
        assertThat(((NodeEvent.ForeignFrames) events.get(0)).from()).isEqualTo(n2);
    }

    @Test
    void aForgedFrameIsSaidWithBothNames() {
        byte[] frame = links("test", drivers.id(1), 1)
                .seal(drivers.id(2), new byte[] {4}, 1, 0)
                .orElseThrow();
        List<NodeEvent> events = new ArrayList<>();
        open(receiver, Optional.of(new NodeId("n3")), frame, 0, events::add);
        assertThat(((NodeEvent.ForeignFrames) events.get(0)).text())
                .contains("in the name of node n1 come over a connection of node n3", "dropped as forged");
    }

    // The names are invented; the one who has proved who it is is not, and makes one line of the log.
    @Test
    void forgerIsNamedByItsProvedIdentity() {
        List<NodeEvent> events = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            byte[] frame = links("test", new NodeId("invented-" + i), 1)
                    .seal(drivers.id(2), new byte[] {4}, 1, 0)
                    .orElseThrow();
            open(receiver, Optional.of(new NodeId("n3")), frame, 0, events::add);
        }
        assertThat(events).hasSize(100).allSatisfy(event -> assertThat(((NodeEvent.ForeignFrames) event).from())
                .isEqualTo(new NodeId("n3")));
    }

    private static Optional<ClusterSecret> secret(String text) {
        return Optional.of(ClusterSecret.of(text.getBytes(StandardCharsets.UTF_8), Optional.empty()));
    }

    private Post secretPost(int number, Optional<ClusterSecret> secret) {
        return new Post(
                drivers.settings(drivers.id(number)),
                secret,
                new HighestUp(),
                network.transport(drivers.id(number)),
                number,
                LOG,
                harm::add);
    }

    /** What the node is told in 90 seconds, in each of which a thousand such frames arrive. */
    private List<NodeEvent> flooded(Post reader, Optional<NodeId> sender, Optional<ClusterSecret> theirs) {
        List<NodeEvent> events = new ArrayList<>();
        byte[] frame = new Links("test", drivers.id(1), 1, 1, 4, List.of(), theirs)
                .seal(drivers.id(2), new byte[] {4}, 1, 0)
                .orElseThrow();
        for (int i = 0; i < 90_000; i++) {
            open(reader, sender, frame, i * SECOND / 1000, events::add);
        }
        return events;
    }

    private static NodeEvent.ForeignFrames first(List<NodeEvent> events) {
        return (NodeEvent.ForeignFrames) events.get(0);
    }

    // Each of the three cases with its cure. A sender that nobody knows does not keep the node busy.
    @Test
    void framesThatTheSecretDoesNotFitAreSaidWithTheCure() {
        Optional<ClusterSecret> mine = secret("the secret that this node has");
        Optional<ClusterSecret> theirs = secret("the secret that somebody else has");
        List<NodeEvent> without = flooded(secretPost(2, mine), Optional.empty(), Optional.empty());
        assertThat(without).hasSize(90);
        assertThat(first(without).text())
                .contains("frames without a MAC of an unknown sender", "this node has a secret", "the same secret");
        assertThat(first(without).from()).isEqualTo(drivers.id(2));
        List<NodeEvent> other = flooded(secretPost(2, mine), Optional.empty(), theirs);
        assertThat(other).hasSize(90);
        assertThat(first(other).text())
                .contains("frames of an unknown sender are dropped, whose MAC", "cluster 'test'")
                .contains("the same secret and cluster id")
                .doesNotContain("that somebody", "that this node has");
        NodeEvent.ForeignFrames proved = first(flooded(secretPost(2, mine), Optional.of(drivers.id(1)), theirs));
        assertThat(proved.text()).contains("frames of node n1 are dropped, whose MAC");
        assertThat(proved.from()).isEqualTo(drivers.id(1));
        NodeEvent.ForeignFrames plain = first(flooded(secretPost(2, Optional.empty()), Optional.empty(), theirs));
        assertThat(plain.text())
                .contains("frames of node n1 carry a MAC", "this node has no secret", "the same secret");
    }

    // A node that was restarted is meant by the name of its former life too.
    @Test
    void frameForAnotherLifeIsAnsweredWithThisOne() {
        Links peer = peer(1);
        Links former = links("test", drivers.id(2), 99);
        byte[] asked = former.question((DecodedFrame.Dropped)
                former.open(peer.seal(drivers.id(2), new byte[] {4}, 1, 0).orElseThrow(), 0));
        assertThat(peer.open(asked, 0)).isInstanceOf(DecodedFrame.Accepted.class);
        long later = 500 * MILLI;
        assertThat(hears(receiver, peer, drivers.id(2), later)).isEmpty();
        assertThat(toPeer).hasSize(1);
        assertThat(answerAll(peer, later)).isEmpty();
        assertThat(hears(receiver, peer, drivers.id(2), later)).hasSize(1);
    }

    @Test
    void firstFrameOfALifeIsHandledAfterItsProofOfLife() {
        Links peer = peer(1);
        MessageCodec codec = new MessageCodec(new HighestUp());
        WireWriter body = new WireWriter();
        codec.write(ack(1), body);
        codec.write(SMALL, body);
        byte[] frame =
                peer.seal(drivers.id(2), body.toBytes(), body.length(), 0).orElseThrow();
        List<NodeEvent> events = new ArrayList<>();
        open(receiver, Optional.empty(), frame, 0, events::add);
        open(receiver, Optional.empty(), frame, 0, events::add);
        assertThat(events).as("nothing is proved").isEmpty();
        assertThat(toPeer).as("one question, though there is a copy").hasSize(1);
        assertThat(answerAll(peer, 0))
                .containsExactly(
                        new NodeEvent.Received(drivers.id(1), 1, ack(1)),
                        new NodeEvent.Received(drivers.id(1), 1, SMALL));
        open(receiver, Optional.empty(), frame, 0, events::add);
        assertThat(events).as("once").isEmpty();
        assertThat(answerAll(peer, 0)).as("a copy").isEmpty();
        assertThat(receiver.droppedByReason())
                .containsEntry("unproved-life", 1L)
                .containsEntry("stale-sequence", 1L);
    }

    @Test
    void frameOfADeadLifeIsNotHandledAfterTheNextLifesProof() {
        Links dead = peer(8);
        assertThat(hears(receiver, dead, drivers.id(2), 0)).isEmpty();
        toPeer.clear();
        Links living = peer(7);
        receiver.add(drivers.id(1), SMALL, 1);
        receiver.flush(1);
        byte[] asked = living.question((DecodedFrame.Dropped) living.open(toPeer.remove(0), 1));
        List<NodeEvent> events = new ArrayList<>();
        open(receiver, Optional.empty(), asked, 1, events::add);
        assertThat(toPeer).as("it is answered at once").hasSize(1);
        assertThat(events).isEmpty();
        assertThat(living.open(toPeer.remove(0), 1)).isInstanceOf(DecodedFrame.Accepted.class);
        assertThat(hears(receiver, living, drivers.id(2), 2))
                .containsExactly(new NodeEvent.Received(drivers.id(1), 7, SMALL));
    }

    private List<NodeEvent> acknowledges(Links peer, long now) {
        MessageCodec codec = new MessageCodec(new HighestUp());
        WireWriter body = new WireWriter();
        codec.write(ack(1), body);
        codec.write(SMALL, body);
        List<NodeEvent> events = new ArrayList<>();
        says(peer, now);
        byte[] frame =
                peer.seal(drivers.id(2), body.toBytes(), body.length(), now).orElseThrow();
        open(receiver, Optional.empty(), frame, now, events::add);
        return events;
    }

    // Each could give its vote to another: then two would lead.
    @Test
    void lifeThatFollowsAnotherOneIsBelievedInWhatVotersSendASupportTimeLater() {
        meet(peer(8), 0);
        Links present = peer(7);
        long taken = 500 * MILLI;
        meet(present, taken);
        NodeEvent small = new NodeEvent.Received(drivers.id(1), 7, SMALL);
        assertThat(acknowledges(present, taken + 250 * MILLI)).containsExactly(small);
        assertThat(receiver.droppedByReason()).containsEntry("not-believed", 1L);
        assertThat(acknowledges(present, taken + 500 * MILLI))
                .containsExactly(new NodeEvent.Received(drivers.id(1), 7, ack(1)), small);
    }

    @Test
    void secondProcessIsReportedWhenTheFirstIsHeardASupportTimeLater() {
        Links first = peer(8);
        meet(first, 0);
        Links second = peer(7);
        List<String> lines = logged(() -> {
            for (long now = 0; now <= 600 * MILLI; now += 25 * MILLI) {
                assertThat(hears(receiver, second, drivers.id(2), now)).isEmpty();
                // The second process gets none of it.
                toPeer.clear();
                says(first, now);
                assertThat(hears(receiver, first, drivers.id(2), now)).hasSize(1);
            }
        });
        assertThat(lines)
                .filteredOn(line -> line.contains("WARN"))
                .singleElement()
                .asString()
                .contains("node n2: a second process runs under the id of node n1: its life 7 is refused", "stop one");
    }

    @Test
    void anEmptyFrameOfAnUnknownLifeIsNotAnswered() {
        Links peer = peer(1);
        meet(peer, 0);
        hears(receiver, peer, drivers.id(2), 0);
        Links unknown = peer(2);
        says(peer, 0);
        byte[] empty = new Envelope(drivers.id(1), drivers.id(2), 2, 0, 9, 0, 3, 3, Envelope.Kind.MESSAGES)
                .write("test", new byte[0], 0, null);
        open(receiver, Optional.empty(), empty, 0, event -> {});
        assertThat(toPeer).isEmpty();
        hears(receiver, unknown, drivers.id(2), 0);
        assertThat(toPeer).as("a refusal and a question").hasSize(2);
    }

    @Test
    void aMessageOfAnotherAlgorithmIsSaidAndTheRestOfItsFrameArrives() {
        network.transport(drivers.id(1)).start((from, frame) -> open(sender, from, frame, 0, event -> {}));
        NodeSettings settings = drivers.settings(drivers.id(2));
        Post reader = new Post(
                settings,
                Optional.empty(),
                new BrokenAlgorithm(BrokenAlgorithm.Fault.READ),
                network.transport(drivers.id(2)),
                2,
                LOG,
                harm::add);
        List<NodeEvent> events = new ArrayList<>();
        network.transport(drivers.id(2)).start((sender, frame) -> open(reader, sender, frame, 0, events::add));
        add(SMALL);
        add(new Elect(1, 1, 0, 1, false, new HighestUp.Ping(7)));
        sender.flush(0);
        assertThat(events)
                .hasSize(2)
                .anyMatch(event -> event instanceof NodeEvent.Received received
                        && received.message().equals(SMALL))
                .anyMatch(event -> event instanceof NodeEvent.ForeignFrames frames
                        && frames.text().contains("node n1 sends messages of another algorithm"));
        assertThat(reader.dropped()).contains("messages of another algorithm 1");
    }
}
