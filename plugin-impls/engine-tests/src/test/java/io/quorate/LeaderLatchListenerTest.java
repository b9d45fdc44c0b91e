package io.quorate;

import static io.quorate.CallbackQueue.drain;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.quorate.LeaderLatch.CloseMode;
import io.quorate.engine.Connection;
import io.quorate.testkit.BlockingListener;
import io.quorate.testkit.Deadline;
import io.quorate.testkit.ManualExecutor;
import io.quorate.testkit.RecordingListener;
import io.quorate.testkit.simulation.Clients;
import io.quorate.testkit.simulation.FakeEngine;
import io.quorate.testkit.simulation.FakeEngine.FakeCandidacy;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Threads and queues of callbacks, which the contract cannot see: who is called when, and on which thread. */
class LeaderLatchListenerTest {

    private final FakeEngine engine = new FakeEngine();
    private final ElectionClient client = Clients.over(engine);
    private final LeaderLatch latch = new LeaderLatch(client, "/p", "me", CloseMode.NOTIFY_LEADER);
    private final RecordingListener listener = new RecordingListener();
    private final ManualExecutor executor = new ManualExecutor();

    @BeforeEach
    void start() throws Exception {
        client.start();
        latch.start();
    }

    @AfterEach
    void close() {
        client.close();
    }

    private FakeCandidacy candidacy() {
        return engine.candidacies().get(0);
    }

    private void leadsAndLoses() {
        candidacy().grant(1);
        candidacy().end();
    }

    // In Curator these have no message.
    @Test
    void nullsAreNamed() {
        assertThatNullPointerException()
                .isThrownBy(() -> latch.addListener(null))
                .withMessage("listener cannot be null");
        assertThatNullPointerException()
                .isThrownBy(() -> latch.addListener(null, executor))
                .withMessage("listener cannot be null");
        assertThatNullPointerException()
                .isThrownBy(() -> latch.addListener(listener, null))
                .withMessage("executor cannot be null");
    }

    @Test
    void callbacksAlternateInOrderOnDaemonThreadsOfTheLibrary() {
        latch.addListener(listener);
        leadsAndLoses();
        candidacy().grant(2);
        drain(latch);
        assertThat(listener.events).containsExactly("isLeader", "notLeader", "isLeader");
        assertThat(listener.threads)
                .allMatch(Thread::isDaemon)
                .allMatch(thread -> thread.getName().startsWith("quorate-callback-"))
                .doesNotContain(Thread.currentThread());
    }

    // A tenure that is over before its callbacks begin is still told, in both parts.
    @Test
    void aTenureThatEndedBeforeItsCallbacksRanIsToldInFull() {
        BlockingListener blocked = BlockingListener.inIsLeader();
        latch.addListener(blocked);
        latch.addListener(listener);
        leadsAndLoses();
        blocked.open();
        drain(latch);
        assertThat(listener.events).containsExactly("isLeader", "notLeader");
    }

    @Test
    void listenerRemovedBeforeItsCallbackIsNotCalled() {
        latch.addListener(listener, executor);
        candidacy().grant(1);
        drain(latch);
        latch.removeListener(listener);
        executor.runNext();
        candidacy().end();
        drain(latch);
        assertThat(listener.events).isEmpty();
        assertThat(executor.waiting()).isZero();
    }

    @Test
    void aRejectingExecutorDoesNotKeepTheContenderOut() throws Exception {
        latch.addListener(new RecordingListener(), task -> {
            throw new RejectedExecutionException("thrown by the test");
        });
        latch.addListener(listener);
        candidacy().grant(1);
        assertThat(latch.await(Deadline.SECONDS_MAX, TimeUnit.SECONDS)).isTrue();
        candidacy().end();
        drain(latch);
        assertThat(listener.events).containsExactly("isLeader", "notLeader");
        assertThat(candidacy().rejoins()).isEqualTo(1);
    }

    // Nothing is kept back: what the executor has, no shutdown of it loses.
    @Test
    void anExecutorGetsEachCallbackAtOnce() {
        latch.addListener(listener, executor);
        leadsAndLoses();
        drain(latch);
        assertThat(executor.waiting()).isEqualTo(2);
        executor.runNext();
        assertThat(listener.events).startsWith("isLeader");
        executor.runNext();
        assertThat(listener.events).containsExactly("isLeader", "notLeader");
    }

