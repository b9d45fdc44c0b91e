package io.quorate;

import static java.util.concurrent.TimeUnit.HOURS;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.core.directory.PathView;
import io.quorate.core.step.Connection;
import io.quorate.spi.NodeId;
import io.quorate.testkit.simulation.FakeEngine;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The life of a client, its connection states, and waiting for them. */
@Timeout(30)
class ElectionClientTest {

    private final FakeEngine engine = new FakeEngine();
    private final ElectionClient client = ElectionClient.over(engine);

    @AfterEach
    void close() {
        client.close();
    }

    @Test
    void aClientIsStartedOnceAndClosedForEver() {
        assertThat(client.getState()).isEqualTo(ElectionClient.State.LATENT);
        client.start();
        assertThat(client.getState()).isEqualTo(ElectionClient.State.STARTED);
        assertThatIllegalStateException().isThrownBy(client::start).withMessage("Cannot be started more than once");
        client.close();
        client.close();
        assertThat(client.getState()).isEqualTo(ElectionClient.State.STOPPED);
        assertThatIllegalStateException().isThrownBy(client::start).withMessage("Cannot be started more than once");
        assertThat(engine.starts()).isEqualTo(1);
        assertThat(engine.closes()).isEqualTo(1);
    }

    @Test
    void aClientClosedBeforeItsStartStaysClosed() {
        client.close();
        assertThatIllegalStateException().isThrownBy(client::start).withMessage("Cannot be started more than once");
        assertThat(engine.starts()).isZero();
    }

    @Test
    void aFailedStartLeavesNothingRunningAndIsNotRetried() throws Exception {
        engine.failStart(new IOException("term file is locked"));
        LeaderLatch latch = new LeaderLatch(client, "/p");
        latch.start();
        assertThatExceptionOfType(UncheckedIOException.class).isThrownBy(client::start)
                .withMessage("term file is locked");
        assertThat(client.getState()).isEqualTo(ElectionClient.State.STOPPED);
        assertThat(engine.closes()).isEqualTo(1);
        assertThatThrownBy(latch::await).isInstanceOf(EOFException.class);
        assertThatIllegalStateException().isThrownBy(client::start).withMessage("Cannot be started more than once");
    }

    @Test
    void blockUntilConnectedWaitsForAMajority() throws Exception {
        client.start();
        assertThat(client.blockUntilConnected(1, MILLISECONDS)).isFalse();
        CompletableFuture<Boolean> waiting = CompletableFuture.supplyAsync(this::blockForAnHour);
        engine.connect(Connection.CONNECTED);
        assertThat(waiting.get(20, SECONDS)).isTrue();
        client.blockUntilConnected();
        assertThat(client.blockUntilConnected(0, null)).isTrue();
        engine.connect(Connection.SUSPENDED);
        assertThat(client.blockUntilConnected(1, MILLISECONDS)).isFalse();
        engine.connect(Connection.RECONNECTED);
        assertThat(client.blockUntilConnected(0, SECONDS)).isTrue();
    }

