package io.quorate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.LeaderLatch.CloseMode;
import io.quorate.testkit.BlockingListener;
import io.quorate.testkit.ClusterSettings;
import io.quorate.testkit.Deadline;
import io.quorate.testkit.RecordingListener;
import io.quorate.testkit.SimulatedCluster;
import io.quorate.testkit.WaitingCall;
import io.quorate.testkit.simulation.Clients;
import io.quorate.testkit.simulation.FakeEngine;
import io.quorate.testkit.simulation.HighestUp;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** A client that is started and closed without a thread of the application that waits. */
class ClientStagesTest {

    private static final String ONCE = "Cannot be started more than once";

    private final FakeEngine engine = new FakeEngine();
    private final ElectionClient client = Clients.over(engine);
    private final CountDownLatch isBusy = new CountDownLatch(1);
    private final CountDownLatch gate = new CountDownLatch(1);
    private final List<Thread> threads = new CopyOnWriteArrayList<>();

    /** What takes its time, until the gate is open. */
    private void takeTime() {
        threads.add(Thread.currentThread());
        isBusy.countDown();
        Deadline.await(gate, "the gate");
    }

    private CompletableFuture<Void> startThatTakesTime() {
        engine.whileStarting(this::takeTime);
        CompletableFuture<Void> started = client.startAsync().toCompletableFuture();
        Deadline.await(isBusy, client.getState());
        return started;
    }

