package io.quorate;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.engine.PathView;
import io.quorate.spi.NodeId;
import io.quorate.testkit.ClusterSettings;
import io.quorate.testkit.SimulatedCluster;
import io.quorate.testkit.simulation.Clients;
import io.quorate.testkit.simulation.FakeEngine;
import io.quorate.testkit.simulation.HighestUp;
import java.io.EOFException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.List;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What a latch offers without a thread that waits. */
class StagesTest {

    private static final String PATH = "/app/leader";

    private final FakeEngine engine = new FakeEngine();
    private final Queue<Runnable> callbacks = new ArrayDeque<>();
    private final ElectionClient client = client();
    private final LeaderLatch latch = new LeaderLatch(client, PATH, "a");

    private ElectionClient client() {
        engine.callbacksQueuedIn(callbacks);
        ElectionClient started = Clients.over(engine);
        started.start();
        return started;
    }

    private void runCallbacks() {
        for (Runnable next = callbacks.poll(); next != null; next = callbacks.poll()) {
            next.run();
        }
    }

    @Test
    void awaitAsyncCompletesWithTheTokenOnACallbackThread() throws Exception {
        latch.start();
        CompletableFuture<Long> led = latch.awaitAsync().toCompletableFuture();
        engine.last().grant(7);
        assertThat(led).as("on the engine's thread").isNotDone();
        runCallbacks();
        assertThat(led).isCompletedWithValue(7L);
        assertThat(latch.awaitAsync().toCompletableFuture()).as("it leads").isCompletedWithValue(7L);
    }

    @Test
    void awaitAsyncEndsWithTheLatch() throws Exception {
        assertThat(latch.awaitAsync().toCompletableFuture())
                .as("LATENT")
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .havingCause()
                .isInstanceOf(EOFException.class);
        latch.start();
        CompletableFuture<Long> led = latch.awaitAsync().toCompletableFuture();
        latch.close();
        runCallbacks();
        assertThat(led)
                .isCompletedExceptionally()
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .havingCause()
                .isInstanceOf(EOFException.class);
        assertThat(latch.awaitAsync().toCompletableFuture()).as("CLOSED").isCompletedExceptionally();
    }

    @Test
    void awaitAsyncOutlivesATenureThatWasOverBeforeAnybodyAsked() throws Exception {
        latch.start();
        engine.last().grant(7);
        engine.last().end();
        CompletableFuture<Long> led = latch.awaitAsync().toCompletableFuture();
        runCallbacks();
        assertThat(led).isNotDone();
        engine.last().grant(8);
        runCallbacks();
        assertThat(led).isCompletedWithValue(8L);
    }

    @Test
    void viewsArriveOnACallbackThread() {
        CompletableFuture<Participant> leader = latch.getLeaderAsync().toCompletableFuture();
        CompletableFuture<Collection<Participant>> all =
                latch.getParticipantsAsync().toCompletableFuture();
        engine.publish(
                PATH,
                new PathView(
                        List.of(
                                new PathView.Entry(new NodeId("n1"), 1, "x", true, 1),
                                new PathView.Entry(new NodeId("n2"), 1, "y", false, 1)),
                        OptionalLong.of(3)));
        assertThat(leader).isNotDone();
        runCallbacks();
        assertThat(leader).isCompletedWithValue(new Participant("x", true));
        assertThat(all.join()).containsExactly(new Participant("x", true), new Participant("y", false));
    }

    @Test
    void viewsFailAsTheBlockingOnesDo() {
        LeaderLatch unstarted = new LeaderLatch(Clients.over(new FakeEngine()), PATH);
        assertThat(unstarted.getLeaderAsync().toCompletableFuture())
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .withMessageContaining("Expected state [STARTED] was [LATENT]");
        CompletableFuture<Participant> asked = latch.getLeaderAsync().toCompletableFuture();
        client.close();
        runCallbacks();
        assertThat(asked)
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .havingCause()
                .isInstanceOf(ClientClosedException.class);
    }

    @Test
    void viewWithoutAVoterFailsAfterTheConnectionTimeout() {
        try (SimulatedCluster cluster =
                new SimulatedCluster(ClusterSettings.ofVoters(3).contenders(1).algorithm(new HighestUp()))) {
            LeaderLatch cutOff = new LeaderLatch(cluster.client("c1"), PATH);
            cluster.isolate("c1");
            CompletableFuture<Participant> asked = cutOff.getLeaderAsync().toCompletableFuture();
            cluster.advance(ElectionSettings.DEFAULT_CONNECTION_TIMEOUT.minusMillis(1));
            assertThat(asked).isNotDone();
            cluster.advance(Duration.ofMillis(2));
            assertThat(asked)
                    .failsWithin(Duration.ZERO)
                    .withThrowableThat()
                    .havingCause()
                    .isInstanceOf(ConnectionLossException.class)
                    .withMessageContaining("/app/leader within 15000 ms");
        }
    }

    @Test
    void dependentsOfACloseRunOnACallbackThread() throws Exception {
        latch.start();
        CompletableFuture<Void> closed = latch.closeAsync().toCompletableFuture();
        assertThat(closed).as("on the caller's thread").isNotDone();
        runCallbacks();
        assertThat(closed).isCompleted();
    }

    @Test
    void dependentsOfATransferDoNotRunOnTheEnginesThread() throws Exception {
        latch.start();
        engine.last().grant(7);
        CompletableFuture<Void> done = latch.transferTo("b").toCompletableFuture();
        engine.last().transfers().get("b").complete(null);
        assertThat(done).isNotDone();
        runCallbacks();
        assertThat(done).isCompleted();
    }
}