    private boolean blockForAnHour() {
        try {
            return client.blockUntilConnected(1, HOURS);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void blockUntilConnectedEndsWithTheClient() {
        CompletableFuture<Boolean> waiting = CompletableFuture.supplyAsync(this::blockForAnHour);
        client.start();
        client.close();
        assertThatThrownBy(() -> waiting.get(20, SECONDS)).hasCauseInstanceOf(ClientClosedException.class);
        assertThatThrownBy(client::blockUntilConnected).isInstanceOf(ClientClosedException.class);
    }

    @Test
    void blockUntilConnectedSaysWhyTheEngineStopped() {
        client.start();
        CompletableFuture<Boolean> waiting = CompletableFuture.supplyAsync(this::blockForAnHour);
        IllegalStateException cause = new IllegalStateException("two processes");
        engine.fail(cause);
        assertThatThrownBy(() -> waiting.get(20, SECONDS)).hasCause(cause);
        engine.connect(Connection.CONNECTED);
        assertThatThrownBy(client::blockUntilConnected).isSameAs(cause);
    }

    @Test
    void whoeverWaitsIsToldThatTheNodeHasStoppedByItself() throws Exception {
        client.start();
        LeaderLatch latch = new LeaderLatch(client, "/p");
        latch.start();
        CompletableFuture<Void> blocked = CompletableFuture.runAsync(() -> {
            try {
                latch.await();
            } catch (EOFException e) {
                throw new CompletionException(e);
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        CompletableFuture<Long> staged = latch.awaitAsync().toCompletableFuture();
        CompletableFuture<Optional<RuntimeException>> stopped = client.stopped().toCompletableFuture();
        assertThat(client.failure()).isEmpty();
        assertThat(stopped).isNotDone();
        IllegalStateException cause = new IllegalStateException("two processes");
        engine.fail(cause);
        assertThat(stopped.get(20, SECONDS)).containsSame(cause);
        assertThat(client.failure()).containsSame(cause);
        assertThat(client.getState()).isEqualTo(ElectionClient.State.STOPPED);
        assertThat(latch.getState()).isEqualTo(LeaderLatch.State.CLOSED);
        assertThat(latch.explain().reason()).isEqualTo("two processes");
        assertThatThrownBy(() -> blocked.get(20, SECONDS)).cause().isExactlyInstanceOf(EOFException.class)
                .hasMessage(null).hasCause(cause);
        assertThatThrownBy(() -> staged.get(20, SECONDS)).cause().isExactlyInstanceOf(EOFException.class)
                .hasCause(cause);
        assertThat(latch.await(1, HOURS)).isFalse();
        LeaderLatch late = new LeaderLatch(client, "/p");
        late.start();
        assertThatThrownBy(late::await).isExactlyInstanceOf(EOFException.class);
        latch.close();
        assertThat(engine.closes()).as("its port and its files are still in use").isZero();
        client.close();
        assertThat(engine.closes()).isEqualTo(1);
        assertThat(client.failure()).containsSame(cause);
    }

    @Test
    void aSelectorAndAnObserverEndWithTheNode() throws Exception {
        client.start();
        LeaderSelector selector = new LeaderSelector(client, "/p", new LeaderSelectorListenerAdapter() {
            @Override
            public void takeLeadership(ElectionClient source) {
                throw new AssertionError("it leads");
            }
        });
        selector.autoRequeue();
        selector.start();
        Recorder.until(() -> engine.candidacies().size() == 1, selector);
        LeaderObserver observer = new LeaderObserver(client, "/p");
        observer.start();
        engine.publish("/p", new PathView(List.of(new PathView.Entry(new NodeId("n1"), 1, "a", true)),
                OptionalLong.of(3)));
        assertThat(observer.getLeader().isLeader()).isTrue();
        engine.fail(new IllegalStateException("two processes"));
        assertThat(observer.getLeader().isLeader()).as("what it knew is no longer kept up").isFalse();
        Recorder.until(selector::requeue, selector);
        assertThat(engine.candidacies()).as("it queues no more").hasSize(1);
        selector.close();
        observer.close();
    }

    @Test
    void stoppedIsCompletedOnACallbackThreadWhenTheClientIsClosed() throws Exception {
        CompletableFuture<Thread> thread = client.stopped()
                .thenApply(failure -> failure.isPresent() ? null : Thread.currentThread()).toCompletableFuture();
        client.stopped().toCompletableFuture().cancel(false);
        client.start();
        client.close();
        assertThat(thread.get(20, SECONDS)).isNotNull().isNotSameAs(Thread.currentThread());
        assertThat(client.stopped().toCompletableFuture().get(20, SECONDS)).isEmpty();
    }

    @Test
    void connectionStateIsWhatListenersWereToldLast() {
        client.start();
        assertThat(client.connectionState()).isEmpty();
        engine.connect(Connection.CONNECTED);
        assertThat(client.connectionState()).contains(ConnectionState.CONNECTED);
        engine.connect(Connection.SUSPENDED);
        assertThat(client.connectionState()).contains(ConnectionState.SUSPENDED);
    }

    // A shutdown hook that closes what is being closed must not let the process end in the middle.
    @Test
    void theSecondCloseWaitsForTheFirst() throws Exception {
        CountDownLatch isClosing = new CountDownLatch(1);
        CountDownLatch gate = new CountDownLatch(1);
        engine.whileClosing(() -> {
            isClosing.countDown();
            Recorder.await(gate, "closing");
        });
        client.start();
        CompletableFuture<Void> first = CompletableFuture.runAsync(client::close);
        Recorder.await(isClosing, client.getState());
        Thread second = new Thread(client::close);
        second.start();
        Recorder.until(() -> second.getState() == Thread.State.BLOCKED, second);
        gate.countDown();
        second.join(SECONDS.toMillis(Recorder.DEADLINE_SECONDS));
        assertThat(second.isAlive()).isFalse();
        first.get(20, SECONDS);
        assertThat(engine.closes()).isEqualTo(1);
    }

    @Test
    void listenersSeeEachStateInOrderOffTheEnginesThread() {
        List<ConnectionState> states = new CopyOnWriteArrayList<>();
        List<Thread> threads = new CopyOnWriteArrayList<>();
        CountDownLatch isTold = new CountDownLatch(4);
        ConnectionStateListener listener = (source, state) -> {
            assertThat(source).isSameAs(client);
            states.add(state);
            threads.add(Thread.currentThread());
            isTold.countDown();
        };
        client.getConnectionStateListenable().addListener(listener);
        client.start();
        engine.connect(Connection.NONE);
        engine.connect(Connection.CONNECTED);
        engine.connect(Connection.SUSPENDED);
        engine.connect(Connection.LOST);
        engine.connect(Connection.RECONNECTED);
        Recorder.await(isTold, states);
        assertThat(states).containsExactly(ConnectionState.CONNECTED, ConnectionState.SUSPENDED, ConnectionState.LOST,
                ConnectionState.RECONNECTED);
        assertThat(threads).doesNotContain(Thread.currentThread());
        client.getConnectionStateListenable().removeListener(listener);
        assertThatNullPointerException().isThrownBy(() -> client.getConnectionStateListenable().addListener(null));
    }

    // What cannot be sent is refused by the engine; the fault is that latch's alone.
    @Test
    void aLatchThatTheEngineRefusesDoesNotKeepTheOthersOut() throws Exception {
        LeaderLatch refused = new LeaderLatch(client, "/refused");
        LeaderLatch joined = new LeaderLatch(client, "/p");
        refused.start();
        joined.start();
        engine.refuse("/refused");
        client.start();
        assertThat(engine.candidacies()).hasSize(1);
        LeaderLatch late = new LeaderLatch(client, "/refused");
        assertThatIllegalArgumentException().isThrownBy(late::start);
        for (LeaderLatch neverLeads : List.of(refused, late)) {
            assertThat(neverLeads.getState()).isEqualTo(LeaderLatch.State.CLOSED);
            assertThatThrownBy(neverLeads::await).isExactlyInstanceOf(EOFException.class);
        }
        assertThat(Race.kept(client)).isEqualTo(1);
        refused.close();
        joined.close();
    }

    @Test
    void aListenerMayCloseTheClient() {
        CountDownLatch isClosed = new CountDownLatch(1);
        client.getConnectionStateListenable().addListener((source, state) -> {
            source.close();
            isClosed.countDown();
        });
        client.start();
        engine.connect(Connection.CONNECTED);
        Recorder.await(isClosed, client.getState());
        assertThat(client.getState()).isEqualTo(ElectionClient.State.STOPPED);
    }
}
