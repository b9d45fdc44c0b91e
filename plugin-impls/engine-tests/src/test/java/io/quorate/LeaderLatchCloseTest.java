package io.quorate;

import static io.quorate.CallbackQueue.drain;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.quorate.LeaderLatch.CloseMode;
import io.quorate.client.LatchCallbacks;
import io.quorate.client.LatchContender;
import io.quorate.testkit.BlockingListener;
import io.quorate.testkit.CapturedLog;
import io.quorate.testkit.Deadline;
import io.quorate.testkit.RealTime;
import io.quorate.testkit.RecordingListener;
import io.quorate.testkit.WaitingCall;
import io.quorate.testkit.simulation.Clients;
import io.quorate.testkit.simulation.FakeEngine;
import java.io.EOFException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What closing waits for, in what order it does things, and callbacks that are under way meanwhile. */
class LeaderLatchCloseTest {

    private final FakeEngine engine = new FakeEngine();
    private final ElectionClient client = Clients.over(engine);
    private final LeaderLatch latch = new LeaderLatch(client, "/p");
    private final RecordingListener listener = new RecordingListener();

    @BeforeEach
    void start() {
        client.start();
    }

    @AfterEach
    void close() {
        client.close();
    }

    /** Leads; its callbacks wait behind one that blocks. */
    private BlockingListener leadsBehindABlockedCallback() throws Exception {
        BlockingListener blocked = BlockingListener.inIsLeader();
        latch.addListener(blocked);
        latch.addListener(listener);
        latch.start();
        engine.last().grant(2);
        blocked.awaitCall();
        return blocked;
    }

    // The listener would be told of a leadership that it is never told the end of.
    @Test
    void silentCloseTakesBackAnIsLeaderThatHasNotBegun() throws Exception {
        BlockingListener blocked = leadsBehindABlockedCallback();
        latch.close();
        blocked.open();
        drain(latch);
        assertThat(listener.events).isEmpty();
    }

    // Leadership was lost before the close, so the listener has a right to know.
    @Test
    void silentCloseKeepsTheCallbacksOfATenureThatEndedBefore() throws Exception {
        BlockingListener blocked = leadsBehindABlockedCallback();
        engine.last().end();
        latch.close();
        blocked.open();
        drain(latch);
        assertThat(listener.events).containsExactly("isLeader", "notLeader");
    }

    @Test
    void closeOfAnUnstartedClientWakesWaiters() throws Exception {
        ElectionClient unstarted = Clients.over(new FakeEngine());
        LeaderLatch early = new LeaderLatch(unstarted, "/p");
        early.start();
        CompletableFuture<Long> waiting = early.awaitAsync().toCompletableFuture();
        unstarted.close();
        assertThatThrownBy(() -> Deadline.get(waiting)).hasCauseInstanceOf(EOFException.class);
        assertThatThrownBy(early::await).isInstanceOf(EOFException.class);
    }

    // ---------------------------------------------------------------- what close waits for

    private LeaderLatch notifying(LeaderLatchListener told) throws Exception {
        LeaderLatch notifying = new LeaderLatch(client, "/q", "", CloseMode.NOTIFY_LEADER);
        notifying.addListener(told);
        notifying.start();
        engine.last().grant(2);
        drain(notifying);
        return notifying;
    }

    // As of a thread of a transport that throws when it is woken, or a heap that is full for a moment.
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aNodeThatCannotBeToldKeepsNobodyFromHearingOfTheEnd(boolean isError) throws Exception {
        LeaderLatch notifying = notifying(listener);
        engine.last().onLeave(() -> {
            if (isError) {
                throw new OutOfMemoryError("thrown by the test");
            }
            throw new IllegalStateException("thrown by the test");
        });
        try (CapturedLog log = new CapturedLog()) {
            assertThat(catchThrowable(notifying::close)).isNull();
            assertThat(log.lines("ERROR", "may not have heard that it leaves")).hasSize(1);
        }
        assertThat(listener.events).containsExactly("isLeader", "notLeader");
    }

    @Test
    void aNodeThatCannotBeToldKeepsNoClientOpen() throws Exception {
        LeaderLatch drains = notifying(listener);
        drains.drain(leadership -> CompletableFuture.completedFuture(null), Duration.ofHours(1));
        latch.start();
        engine.last().onLeave(() -> {
            throw new IllegalStateException("thrown by the test");
        });
        client.close();
        assertThat(engine.closes()).isEqualTo(1);
        assertThat(listener.events).containsExactly("isLeader", "notLeader");
    }

    private static <T> WaitingCall<T> waitingFor(BlockingListener slow, Callable<T> call) {
        WaitingCall<T> waiting = WaitingCall.begun(call);
        slow.awaitCall();
        assertThat(waiting.isDone()).isFalse();
        return waiting;
    }

