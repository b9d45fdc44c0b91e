package io.quorate;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.LeaderLatch.CloseMode;
import io.quorate.LeaderLatch.State;
import io.quorate.core.step.Tenure;
import io.quorate.testkit.simulation.FakeEngine;
import java.io.EOFException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The table of docs/curator.md#life-of-a-latch, await, and what a latch says about its leadership. */
@Timeout(30)
class LeaderLatchContractTest {

    private final FakeEngine engine = new FakeEngine();
    private final ElectionClient client = ElectionClient.over(engine);
    private final LeaderLatch latch = new LeaderLatch(client, "/p", "me");

    @BeforeEach
    void startClient() {
        client.start();
    }

    @AfterEach
    void closeClient() {
        client.close();
    }

    @Test
    void constructorChecksClientPathIdModeInThisOrder() {
        assertThatNullPointerException().isThrownBy(() -> new LeaderLatch(null, null, null, null))
                .withMessage("client cannot be null");
        assertThatIllegalArgumentException().isThrownBy(() -> new LeaderLatch(client, null, null, null))
                .withMessage("Path cannot be null");
        assertThatNullPointerException().isThrownBy(() -> new LeaderLatch(client, "/p", null, null))
                .withMessage("id cannot be null");
        assertThatNullPointerException().isThrownBy(() -> new LeaderLatch(client, "/p", "", null))
                .withMessage("closeMode cannot be null");
    }

    @Test
    void defaultsAreEmptyIdLatentStateAndNoPath() {
        LeaderLatch fresh = new LeaderLatch(client, "/p");
        assertThat(fresh.getId()).isEmpty();
        assertThat(latch.getId()).isEqualTo("me");
        assertThat(fresh.getState()).isEqualTo(State.LATENT);
        assertThat(fresh.hasLeadership()).isFalse();
        assertThat(fresh.getOurPath()).isNull();
        assertThat(fresh.getLastPathIsLeader()).isNull();
        assertThat(engine.candidacies()).isEmpty();
    }

    @Test
    void enumsHaveCuratorsOrder() {
        assertThat(State.values()).containsExactly(State.LATENT, State.STARTED, State.CLOSED);
        assertThat(CloseMode.values()).containsExactly(CloseMode.SILENT, CloseMode.NOTIFY_LEADER);
        assertThat(ConnectionState.values()).extracting(Enum::name)
                .containsExactly("CONNECTED", "SUSPENDED", "RECONNECTED", "LOST", "READ_ONLY");
        assertThat(ConnectionState.values()).extracting(ConnectionState::isConnected)
                .containsExactly(true, false, true, false, true);
    }

    @Test
    void startContendsOnceAndIsRefusedEverAfter() throws Exception {
        latch.start();
        assertThat(latch.getState()).isEqualTo(State.STARTED);
        assertThat(engine.last().path()).isEqualTo("/p");
        assertThat(engine.last().participantId()).isEqualTo("me");
        assertThatIllegalStateException().isThrownBy(latch::start).withMessage("Cannot be started more than once");
        latch.close();
        assertThatIllegalStateException().isThrownBy(latch::start).withMessage("Cannot be started more than once");
        assertThat(engine.candidacies()).hasSize(1);
    }

    @Test
    void closeIsRefusedUnlessStarted() throws Exception {
        String message = "Already closed or has not been started";
        assertThatIllegalStateException().isThrownBy(latch::close).withMessage(message);
        assertThatIllegalStateException().isThrownBy(() -> latch.close(CloseMode.NOTIFY_LEADER)).withMessage(message);
        assertThat(latch.getState()).isEqualTo(State.LATENT);
        latch.start();
        latch.close();
        assertThat(latch.getState()).isEqualTo(State.CLOSED);
        assertThat(engine.last().leaves()).isEqualTo(1);
        assertThatIllegalStateException().isThrownBy(latch::close).withMessage(message);
        assertThatIllegalStateException().isThrownBy(() -> latch.close(CloseMode.SILENT)).withMessage(message);
    }