    @Test
    void anExecutorThatIsShutDownAfterTheCloseCallsNotLeader() throws Exception {
        ExecutorService pool = Executors.newSingleThreadExecutor();
        BlockingListener blocked = BlockingListener.inIsLeader();
        latch.addListener(blocked, pool);
        candidacy().grant(1);
        blocked.awaitCall();
        latch.close();
        pool.shutdown();
        blocked.open();
        assertThat(pool.awaitTermination(Deadline.SECONDS_MAX, TimeUnit.SECONDS))
                .isTrue();
        assertThat(blocked.events).containsExactly("isLeader", "notLeader");
    }

    // A second task neither calls the listener while the first does, nor blocks its thread: the first goes on with it.
    @Test
    void callsOfOneListenerDoNotOverlapOnAnExecutorOfManyThreads() throws Exception {
        BlockingListener blocked = BlockingListener.inIsLeader();
        latch.addListener(blocked, executor);
        leadsAndLoses();
        drain(latch);
        Thread first = new Thread(executor::runNext, "first");
        first.start();
        blocked.awaitCall();
        executor.runNext();
        assertThat(blocked.events).isEmpty();
        blocked.open();
        first.join();
        assertThat(blocked.events).containsExactly("isLeader", "notLeader");
        assertThat(blocked.threads).containsOnly(first);
    }

    // As DiscardPolicy, or a pool that is emptied: the next task brings what the lost one should have brought.
    @Test
    void aTaskThatTheExecutorForgetsTakesNoCallWithIt() {
        Queue<Runnable> accepted = new ArrayDeque<>();
        latch.addListener(listener, accepted::add);
        candidacy().grant(1);
        drain(latch);
        accepted.clear();
        candidacy().end();
        drain(latch);
        accepted.remove().run();
        assertThat(listener.events).containsExactly("isLeader", "notLeader");
        assertThat(candidacy().rejoins()).isEqualTo(1);
    }

    // What was refused is not called later, when another task comes.
    @Test
    void aRefusedCallIsLostAlone() {
        AtomicBoolean refuses = new AtomicBoolean(true);
        latch.addListener(listener, task -> {
            if (refuses.get()) {
                throw new RejectedExecutionException("thrown by the test");
            }
            executor.execute(task);
        });
        candidacy().grant(1);
        drain(latch);
        refuses.set(false);
        candidacy().end();
        drain(latch);
        executor.runNext();
        assertThat(listener.events).containsExactly("notLeader");
    }

    // The second call does not begin inside the first.
    @Test
    void aListenerMayCloseItsLatchOnADirectExecutor() {
        latch.addListener(
                new LeaderLatchListener() {
                    @Override
                    public void isLeader() {
                        listener.isLeader();
                        latch.closeAsync();
                        listener.note("returns");
                    }

                    @Override
                    public void notLeader() {
                        listener.notLeader();
                    }
                },
                Runnable::run);
        candidacy().grant(1);
        drain(latch);
        drain(latch);
        assertThat(listener.events).containsExactly("isLeader", "returns", "notLeader");
    }

    @Test
    void aDirectExecutorNeverRunsOnTheEnginesThread() {
        latch.addListener(listener, Runnable::run);
        leadsAndLoses();
        drain(latch);
        drain(latch);
        assertThat(listener.events).containsExactly("isLeader", "notLeader");
        assertThat(listener.threads).doesNotContain(Thread.currentThread());
    }

    @Test
    void theContenderRejoinsOnlyAfterNotLeaderHasReturned() {
        BlockingListener blocked = BlockingListener.inNotLeader();
        latch.addListener(listener, executor);
        latch.addListener(blocked);
        candidacy().grant(1);
        drain(latch);
        executor.runNext();
        candidacy().end();
        assertThat(candidacy().rejoins()).isZero();
        blocked.open();
        drain(latch);
        assertThat(candidacy().rejoins()).isZero();
        executor.runNext();
        assertThat(candidacy().rejoins()).isEqualTo(1);
    }

    @Test
    void aClosedLatchDoesNotRejoin() throws Exception {
        latch.addListener(listener, executor);
        leadsAndLoses();
        drain(latch);
        latch.close();
        executor.runNext();
        drain(latch);
        executor.runNext();
        assertThat(listener.events).containsExactly("isLeader", "notLeader");
        assertThat(candidacy().rejoins()).isZero();
    }

