package io.quorate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.LeaderLatch.CloseMode;
import io.quorate.LeaderLatch.State;
import io.quorate.core.step.Tenure;
import io.quorate.runtime.SerialDispatcher;
import io.quorate.testkit.simulation.FakeEngine;
import java.io.EOFException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What closing a latch, or its client, does to leadership, listeners and waiting threads. */
@Timeout(30)
class LeaderLatchCloseTest {

    private final FakeEngine engine = new FakeEngine();
    private final ElectionClient client = ElectionClient.over(engine);
    private final LeaderLatch latch = new LeaderLatch(client, "/p");
    private final Recorder recorder = new Recorder();

    @BeforeEach
    void start() throws Exception {
        client.start();
        latch.addListener(recorder);
        latch.start();
    }

    @AfterEach
    void close() {
        client.close();
    }

    private Tenure lead() {
        Tenure tenure = engine.candidacies().get(0).grant(1);
        Recorder.drain(latch);
        return tenure;
    }

    @Test
    void silentCloseTellsNobodyAndEndsTheTenureBeforeItReturns() throws Exception {
        Tenure tenure = lead();
        latch.close();
        assertThat(tenure.isEnded()).isTrue();
        assertThat(latch.hasLeadership()).isFalse();
        assertThat(engine.last().leaves()).isEqualTo(1);
        Recorder.drain(latch);
        assertThat(recorder.events).containsExactly("isLeader");
    }

    @Test
    void notifyingCloseTellsNotLeaderToALeader() throws Exception {
        Tenure tenure = lead();
        latch.close(CloseMode.NOTIFY_LEADER);
        assertThat(tenure.isEnded()).isTrue();
        Recorder.drain(latch);
        assertThat(recorder.events).containsExactly("isLeader", "notLeader");
    }

    @Test
    void notifyingCloseTellsNothingToAFollower() throws Exception {
        latch.close(CloseMode.NOTIFY_LEADER);
        Recorder.drain(latch);
        assertThat(recorder.events).isEmpty();
    }

    @Test
    void theModeOfTheConstructorIsUsedByPlainClose() throws Exception {
        LeaderLatch notifying = new LeaderLatch(client, "/p", "", CloseMode.NOTIFY_LEADER);
        Recorder other = new Recorder();
        notifying.addListener(other);
        notifying.start();
        engine.last().grant(2);
        notifying.close();
        Recorder.drain(notifying);
        assertThat(other.events).containsExactly("isLeader", "notLeader");
    }

    // The listener would be told of a leadership that it is never told the end of.
    @Test
    void silentCloseTakesBackAnIsLeaderThatHasNotBegun() throws Exception {
        CountDownLatch gate = new CountDownLatch(1);
        CountDownLatch isBlocked = new CountDownLatch(1);
        LeaderLatch blocked = new LeaderLatch(client, "/p");
        blocked.addListener(blockedBy(gate, isBlocked));
        blocked.addListener(recorder);
        blocked.start();
        engine.last().grant(2);
        Recorder.await(isBlocked, blocked.getState());
        blocked.close();
        gate.countDown();
        Recorder.drain(blocked);
        assertThat(recorder.events).isEmpty();
    }

    // Leadership was lost before the close, so the listener has a right to know.
    @Test
    void silentCloseKeepsTheCallbacksOfATenureThatEndedBefore() throws Exception {
        CountDownLatch gate = new CountDownLatch(1);
        CountDownLatch isBlocked = new CountDownLatch(1);
        LeaderLatch blocked = new LeaderLatch(client, "/p");
        blocked.addListener(blockedBy(gate, isBlocked));
        blocked.addListener(recorder);
        blocked.start();
        engine.last().grant(2);
        Recorder.await(isBlocked, blocked.getState());
        engine.last().end();
        blocked.close();
        gate.countDown();
        Recorder.drain(blocked);
        assertThat(recorder.events).containsExactly("isLeader", "notLeader");
    }

    private static LeaderLatchListener blockedBy(CountDownLatch gate, CountDownLatch isBlocked) {
        return new LeaderLatchListener() {
            @Override
            public void isLeader() {
                isBlocked.countDown();
                Recorder.await(gate, "callback");
            }

            @Override
            public void notLeader() {
            }
        };
    }