    // In Curator it has run, so applications close next what it uses.
    @Test
    void notifyingCloseReturnsAfterNotLeader() throws Exception {
        BlockingListener slow = BlockingListener.inNotLeader();
        LeaderLatch notifying = notifying(slow);
        WaitingCall<Boolean> closing = waitingFor(slow, () -> {
            notifying.close();
            return slow.hasReturned();
        });
        assertThat(engine.last().leaves()).as("the hand-over does not wait").isEqualTo(1);
        assertThat(notifying.hasLeadership()).isFalse();
        slow.open();
        assertThat(closing.awaitAnswer()).isTrue();
    }

    // Such as a task whose executor is shut down now, and that closes its latch at its end.
    @Test
    void notifyingCloseWaitsAlsoForAnInterruptedThreadAndKeepsTheFlag() throws Exception {
        BlockingListener slow = BlockingListener.inNotLeader();
        LeaderLatch notifying = notifying(slow);
        WaitingCall<Boolean> closing = waitingFor(slow, () -> {
            Thread.currentThread().interrupt();
            notifying.close();
            return Thread.currentThread().isInterrupted() && slow.hasReturned();
        });
        closing.interrupt();
        assertThat(closing.isDone()).isFalse();
        slow.open();
        assertThat(closing.awaitAnswer()).isTrue();
    }

    @Test
    void closeAsyncCompletesAfterNotLeaderAndHoldsUpNobody() throws Exception {
        BlockingListener slow = BlockingListener.inNotLeader();
        LeaderLatch notifying = notifying(slow);
        CompletableFuture<Void> closed = notifying.closeAsync().toCompletableFuture();
        assertThat(notifying.hasLeadership()).isFalse();
        assertThat(engine.last().leaves()).as("the hand-over does not wait").isEqualTo(1);
        slow.awaitCall();
        assertThat(closed).isNotDone();
        CompletableFuture<Thread> told = closed.thenApply(nothing -> Thread.currentThread());
        slow.open();
        assertThat(Deadline.get(told)).isNotSameAs(Thread.currentThread());
        assertThat(slow.hasReturned()).isTrue();
    }

    @Test
    void closeAsyncInTheOtherModeTellsAndAwaitsNobody() throws Exception {
        LeaderLatch notifying = notifying(listener);
        Deadline.get(notifying.closeAsync(CloseMode.SILENT).toCompletableFuture());
        drain(notifying);
        assertThat(listener.events).containsExactly("isLeader");
    }

    @Test
    void closeAsyncIsRefusedAsCloseIs() throws Exception {
        String refusal = "Already closed or has not been started";
        assertThat(latch.closeAsync().toCompletableFuture())
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .havingCause()
                .isExactlyInstanceOf(IllegalStateException.class)
                .withMessage(refusal);
        latch.start();
        assertThatThrownBy(() -> latch.closeAsync(null)).isInstanceOf(NullPointerException.class);
        assertThat(latch.getState()).isEqualTo(LeaderLatch.State.STARTED);
        Deadline.get(latch.closeAsync().toCompletableFuture());
        assertThat(latch.closeAsync().toCompletableFuture())
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .havingCause()
                .withMessage(refusal);
        LeaderLatch closedWithItsClient = new LeaderLatch(client, "/q");
        closedWithItsClient.start();
        client.close();
        Deadline.get(closedWithItsClient.closeAsync().toCompletableFuture());
    }

    @Test
    void closingTheClientReturnsAfterTheCallbacksOfAllItsLatches() throws Exception {
        BlockingListener slow = BlockingListener.inNotLeader();
        notifying(slow);
        latch.start();
        engine.last().grant(1);
        WaitingCall<Boolean> closing = waitingFor(slow, () -> {
            client.close();
            return slow.hasReturned();
        });
        assertThat(engine.closes()).as("the hand-over does not wait").isEqualTo(1);
        assertThat(latch.hasLeadership()).isFalse();
        slow.open();
        assertThat(closing.awaitAnswer()).isTrue();
    }

    // It would wait for itself, and close all the same after half a minute.
    @Test
    void aCallbackMayCloseItsClient() throws Exception {
        CompletableFuture<Thread> caller = new CompletableFuture<>();
        CountDownLatch isClosed = new CountDownLatch(1);
        RecordingListener closing = new RecordingListener() {
            @Override
            public void isLeader() {
                caller.complete(Thread.currentThread());
                client.close();
                isClosed.countDown();
            }
        };
        WaitingCall<LeaderLatch> started = new WaitingCall<>(() -> notifying(closing));
        Deadline.until(() -> isClosed.getCount() == 0 || waitsForCallbacks(caller), client);
        assertThat(isClosed.getCount()).as("it waits for itself").isZero();
        started.awaitAnswer();
    }