    @Test
    void closeNullChangesNothing() throws Exception {
        assertThatNullPointerException().isThrownBy(() -> latch.close(null)).withMessage("closeMode cannot be null");
        latch.start();
        engine.last().grant(1);
        assertThatNullPointerException().isThrownBy(() -> latch.close(null)).withMessage("closeMode cannot be null");
        assertThat(latch.getState()).isEqualTo(State.STARTED);
        assertThat(latch.hasLeadership()).isTrue();
        latch.close();
        assertThatNullPointerException().isThrownBy(() -> latch.close(null)).withMessage("closeMode cannot be null");
    }

    @Test
    void awaitOutsideStartedAnswersAtOnceAndKeepsTheInterruptFlag() throws Exception {
        for (int round = 0; round < 2; round++) {
            Thread.currentThread().interrupt();
            assertThatThrownBy(latch::await).isInstanceOf(EOFException.class).hasMessage(null);
            assertThat(latch.await(1, SECONDS)).isFalse();
            assertThat(Thread.interrupted()).isTrue();
            if (round == 0) {
                latch.start();
                latch.close();
            }
        }
    }

    @Test
    void awaitChecksBeforeItWouldWait() throws Exception {
        latch.start();
        Thread.currentThread().interrupt();
        assertThat(latch.await(0, SECONDS)).isFalse();
        assertThat(latch.await(-1, SECONDS)).isFalse();
        assertThat(Thread.currentThread().isInterrupted()).isTrue();
        assertThatThrownBy(latch::await).isInstanceOf(InterruptedException.class);
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> latch.await(1, SECONDS)).isInstanceOf(InterruptedException.class);
        engine.last().grant(1);
        Thread.currentThread().interrupt();
        latch.await();
        assertThat(latch.await(1, SECONDS)).isTrue();
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void awaitWithoutUnitIsRefused() {
        assertThatNullPointerException().isThrownBy(() -> latch.await(1, null));
    }

    @Test
    void awaitReturnsWhenLeadershipComesAndNotBefore() throws Exception {
        latch.start();
        assertThat(latch.await(1, MILLISECONDS)).isFalse();
        CompletableFuture<Boolean> unlimited = blocked(() -> {
            latch.await();
            return true;
        });
        CompletableFuture<Boolean> limited = blocked(() -> latch.await(1, java.util.concurrent.TimeUnit.HOURS));
        engine.last().grant(1);
        assertThat(unlimited.get(20, SECONDS)).isTrue();
        assertThat(limited.get(20, SECONDS)).isTrue();
    }

    @Test
    void closeWakesAwait() throws Exception {
        latch.start();
        CompletableFuture<Boolean> unlimited = blocked(() -> {
            latch.await();
            return true;
        });
        CompletableFuture<Boolean> limited = blocked(() -> latch.await(1, java.util.concurrent.TimeUnit.HOURS));
        latch.close();
        assertThatThrownBy(() -> unlimited.get(20, SECONDS)).hasCauseInstanceOf(EOFException.class);
        assertThat(limited.get(20, SECONDS)).isFalse();
    }

    @Test
    void leadershipIsComputedFromTheLeaseWithoutAnyEvent() throws Exception {
        latch.start();
        Tenure tenure = engine.last().grant(7, Duration.ofSeconds(1));
        assertThat(latch.hasLeadership()).isTrue();
        assertThat(latch.fencingToken()).isEqualTo(7);
        engine.clock().advance(Duration.ofSeconds(1).minusNanos(1));
        assertThat(latch.hasLeadership()).isTrue();
        engine.clock().advance(Duration.ofNanos(1));
        assertThat(latch.hasLeadership()).isFalse();
        assertThat(latch.await(0, SECONDS)).isFalse();
        assertThat(tenure.isEnded()).isTrue();
    }