    @Test
    void aLatchMayBeClosedInsideItsCallback() throws Exception {
        List<State> states = new CopyOnWriteArrayList<>();
        LeaderLatch closing = new LeaderLatch(client, "/p", "", CloseMode.NOTIFY_LEADER);
        closing.addListener(new LeaderLatchListener() {
            @Override
            public void isLeader() {
                try {
                    closing.close();
                } catch (IOException e) {
                    throw new AssertionError(e);
                }
            }

            @Override
            public void notLeader() {
                states.add(closing.getState());
            }
        });
        closing.addListener(recorder);
        closing.start();
        engine.last().grant(2);
        Recorder.drain(closing);
        Recorder.drain(closing);
        assertThat(states).containsExactly(State.CLOSED);
        assertThat(recorder.events).containsExactly("isLeader", "notLeader");
    }

    @Test
    void closingTheClientClosesItsLatchesEachInItsMode() throws Exception {
        LeaderLatch notifying = new LeaderLatch(client, "/q", "", CloseMode.NOTIFY_LEADER);
        Recorder other = new Recorder();
        notifying.addListener(other);
        notifying.start();
        Tenure first = lead();
        Tenure second = engine.last().grant(2);
        client.close();
        assertThat(first.isEnded()).isTrue();
        assertThat(second.isEnded()).isTrue();
        assertThat(latch.hasLeadership()).isFalse();
        assertThat(latch.getState()).isEqualTo(State.CLOSED);
        assertThatThrownBy(latch::await).isInstanceOf(EOFException.class);
        Recorder.drain(latch);
        Recorder.drain(notifying);
        assertThat(recorder.events).containsExactly("isLeader");
        assertThat(other.events).containsExactly("isLeader", "notLeader");
        assertThat(engine.closes()).isEqualTo(1);
    }

    @Test
    void afterTheClientTheFirstCloseIsQuietAndTheSecondIsRefused() throws Exception {
        client.close();
        assertThatCode(latch::close).doesNotThrowAnyException();
        assertThatIllegalStateException().isThrownBy(latch::close)
                .withMessage("Already closed or has not been started");
    }

    @Test
    void aLatchStartedBeforeItsClientJoinsWithIt() throws Exception {
        FakeEngine later = new FakeEngine();
        try (ElectionClient unstarted = ElectionClient.over(later)) {
            LeaderLatch early = new LeaderLatch(unstarted, "/p");
            LeaderLatch gone = new LeaderLatch(unstarted, "/p");
            early.start();
            gone.start();
            gone.close();
            assertThat(early.getState()).isEqualTo(State.STARTED);
            assertThat(early.getOurPath()).isNull();
            assertThat(later.candidacies()).isEmpty();
            unstarted.start();
            assertThat(later.candidacies()).hasSize(1);
            later.last().grant(1);
            assertThat(early.await(0, TimeUnit.SECONDS)).isTrue();
        }
    }

    // It can never lead, so whoever waits for that must learn it.
    @Test
    void aLatchThatIsStartedOnAClosedClientIsClosedAtOnce() throws Exception {
        client.close();
        LeaderLatch late = new LeaderLatch(client, "/p");
        late.start();
        assertThat(late.getState()).isEqualTo(State.CLOSED);
        assertThat(engine.candidacies()).hasSize(1);
        assertThatThrownBy(late::await).isExactlyInstanceOf(EOFException.class);
        assertThat(late.await(1, TimeUnit.HOURS)).isFalse();
        assertThat(late.awaitAsync().toCompletableFuture()).isCompletedExceptionally();
        assertThatCode(late::close).as("as after any client").doesNotThrowAnyException();
        assertThatIllegalStateException().isThrownBy(late::close);
    }

