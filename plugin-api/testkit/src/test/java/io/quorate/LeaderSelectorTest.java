package io.quorate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.quorate.core.step.Connection;
import io.quorate.testkit.simulation.FakeEngine;
import io.quorate.testkit.simulation.FakeEngine.FakeCandidacy;
import java.lang.reflect.Field;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A selector over an engine that the test controls. */
@Timeout(60)
class LeaderSelectorTest {

    private final FakeEngine engine = new FakeEngine();
    private final ElectionClient client = ElectionClient.over(engine);
    private final Turns turns = new Turns();
    private final LeaderSelector selector = new LeaderSelector(client, "/p", turns);

    /** Leads until the test says how that ends. */
    private static final class Turns extends LeaderSelectorListenerAdapter {
        private final SynchronousQueue<Runnable> endings = new SynchronousQueue<>();
        private final AtomicInteger begun = new AtomicInteger();
        private final AtomicInteger interrupted = new AtomicInteger();

        @Override
        public void takeLeadership(ElectionClient client) {
            begun.incrementAndGet();
            try {
                endings.take().run();
            } catch (InterruptedException e) {
                interrupted.incrementAndGet();
            }
        }

        private void end(Runnable ending) throws InterruptedException {
            assertThat(endings.offer(ending, Recorder.DEADLINE_SECONDS, TimeUnit.SECONDS)).isTrue();
        }
    }

    private void await(BooleanSupplier condition) {
        Recorder.until(condition, selector);
    }

    @BeforeEach
    void startClient() {
        client.start();
    }

    @AfterEach
    void closeClient() {
        client.close();
    }

    private FakeCandidacy candidacy(int number) {
        await(() -> engine.candidacies().size() >= number);
        return engine.candidacies().get(number - 1);
    }

    private FakeCandidacy lead(int number) {
        FakeCandidacy candidacy = candidacy(number);
        candidacy.grant(number);
        await(() -> turns.begun.get() == number);
        return candidacy;
    }

    @Test
    void nullsAndPathsAreRefused() {
        assertThatNullPointerException().isThrownBy(() -> new LeaderSelector(null, "/p", turns))
                .withMessage("client cannot be null");
        assertThatNullPointerException().isThrownBy(() -> new LeaderSelector(client, "/p", null))
                .withMessage("listener cannot be null");
        assertThatNullPointerException().isThrownBy(() -> new LeaderSelector(client, "/p", null, turns))
                .withMessage("executorService cannot be null");
        assertThatNullPointerException().isThrownBy(() -> selector.setId(null)).withMessage("id cannot be null");
        assertThatIllegalArgumentException().isThrownBy(() -> new LeaderSelector(client, "p", turns))
                .withMessageContaining("Path must start with / character");
    }

    @Test
    void statesAreCheckedAsInCurator() {
        assertThatIllegalStateException().isThrownBy(selector::close)
                .withMessage("Already closed or has not been started");
        assertThatIllegalStateException().isThrownBy(selector::requeue).withMessage("close() has already been called");
        selector.start();
        assertThatIllegalStateException().isThrownBy(selector::start).withMessage("Cannot be started more than once");
        selector.close();
        assertThatIllegalStateException().isThrownBy(selector::start).withMessage("Cannot be started more than once");
        assertThatIllegalStateException().isThrownBy(selector::requeue).withMessage("close() has already been called");
        assertThatIllegalStateException().isThrownBy(selector::close)
                .withMessage("Already closed or has not been started");
    }

    @Test
    void leadsUntilTheListenerReturns() throws InterruptedException {
        selector.setId("here");
        selector.start();
        assertThat(candidacy(1).participantId()).isEqualTo("here");
        assertThat(selector.hasLeadership()).isFalse();
        FakeCandidacy candidacy = lead(1);
        assertThat(selector.hasLeadership()).isTrue();
        assertThat(selector.requeue()).as("while it leads").isFalse();
        turns.end(() -> { });
        await(() -> candidacy.leaves() == 1);
        assertThat(selector.hasLeadership()).isFalse();
        await(selector::requeue);
        candidacy(2);
        assertThat(selector.requeue()).as("while it queues").isFalse();
        selector.close();
    }

    @Test
    void queuesAgainByItselfWhenToldTo() throws InterruptedException {
        selector.autoRequeue();
        selector.start();
        for (int turn = 1; turn <= 3; turn++) {
            lead(turn);
            turns.end(() -> { });
        }
        candidacy(4);
        selector.close();
    }

    @Test
    void endOfTheLeaseInterruptsTheListener() {
        selector.start();
        FakeCandidacy candidacy = lead(1);
        candidacy.end();
        await(() -> turns.interrupted.get() == 1);
        assertThat(selector.hasLeadership()).isFalse();
        await(() -> candidacy.leaves() == 1);
        selector.close();
    }

