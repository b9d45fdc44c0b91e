package io.quorate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.client.LatchCallbacks;
import io.quorate.client.LatchContender;
import io.quorate.engine.Connection;
import io.quorate.engine.Tenure;
import io.quorate.testkit.BlockingListener;
import io.quorate.testkit.CapturedLog;
import io.quorate.testkit.Deadline;
import io.quorate.testkit.RecordingListener;
import io.quorate.testkit.WaitingCall;
import io.quorate.testkit.simulation.Clients;
import io.quorate.testkit.simulation.FakeEngine;
import java.io.EOFException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Whoever waits for leadership goes on after the listeners without an executor have returned from isLeader, as in
 * Curator; and until when joining is under way.
 */
class LeaderLatchAwaitTest {

    private final FakeEngine engine = new FakeEngine();
    private final ElectionClient client = Clients.over(engine);
    private final LeaderLatch latch = new LeaderLatch(client, "/p");
    private final BlockingListener slow = BlockingListener.inIsLeader();

    @BeforeEach
    void startClient() {
        client.start();
    }

    @AfterEach
    void closeClient() {
        slow.open();
        client.close();
    }

    private void leadsWith(LeaderLatchListener listener) throws Exception {
        latch.addListener(listener);
        latch.start();
        engine.last().grant(7);
    }

    @Test
    void awaitReturnsAfterIsLeader() throws Exception {
        leadsWith(slow);
        WaitingCall<Boolean> waiting = WaitingCall.begun(() -> {
            latch.await();
            return slow.hasReturned();
        });
        slow.awaitCall();
        assertThat(latch.hasLeadership()).isTrue();
        assertThat(waiting.isDone()).isFalse();
        slow.open();
        assertThat(waiting.awaitAnswer()).isTrue();
    }

    // ---------------------------------------------------------------- at the moment at which the lease is over

    // A node may renew a lease a moment after somebody has seen it over. Who waits hears of no renewal: so the tenure
    // is over, the engine hears of that, and the wait ends with the next tenure.

    private Tenure leadsForASecond() {
        Tenure tenure = engine.last().grant(7, Duration.ofSeconds(1));
        CallbackQueue.drain(latch);
        engine.clock().advance(Duration.ofSeconds(1));
        return tenure;
    }

    private Tenure leadsForASecondWhileTheListenerRuns() {
        Tenure tenure = engine.last().grant(7, Duration.ofSeconds(1));
        slow.awaitCall();
        engine.clock().advance(Duration.ofSeconds(1));
        slow.open();
        return tenure;
    }

    @Test
    void awaitTellsTheEngineOfALeaseThatIsOver() throws Exception {
        latch.start();
        Tenure tenure = leadsForASecond();
        assertThat(latch.await(0, TimeUnit.SECONDS)).isFalse();
        assertThat(engine.last().reported()).containsExactly(tenure);
    }

    @Test
    void awaitGoesOnWithTheNextTenure() throws Exception {
        latch.start();
        Tenure tenure = leadsForASecond();
        WaitingCall<Boolean> waiting = WaitingCall.begun(() -> latch.await(1, TimeUnit.HOURS));
        Deadline.until(() -> engine.last().reported().contains(tenure), latch);
        engine.last().end();
        engine.last().grant(8);
        assertThat(waiting.awaitAnswer()).isTrue();
    }

    @Test
    void aStageGoesOnWithTheNextTenure() throws Exception {
        latch.start();
        Tenure tenure = leadsForASecond();
        CompletableFuture<Long> stage = latch.awaitAsync().toCompletableFuture();
        assertThat(engine.last().reported()).containsExactly(tenure);
        engine.last().end();
        engine.last().grant(8);
        assertThat(Deadline.get(stage)).isEqualTo(8);
    }

    @Test
    void aListenerThatReturnsThenTellsTheEngine() throws Exception {
        latch.addListener(slow);
        latch.start();
        CompletableFuture<Long> stage = latch.awaitAsync().toCompletableFuture();
        Tenure tenure = leadsForASecondWhileTheListenerRuns();
        Deadline.until(() -> engine.last().reported().contains(tenure), latch);
        engine.last().end();
        engine.last().grant(8);
        assertThat(Deadline.get(stage)).isEqualTo(8);
    }

