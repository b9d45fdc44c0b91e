package io.quorate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.LeaderLatch.CloseMode;
import io.quorate.LeaderLatch.State;
import io.quorate.core.Tenure;
import io.quorate.runtime.SerialDispatcher;
import io.quorate.testkit.FakeEngine;
import java.io.EOFException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
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

    @Test
    void aHangingNotLeaderKeepsTheContenderOutForABoundedTimeOnly() {
        CountDownLatch gate = new CountDownLatch(1);
        LatchContender contender = new LatchContender("/p", "", CloseMode.SILENT,
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
        assertThat(LatchContender.CALLBACK_LIMIT).isEqualTo(Duration.ofSeconds(30));
    }
}
