package io.quorate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.core.step.Connection;
import io.quorate.testkit.simulation.FakeEngine;
import java.io.EOFException;
import java.time.Duration;
import java.util.ArrayList;
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

/**
 * Whoever waits for leadership goes on after the listeners without an executor have returned from isLeader, as in
 * Curator; and until when joining is under way.
 */
@Timeout(30)
class LeaderLatchAwaitTest {

    private final FakeEngine engine = new FakeEngine();
    private final ElectionClient client = ElectionClient.over(engine);
    private final LeaderLatch latch = new LeaderLatch(client, "/p");
    private final CountDownLatch isCalled = new CountDownLatch(1);
    private final CountDownLatch gate = new CountDownLatch(1);
    private final AtomicBoolean hasReturned = new AtomicBoolean();

    @BeforeEach
    void startClient() {
        client.start();
    }

    @AfterEach
    void closeClient() {
        gate.countDown();
        client.close();
    }

    private interface IsLeader extends LeaderLatchListener {
        @Override
        default void notLeader() {
            // Only the beginning is looked at.
        }
    }

    private void block() {
        isCalled.countDown();
        Recorder.await(gate, latch);
        hasReturned.set(true);
    }

    private void leadsWith(IsLeader listener) throws Exception {
        latch.addListener(listener);
        latch.start();
        engine.last().grant(7);
    }

    @Test
    void awaitReturnsAfterIsLeader() throws Exception {
        leadsWith(this::block);
        CompletableFuture<Boolean> hadReturned = new CompletableFuture<>();
        Thread waiting = new Thread(() -> {
            try {
                latch.await();
                hadReturned.complete(hasReturned.get());
            } catch (Exception e) {
                hadReturned.completeExceptionally(e);
            }
        });
        waiting.start();
        Recorder.await(isCalled, latch);
        Recorder.until(() -> waiting.getState() == Thread.State.TIMED_WAITING, waiting);
        assertThat(latch.hasLeadership()).isTrue();
        gate.countDown();
        assertThat(hadReturned.get(Recorder.DEADLINE_SECONDS, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void boundedAwaitAnswersFalseWhileIsLeaderRuns() throws Exception {
        leadsWith(this::block);
        assertThat(latch.await(0, TimeUnit.SECONDS)).isFalse();
        assertThat(latch.await(1, TimeUnit.MILLISECONDS)).isFalse();
        gate.countDown();
        assertThat(latch.await(1, TimeUnit.HOURS)).isTrue();
        assertThat(hasReturned).isTrue();
    }

    @Test
    void awaitAsyncIsCompletedAfterIsLeader() throws Exception {
        latch.addListener((IsLeader) this::block);
        latch.start();
        CompletableFuture<Long> before = latch.awaitAsync().toCompletableFuture();
        engine.last().grant(7);
        CompletableFuture<Long> after = latch.awaitAsync().toCompletableFuture();
        Recorder.await(isCalled, latch);
        assertThat(before).isNotDone();
        assertThat(after).isNotDone();
        gate.countDown();
        assertThat(before.get(Recorder.DEADLINE_SECONDS, TimeUnit.SECONDS)).isEqualTo(7);
        assertThat(after.get(Recorder.DEADLINE_SECONDS, TimeUnit.SECONDS)).isEqualTo(7);
        assertThat(hasReturned).isTrue();
    }

    @Test
    void nobodyWaitsForAnExecutor() throws Exception {
        List<Runnable> kept = new CopyOnWriteArrayList<>();
        latch.addListener((IsLeader) this::block, kept::add);
        latch.start();
        engine.last().grant(7);
        latch.await();
        assertThat(latch.awaitAsync().toCompletableFuture().get(Recorder.DEADLINE_SECONDS, TimeUnit.SECONDS))
                .isEqualTo(7);
        assertThat(kept).hasSize(1);
    }

    @Test
    void aCallbackMayWaitForItsOwnLeadership() throws Exception {
        CompletableFuture<Long> token = new CompletableFuture<>();
        leadsWith(() -> {
            try {
                latch.await();
                token.complete(latch.awaitAsync().toCompletableFuture().join());
            } catch (Exception e) {
                token.completeExceptionally(e);
            }
        });
        assertThat(token.get(Recorder.DEADLINE_SECONDS, TimeUnit.SECONDS)).isEqualTo(7);
    }

    // In Curator too: whoever waits finds the latch closed.
    @Test
    void aCallbackThatClosesTheLatchEndsTheWait() throws Exception {
        leadsWith(() -> {
            block();
            try {
                latch.close();
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        });
        Recorder.await(isCalled, latch);
        CompletableFuture<Long> staged = latch.awaitAsync().toCompletableFuture();
        gate.countDown();
        assertThatThrownBy(latch::await).isExactlyInstanceOf(EOFException.class);
        assertThatThrownBy(() -> staged.get(Recorder.DEADLINE_SECONDS, TimeUnit.SECONDS))
                .hasCauseInstanceOf(EOFException.class);
    }

    @Test
    void aHangingIsLeaderHoldsUpAwaitForABoundedTimeOnly() throws Exception {
        LatchContender contender = new LatchContender("/p", "", false,
                new LatchCallbacks(client::runCallback, Duration.ofMillis(20)));
        contender.listeners().addListener((IsLeader) this::block);
        contender.start(Optional.empty());
        contender.join(engine, "/p");
        engine.last().grant(1);
        assertThat(contender.awaitTenure(0)).isTrue();
        assertThat(contender.await(Long.MAX_VALUE)).isTrue();
        assertThat(hasReturned).isFalse();
    }

    @Test
    void whoeverWaitedBeforeIsHeldUpForABoundedTimeToo() throws Exception {
        LatchContender contender = new LatchContender("/p", "", false,
                new LatchCallbacks(client::runCallback, Duration.ofMillis(20)));
        contender.listeners().addListener((IsLeader) this::block);
        contender.start(Optional.empty());
        contender.join(engine, "/p");
        CompletableFuture<Long> waiting = contender.awaitAsync().toCompletableFuture();
        engine.last().grant(1);
        assertThat(waiting.get(Recorder.DEADLINE_SECONDS, TimeUnit.SECONDS)).isEqualTo(1);
        assertThat(hasReturned).isFalse();
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
