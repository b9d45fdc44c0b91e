package io.quorate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.quorate.LeaderLatch.CloseMode;
import io.quorate.testkit.simulation.FakeEngine.FakeCandidacy;
import io.quorate.testkit.simulation.FakeEngine;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Who is called, when, in which order and on which thread. */
@Timeout(30)
class LeaderLatchListenerTest {

    private final FakeEngine engine = new FakeEngine();
    private final ElectionClient client = ElectionClient.over(engine);
    private final LeaderLatch latch = new LeaderLatch(client, "/p", "me", CloseMode.NOTIFY_LEADER);
    private final Recorder recorder = new Recorder();

    /** Runs its tasks when the test says so. */
    private static final class ManualExecutor implements Executor {
        private final Queue<Runnable> tasks = new ArrayDeque<>();

        @Override
        public synchronized void execute(Runnable task) {
            tasks.add(task);
        }

        synchronized int size() {
            return tasks.size();
        }

        void runOne() {
            Runnable task;
            synchronized (this) {
                task = tasks.remove();
            }
            task.run();
        }
    }

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

    // In Curator these have no message.
    @Test
    void nullsAreNamed() {
        assertThatNullPointerException().isThrownBy(() -> latch.addListener(null))
                .withMessage("listener cannot be null");
        assertThatNullPointerException().isThrownBy(() -> latch.addListener(null, Runnable::run))
                .withMessage("listener cannot be null");
        assertThatNullPointerException().isThrownBy(() -> latch.addListener(recorder, null))
                .withMessage("executor cannot be null");
    }

    @Test
    void callbacksAlternateInOrderOnDaemonThreadsOfTheLibrary() {
        latch.addListener(recorder);
        candidacy().grant(1);
        candidacy().end();
        candidacy().grant(2);
        Recorder.drain(latch);
        assertThat(recorder.events).containsExactly("isLeader", "notLeader", "isLeader");
        assertThat(recorder.threads).allMatch(Thread::isDaemon)
                .allMatch(thread -> thread.getName().startsWith("quorate-callback-"))
                .doesNotContain(Thread.currentThread());
    }

    // A tenure that is over before its callbacks begin is still told, in both parts.
    @Test
    void aTenureThatEndedBeforeItsCallbacksRanIsToldInFull() {
        CountDownLatch gate = new CountDownLatch(1);
        latch.addListener(new LeaderLatchListener() {
            @Override
            public void isLeader() {
                Recorder.await(gate, latch.getState());
            }

            @Override
            public void notLeader() {
            }
        });
        latch.addListener(recorder);
        candidacy().grant(1);
        candidacy().end();
        gate.countDown();
        Recorder.drain(latch);
        assertThat(recorder.events).containsExactly("isLeader", "notLeader");
    }

    @Test
    void aRemovedListenerIsNotCalledAnyMore() {
        ManualExecutor executor = new ManualExecutor();
        latch.addListener(recorder, executor);
        candidacy().grant(1);
        Recorder.drain(latch);
        latch.removeListener(recorder);
        executor.runOne();
        candidacy().end();
        Recorder.drain(latch);
        assertThat(recorder.events).isEmpty();
        assertThat(executor.size()).isZero();
    }

    // In Curator the rejection skips the later listeners and await is never woken.
    @Test
    void aRejectingExecutorLosesOnlyItsOwnCallback() throws Exception {
        latch.addListener(new Recorder(), task -> {
            throw new RejectedExecutionException("thrown by the test");
        });
        latch.addListener(recorder);
        candidacy().grant(1);
        assertThat(latch.await(Recorder.DEADLINE_SECONDS, TimeUnit.SECONDS)).isTrue();
        candidacy().end();
        Recorder.drain(latch);
        assertThat(recorder.events).containsExactly("isLeader", "notLeader");
        assertThat(candidacy().rejoins()).isEqualTo(1);
    }

    // Calls of one listener never overlap, whatever its executor does: the second is submitted after the first has run.
    @Test
    void anExecutorGetsOneCallbackAtATime() {
        ManualExecutor executor = new ManualExecutor();
        latch.addListener(recorder, executor);
        candidacy().grant(1);
        candidacy().end();
        Recorder.drain(latch);
        assertThat(executor.size()).isEqualTo(1);
        executor.runOne();
        Recorder.drain(latch);
        assertThat(recorder.events).containsExactly("isLeader");
        assertThat(executor.size()).isEqualTo(1);
        executor.runOne();
        assertThat(recorder.events).containsExactly("isLeader", "notLeader");
    }

    @Test
    void aDirectExecutorNeverRunsOnTheEnginesThread() {
        latch.addListener(recorder, Runnable::run);
        candidacy().grant(1);
        candidacy().end();
        Recorder.drain(latch);
        Recorder.drain(latch);
        assertThat(recorder.events).containsExactly("isLeader", "notLeader");
        assertThat(recorder.threads).doesNotContain(Thread.currentThread());
    }

    @Test
    void theContenderRejoinsOnlyAfterNotLeaderHasReturned() {
        ManualExecutor executor = new ManualExecutor();
        CountDownLatch gate = new CountDownLatch(1);
        latch.addListener(recorder, executor);
        latch.addListener(new LeaderLatchListener() {
            @Override
            public void isLeader() {
            }

            @Override
            public void notLeader() {
                Recorder.await(gate, latch.getState());
            }
        });
        candidacy().grant(1);
        Recorder.drain(latch);
        executor.runOne();
        candidacy().end();
        assertThat(candidacy().rejoins()).isZero();
        gate.countDown();
        Recorder.drain(latch);
        assertThat(candidacy().rejoins()).isZero();
        executor.runOne();
        assertThat(candidacy().rejoins()).isEqualTo(1);
    }

    @Test
    void aClosedLatchDoesNotRejoin() throws Exception {
        ManualExecutor executor = new ManualExecutor();
        latch.addListener(recorder, executor);
        candidacy().grant(1);
        candidacy().end();
        Recorder.drain(latch);
        latch.close();
        executor.runOne();
        Recorder.drain(latch);
        executor.runOne();
        assertThat(recorder.events).containsExactly("isLeader", "notLeader");
        assertThat(candidacy().rejoins()).isZero();
    }

    @Test
    void aBlockedCallbackDelaysOnlyItsOwnLatch() throws Exception {
        CountDownLatch gate = new CountDownLatch(1);
        latch.addListener(new LeaderLatchListener() {
            @Override
            public void isLeader() {
                Recorder.await(gate, latch.getState());
            }

            @Override
            public void notLeader() {
            }
        });
        candidacy().grant(1);
        LeaderLatch other = new LeaderLatch(client, "/p");
        other.addListener(recorder);
        other.start();
        engine.last().grant(2);
        Recorder.drain(other);
        assertThat(recorder.events).containsExactly("isLeader");
        assertThat(latch.hasLeadership()).isTrue();
        assertThat(latch.await(1, TimeUnit.MILLISECONDS)).as("and its listeners know").isFalse();
        latch.close(LeaderLatch.CloseMode.SILENT);
        assertThat(latch.hasLeadership()).isFalse();
        gate.countDown();
    }
}
