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
import static org.assertj.core.api.Assertions.catchThrowable;

import io.quorate.core.settings.NodeSettings;
import io.quorate.engine.Clock;
import io.quorate.engine.Connection;
import io.quorate.engine.LeaseTiming;
import io.quorate.engine.PathView;
import io.quorate.runtime.ElectionDriver;
import io.quorate.runtime.NodeEnvironment;
import io.quorate.runtime.TermStore;
import io.quorate.spi.NodeId;
import io.quorate.spi.RankOrder;
import io.quorate.spi.Timing;
import io.quorate.testkit.Deadline;
import io.quorate.testkit.WaitingCall;
import io.quorate.testkit.simulation.Clients;
import io.quorate.testkit.simulation.FakeEngine;
import io.quorate.testkit.simulation.HighestUp;
import io.quorate.testkit.simulation.LocalNetwork;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MonitorInfo;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The life of a client, its connection states, and waiting for them. */
class ElectionClientTest {

    private final FakeEngine engine = new FakeEngine();
    private final ElectionClient client = Clients.over(engine);

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
        assertThatExceptionOfType(UncheckedIOException.class)
                .isThrownBy(client::start)
                .withMessage("term file is locked");
        assertThat(client.getState()).isEqualTo(ElectionClient.State.STOPPED);
        assertThat(engine.closes()).isEqualTo(1);
        assertThatThrownBy(latch::await).isInstanceOf(EOFException.class);
        assertThatIllegalStateException().isThrownBy(client::start).withMessage("Cannot be started more than once");
    }

    @Test
    void blockUntilConnectedWaitsForAMajority() throws Exception {
        client.start();
        // Justification: nothing connects it, however long a slow machine waits.
        assertThat(client.blockUntilConnected(1, MILLISECONDS)).isFalse();
        WaitingCall<Boolean> waiting = WaitingCall.begun(() -> client.blockUntilConnected(1, HOURS));
        engine.connect(Connection.CONNECTED);
        assertThat(waiting.awaitAnswer()).isTrue();
        client.blockUntilConnected();
        assertThat(client.blockUntilConnected(0, null)).isTrue();
        engine.connect(Connection.SUSPENDED);
        // Justification: nothing connects it, however long a slow machine waits.
        assertThat(client.blockUntilConnected(1, MILLISECONDS)).isFalse();
        engine.connect(Connection.RECONNECTED);
        assertThat(client.blockUntilConnected(0, SECONDS)).isTrue();
    }

    @Test
    void blockUntilConnectedEndsWithTheClient() {
        WaitingCall<Boolean> waiting = WaitingCall.begun(() -> client.blockUntilConnected(1, HOURS));
        client.start();
        client.close();
        assertThatThrownBy(waiting::awaitAnswer).isInstanceOf(ClientClosedException.class);
        assertThatThrownBy(client::blockUntilConnected).isInstanceOf(ClientClosedException.class);
    }

    @Test
    void blockUntilConnectedSaysWhyTheEngineStopped() {
        client.start();
        WaitingCall<Boolean> waiting = WaitingCall.begun(() -> client.blockUntilConnected(1, HOURS));
        IllegalStateException cause = new IllegalStateException("two processes");
        engine.fail(cause);
        assertThatThrownBy(waiting::awaitAnswer).isSameAs(cause);
        engine.connect(Connection.CONNECTED);
        assertThatThrownBy(client::blockUntilConnected).isSameAs(cause);
    }

    @Test
    void waitersLearnThatTheNodeHasFailed() throws Exception {
        client.start();
        LeaderLatch latch = new LeaderLatch(client, "/p");
        latch.start();
        WaitingCall<Boolean> blocked = WaitingCall.begun(() -> {
            latch.await();
            return true;
        });
        CompletableFuture<Long> staged = latch.awaitAsync().toCompletableFuture();
        CompletableFuture<Optional<RuntimeException>> stopped = client.stopped().toCompletableFuture();
        assertThat(client.failure()).isEmpty();
        assertThat(stopped).isNotDone();
        IllegalStateException cause = new IllegalStateException("two processes");
        engine.fail(cause);
        assertThat(Deadline.get(stopped)).containsSame(cause);
        assertThat(client.failure()).containsSame(cause);
        assertThat(client.getState()).isEqualTo(ElectionClient.State.STOPPED);
        assertThat(latch.getState()).isEqualTo(LeaderLatch.State.CLOSED);
        assertThat(latch.explain().reason()).isEqualTo("two processes");
        assertThatThrownBy(blocked::awaitAnswer)
                .isExactlyInstanceOf(EOFException.class)
                .hasMessage(null)
                .hasCause(cause);
        assertThatThrownBy(() -> Deadline.get(staged))
                .cause()
                .isExactlyInstanceOf(EOFException.class)
                .hasCause(cause);
        assertThat(latch.await(1, HOURS)).isFalse();
        LeaderLatch late = new LeaderLatch(client, "/p");
        late.start();
        assertThatThrownBy(late::await).isExactlyInstanceOf(EOFException.class);
        latch.close();
        assertThat(engine.closes())
                .as("its port and its files are still in use")
                .isZero();
        client.close();
        assertThat(engine.closes()).isEqualTo(1);
        assertThat(client.failure()).containsSame(cause);
    }

    // The engine calls again if it throws; what has been told is not told again, and the rest is.
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void stopIsToldToEachLatchAlthoughMemoryIsLackingMeanwhile(int failing) throws Exception {
        FakeEngine own = new FakeEngine();
        AtomicInteger left = new AtomicInteger();
        own.callbacksOn(task -> {
            if (left.decrementAndGet() == 0) {
                throw new OutOfMemoryError("thrown by the test");
            }
            engine.callbacks().execute(task);
        });
        ElectionClient stopping = Clients.over(own);
        stopping.start();
        List<LeaderLatch> latches = List.of(new LeaderLatch(stopping, "/p"), new LeaderLatch(stopping, "/q"));
        List<CompletableFuture<Long>> staged = new ArrayList<>();
        for (LeaderLatch latch : latches) {
            latch.start();
            staged.add(latch.awaitAsync().toCompletableFuture());
        }
        IllegalStateException cause = new IllegalStateException("a full heap");
        left.set(failing);
        assertThatExceptionOfType(OutOfMemoryError.class).isThrownBy(() -> own.fail(cause));
        own.fail(cause);
        assertThat(Deadline.get(stopping.stopped().toCompletableFuture())).containsSame(cause);
        assertThat(latches).allMatch(latch -> latch.getState() == LeaderLatch.State.CLOSED);
        staged.forEach(stage -> assertThatThrownBy(() -> Deadline.get(stage)).hasRootCause(cause));
        stopping.close();
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
        Deadline.until(() -> engine.candidacies().size() == 1, selector);
        LeaderObserver observer = new LeaderObserver(client, "/p");
        observer.start();
        engine.publish(
                "/p", new PathView(List.of(new PathView.Entry(new NodeId("n1"), 1, "a", true, 1)), OptionalLong.of(3)));
        assertThat(observer.getLeader().isLeader()).isTrue();
        engine.fail(new IllegalStateException("two processes"));
        assertThat(observer.getLeader().isLeader())
                .as("what it knew is no longer kept up")
                .isFalse();
        Deadline.until(selector::requeue, selector);
        assertThat(engine.candidacies()).as("it queues no more").hasSize(1);
        selector.close();
        observer.close();
    }

    @Test
    void stoppedIsCompletedOnACallbackThreadWhenTheClientIsClosed() throws Exception {
        CompletableFuture<Thread> thread = client.stopped()
                .thenApply(failure -> failure.isPresent() ? null : Thread.currentThread())
                .toCompletableFuture();
        client.stopped().toCompletableFuture().cancel(false);
        client.start();
        client.close();
        assertThat(Deadline.get(thread)).isNotNull().isNotSameAs(Thread.currentThread());
        assertThat(client.stopped().toCompletableFuture().get(600, SECONDS)).isEmpty();
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

    private boolean closed() {
        client.close();
        return true;
    }

    // A virtual thread of JDK 21 to 23 that waits with a monitor keeps its carrier from all others.
    @Test
    void noMonitorIsHeldWhileTheNodeStartsOrCloses() throws Exception {
        List<MonitorInfo> held = new CopyOnWriteArrayList<>();
        Runnable look = () -> held.addAll(List.of(ManagementFactory.getThreadMXBean()
                .getThreadInfo(new long[] {Thread.currentThread().getId()}, true, false)[0]
                .getLockedMonitors()));
        engine.whileStarting(look);
        engine.whileClosing(look);
        client.start();
        client.close();
        assertThat(held).isEmpty();
    }

    // A shutdown hook that closes what is being closed must not let the process end in the middle.
    @Test
    void theSecondCloseWaitsForTheFirst() throws Exception {
        CountDownLatch isClosing = new CountDownLatch(1);
        CountDownLatch gate = new CountDownLatch(1);
        engine.whileClosing(() -> {
            isClosing.countDown();
            Deadline.await(gate, "closing");
        });
        client.start();
        WaitingCall<Boolean> first = WaitingCall.begun(this::closed);
        Deadline.await(isClosing, client.getState());
        WaitingCall<Boolean> second = WaitingCall.begun(this::closed);
        assertThat(second.isDone()).isFalse();
        gate.countDown();
        second.awaitAnswer();
        first.awaitAnswer();
        assertThat(engine.closes()).isEqualTo(1);
    }

    // As a shutdown hook does.
    @Test
    void aStartThatHangsInTheDiskHoldsUpNoClose() throws Exception {
        CountDownLatch goesOn = new CountDownLatch(1);
        CountDownLatch isStoreClosed = new CountDownLatch(1);
        TermStore hanging = new TermStore() {
            @Override
            public boolean isDurable() {
                return true;
            }

            @Override
            public Stored open() {
                Deadline.await(goesOn, "the disk hangs");
                return Stored.NOTHING;
            }

            @Override
            public void store(Stored stored) {
                // Nothing is kept.
            }

            @Override
            public void close() {
                isStoreClosed.countDown();
            }
        };
        NodeId self = new NodeId("n1");
        NodeSettings settings = new NodeSettings(
                "test",
                self,
                List.of(self),
                new LeaseTiming(25_000_000, 500_000_000, 10),
                new Timing(10_000_000),
                RankOrder.JOIN_ORDER,
                0,
                false);
        ElectionClient own = Clients.over(new ElectionDriver(
                settings,
                Optional.empty(),
                new HighestUp(),
                new LocalNetwork().transport(self),
                hanging,
                Clock.SYSTEM,
                NodeEnvironment.REAL));
        WaitingCall<Throwable> start = WaitingCall.begun(() -> catchThrowable(own::start));
        WaitingCall<Boolean> close = new WaitingCall<>(() -> {
            own.close();
            return true;
        });
        try {
            assertThat(close.awaitAnswer()).isTrue();
            assertThat(start.awaitAnswer()).isInstanceOf(ClientClosedException.class);
            assertThat(own.health().state()).isEqualTo(Health.State.CLOSED);
        } finally {
            goesOn.countDown();
        }
        Deadline.await(isStoreClosed, "what opens late is closed");
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
        Deadline.await(isTold, states);
        assertThat(states)
                .containsExactly(
                        ConnectionState.CONNECTED,
                        ConnectionState.SUSPENDED,
                        ConnectionState.LOST,
                        ConnectionState.RECONNECTED);
        assertThat(threads).doesNotContain(Thread.currentThread());
        client.getConnectionStateListenable().removeListener(listener);
        assertThatNullPointerException()
                .isThrownBy(() -> client.getConnectionStateListenable().addListener(null));
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
        Deadline.await(isClosed, client.getState());
        assertThat(client.getState()).isEqualTo(ElectionClient.State.STOPPED);
    }

    // ---------------------------------------------------------------- standby

    @Test
    void theEngineHearsOfEachChangeOfStandbyOnceItRuns() {
        client.standby(true);
        assertThat(engine.standBys()).isEmpty();
        client.start();
        client.standby(true);
        assertThat(engine.standBys()).containsExactly("its client is on standby");
        client.standby(false);
        client.standby(false);
        assertThat(engine.standBys()).containsExactly("its client is on standby", "no");
        client.close();
        client.standby(true);
        assertThat(engine.standBys()).hasSize(2);
    }

    // An engine has locks of its own, and closes the client under them when its node stops by itself.
    @Test
    void noLockIsHeldWhileTheEngineHearsOfStandby() {
        client.start();
        engine.whileStandingBy(() -> {
            Thread closing = new Thread(client::close);
            closing.start();
            Deadline.until(() -> engine.closes() == 1, "the client closes");
        });
        client.standby(true);
        assertThat(engine.standBys()).hasSize(1);
    }

    // Two threads change it at one moment, and the word of the first comes late.
    @Test
    void theNewestReasonCounts() {
        client.start();
        engine.whileStandingBy(() -> {
            engine.whileStandingBy(() -> {});
            client.standby(false);
        });
        client.standby(true);
        assertThat(engine.standBys()).containsExactly("no", "no");
    }

    // As where the heap is full for a moment: else nobody would ever ask it again.
    @Test
    void aQuestionThatFindsNoThreadIsAskedAgain() throws Exception {
        FakeEngine own = new FakeEngine();
        AtomicBoolean refuses = new AtomicBoolean();
        own.callbacksOn(task -> {
            if (refuses.getAndSet(false)) {
                throw new OutOfMemoryError("thrown by the test");
            }
            engine.callbacks().execute(task);
        });
        CountDownLatch isAsked = new CountDownLatch(1);
        try (ElectionClient asking = Clients.over(own)) {
            asking.start();
            refuses.set(true);
            Throwable thrown = catchThrowable(() -> asking.eligibleWhile(() -> {
                isAsked.countDown();
                return true;
            }));
            // If this thread stands still for a heartbeat, the timer asks first and gets the error.
            assertThat(thrown).satisfiesAnyOf(none -> assertThat(none).isNull(), error -> assertThat(error)
                    .isInstanceOf(OutOfMemoryError.class));
            Deadline.await(isAsked, "the next heartbeat");
            assertThat(refuses).isFalse();
        }
    }

    @Test
    void clientClosedDuringItsStartDoesNotCheckEligibility() {
        Queue<Runnable> queue = new ArrayDeque<>();
        FakeEngine own = new FakeEngine();
        own.callbacksQueuedIn(queue);
        ElectionClient closed = Clients.over(own);
        List<String> asked = new ArrayList<>();
        closed.eligibleWhile(() -> asked.add("asked"));
        closed.standby(true);
        own.whileStarting(closed::closeAsync);
        try {
            closed.start();
        } catch (ClientClosedException e) {
            // Justification: whether it is told so is another test's.
        }
        while (!queue.isEmpty()) {
            queue.remove().run();
        }
        assertThat(asked).isEmpty();
        assertThat(own.standBys()).isEmpty();
    }
}
