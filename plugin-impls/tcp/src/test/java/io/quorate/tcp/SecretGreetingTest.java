package io.quorate.tcp;

import static io.quorate.tcp.Dialler.hello;
import static io.quorate.tcp.Dialler.talk;
import static io.quorate.testkit.Deadline.await;
import static io.quorate.testkit.Deadline.repeat;
import static io.quorate.testkit.Inbox.frame;
import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.runtime.GreetingProof;
import io.quorate.settings.ClusterSecret;
import io.quorate.spi.NodeId;
import io.quorate.spi.Problem;
import io.quorate.spi.Proof;
import io.quorate.spi.Transport;
import io.quorate.spi.TransportProvider.Settings;
import io.quorate.tcp.Wire.Answer;
import io.quorate.tcp.Wire.Challenge;
import io.quorate.tcp.Wire.Hello;
import io.quorate.tcp.Wire.Welcome;
import io.quorate.testkit.CapturedLog;
import io.quorate.testkit.Inbox;
import io.quorate.testkit.RealTime;
import io.quorate.testkit.WaitingCall;
import java.io.EOFException;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Under a secret nobody gets a place by what it says; and what is shown is worth nothing elsewhere. */
class SecretGreetingTest {

    private static final NodeId A = new NodeId("a");
    private static final NodeId B = new NodeId("b");
    private static final Hello AS_B = hello(Nodes.CLUSTER, "b", "a", true);

    private final Nodes nodes = new Nodes("a", "b");
    private final CapturedLog log = new CapturedLog();
    private final Inbox ofA = new Inbox();
    private final Inbox ofB = new Inbox();

    @AfterEach
    void close() {
        nodes.close();
        log.close();
    }

    private static byte[] bytes(String secret) {
        return secret.repeat(16).getBytes(StandardCharsets.UTF_8);
    }

    private static Optional<Proof> proof(String secret) {
        return Optional.of(new GreetingProof(ClusterSecret.of(bytes(secret), Optional.empty()), Nodes.CLUSTER));
    }

    private static Optional<Proof> proof(String secret, String former) {
        ClusterSecret both = ClusterSecret.of(bytes(secret), Optional.of(bytes(former)));
        return Optional.of(new GreetingProof(both, Nodes.CLUSTER));
    }

    private TcpTransport start(NodeId id, Optional<Proof> proof, Transport.Receiver receiver) {
        return nodes.start(
                new Settings(Nodes.CLUSTER, id, nodes.addresses(), Optional.empty(), Optional.empty(), proof),
                receiver);
    }

    private void exchange(Optional<Proof> one, Optional<Proof> other) {
        TcpTransport a = start(A, one, ofA);
        TcpTransport b = start(B, other, ofB);
        repeat(() -> a.send(B, frame("to b")), () -> ofB.has("to b"), log::text);
        repeat(() -> b.send(A, frame("to a")), () -> ofA.has("to a"), log::text);
    }

    @Test
    void peerWithTheSecretIsAdmitted() {
        exchange(proof("s"), proof("s"));
    }

    @Test
    void soIsWhoShowsTheFormerOne() {
        exchange(proof("new", "old"), proof("old", "new"));
    }

    @RealTime
    @Test
    void sharedSecretDoesNotWarn() {
        exchange(proof("s"), proof("s"));
        assertThat(log.lines("WARN")).isEmpty();
    }

    @RealTime
    @Test
    void formerSecretDoesNotWarn() {
        exchange(proof("new", "old"), proof("old", "new"));
        assertThat(log.lines("WARN")).isEmpty();
    }

    @Test
    void anotherSecretIsNamedOnBothSides() {
        TcpTransport a = start(A, proof("s"), ofA);
        start(B, proof("t"), ofB);
        repeat(
                () -> a.send(B, frame("to b")),
                () -> !log.lines("WARN", "a: b at", "has another secret").isEmpty()
                        && !log.lines("WARN", "b: closes the connection", "has not shown that it knows our secret")
                                .isEmpty(),
                log::text);
        assertThat(ofB.all()).isEmpty();
        assertThat(a.problems()).singleElement().satisfies(problem -> {
            assertThat(problem.kind()).isEqualTo(Problem.Kind.SECRET);
            assertThat(problem.text()).startsWith("b at ").contains("has another secret; check the secret files");
        });
    }