    private static Throwable failure(CompletionStage<?> stage) {
        CompletableFuture<Throwable> failure = new CompletableFuture<>();
        stage.whenComplete((value, cause) -> failure.complete(cause));
        try {
            return Deadline.get(failure);
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    // ---------------------------------------------------------------- startAsync

    @Test
    void aDaemonThreadOfTheLibraryWaitsForTheStart() throws Exception {
        CompletableFuture<Void> started = startThatTakesTime();
        assertThat(started).isNotDone();
        assertThat(client.getState()).isEqualTo(ElectionClient.State.LATENT);
        assertThat(threads).singleElement().matches(Thread::isDaemon).matches(thread -> thread.getName()
                .equals("quorate-start"));
        CompletableFuture<Thread> told = started.thenApply(nothing -> Thread.currentThread());
        gate.countDown();
        assertThat(Deadline.get(told)).isNotIn(Thread.currentThread(), threads.get(0));
        assertThat(client.getState()).isEqualTo(ElectionClient.State.STARTED);
        client.close();
    }

    @Test
    void aLatchThatIsStartedMeanwhileJoinsBeforeTheStageCompletes() throws Exception {
        CompletableFuture<Void> started = startThatTakesTime();
        LeaderLatch latch = new LeaderLatch(client, "/p");
        latch.start();
        LeaderObserver observer = new LeaderObserver(client, "/p");
        observer.start();
        assertThat(engine.candidacies()).isEmpty();
        assertThatIllegalStateException()
                .isThrownBy(latch::getLeader)
                .withMessage("Expected state [STARTED] was [LATENT]");
        gate.countDown();
        Deadline.get(started);
        assertThat(engine.candidacies()).hasSize(1);
        assertThat(engine.observers("/p")).isEqualTo(1);
        client.close();
    }

    @Test
    void aSecondStartIsRefusedAtOnce() throws Exception {
        CompletableFuture<Void> started = startThatTakesTime();
        assertThat(client.startAsync().toCompletableFuture()).isCompletedExceptionally();
        assertThat(failure(client.startAsync()))
                .isExactlyInstanceOf(IllegalStateException.class)
                .hasMessage(ONCE);
        assertThatIllegalStateException().isThrownBy(client::start).withMessage(ONCE);
        gate.countDown();
        Deadline.get(started);
        assertThat(failure(client.startAsync())).hasMessage(ONCE);
        client.close();
        assertThat(failure(client.startAsync())).hasMessage(ONCE);
        assertThat(engine.starts()).isEqualTo(1);
    }

    @Test
    void aStartThatFailsCompletesTheStageWithWhatStartThrows() throws Exception {
        engine.failStart(new IOException("term file is locked"));
        LeaderLatch latch = new LeaderLatch(client, "/p");
        latch.start();
        assertThat(failure(client.startAsync()))
                .isExactlyInstanceOf(UncheckedIOException.class)
                .hasMessage("term file is locked");
        assertThat(client.getState()).isEqualTo(ElectionClient.State.STOPPED);
        assertThat(engine.closes()).isEqualTo(1);
        assertThatThrownBy(latch::await).isInstanceOf(EOFException.class);
    }

    // Whoever has the stage learns it, as of everything else, and can close what is open.
    @Test
    void aSystemWithoutAThreadCompletesTheStages() {
        OutOfMemoryError failure = new OutOfMemoryError("meant to be thrown, by the test");
        engine.failThreads(failure);
        assertThat(failure(client.startAsync())).isSameAs(failure);
        assertThat(failure(client.closeAsync())).isSameAs(failure);
        assertThat(failure(client.closeAsync())).as("tried again").isSameAs(failure);
        assertThat(client.getState()).isEqualTo(ElectionClient.State.STOPPED);
        client.close();
        assertThat(engine.starts()).isZero();
        assertThat(engine.closes()).isEqualTo(1);
    }

    @Test
    void aNodeThatStopsByItselfWhileItStartsCompletesTheStageWithTheReason() {
        IllegalStateException cause = new IllegalStateException("two processes");
        engine.whileStarting(() -> engine.fail(cause));
        assertThat(failure(client.startAsync())).isSameAs(cause);
        client.close();
    }

    @Test
    void aClientThatIsClosedWhileItStartsIsClosedAfterItsStart() throws Exception {
        engine.whileClosing(() -> threads.add(Thread.currentThread()));
        CompletableFuture<Void> started = startThatTakesTime();
        LeaderLatch latch = new LeaderLatch(client, "/p");
        latch.start();
        CompletableFuture<Void> closed = client.closeAsync().toCompletableFuture();
        assertThat(client.getState()).isEqualTo(ElectionClient.State.STOPPED);
        assertThat(latch.getState()).isEqualTo(LeaderLatch.State.CLOSED);
        assertThat(engine.closes()).isZero();
        assertThat(started).isNotDone();
        assertThat(closed).isNotDone();
        gate.countDown();
        assertThat(failure(started)).isExactlyInstanceOf(ClientClosedException.class);
        Deadline.get(closed);
        assertThat(engine.closes()).isEqualTo(1);
        assertThat(engine.candidacies()).isEmpty();
        assertThat(threads).extracting(Thread::getName).containsExactly("quorate-start", "quorate-close");
    }

    @Test
    void aClientThatIsClosedBeforeItsStartBeginsIsNeverStarted() {
        Queue<Runnable> later = new ArrayDeque<>();
        FakeEngine queueing = new FakeEngine();
        queueing.callbacksQueuedIn(later);
        ElectionClient early = Clients.over(queueing);
        CompletableFuture<Void> started = early.startAsync().toCompletableFuture();
        early.close();
        for (Runnable next = later.poll(); next != null; next = later.poll()) {
            next.run();
        }
        assertThat(failure(started)).isExactlyInstanceOf(ClientClosedException.class);
        assertThat(queueing.starts()).isZero();
        assertThat(queueing.closes()).isEqualTo(1);
    }

    // ---------------------------------------------------------------- closeAsync

    private LeaderLatch leading(LeaderLatchListener told) throws Exception {
        client.start();
        LeaderLatch latch = new LeaderLatch(client, "/p", "", CloseMode.NOTIFY_LEADER);
        latch.addListener(told);
        latch.start();
        engine.last().grant(2);
        CallbackQueue.drain(latch);
        return latch;
    }

    @Test
    void leadershipIsOverBeforeTheNodeIsClosed() throws Exception {
        RecordingListener listener = new RecordingListener();
        LeaderLatch latch = leading(listener);
        engine.whileClosing(this::takeTime);
        CompletableFuture<Void> closed = client.closeAsync().toCompletableFuture();
        assertThat(latch.hasLeadership()).isFalse();
        assertThat(latch.getState()).isEqualTo(LeaderLatch.State.CLOSED);
        assertThat(client.getState()).isEqualTo(ElectionClient.State.STOPPED);
        Deadline.await(isBusy, client.getState());
        assertThat(closed).isNotDone();
        assertThat(listener.events).as("the hand-over comes before").containsExactly("isLeader");
        assertThat(threads).singleElement().matches(Thread::isDaemon).matches(thread -> thread.getName()
                .equals("quorate-close"));
        CompletableFuture<Thread> told = closed.thenApply(nothing -> Thread.currentThread());
        gate.countDown();
        assertThat(Deadline.get(told)).isNotIn(Thread.currentThread(), threads.get(0));
        assertThat(listener.events).containsExactly("isLeader", "notLeader");
    }

    @Test
    void theStageCompletesAfterTheCallbacksThatCloseWaitsFor() throws Exception {
        BlockingListener slow = BlockingListener.inNotLeader();
        leading(slow);
        CompletableFuture<Void> closed = client.closeAsync().toCompletableFuture();
        slow.awaitCall();
        assertThat(engine.closes()).isEqualTo(1);
        assertThat(closed).isNotDone();
        slow.open();
        Deadline.get(closed);
        assertThat(slow.hasReturned()).isTrue();
    }

    @Test
    void secondCloseWaitsUntilTheNodeHasStopped() throws Exception {
        client.start();
        engine.whileClosing(this::takeTime);
        CompletableFuture<Void> first = client.closeAsync().toCompletableFuture();
        Deadline.await(isBusy, client.getState());
        CompletableFuture<Void> second = client.closeAsync().toCompletableFuture();
        WaitingCall<Boolean> blocking = WaitingCall.begun(() -> {
            client.close();
            return gate.getCount() == 0;
        });
        assertThat(blocking.isDone()).isFalse();
        assertThat(second).isNotDone();
        gate.countDown();
        Deadline.get(first);
        Deadline.get(second);
        assertThat(blocking.awaitAnswer()).isTrue();
        Deadline.get(client.closeAsync().toCompletableFuture());
        assertThat(engine.closes()).isEqualTo(1);
    }

    @Test
    void howeverOftenAClientIsClosedOneThreadWaits() throws Exception {
        Queue<Runnable> later = new ArrayDeque<>();
        engine.callbacksQueuedIn(later);
        client.start();
        List<CompletableFuture<Void>> closed = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            closed.add(client.closeAsync().toCompletableFuture());
        }
        assertThat(later).as("what waits").hasSize(1);
        for (Runnable next = later.poll(); next != null; next = later.poll()) {
            next.run();
        }
        assertThat(closed).allMatch(CompletableFuture::isDone);
        assertThat(engine.closes()).isEqualTo(1);
    }

    @Test
    void aCloseThatFailsCompletesTheStageWithWhatCloseThrows() {
        client.start();
        IllegalStateException cause = new IllegalStateException("cannot close");
        engine.whileClosing(() -> {
            throw cause;
        });
        assertThat(failure(client.closeAsync())).isSameAs(cause);
        assertThat(client.getState()).isEqualTo(ElectionClient.State.STOPPED);
    }

    @Test
    void aClientThatWasNeverStartedIsClosedForEver() throws Exception {
        Deadline.get(client.closeAsync().toCompletableFuture());
        assertThatIllegalStateException().isThrownBy(client::start).withMessage(ONCE);
        assertThat(engine.starts()).isZero();
    }

    @Test
    void aCallbackMayCloseItsClientAndBeToldOfItsEnd() throws Exception {
        CompletableFuture<Void> closed = new CompletableFuture<>();
        client.start();
        LeaderLatch latch = new LeaderLatch(client, "/p", "", CloseMode.NOTIFY_LEADER);
        latch.addListener(new RecordingListener() {
            @Override
            public void isLeader() {
                client.closeAsync().thenRun(() -> closed.complete(null));
            }
        });
        latch.start();
        engine.last().grant(2);
        Deadline.get(closed);
    }

    // ---------------------------------------------------------------- virtual time

    @Test
    void inVirtualTimeBothHappenWhileTimePasses() throws Exception {
        try (SimulatedCluster cluster = new SimulatedCluster(
                ClusterSettings.ofVoters(3).algorithm(new HighestUp()).clientsAreStartedByTheTest())) {
            List<CompletableFuture<Void>> started = cluster.nodes().stream()
                    .map(node -> cluster.client(node).startAsync().toCompletableFuture())
                    .toList();
            List<LeaderLatch> latches = new CopyOnWriteArrayList<>();
            for (String node : cluster.nodes()) {
                latches.add(new LeaderLatch(cluster.client(node), "/p", node));
                latches.get(latches.size() - 1).start();
            }
            assertThat(started).noneMatch(CompletableFuture::isDone);
            cluster.awaitUntil("one leads", () -> latches.stream().anyMatch(LeaderLatch::hasLeadership));
            assertThat(started).allMatch(stage -> stage.isDone() && !stage.isCompletedExceptionally());
            LeaderLatch leader = latches.stream()
                    .filter(LeaderLatch::hasLeadership)
                    .findFirst()
                    .orElseThrow();
            CompletableFuture<Void> closed =
                    cluster.client(leader.getId()).closeAsync().toCompletableFuture();
            assertThat(leader.hasLeadership()).isFalse();
            assertThat(closed).isNotDone();
            cluster.advance(Duration.ofMillis(100));
            assertThat(closed).isCompleted();
            assertThat(latches.stream().filter(LeaderLatch::hasLeadership))
                    .as("handed over, long before the lease is over")
                    .hasSize(1);
        }
    }
}