    @Test
    void interruptedLeadershipEndsAtOnce() {
        selector.start();
        candidacy(1);
        selector.interruptLeadership();
        FakeCandidacy candidacy = lead(1);
        selector.interruptLeadership();
        assertThat(selector.hasLeadership()).isFalse();
        await(() -> turns.interrupted.get() == 1);
        assertThat(candidacy.leaves()).isEqualTo(1);
        selector.close();
    }

    @Test
    void closingEndsLeadershipAlthoughTheListenerIgnoresTheInterrupt() throws InterruptedException {
        CountDownLatch stubborn = new CountDownLatch(1);
        selector.start();
        FakeCandidacy candidacy = lead(1);
        turns.end(() -> awaitStubbornly(stubborn));
        selector.close();
        assertThat(selector.hasLeadership()).isFalse();
        assertThat(candidacy.leaves()).isEqualTo(1);
        stubborn.countDown();
    }

    private static void awaitStubbornly(CountDownLatch latch) {
        while (latch.getCount() > 0) {
            try {
                latch.await();
            } catch (InterruptedException e) {
                Thread.interrupted();
            }
        }
    }

    @Test
    void mayBeClosedByItsListener() throws InterruptedException {
        selector.start();
        FakeCandidacy candidacy = lead(1);
        turns.end(selector::close);
        await(() -> candidacy.leaves() == 1);
        assertThatIllegalStateException().isThrownBy(selector::requeue);
    }

    // Curator swallows it, and with autoRequeue() loops without a pause.
    @Test
    void listenerThatThrowsGivesUpAndQueuesAgain() throws InterruptedException {
        selector.autoRequeue();
        selector.start();
        FakeCandidacy first = lead(1);
        long begun = System.nanoTime();
        turns.end(() -> {
            throw new IllegalStateException("the listener's failure");
        });
        await(() -> first.leaves() == 1);
        candidacy(2);
        assertThat(System.nanoTime() - begun).as("a pause before the next").isGreaterThan(40_000_000);
        selector.close();
    }

    // The thread belongs to the application, which may need it for something else, or wait for its end.
    @Test
    void closingEndsThePauseAfterAListenerThatThrew() throws Exception {
        AtomicReference<Thread> thread = new AtomicReference<>();
        ExecutorService executor = Executors.newSingleThreadExecutor(task -> {
            thread.set(new Thread(task));
            return thread.get();
        });
        try {
            LeaderSelector other = new LeaderSelector(client, "/p", executor, turns);
            longestPause(other);
            other.autoRequeue();
            other.start();
            FakeCandidacy candidacy = lead(1);
            turns.end(() -> {
                throw new IllegalStateException("the listener's failure");
            });
            await(() -> candidacy.leaves() == 1 && thread.get().getState() == Thread.State.TIMED_WAITING);
            Future<?> next = executor.submit(() -> { });
            assertThat(next.isDone()).as("it pauses").isFalse();
            other.close();
            // Half of the pause, which is that much longer than any machine takes for nothing.
            next.get(5, TimeUnit.SECONDS);
            assertThat(engine.candidacies()).hasSize(1);
        } finally {
            executor.shutdownNow();
        }
    }

    // Doubled with each listener that throws, it takes twenty seconds to get there.
    private static void longestPause(LeaderSelector selector) throws ReflectiveOperationException {
        Field pause = LeaderSelector.class.getDeclaredField("pauseMillis");
        pause.setAccessible(true);
        pause.set(selector, 10_000L);
    }

    @Test
    void anErrorStateCancelsLeadership() {
        selector.start();
        FakeCandidacy candidacy = lead(1);
        engine.connect(Connection.SUSPENDED);
        engine.connect(Connection.LOST);
        await(() -> turns.interrupted.get() == 1);
        await(() -> candidacy.leaves() == 1);
        selector.close();
    }

    @Test
    void cancellingWhileItWaitsEndsTheAttempt() {
        selector.start();
        FakeCandidacy candidacy = candidacy(1);
        engine.connect(Connection.LOST);
        await(() -> candidacy.leaves() == 1);
        await(selector::requeue);
        candidacy(2);
        selector.close();
    }

    @Test
    void aGivenExecutorIsUsedAndNotShutDown() throws InterruptedException {
        ExecutorService executor = Executors.newSingleThreadExecutor();
        LeaderSelector other = new LeaderSelector(client, "/p", executor, turns);
        other.start();
        lead(1);
        turns.end(() -> { });
        other.close();
        assertThat(executor.isShutdown()).isFalse();
        executor.shutdownNow();
    }
}