    @Test
    void problemsEndWhenTheSecretIsRight() {
        TcpTransport a = start(A, proof("s"), ofA);
        TcpTransport wrong = start(B, proof("t"), ofB);
        repeat(() -> a.send(B, frame("to b")), () -> !a.problems().isEmpty(), log::text);
        wrong.close();
        start(B, proof("s"), ofB);
        repeat(() -> a.send(B, frame("to b")), () -> ofB.has("to b"), log::text);
        assertThat(a.problems()).isEmpty();
    }

    @Test
    void aSecretOnOneSideIsNamedOnBoth() {
        TcpTransport a = start(A, proof("s"), ofA);
        TcpTransport b = start(B, Optional.empty(), ofB);
        repeat(
                () -> a.send(B, frame("to b")),
                () -> !log.lines("WARN", "a: b at", "there 'no secret', here 'a secret'")
                                .isEmpty()
                        && !log.lines("WARN", "b: refuses", "a: it has a secret, this node no secret")
                                .isEmpty(),
                log::text);
        repeat(
                () -> b.send(A, frame("to a")),
                () -> !log.lines("WARN", "a: refuses", "b: it has no secret, this node a secret")
                        .isEmpty(),
                log::text);
        assertThat(ofA.all()).isEmpty();
        assertThat(ofB.all()).isEmpty();
    }

    /** In the name of a node that is connected, of one that is not, and of contenders: no name is taken by words. */
    @RealTime
    @Test
    void wordsAloneTakeNoNameAndNoPlace() throws Exception {
        TcpTransport a = start(A, proof("s"), ofA);
        Dialler[] strangers = new Dialler[8];
        for (int i = 0; i < strangers.length; i++) {
            strangers[i] = new Dialler(nodes.port("a"));
            strangers[i].send(Wire.HELLO, AS_B.toBytes());
            Challenge challenge = Challenge.read(strangers[i].read(Wire.CHALLENGE));
            assertThat(challenge.shown()).hasSize(Proof.LENGTH);
        }
        // The strangers wait for a second, and the node of that name does not wait for them.
        TcpTransport b = start(B, proof("s"), ofB);
        repeat(() -> b.send(A, frame("to a")), () -> ofA.has("to a"), log::text);
        a.send(B, frame("to b"));
        await(() -> ofB.has("to b"), log::text);
        for (Dialler stranger : strangers) {
            assertThat(stranger.awaitClosed()).as("bytes that it was told").isZero();
            stranger.close();
        }
        assertThat(log.lines("two processes")).isEmpty();
    }

    @Test
    void wrongProofIsRejected() throws Exception {
        start(A, proof("s"), ofA);
        talk(nodes.port("a"), stranger -> {
            stranger.send(Wire.HELLO, AS_B.toBytes());
            stranger.read(Wire.CHALLENGE);
            stranger.send(Wire.PROOF, new byte[Proof.LENGTH]);
            assertThat(Welcome.read(stranger.read(Wire.WELCOME)).answer()).isEqualTo(Answer.SECRET);
            assertThat(stranger.awaitClosed()).isZero();
        });
        await(() -> !log.lines("it has another secret, this node a secret").isEmpty(), log::text);
    }