    @Test
    void twoThousandLatchesDoNotNeedTwoThousandThreads() throws Exception {
        int count = 2_000;
        int before = Thread.activeCount();
        for (int number = 0; number < count; number++) {
            LeaderLatch one = new LeaderLatch(client, "/p/" + number);
            one.addListener(listener);
            one.start();
        }
        // A pool that gets no turn for some milliseconds takes a callback for blocked, and has 256 threads at most.
        int threadsMax = count / 4;
        assertThat(Thread.activeCount() - before).isLessThan(threadsMax);
        engine.candidacies().forEach(candidacy -> candidacy.grant(1));
        engine.candidacies().forEach(FakeCandidacy::end);
        Deadline.until(() -> listener.events.size() == 2 * count, client);
        assertThat(Thread.activeCount() - before).isLessThan(threadsMax);
    }

    @Test
    void aBlockedCallbackDelaysOnlyItsOwnLatch() throws Exception {
        BlockingListener blocked = BlockingListener.inIsLeader();
        latch.addListener(blocked);
        candidacy().grant(1);
        LeaderLatch other = new LeaderLatch(client, "/p");
        other.addListener(listener);
        other.start();
        engine.last().grant(2);
        drain(other);
        assertThat(listener.events).containsExactly("isLeader");
        assertThat(latch.hasLeadership()).isTrue();
        // Justification: its listener is blocked, however long a slow machine waits.
        assertThat(latch.await(1, TimeUnit.MILLISECONDS))
                .as("and its listeners know")
                .isFalse();
        latch.close(CloseMode.SILENT);
        assertThat(latch.hasLeadership()).isFalse();
        blocked.open();
    }

    // One thread and no queue, which is enough for calls that come one at a time.
    @Test
    void aCallThatIsRefusedWhileTheListenerIsBusyIsMadeByTheThreadThatIsAtIt() throws Exception {
        ExecutorService pool = new ThreadPoolExecutor(1, 1, 0, TimeUnit.SECONDS, new SynchronousQueue<>());
        BlockingListener blocked = BlockingListener.inIsLeader();
        latch.addListener(blocked, pool);
        candidacy().grant(1);
        blocked.awaitCall();
        candidacy().end();
        drain(latch);
        blocked.open();
        pool.shutdown();
        pool.awaitTermination(Deadline.SECONDS_MAX, TimeUnit.SECONDS);
        assertThat(blocked.events).containsExactly("isLeader", "notLeader");
    }

    // The one thread is at other work of the application. The task of isLeader waits, and makes both calls.
    @Test
    void aCallThatIsRefusedWhileAnAcceptedTaskWaitsIsMadeByThatTask() throws Exception {
        CountDownLatch work = new CountDownLatch(1);
        ExecutorService pool = new ThreadPoolExecutor(1, 1, 0, TimeUnit.SECONDS, new ArrayBlockingQueue<>(1));
        pool.execute(() -> Deadline.await(work, "the application's work"));
        latch.addListener(listener, pool);
        candidacy().grant(1);
        drain(latch);
        candidacy().end();
        drain(latch);
        work.countDown();
        pool.shutdown();
        assertThat(pool.awaitTermination(Deadline.SECONDS_MAX, TimeUnit.SECONDS))
                .isTrue();
        assertThat(listener.events).containsExactly("isLeader", "notLeader");
    }

    // A process that cannot call isLeader cannot do the work of a leader: somebody else shall try.
    @Test
    void contenderRanksLastAfterItsExecutorDroppedTasks() {
        CountDownLatch work = new CountDownLatch(1);
        ExecutorService pool = Executors.newSingleThreadExecutor();
        pool.execute(() -> Deadline.await(work, "the application's work"));
        latch.addListener(listener, pool);
        candidacy().grant(1);
        drain(latch);
        assertThat(pool.shutdownNow()).hasSize(1);
        work.countDown();
        candidacy().end();
        drain(latch);
        for (int token = 2; token <= 10; token++) {
            candidacy().grant(token);
            candidacy().end();
            drain(latch);
        }
        assertThat(candidacy().lastRanks()).isNotEmpty();
    }