    @Test
    void whoWaitsForALatchWhoseClientIsClosedBeforeItsStartIsWoken() throws Exception {
        ElectionClient unstarted = ElectionClient.over(new FakeEngine());
        LeaderLatch early = new LeaderLatch(unstarted, "/p");
        early.start();
        CompletableFuture<Long> waiting = early.awaitAsync().toCompletableFuture();
        unstarted.close();
        assertThatThrownBy(() -> waiting.get(Recorder.DEADLINE_SECONDS, TimeUnit.SECONDS))
                .hasCauseInstanceOf(EOFException.class);
        assertThatThrownBy(early::await).isInstanceOf(EOFException.class);
    }

    // ---------------------------------------------------------------- what close waits for

    private LeaderLatch notifying(LeaderLatchListener listener) throws Exception {
        LeaderLatch notifying = new LeaderLatch(client, "/q", "", CloseMode.NOTIFY_LEADER);
        notifying.addListener(listener);
        notifying.start();
        engine.last().grant(2);
        Recorder.drain(notifying);
        return notifying;
    }

    /** In {@code notLeader} it blocks until the gate is open, and then notes that it has returned. */
    private final class Slow implements LeaderLatchListener {
        private final CountDownLatch isCalled = new CountDownLatch(1);
        private final CountDownLatch gate = new CountDownLatch(1);
        private volatile boolean hasReturned;

        @Override
        public void isLeader() {
        }

        @Override
        public void notLeader() {
            isCalled.countDown();
            Recorder.await(gate, this);
            hasReturned = true;
        }
    }

    private Thread closing(Runnable close, Slow slow) {
        Thread closing = new Thread(close);
        closing.start();
        Recorder.await(slow.isCalled, slow);
        Recorder.until(() -> closing.getState() == Thread.State.TIMED_WAITING, closing);
        return closing;
    }

