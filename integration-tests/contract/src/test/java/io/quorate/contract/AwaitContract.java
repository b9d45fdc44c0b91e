package io.quorate.contract;

import static io.quorate.testkit.RecordingListener.IS_LEADER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.testkit.RecordingListener;
import io.quorate.testkit.WaitingCall;
import java.io.EOFException;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** WaitingCall for leadership, and what it does with interrupts. */
abstract class AwaitContract extends Contract {

    private Client client;

    @BeforeEach
    void connect() throws Exception {
        client = connected();
    }

    private Latch follower() throws Exception {
        leading(client, "leader");
        return joined(client, "follower");
    }

    private static Callable<Boolean> untilItLeads(Latch latch) {
        return () -> {
            latch.await();
            return latch.hasLeadership();
        };
    }

    @Test
    void awaitReturnsWithLeadership() throws Exception {
        Latch latch = side.latch(client, path);
        latch.start();
        latch.await();
        assertThat(latch.hasLeadership()).isTrue();
    }

    @Test
    void boundedAwaitReturnsWithLeadership() throws Exception {
        Latch latch = side.latch(client, path);
        latch.start();
        assertThat(latch.await(Real.DEADLINE.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(latch.hasLeadership()).isTrue();
    }

    /** Prepares, for a while, what the application needs as a leader. */
    private static final class Preparing extends RecordingListener {
        @Override
        public void isLeader() {
            Real.sleep(A_WHILE.toMillis());
            super.isLeader();
        }
    }

    // So that the application may use next what its listener prepares.
    @Test
    void whenAwaitReturnsIsLeaderHasRun() throws Exception {
        Preparing first = new Preparing();
        Latch latch = side.latch(client, path);
        latch.addListener(first);
        latch.start();
        latch.await();
        assertThat(first.events).containsExactly(IS_LEADER);
        Preparing second = new Preparing();
        Latch next = side.latch(client, path);
        next.addListener(second);
        next.start();
        latch.close();
        assertThat(next.await(Real.DEADLINE.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(second.events).containsExactly(IS_LEADER);
    }

    @Test
    void aListenerWithAnExecutorIsNotWaitedFor() throws Exception {
        List<Runnable> kept = new CopyOnWriteArrayList<>();
        Latch latch = side.latch(client, path);
        latch.addListener(new RecordingListener(), kept::add);
        latch.start();
        latch.await();
        assertThat(kept).hasSize(1);
    }

    @Test
    void awaitReturnsWhenACallbackClosesTheLatch() throws Exception {
        Latch latch = side.latch(client, path);
        latch.addListener(new RecordingListener() {
            @Override
            public void isLeader() {
                try {
                    latch.close();
                } catch (IOException e) {
                    throw new AssertionError(e);
                }
            }
        });
        latch.start();
        assertThatThrownBy(latch::await).isExactlyInstanceOf(EOFException.class);
    }

    @Test
    void aLeaderDoesNotWait() throws Exception {
        Latch latch = leading(client, "leader");
        latch.await();
        assertThat(latch.await(0, TimeUnit.NANOSECONDS)).isTrue();
        assertThat(latch.await(1, TimeUnit.HOURS)).isTrue();
    }

    @Test
    void boundedAwaitOfAFollowerAnswersFalse() throws Exception {
        // Justification: a follower never leads, however long it waits.
        assertThat(follower().await(100, TimeUnit.MILLISECONDS)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -1, Long.MIN_VALUE})
    void withoutTimeAFollowerAnswersFalseAtOnce(long timeout) throws Exception {
        assertThat(follower().await(timeout, TimeUnit.SECONDS)).isFalse();
    }

    @Test
    void everyThreadThatWaitsIsWoken() throws Exception {
        Latch leader = leading(client, "leader");
        Latch latch = joined(client, "follower");
        WaitingCall<Boolean> unbounded = side.waiting(untilItLeads(latch));
        WaitingCall<Boolean> another = side.waiting(untilItLeads(latch));
        WaitingCall<Boolean> bounded = side.waiting(() -> latch.await(1, TimeUnit.HOURS));
        assertThat(unbounded.isDone() || another.isDone() || bounded.isDone()).isFalse();
        leader.close();
        side.eventually("all return", () -> unbounded.isDone() && another.isDone() && bounded.isDone());
        assertThat(unbounded.answer()).isTrue();
        assertThat(another.answer()).isTrue();
        assertThat(bounded.answer()).isTrue();
    }

    @Test
    void theUnitMustNotBeNull() throws Exception {
        Latch latch = leading(client, "leader");
        assertThatNullPointerException().isThrownBy(() -> latch.await(1, null));
        Latch latent = side.latch(client, path);
        assertThatNullPointerException().isThrownBy(() -> latent.await(1, null));
    }

    // ---------------------------------------------------------------- interrupts

    @Test
    void anInterruptEndsTheWait() throws Exception {
        Latch latch = follower();
        WaitingCall<Boolean> unbounded = side.waiting(untilItLeads(latch));
        WaitingCall<Boolean> bounded = side.waiting(() -> latch.await(1, TimeUnit.HOURS));
        unbounded.interrupt();
        bounded.interrupt();
        side.eventually("both end", () -> unbounded.isDone() && bounded.isDone());
        assertThatThrownBy(unbounded::answer).isInstanceOf(InterruptedException.class);
        assertThatThrownBy(bounded::answer).isInstanceOf(InterruptedException.class);
    }

    @Test
    void interruptedThreadDoesNotAwaitLeadership() throws Exception {
        Latch latch = follower();
        Thread.currentThread().interrupt();
        assertThatThrownBy(latch::await).isInstanceOf(InterruptedException.class);
        assertThat(Thread.interrupted()).as("the flag is cleared").isFalse();
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> latch.await(1, TimeUnit.HOURS)).isInstanceOf(InterruptedException.class);
        assertThat(Thread.interrupted()).as("the flag is cleared").isFalse();
    }

    @Test
    void aLeadersAnswerKeepsTheFlag() throws Exception {
        Latch latch = leading(client, "leader");
        Thread.currentThread().interrupt();
        latch.await();
        assertThat(Thread.interrupted()).isTrue();
        Thread.currentThread().interrupt();
        assertThat(latch.await(1, TimeUnit.HOURS)).isTrue();
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void theEndOfALatchThatIsNotOpenKeepsTheFlag() throws Exception {
        Latch latch = side.latch(client, path);
        endKeepsTheFlag(latch);
        latch.start();
        latch.close();
        endKeepsTheFlag(latch);
    }

    private static void endKeepsTheFlag(Latch latch) throws Exception {
        Thread.currentThread().interrupt();
        assertThatThrownBy(latch::await).isExactlyInstanceOf(EOFException.class);
        assertThat(Thread.interrupted()).isTrue();
        Thread.currentThread().interrupt();
        assertThat(latch.await(1, TimeUnit.HOURS)).isFalse();
        assertThat(Thread.interrupted()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -1})
    void withoutTimeTheAnswerKeepsTheFlag(long timeout) throws Exception {
        Latch latch = follower();
        Thread.currentThread().interrupt();
        assertThat(latch.await(timeout, TimeUnit.SECONDS)).isFalse();
        assertThat(Thread.interrupted()).isTrue();
    }
}
