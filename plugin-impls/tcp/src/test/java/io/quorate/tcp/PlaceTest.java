package io.quorate.tcp;

import static io.quorate.tcp.Dialler.hello;
import static io.quorate.testkit.Deadline.await;
import static io.quorate.testkit.Deadline.repeat;
import static io.quorate.testkit.Inbox.frame;
import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.spi.NodeId;
import io.quorate.spi.Transport;
import io.quorate.tcp.Wire.Answer;
import io.quorate.tcp.Wire.Welcome;
import io.quorate.testkit.Inbox;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A place belongs to a process, and not to its connection: docs/protocol.md#one-process-per-id. */
class PlaceTest {

    private static final NodeId A = new NodeId("a");
    private static final NodeId B = new NodeId("b");
    /** Nothing that a test does takes as long. */
    private static final long AN_HOUR = 3_600_000_000_000L;

    private final Nodes nodes = new Nodes("a", "b");

    @AfterEach
    void close() {
        nodes.close();
    }

    private record Taken(NodeId by, long life) {}

    /** One process, with the frames that it receives. */
    private static final class Process implements Transport.Receiver {
        private final Transport.Life life;
        private final Inbox inbox = new Inbox();
        private final List<Taken> taken = new CopyOnWriteArrayList<>();
        /** Whether what arrives is a copy of earlier frames, as the node judges it. */
        private volatile boolean isCopied;

        private Process(long name, long placeNanos) {
            life = new Transport.Life(name, placeNanos);
        }

        @Override
        public boolean received(Optional<NodeId> sender, byte[] frame) {
            return inbox.received(sender, frame);
        }

        @Override
        public boolean received(Optional<NodeId> sender, byte[] frame, Transport.Standing standing) {
            return isCopied ? received(sender, frame) : Transport.Receiver.super.received(sender, frame, standing);
        }

        @Override
        public Transport.Life life() {
            return life;
        }

        @Override
        public void onPlaceTaken(NodeId by, long other) {
            taken.add(new Taken(by, other));
        }
    }

    private Process start(NodeId id, long name, long placeNanos) {
        Process process = new Process(name, placeNanos);
        nodes.start(id.value(), process);
        return process;
    }

    private Welcome greet(long life) throws Exception {
        try (Dialler dialler = new Dialler(nodes.port("a"))) {
            return dialler.greet(hello(Nodes.CLUSTER, "b", "a", life));
        }
    }

    /** A process of node b sends this to a, and its connection ends. */
    private void speak(long life, Process a, String text, byte[]... bye) throws Exception {
        try (Dialler dialler = new Dialler(nodes.port("a"))) {
            assertThat(dialler.greet(hello(Nodes.CLUSTER, "b", "a", life)).answer())
                    .isEqualTo(Answer.ADMITTED);
            dialler.send(Wire.DATA, frame(text));
            await(() -> a.inbox.has(text), () -> "no frame");
            for (byte[] word : bye) {
                dialler.send(Wire.BYE, word);
                dialler.awaitClosed();
            }
        }
    }

    /** The end of a connection is noticed a little later. */
    private void awaitAdmission(long life) {
        repeat(
                () -> {},
                () -> {
                    try {
                        return greet(life).answer() == Answer.ADMITTED;
                    } catch (Exception e) {
                        // Too many connections a second, or the former one has not ended yet.
                        return false;
                    }
                },
                () -> "process " + life + " is not admitted");
    }

    @Test
    void placesOutliveTheirConnections() throws Exception {
        Process a = start(A, 1, AN_HOUR);
        speak(7, a, "first");
        Welcome refusal = greet(8);
        assertThat(refusal.answer()).isEqualTo(Answer.BUSY);
        assertThat(refusal.life()).isEqualTo(7);
        assertThat(greet(0).answer()).as("a build that names no process").isEqualTo(Answer.BUSY);
        awaitAdmission(7);
        assertThat(greet(8).answer()).isEqualTo(Answer.BUSY);
    }

    @Test
    void farewellsFreePlaces() throws Exception {
        Process a = start(A, 1, AN_HOUR);
        speak(7, a, "last", new byte[0]);
        awaitAdmission(8);
    }

    // The sender lives, and opens another connection when it has something to send.
    @Test
    void connectionsThatEndForNowKeepTheirPlace() throws Exception {
        Process a = start(A, 1, AN_HOUR);
        speak(7, a, "so far", Wire.BYE_FOR_NOW);
        assertThat(greet(8).answer()).isEqualTo(Answer.BUSY);
    }

    @Test
    void placesAreFreeAfterTheirTime() throws Exception {
        Process a = start(A, 1, 1);
        speak(7, a, "last");
        awaitAdmission(8);
    }

    // A process that lost its end of a connection, or dials at the same time, is not another one.
    @Test
    void theSameProcessIsNotTakenForAnother() throws Exception {
        Process a = start(A, 1, AN_HOUR);
        try (Dialler dialler = new Dialler(nodes.port("a"))) {
            Welcome welcome = dialler.greet(hello(Nodes.CLUSTER, "b", "a", 7));
            assertThat(welcome.life()).as("the process that answers").isEqualTo(1);
            dialler.send(Wire.DATA, frame("here"));
            await(() -> a.inbox.has("here"), () -> "no frame");
            assertThat(greet(7).answer()).isIn(Answer.CROSSED, Answer.ADMITTED);
        }
    }

    @Test
    void secondProcessesLearnThatTheirPlaceIsTaken() throws Exception {
        Process a = start(A, 1, AN_HOUR);
        speak(7, a, "first");
        Process second = new Process(8, AN_HOUR);
        Transport ofSecond = nodes.start("b", second);
        repeat(
                () -> ofSecond.send(A, frame("second")),
                // It is told again and again, because a node waits for the end of such answers.
                () -> second.taken.size() > 2,
                () -> "not told");
        assertThat(second.taken).containsOnly(new Taken(A, 7));
        assertThat(a.inbox.has("second")).isFalse();
    }

    // Anyone on the way can record a frame, and send it again over the connection of a process that is dead.
    @Test
    void copiesDoNotKeepPlaces() throws Exception {
        Process a = start(A, 1, AN_HOUR);
        a.isCopied = true;
        try (Dialler copying = new Dialler(nodes.port("a"))) {
            assertThat(copying.greet(hello(Nodes.CLUSTER, "b", "a", 7)).answer())
                    .isEqualTo(Answer.ADMITTED);
            repeat(
                    () -> {
                        try {
                            copying.send(Wire.DATA, frame("recorded"));
                        } catch (IOException e) {
                            // It was closed, as it should be.
                        }
                    },
                    () -> a.inbox.has("recorded"),
                    () -> "no frame");
            awaitAdmission(8);
        }
    }

    // An address may lead to the second process, while the first one dials itself. The second one is told when it
    // calls.
    @Test
    void secondProcessesThatAreDialledAreTurnedAway() throws Exception {
        Process a = new Process(1, AN_HOUR);
        Transport ofA = nodes.start("a", a);
        speak(7, a, "first");
        Process second = new Process(8, AN_HOUR);
        Transport ofSecond = nodes.start("b", second);
        repeat(
                () -> {
                    ofA.send(B, frame("for the first"));
                    ofSecond.send(A, frame("second"));
                },
                () -> second.taken.size() > 1,
                () -> "not told");
        assertThat(second.taken).containsOnly(new Taken(A, 7));
        assertThat(second.inbox.all()).as("what is meant for the first process").isEmpty();
        assertThat(a.inbox.has("second")).isFalse();
        awaitAdmission(7);
    }
}
