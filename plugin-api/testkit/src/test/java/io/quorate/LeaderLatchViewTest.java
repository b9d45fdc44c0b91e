package io.quorate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.core.directory.PathView;
import io.quorate.core.directory.PathView.Entry;
import io.quorate.spi.NodeId;
import io.quorate.testkit.simulation.FakeEngine;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Who leads and who takes part, as getLeader and getParticipants answer it. */
@Timeout(30)
class LeaderLatchViewTest {

    private static final PathView TWO = new PathView(List.of(new Entry(new NodeId("n2"), 1, "b", true),
            new Entry(new NodeId("n1"), 1, "a", false)), OptionalLong.of(5));

    private final FakeEngine engine = new FakeEngine();
    private final ElectionClient client = ElectionClient.over(engine, "app", Duration.ofMillis(20),
            new SessionConnectionStateErrorPolicy());
    private final LeaderLatch latch = new LeaderLatch(client, "/p");

    @AfterEach
    void close() {
        client.close();
    }

    @Test
    void participantsAreAnImmutableListInOrderWithTheLeaderFlagged() throws Exception {
        client.start();
        engine.publish("/app/p", TWO);
        assertThat(latch.getParticipants()).containsExactly(new Participant("b", true), new Participant("a", false));
        assertThat(latch.getLeader()).isEqualTo(new Participant("b", true));
        assertThatThrownBy(() -> latch.getParticipants().clear()).isInstanceOf(UnsupportedOperationException.class);
    }

    @Test
    void viewsWorkOnLatentAndClosedLatches() throws Exception {
        client.start();
        engine.publish("/app/p", TWO);
        latch.start();
        latch.close();
        assertThat(latch.getLeader().getId()).isEqualTo("b");
        assertThat(new LeaderLatch(client, "/p").getParticipants()).hasSize(2);
    }

    @Test
    void nobodyIsADummyAndNeverNull() throws Exception {
        client.start();
        engine.publish("/app/p", PathView.EMPTY);
        assertThat(latch.getLeader()).isEqualTo(new Participant("", false));
        assertThat(latch.getParticipants()).isEmpty();
    }

    // Contenders without a leader are the moment between two tenures.
    @Test
    void contendersWithoutALeaderGiveTheDummyToo() throws Exception {
        client.start();
        engine.publish("/app/p", new PathView(List.of(new Entry(new NodeId("n1"), 1, "a", false)),
                OptionalLong.empty()));
        assertThat(latch.getLeader()).isEqualTo(new Participant("", false));
    }

    @Test
    void anUnansweredViewIsAConnectionLossThatNamesPathAndTimeOut() {
        client.start();
        assertThatExceptionOfType(ConnectionLossException.class).isThrownBy(latch::getLeader)
                .withMessage("No voter has told who contends on /app/p within 20 ms; fake engine, NONE");
    }

    @Test
    void anUnstartedClientIsRefused() {
        assertThatIllegalStateException().isThrownBy(latch::getLeader)
                .withMessage("Expected state [STARTED] was [LATENT]");
        assertThatIllegalStateException().isThrownBy(latch::getParticipants)
                .withMessage("Expected state [STARTED] was [LATENT]");
    }

    @Test
    void aClosedClientIsRefused() {
        client.start();
        client.close();
        assertThatExceptionOfType(ClientClosedException.class).isThrownBy(latch::getParticipants)
                .withMessage("Expected state [STARTED] was [STOPPED]");
        assertThat(IllegalStateException.class).isAssignableFrom(ClientClosedException.class);
    }

    @Test
    void aFailedEngineSaysWhy() {
        client.start();
        IllegalStateException cause = new IllegalStateException("two processes");
        engine.fail(cause);
        assertThatThrownBy(latch::getLeader).isSameAs(cause);
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
        assertThat(leader.get(Recorder.DEADLINE_SECONDS, TimeUnit.SECONDS).getId()).isEqualTo("b");
        Recorder.until(() -> engine.unwatched().equals(List.of("/app/p")), engine.unwatched());
    }

    @Test
    void aQuestionThatTimesOutLetsThePathGo() throws Exception {
        client.start();
        latch.start();
        CompletableFuture<Participant> leader = latch.getLeaderAsync().toCompletableFuture();
        latch.close();
        assertThatThrownBy(() -> leader.get(Recorder.DEADLINE_SECONDS, TimeUnit.SECONDS))
                .hasCauseInstanceOf(ConnectionLossException.class);
        Recorder.until(() -> engine.unwatched().equals(List.of("/app/p")), engine.unwatched());
        assertThatThrownBy(latch::getLeader).isInstanceOf(ConnectionLossException.class);
        assertThat(engine.unwatched()).as("asked of a closed latch, it stays watched").hasSize(1);
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
    void participantsAreValues() {
        Participant leader = new Participant("x", true);
        assertThat(leader).isEqualTo(new Participant("x", true)).hasSameHashCodeAs(new Participant("x", true))
                .isNotEqualTo(new Participant("x", false)).isNotEqualTo(new Participant("y", true))
                .isNotEqualTo(new Participant("x", true) { }).hasToString("Participant{id='x', isLeader=true}");
        assertThat(leader.hashCode()).isEqualTo(31 * "x".hashCode() + 1);
        assertThatThrownBy(() -> new Participant(null, true).hashCode()).isInstanceOf(NullPointerException.class);
    }
}