    private static boolean waitsForCallbacks(CompletableFuture<Thread> caller) {
        return caller.isDone()
                && caller.join().getState() == Thread.State.TIMED_WAITING
                && Stream.of(caller.join().getStackTrace())
                        .anyMatch(frame -> frame.getClassName().equals(LatchCallbacks.class.getName()));
    }

    private LatchContender leadingWithLittlePatience(LeaderLatchListener told) {
        LatchContender contender =
                new LatchContender("/p", "", false, new LatchCallbacks(engine.callbacks(), Duration.ofMillis(20)));
        contender.listeners().addListener(told);
        contender.start(Optional.empty());
        contender.join(engine, "/p");
        engine.last().grant(1);
        return contender;
    }

    @Test
    void aHangingCallbackHoldsUpCloseForABoundedTimeOnly() {
        BlockingListener slow = BlockingListener.inNotLeader();
        LatchContender contender = leadingWithLittlePatience(slow);
        try (CapturedLog log = new CapturedLog()) {
            contender.awaitCallbacks(contender.close(true, false).orElseThrow().tell());
            assertThat(log.lines("WARN", contender + ": a callback has not returned for PT0.02S; it is closed anyway"))
                    .hasSize(1);
        }
        assertThat(slow.hasReturned()).isFalse();
        slow.open();
    }

    @Test
    void aHangingCallbackHoldsUpCloseAsyncForABoundedTimeOnly() throws Exception {
        BlockingListener slow = BlockingListener.inNotLeader();
        LatchContender contender = leadingWithLittlePatience(slow);
        try (CapturedLog log = new CapturedLog()) {
            Deadline.get(
                    contender.orLimit(contender.close(true, false).orElseThrow().tell()));
            assertThat(log.lines("WARN", contender + ": a callback has not returned for PT0.02S; it is closed anyway"))
                    .hasSize(1);
        }
        assertThat(slow.hasReturned()).isFalse();
        slow.open();
    }

    @Test
    void aHangingNotLeaderKeepsTheContenderOutForABoundedTimeOnly() {
        BlockingListener slow = BlockingListener.inNotLeader();
        LatchContender contender = leadingWithLittlePatience(slow);
        try (CapturedLog log = new CapturedLog()) {
            engine.last().end();
            Deadline.until(() -> engine.last().rejoins() == 1, contender);
            assertThat(log.lines("WARN", contender + ": a notLeader callback has not returned for PT0.02S; contending"))
                    .hasSize(1);
        }
        slow.open();
        assertThat(LatchCallbacks.LIMIT).isEqualTo(Duration.ofSeconds(30));
    }

    // Half a minute after its end it said that it contends again, perhaps in the log of another application.
    @RealTime
    @Test
    void aClosedLatchDoesNotSayThatItContendsAgain() {
        BlockingListener slow = BlockingListener.inNotLeader();
        BlockingListener later = BlockingListener.inNotLeader();
        LatchContender closed = leadingWithLittlePatience(slow);
        try (CapturedLog log = new CapturedLog()) {
            engine.last().end();
            slow.awaitCall();
            closed.close(false, false);
            LatchContender other = leadingWithLittlePatience(later);
            engine.last().end();
            Deadline.until(() -> engine.last().rejoins() == 1, other);
            assertThat(log.lines("contending again")).hasSize(1);
        }
        slow.open();
        later.open();
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
        try (ElectionClient other = Clients.over(observed)) {
            other.start();
            LeaderLatch led = new LeaderLatch(other, "/p", "", CloseMode.NOTIFY_LEADER);
            led.start();
            LeaderLatch waiting = new LeaderLatch(other, "/p");
            waiting.start();
            CompletableFuture<Long> stage = waiting.awaitAsync().toCompletableFuture();
            waiting.close();
            assertThatThrownBy(() -> Deadline.get(stage)).hasCauseInstanceOf(EOFException.class);
            assertThat(order).containsExactly("callback after 1 hand-overs");
        }
    }

    @Test
    void notLeaderIsQueuedAfterTheHandOver() throws Exception {
        FakeEngine inline = new FakeEngine();
        inline.callbacksOn(Runnable::run);
        List<Integer> handOvers = new CopyOnWriteArrayList<>();
        try (ElectionClient other = Clients.over(inline)) {
            other.start();
            LeaderLatch led = new LeaderLatch(other, "/p", "", CloseMode.NOTIFY_LEADER);
            led.addListener(new RecordingListener() {
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
}