    // Where nobody has ever waited, nobody has to hear of the next one.
    @Test
    void aListenerThatReturnsThenEndsNothingOfALatchForWhichNobodyHasWaited() throws Exception {
        latch.addListener(slow);
        latch.start();
        Tenure tenure = leadsForASecondWhileTheListenerRuns();
        CallbackQueue.drain(latch);
        tenure.lease().setUntil(engine.clock().nanoTime() + 1_000_000_000);
        assertThat(latch.hasLeadership()).isTrue();
    }

    @Test
    void boundedAwaitAnswersFalseWhileIsLeaderRuns() throws Exception {
        leadsWith(slow);
        assertThat(latch.await(0, TimeUnit.SECONDS)).isFalse();
        // Justification: nothing makes it lead, however long a slow machine waits.
        assertThat(latch.await(1, TimeUnit.MILLISECONDS)).isFalse();
        slow.open();
        assertThat(latch.await(1, TimeUnit.HOURS)).isTrue();
        assertThat(slow.hasReturned()).isTrue();
    }

    @Test
    void awaitAsyncIsCompletedAfterIsLeader() throws Exception {
        latch.addListener(slow);
        latch.start();
        CompletableFuture<Long> before = latch.awaitAsync().toCompletableFuture();
        engine.last().grant(7);
        CompletableFuture<Long> after = latch.awaitAsync().toCompletableFuture();
        slow.awaitCall();
        assertThat(before).isNotDone();
        assertThat(after).isNotDone();
        slow.open();
        assertThat(Deadline.get(before)).isEqualTo(7);
        assertThat(Deadline.get(after)).isEqualTo(7);
        assertThat(slow.hasReturned()).isTrue();
    }

    @Test
    void aCallbackMayWaitForItsOwnLeadership() throws Exception {
        CompletableFuture<Long> token = new CompletableFuture<>();
        leadsWith(new RecordingListener() {
            @Override
            public void isLeader() {
                try {
                    latch.await();
                    token.complete(latch.awaitAsync().toCompletableFuture().join());
                } catch (Exception e) {
                    token.completeExceptionally(e);
                }
            }
        });
        assertThat(Deadline.get(token)).isEqualTo(7);
    }

    // As with await: whoever waits finds the latch closed.
    @Test
    void aCallbackThatClosesTheLatchEndsTheStage() throws Exception {
        latch.addListener(slow);
        leadsWith(new RecordingListener() {
            @Override
            public void isLeader() {
                try {
                    latch.close();
                } catch (Exception e) {
                    throw new AssertionError(e);
                }
            }
        });
        slow.awaitCall();
        CompletableFuture<Long> staged = latch.awaitAsync().toCompletableFuture();
        slow.open();
        assertThatThrownBy(() -> Deadline.get(staged)).hasCauseInstanceOf(EOFException.class);
    }

    private LatchContender joinedWithLittlePatience() {
        LatchContender contender =
                new LatchContender("/p", "", false, new LatchCallbacks(client::runCallback, Duration.ofMillis(20)));
        contender.listeners().addListener(slow);
        contender.start(Optional.empty());
        contender.join(engine, "/p");
        return contender;
    }

    @Test
    void aHangingIsLeaderHoldsUpAwaitForABoundedTimeOnly() throws Exception {
        LatchContender contender = joinedWithLittlePatience();
        engine.last().grant(1);
        assertThat(contender.awaitTenure(0)).isTrue();
        try (CapturedLog log = new CapturedLog()) {
            assertThat(contender.await(Long.MAX_VALUE)).isTrue();
            Deadline.until(() -> !log.lines("WARN").isEmpty(), contender);
            assertThat(log.lines("an isLeader callback has not returned for PT0.02S; threads that wait for leadership"))
                    .hasSize(1);
        }
        assertThat(slow.hasReturned()).isFalse();
    }

    @Test
    void waitBegunDuringIsLeaderIsBounded() throws Exception {
        LatchContender contender = joinedWithLittlePatience();
        engine.last().grant(1);
        slow.awaitCall();
        assertThat(Deadline.get(contender.awaitAsync().toCompletableFuture())).isEqualTo(1);
        assertThat(slow.hasReturned()).isFalse();
    }