    private static void closeNow(LeaderLatch open) {
        try {
            open.close();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    // In Curator it has run, so applications close next what it uses.
    @Test
    void notifyingCloseReturnsAfterNotLeader() throws Exception {
        Slow slow = new Slow();
        LeaderLatch notifying = notifying(slow);
        Thread closing = closing(() -> closeNow(notifying), slow);
        assertThat(engine.last().leaves()).as("the hand-over does not wait").isEqualTo(1);
        assertThat(notifying.hasLeadership()).isFalse();
        slow.gate.countDown();
        closing.join(TimeUnit.SECONDS.toMillis(Recorder.DEADLINE_SECONDS));
        assertThat(slow.hasReturned).isTrue();
        assertThat(closing.isAlive()).isFalse();
    }

    // Such as a task whose executor is shut down now, and that closes its latch at its end.
    @Test
    void notifyingCloseWaitsAlsoForAnInterruptedThreadAndKeepsTheFlag() throws Exception {
        Slow slow = new Slow();
        LeaderLatch notifying = notifying(slow);
        AtomicBoolean isInterrupted = new AtomicBoolean();
        Thread closing = closing(() -> {
            Thread.currentThread().interrupt();
            closeNow(notifying);
            isInterrupted.set(Thread.currentThread().isInterrupted() && slow.hasReturned);
        }, slow);
        closing.interrupt();
        Recorder.until(() -> !closing.isInterrupted() && closing.getState() != Thread.State.RUNNABLE, closing);
        assertThat(closing.isAlive()).isTrue();
        slow.gate.countDown();
        closing.join(TimeUnit.SECONDS.toMillis(Recorder.DEADLINE_SECONDS));
        assertThat(isInterrupted).isTrue();
    }

    @Test
    void notifyingCloseDoesNotWaitForAnExecutor() throws Exception {
        LeaderLatch notifying = new LeaderLatch(client, "/q", "", CloseMode.NOTIFY_LEADER);
        List<Runnable> kept = new CopyOnWriteArrayList<>();
        notifying.addListener(recorder, kept::add);
        notifying.start();
        engine.last().grant(2);
        Recorder.drain(notifying);
        notifying.close();
        assertThat(recorder.events).isEmpty();
        kept.get(0).run();
        Recorder.drain(notifying);
        kept.get(1).run();
        assertThat(recorder.events).containsExactly("isLeader", "notLeader");
    }

    @Test
    void closingTheClientReturnsAfterTheCallbacksOfAllItsLatches() throws Exception {
        Slow slow = new Slow();
        notifying(slow);
        lead();
        Thread closing = closing(client::close, slow);
        assertThat(engine.closes()).as("the hand-over does not wait").isEqualTo(1);
        assertThat(latch.hasLeadership()).isFalse();
        slow.gate.countDown();
        closing.join(TimeUnit.SECONDS.toMillis(Recorder.DEADLINE_SECONDS));
        assertThat(slow.hasReturned).isTrue();
        assertThat(closing.isAlive()).isFalse();
    }

    // It would wait for itself.
    @Test
    void aCallbackMayCloseItsClient() throws Exception {
        CountDownLatch isClosed = new CountDownLatch(1);
        notifying(new LeaderLatchListener() {
            @Override
            public void isLeader() {
                client.close();
                isClosed.countDown();
            }

            @Override
            public void notLeader() {
            }
        });
        Recorder.await(isClosed, latch);
    }

    @Test
    void aHangingCallbackHoldsUpCloseForABoundedTimeOnly() {
        Slow slow = new Slow();
        LatchContender contender = new LatchContender("/p", "", false,
                new LatchCallbacks(new SerialDispatcher(), Duration.ofMillis(20)));
        contender.listeners().addListener(slow);
        contender.start(Optional.empty());
        contender.join(engine, "/p");
        engine.last().grant(1);
        contender.awaitCallbacks(contender.close(true).orElseThrow().tell());
        assertThat(slow.hasReturned).isFalse();
        slow.gate.countDown();
    }

    // Nothing that may start a thread comes before the message that lets the successor lead.
    @Test
    void theHandOverLeavesBeforeAnybodyIsTold() throws Exception {
        List<String> order = new CopyOnWriteArrayList<>();
        FakeEngine observed = new FakeEngine();
        observed.callbacksOn(task -> {
            order.add("callback after " + observed.last().leaves() + " hand-overs");
            new Thread(task).start();
        });
        try (ElectionClient other = ElectionClient.over(observed)) {
            other.start();
            LeaderLatch led = new LeaderLatch(other, "/p", "", CloseMode.NOTIFY_LEADER);
            led.start();
            LeaderLatch waiting = new LeaderLatch(other, "/p");
            waiting.start();
            CompletableFuture<Long> stage = waiting.awaitAsync().toCompletableFuture();
            waiting.close();
            assertThatThrownBy(() -> stage.get(Recorder.DEADLINE_SECONDS, TimeUnit.SECONDS))
                    .hasCauseInstanceOf(EOFException.class);
            assertThat(order).containsExactly("callback after 1 hand-overs");
        }
    }

    @Test
    void notLeaderIsQueuedAfterTheHandOver() throws Exception {
        FakeEngine inline = new FakeEngine();
        inline.callbacksOn(Runnable::run);
        List<Integer> handOvers = new CopyOnWriteArrayList<>();
        try (ElectionClient other = ElectionClient.over(inline)) {
            other.start();
            LeaderLatch led = new LeaderLatch(other, "/p", "", CloseMode.NOTIFY_LEADER);
            led.addListener(new LeaderLatchListener() {
                @Override
                public void isLeader() {
                }

                @Override
                public void notLeader() {
                    handOvers.add(inline.last().leaves());
                }
            });
            led.start();
            inline.last().grant(1);
            led.close();
            assertThat(handOvers).containsExactly(1);
        }
    }

    @Test
    void aHangingNotLeaderKeepsTheContenderOutForABoundedTimeOnly() {
        CountDownLatch gate = new CountDownLatch(1);
        LatchContender contender = new LatchContender("/p", "", false,
                new LatchCallbacks(new SerialDispatcher(), Duration.ofMillis(20)));
        contender.listeners().addListener(new LeaderLatchListener() {
            @Override
            public void isLeader() {
            }

            @Override
            public void notLeader() {
                Recorder.await(gate, contender);
            }
        });
        contender.start(Optional.empty());
        contender.join(engine, "/p");
        engine.last().grant(1);
        engine.last().end();
        Recorder.until(() -> engine.last().rejoins() == 1, contender);
        gate.countDown();
        assertThat(LatchCallbacks.LIMIT).isEqualTo(Duration.ofSeconds(30));
    }
}
