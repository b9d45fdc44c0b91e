package io.quorate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.engine.PathView;
import io.quorate.engine.PathView.Entry;
import io.quorate.spi.NodeId;
import io.quorate.testkit.Deadline;
import io.quorate.testkit.WaitingCall;
import io.quorate.testkit.simulation.Clients;
import io.quorate.testkit.simulation.FakeEngine;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What getLeader and getParticipants do with the engine: what they wait for, name, and let go. */
class LeaderLatchViewTest {

    private static final PathView TWO = new PathView(
            List.of(new Entry(new NodeId("n2"), 1, "b", true, 1), new Entry(new NodeId("n1"), 1, "a", false, 1)),
            OptionalLong.of(5));

    private final FakeEngine engine = new FakeEngine();
    private final ElectionClient client = Clients.over(
            engine,
            Clients.config()
                    .namespace("app")
                    .connectionTimeout(Duration.ofMillis(20))
                    .build());
    private final LeaderLatch latch = new LeaderLatch(client, "/p");

    @AfterEach
    void close() {
        client.close();
    }

    // Contenders without a leader are the moment between two tenures.
    @Test
    void contendersWithoutALeaderGiveTheDummyToo() throws Exception {
        client.start();
        engine.publish(
                "/app/p", new PathView(List.of(new Entry(new NodeId("n1"), 1, "a", false, 1)), OptionalLong.empty()));
        assertThat(latch.getLeader()).isEqualTo(new Participant("", false));
    }

    @Test
    void anUnansweredViewIsAConnectionLossThatNamesPathAndTimeOut() {
        client.start();
        assertThatExceptionOfType(ConnectionLossException.class)
                .isThrownBy(latch::getLeader)
                .withMessage("No voter has told who contends on /app/p within 20 ms; fake engine, NONE");
    }

    @Test
    void aFailedEngineSaysWhy() {
        client.start();
        IllegalStateException cause = new IllegalStateException("two processes");
        engine.fail(cause);
        assertThatThrownBy(latch::getLeader).isSameAs(cause);
    }

    // The engine stops while somebody waits: the reason is of more use than that time or the node is over.
    @Test
    void viewRequestFailsWithTheReasonOfTheStop() {
        client.start();
        IllegalStateException cause = new IllegalStateException("two processes");
        WaitingCall<Participant> late = WaitingCall.begun(latch::getLeader);
        engine.fail(cause);
        assertThatThrownBy(late::awaitAnswer).isSameAs(cause);
    }

    @Test
    void anAnswerThatFailsNamesPathAndCause() {
        // A slow machine does not reach the end of its time-out.
        try (ElectionClient patient = Clients.over(
                engine,
                Clients.config()
                        .namespace("app")
                        .connectionTimeout(Duration.ofMinutes(10))
                        .build())) {
            LeaderLatch patientLatch = new LeaderLatch(patient, "/p");
            patient.start();
            CompletableFuture<Participant> leader =
                    patientLatch.getLeaderAsync().toCompletableFuture();
            engine.close();
            assertThatThrownBy(() -> Deadline.get(leader)).cause().hasMessage("the contenders of /app/p are unknown");
            assertThatThrownBy(patientLatch::getLeader)
                    .hasMessage("the contenders of /app/p are unknown")
                    .cause()
                    .hasMessage("engine closed");
        }
    }

    @Test
    void aPathIsNoLongerWatchedWhenItsLastLatchIsClosed() throws Exception {
        client.start();
        engine.publish("/app/p", TWO);
        LeaderLatch other = new LeaderLatch(client, "/p");
        latch.start();
        other.start();
        latch.getLeader();
        other.close();
        assertThat(engine.unwatched()).isEmpty();
        latch.close();
        assertThat(engine.unwatched()).containsExactly("/app/p");
    }

    @Test
    void aQuestionThatWaitsKeepsThePathWatchedUntilItIsAnswered() throws Exception {
        client.start();
        latch.start();
        CompletableFuture<Participant> leader = latch.getLeaderAsync().toCompletableFuture();
        latch.close();
        assertThat(engine.unwatched()).isEmpty();
        engine.publish("/app/p", TWO);
        assertThat(Deadline.get(leader).getId()).isEqualTo("b");
        Deadline.until(() -> engine.unwatched().equals(List.of("/app/p")), engine.unwatched());
    }

    @Test
    void aQuestionThatTimesOutLetsThePathGo() throws Exception {
        client.start();
        latch.start();
        CompletableFuture<Participant> leader = latch.getLeaderAsync().toCompletableFuture();
        latch.close();
        assertThatThrownBy(() -> Deadline.get(leader)).hasCauseInstanceOf(ConnectionLossException.class);
        Deadline.until(() -> engine.unwatched().equals(List.of("/app/p")), engine.unwatched());
        assertThatThrownBy(latch::getLeader).isInstanceOf(ConnectionLossException.class);
        assertThat(engine.unwatched())
                .as("asked of a closed latch, it stays watched")
                .hasSize(1);
    }

    @Test
    void theNamespaceIsSeenByTheClusterOnly() throws Exception {
        client.start();
        LeaderLatch root = new LeaderLatch(client, "/");
        latch.start();
        assertThat(engine.last().path()).isEqualTo("/app/p");
        assertThat(latch.getOurPath()).startsWith("/p/_c_");
        root.start();
        assertThat(engine.last().path()).isEqualTo("/app");
        assertThat(root.getOurPath()).startsWith("/_c_");
    }

    @Test
    void aParticipantOfASubclassIsAnother() {
        assertThat(new Participant("x", true)).isNotEqualTo(new Participant("x", true) {});
    }
}