    // The grant comes after the wait has begun, and before it is known to the latch.
    @Test
    void aHangingIsLeaderHoldsUpWhoeverBeganToWaitJustBeforeForABoundedTimeToo() throws Exception {
        FakeEngine own = new FakeEngine();
        Queue<Runnable> meanwhile = new ArrayDeque<>();
        own.callbacksQueuedIn(meanwhile);
        LatchContender contender =
                new LatchContender("/p", "", false, new LatchCallbacks(client::runCallback, Duration.ofMillis(20)));
        contender.listeners().addListener(slow);
        contender.start(Optional.empty());
        contender.join(own, "/p");
        meanwhile.add(() -> own.last().grant(1));
        WaitingCall<Boolean> waiting = new WaitingCall<>(() -> contender.await(Long.MAX_VALUE));
        assertThat(waiting.awaitAnswer()).isTrue();
        assertThat(slow.hasReturned()).isFalse();
    }

    // Nobody has told it yet that the lease is over. Its clock says so.
    @Test
    void aTenureThatRanOutWhileIsLeaderRanCompletesNoStage() throws Exception {
        latch.addListener(slow);
        latch.start();
        CompletableFuture<Long> staged = latch.awaitAsync().toCompletableFuture();
        engine.last().grant(7, Duration.ofSeconds(1));
        slow.awaitCall();
        engine.clock().advance(Duration.ofSeconds(2));
        slow.open();
        CallbackQueue.drain(latch);
        engine.last().end();
        engine.last().grant(8);
        assertThat(Deadline.get(staged)).isEqualTo(8);
    }

    // The callback holds up those of the listeners, so it does not wait for them; the grant alone wakes it.
    @Test
    void aCallbackMayWaitForLeadershipThatIsYetToCome() throws Exception {
        CompletableFuture<Thread> waiting = new CompletableFuture<>();
        CompletableFuture<Boolean> leads = new CompletableFuture<>();
        LeaderLatch asking = new LeaderLatch(client, "/p") {
            @Override
            protected void handleStateChange(ConnectionState newState) {
                waiting.complete(Thread.currentThread());
                try {
                    await();
                    leads.complete(hasLeadership());
                } catch (Exception e) {
                    leads.completeExceptionally(e);
                }
            }
        };
        asking.addListener(new RecordingListener());
        asking.start();
        engine.connect(Connection.CONNECTED);
        Thread thread = Deadline.get(waiting);
        Deadline.until(() -> thread.getState() == Thread.State.TIMED_WAITING, asking);
        assertThat(leads).isNotDone();
        engine.last().grant(7);
        assertThat(Deadline.get(leads)).isTrue();
    }

    @Test
    void waitBegunBeforeIsLeaderIsBounded() throws Exception {
        LatchContender contender = joinedWithLittlePatience();
        CompletableFuture<Long> waiting = contender.awaitAsync().toCompletableFuture();
        engine.last().grant(1);
        assertThat(Deadline.get(waiting)).isEqualTo(1);
        assertThat(slow.hasReturned()).isFalse();
    }

    // ---------------------------------------------------------------- until when it joins

    /** A latch of a subclass, as it has to be in order to ask. */
    private final class Asked extends LeaderLatch {
        Asked() {
            super(client, "/p");
        }

        boolean cancel() {
            return cancelStartTask();
        }
    }

    @Test
    void joiningIsUnderWayUntilTheClientIsConnected() throws Exception {
        Asked waiting = new Asked();
        assertThat(waiting.cancel()).as("LATENT").isFalse();
        waiting.start();
        assertThat(waiting.cancel()).isTrue();
        assertThat(waiting.cancel()).as("twice").isFalse();
        assertThat(engine.last().leaves()).isEqualTo(1);
        waiting.close();
        assertThat(engine.last().leaves()).isEqualTo(1);
    }

    @Test
    void joiningIsOverOnceTheClientWasConnected() throws Exception {
        List<Asked> joined = new ArrayList<>();
        Asked before = new Asked();
        before.start();
        joined.add(before);
        engine.connect(Connection.CONNECTED);
        Asked after = new Asked();
        after.start();
        joined.add(after);
        engine.connect(Connection.SUSPENDED);
        assertThat(joined).noneMatch(Asked::cancel);
        Asked during = new Asked();
        during.start();
        assertThat(during.cancel()).isTrue();
    }
}