    /** What a node has shown serves neither on another connection, nor for the other side. */
    @Test
    void proofIsValidOnce() throws Exception {
        start(A, proof("s"), ofA);
        AtomicReference<byte[]> shown = new AtomicReference<>();
        talk(nodes.port("a"), member -> {
            member.send(Wire.HELLO, AS_B.toBytes());
            Challenge challenge = Challenge.read(member.read(Wire.CHALLENGE));
            shown.set(proof("s").orElseThrow().of(Challenge.text(Wire.PROOF, AS_B.toBytes(), challenge.nonce())));
            member.send(Wire.PROOF, shown.get());
            assertThat(Welcome.read(member.read(Wire.WELCOME)).answer()).isEqualTo(Answer.ADMITTED);
        });
        for (boolean isReflected : new boolean[] {false, true}) {
            talk(nodes.port("a"), stranger -> {
                stranger.send(Wire.HELLO, AS_B.toBytes());
                Challenge challenge = Challenge.read(stranger.read(Wire.CHALLENGE));
                stranger.send(Wire.PROOF, isReflected ? challenge.shown() : shown.get());
                assertThat(Welcome.read(stranger.read(Wire.WELCOME)).answer())
                        .as("reflected: " + isReflected)
                        .isEqualTo(Answer.SECRET);
            });
        }
    }

    /** Somebody listens where a node was. */
    private void dialled(String line, Answering answering) throws Exception {
        dialled(ofA, line, answering);
    }

    private void dialled(Transport.Receiver receiver, String line, Answering answering) throws Exception {
        try (ServerSocket stranger = new ServerSocket(nodes.port("b"), 5, Nodes.loopback());
                TcpTransport a = start(A, proof("s"), receiver)) {
            // Again, if it was answered so late that the node has hung up.
            repeat(
                    () -> {
                        WaitingCall<Socket> dialled = new WaitingCall<>(stranger::accept);
                        repeat(() -> a.send(B, frame("to b")), dialled::isDone, log::text);
                        try (Dialler ofStranger = new Dialler(dialled.answer())) {
                            try {
                                answering.answer(ofStranger, Hello.read(ofStranger.read(Wire.HELLO)));
                            } catch (EOFException | SocketException e) {
                                // It has hung up.
                            }
                            assertThat(ofStranger.awaitClosed())
                                    .as("frames that it was told")
                                    .isZero();
                        } catch (Exception e) {
                            // Justification: what is answered declares it.
                            throw new AssertionError(e);
                        }
                    },
                    () -> !log.lines("b at", line).isEmpty(),
                    log::text);
        }
    }

    /** What a stranger says to a HELLO. */
    private interface Answering {
        void answer(Dialler to, Hello hello) throws Exception;
    }

    @Test
    void dialledPeerMustProveTheSecretToo() throws Exception {
        dialled(
                "has not shown that it knows the secret",
                (to, hello) -> to.send(
                        Wire.WELCOME,
                        new Welcome(Answer.ADMITTED, Wire.VERSION_MAX, hello.nonce(), "", "", 0).toBytes()));
    }

    /** These are said behind the proof. Believed without it, they keep a node calling, and its log silent. */
    @ParameterizedTest
    @EnumSource(names = {"CROSSED", "BUSY", "NO_ROOM"})
    void whoeverRefusesForWantOfAPlaceHasToShowItToo(Answer answer) throws Exception {
        dialled(
                "has not shown that it knows the secret",
                (to, hello) -> to.send(Wire.WELCOME, new Welcome(answer, 0, hello.nonce(), "", "", 0).toBytes()));
    }

    /** The life that a node at the address of b says has the place, and what the node there shows for its answer. */
    private List<Long> toldBusy(Optional<Proof> shown) throws Exception {
        List<Long> told = new CopyOnWriteArrayList<>();
        Proof known = proof("s").orElseThrow();
        dialled(
                new Transport.Receiver() {
                    @Override
                    public boolean received(Optional<NodeId> sender, byte[] frame) {
                        return true;
                    }

                    @Override
                    public void onPlaceTaken(NodeId by, long life) {
                        told.add(life);
                    }
                },
                "is connected with another process under our node id",
                (to, hello) -> {
                    byte[] greeted = hello.toBytes();
                    to.send(
                            Wire.CHALLENGE,
                            new Challenge(7, known.of(Challenge.text(Wire.CHALLENGE, greeted, 7))).toBytes());
                    to.read(Wire.PROOF);
                    byte[] said = new Welcome(Answer.BUSY, 0, hello.nonce(), "", "", 99).toBytes();
                    ByteBuffer text = ByteBuffer.allocate(greeted.length + said.length);
                    byte[] whole = text.put(greeted).put(said).array();
                    byte[] end = shown.map(proof -> proof.of(Challenge.text(Wire.WELCOME, whole, 0)))
                            .orElse(new byte[0]);
                    ByteBuffer welcome = ByteBuffer.allocate(said.length + end.length);
                    to.send(Wire.WELCOME, welcome.put(said).put(end).array());
                });
        return told;
    }