    // The one thread is at other work, and its queue has room for one task, which makes all calls in the end.
    @Test
    void theLastStateOfTheConnectionIsToldThoughTasksAreRefused() throws Exception {
        List<ConnectionState> seen = new CopyOnWriteArrayList<>();
        CountDownLatch work = new CountDownLatch(1);
        CountDownLatch handedOver = new CountDownLatch(1);
        ExecutorService pool = new ThreadPoolExecutor(1, 1, 0, TimeUnit.SECONDS, new ArrayBlockingQueue<>(1));
        pool.execute(() -> Deadline.await(work, "the application's work"));
        client.getConnectionStateListenable().addListener((c, state) -> seen.add(state), pool);
        client.getConnectionStateListenable().addListener((c, state) -> {
            if (state == ConnectionState.RECONNECTED) {
                handedOver.countDown();
            }
        });
        for (Connection next :
                List.of(Connection.CONNECTED, Connection.SUSPENDED, Connection.LOST, Connection.RECONNECTED)) {
            engine.connect(next);
        }
        Deadline.await(handedOver, "all are handed to the executor");
        work.countDown();
        pool.shutdown();
        assertThat(pool.awaitTermination(Deadline.SECONDS_MAX, TimeUnit.SECONDS))
                .isTrue();
        assertThat(seen).last().isEqualTo(ConnectionState.RECONNECTED);
    }

    // The executor has thrown the task away. The latch waits for the listener no longer than it is there.
    @Test
    void closeDoesNotWaitForARemovedListener() {
        latch.addListener(listener, task -> {});
        candidacy().grant(1);
        candidacy().end();
        drain(latch);
        assertThat(candidacy().rejoins()).isZero();
        latch.removeListener(listener);
        Deadline.await(() -> candidacy().rejoins() == 1, () -> "it has not rejoined");
    }

    // The application removes a listener, then shuts its executor down, while the one before it is still being called.
    @Test
    void removedListenerLeavesNoProblem() {
        for (int token = 1; token <= 4; token++) {
            CountDownLatch slow = new CountDownLatch(1);
            CountDownLatch begun = new CountDownLatch(1);
            LeaderLatchListener blocked = new BlockedUntil(begun, slow);
            LeaderLatchListener second = new RecordingListener();
            latch.addListener(blocked);
            latch.addListener(second, task -> {
                throw new RejectedExecutionException("shut down");
            });
            candidacy().grant(token);
            Deadline.await(begun, "the first is called");
            latch.removeListener(second);
            slow.countDown();
            candidacy().end();
            drain(latch);
            latch.removeListener(blocked);
        }
        assertThat(candidacy().lastRanks()).isEmpty();
    }

    // Beside it one whose executor was shut down, and throws tasks away: it never returns.
    @Test
    void throwingListenerRanksLastDespiteADeadExecutor() {
        latch.addListener(new LeaderLatchListener() {
            @Override
            public void isLeader() {
                throw new IllegalStateException("cannot do the work");
            }

            @Override
            public void notLeader() {
                // Nothing.
            }
        });
        latch.addListener(listener, task -> {});
        for (int token = 1; token <= 3; token++) {
            candidacy().grant(token);
            candidacy().end();
            drain(latch);
        }
        assertThat(candidacy().lastRanks()).hasSize(1);
    }

    /** Returns from each call when it may. */
    private record BlockedUntil(CountDownLatch begun, CountDownLatch mayReturn) implements LeaderLatchListener {

        @Override
        public void isLeader() {
            begun.countDown();
            Deadline.await(mayReturn, "it may return");
        }

        @Override
        public void notLeader() {
            // Nothing.
        }
    }

    // An executor that takes tasks and runs none, as that of an application which has shut it down may.
    @Test
    void droppedTasksAreBoundedAndGoToTheNextExecutor() {
        List<ConnectionState> seen = new CopyOnWriteArrayList<>();
        ConnectionStateListener states = (c, state) -> seen.add(state);
        client.getConnectionStateListenable().addListener(states, task -> {});
        int flaps = 600;
        CountDownLatch handedOver = new CountDownLatch(flaps);
        client.getConnectionStateListenable().addListener((c, state) -> {
            if (state == ConnectionState.RECONNECTED) {
                handedOver.countDown();
            }
        });
        engine.connect(Connection.CONNECTED);
        for (int i = 0; i < flaps; i++) {
            engine.connect(Connection.SUSPENDED);
            engine.connect(Connection.RECONNECTED);
        }
        Deadline.await(handedOver, "all are handed to the executor");
        client.getConnectionStateListenable().addListener(states, Runnable::run);
        Deadline.await(() -> seen.size() >= 1000, () -> seen.size() + " calls");
        assertThat(seen).hasSize(1000).last().isEqualTo(ConnectionState.RECONNECTED);
    }
}