    // The engine must learn of the end, so that notLeader follows; once, though the question is asked again and again.
    @Test
    void anExpiredLeaseIsReportedToTheEngineOnce() throws Exception {
        latch.start();
        Tenure tenure = engine.last().grant(7, Duration.ofSeconds(1));
        engine.clock().advance(Duration.ofSeconds(1));
        assertThat(latch.hasLeadership()).isFalse();
        assertThat(latch.hasLeadership()).isFalse();
        assertThatIllegalStateException().isThrownBy(latch::fencingToken);
        assertThat(engine.last().reported()).containsExactly(tenure);
    }

    @Test
    void fencingTokenNeedsLeadership() throws Exception {
        assertThatIllegalStateException().isThrownBy(latch::fencingToken)
                .withMessage("Not leading /p: there is no fencing token");
        latch.start();
        engine.last().grant(3);
        assertThat(latch.fencingToken()).isEqualTo(3);
        latch.close();
        assertThatIllegalStateException().isThrownBy(latch::fencingToken);
    }

    // Read one after the other, a token and a time could belong to two tenures.
    @Test
    void leadershipIsTokenAndTimeLeftOfOneTenure() throws Exception {
        assertThat(latch.leadership()).isEmpty();
        latch.start();
        assertThat(latch.leadership()).isEmpty();
        engine.last().grant(7, Duration.ofSeconds(1));
        assertThat(latch.leadership()).contains(new Leadership(7, Duration.ofSeconds(1)));
        engine.clock().advance(Duration.ofMillis(999));
        assertThat(latch.leadership()).contains(new Leadership(7, Duration.ofMillis(1)));
        engine.clock().advance(Duration.ofMillis(1));
        assertThat(latch.leadership()).isEmpty();
        engine.last().end();
        engine.last().grant(8, Duration.ofSeconds(1));
        latch.close();
        assertThat(latch.leadership()).isEmpty();
    }

    @Test
    void pathsEndInTheTokenOf19Digits() throws Exception {
        latch.start();
        assertThat(latch.getOurPath()).matches("/p/_c_[0-9a-f-]{36}-latch-0{19}");
        assertThat(latch.getLastPathIsLeader()).isNull();
        engine.last().grant(42);
        assertThat(latch.getOurPath()).matches("/p/_c_[0-9a-f-]{36}-latch-0{17}42")
                .isEqualTo(latch.getLastPathIsLeader());
        engine.last().end();
        assertThat(latch.getOurPath()).endsWith("-latch-0000000000000000000");
        latch.close();
        assertThat(latch.getOurPath()).isNull();
        assertThat(latch.getLastPathIsLeader()).endsWith("-latch-0000000000000000042");
    }

    // The grant was on its way when the latch was closed: it must not be believed by anybody.
    @Test
    void aGrantAfterCloseIsEndedAndTellsNobody() throws Exception {
        Recorder recorder = new Recorder();
        latch.addListener(recorder);
        latch.start();
        latch.close();
        latch.addListener(recorder);
        Tenure late = engine.last().grant(9);
        Recorder.drain(latch);
        assertThat(late.isEnded()).isTrue();
        assertThat(latch.hasLeadership()).isFalse();
        assertThat(recorder.events).isEmpty();
    }

    /** Runs the wait on a thread of its own and returns when that thread waits. */
    private CompletableFuture<Boolean> blocked(Wait wait) {
        CompletableFuture<Boolean> answer = new CompletableFuture<>();
        AtomicReference<Thread> waiter = new AtomicReference<>();
        CountDownLatch isRunning = new CountDownLatch(1);
        Thread thread = new Thread(() -> {
            waiter.set(Thread.currentThread());
            isRunning.countDown();
            try {
                answer.complete(wait.run());
            } catch (Exception e) {
                answer.completeExceptionally(e);
            }
        });
        thread.setDaemon(true);
        thread.start();
        Recorder.await(isRunning, latch.getState());
        Recorder.until(() -> isWaiting(thread.getState()), thread);
        return answer;
    }

    private static boolean isWaiting(Thread.State state) {
        return state == Thread.State.WAITING || state == Thread.State.TIMED_WAITING;
    }

    private interface Wait {
        boolean run() throws Exception;
    }
}