    /** Anyone on the way can change a WELCOME, and a node that believes in a second process stops. */
    @RealTime
    @Test
    void refusalsWithoutProofAreNotBelieved() throws Exception {
        assertThat(toldBusy(Optional.empty())).isEmpty();
        assertThat(toldBusy(proof("t"))).isEmpty();
    }

    @RealTime
    @Test
    void refusalsWithProofAreBelieved() throws Exception {
        assertThat(toldBusy(proof("s"))).isNotEmpty().containsOnly(99L);
    }

    /** A node shows each answer that it gives behind the proof. */
    @Test
    void nodesShowThatTheyAdmit() throws Exception {
        start(A, proof("s"), ofA);
        talk(nodes.port("a"), member -> {
            byte[] greeted = AS_B.toBytes();
            member.send(Wire.HELLO, greeted);
            Challenge challenge = Challenge.read(member.read(Wire.CHALLENGE));
            Proof known = proof("s").orElseThrow();
            member.send(Wire.PROOF, known.of(Challenge.text(Wire.PROOF, greeted, challenge.nonce())));
            byte[] welcome = member.read(Wire.WELCOME);
            int end = welcome.length - Proof.LENGTH;
            byte[] whole = ByteBuffer.allocate(greeted.length + end)
                    .put(greeted)
                    .put(welcome, 0, end)
                    .array();
            assertThat(known.isRight(
                            Challenge.text(Wire.WELCOME, whole, 0), Arrays.copyOfRange(welcome, end, welcome.length)))
                    .isTrue();
        });
    }

    @Test
    void andShowItRight() throws Exception {
        dialled(
                "has another secret",
                (to, hello) -> to.send(Wire.CHALLENGE, new Challenge(7, new byte[Proof.LENGTH]).toBytes()));
    }

    /** Who has shown it, or somebody in between, sends what no node sends. */
    @Test
    void framesThatNoNodeSendsEndTheConnection() throws Exception {
        start(A, Optional.empty(), (sender, frame) -> false);
        // Again, if it was cut off between two of them for being slow.
        repeat(
                () -> talk(nodes.port("a"), dialler -> {
                    assertThat(dialler.greet(hello(Nodes.CLUSTER, "b", "a")).answer())
                            .isEqualTo(Answer.ADMITTED);
                    for (int i = 0; i < Connection.FAILED_MAX; i++) {
                        dialler.send(Wire.DATA, new byte[3]);
                    }
                    assertThat(dialler.awaitClosed()).isZero();
                }),
                () -> !log.lines("16 frames in a row that no node of this cluster sends")
                        .isEmpty(),
                log::text);
    }

    /** Signs of life are no frames: whoever has nothing else gives way after a second. */
    @Test
    void signsOfLifeKeepNoName() throws Exception {
        start(A, Optional.empty(), ofA);
        TcpTransport b = start(B, Optional.empty(), ofB);
        talk(nodes.port("a"), pinging -> {
            assertThat(pinging.greet(hello(Nodes.CLUSTER, "b", "a")).answer()).isEqualTo(Answer.ADMITTED);
            repeat(
                    () -> {
                        b.send(A, frame("to a"));
                        try {
                            pinging.send(Wire.PING, new byte[0]);
                        } catch (java.io.IOException e) {
                            // It was closed, as it should be.
                        }
                    },
                    () -> ofA.has("to a"),
                    log::text);
        });
    }
}
