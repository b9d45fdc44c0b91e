package io.quorate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.quorate.engine.Connection;
import io.quorate.engine.PathView;
import io.quorate.engine.Tenure;
import io.quorate.spi.NodeId;
import io.quorate.testkit.CapturedLog;
import io.quorate.testkit.Deadline;
import io.quorate.testkit.RealTime;
import io.quorate.testkit.simulation.Clients;
import io.quorate.testkit.simulation.FakeEngine;
import io.quorate.testkit.simulation.FakeEngine.FakeCandidacy;
import java.io.IOException;
import java.lang.reflect.Field;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the contract cannot show of a selector: a tenure that ends by itself, and the thread in the pause. */
class LeaderSelectorTest {

    private final FakeEngine engine = new FakeEngine();
    private final ElectionClient client = Clients.over(engine);
    private final AtomicReference<Thread> thread = new AtomicReference<>();
    private final ExecutorService executor = Executors.newSingleThreadExecutor(task -> {
        thread.set(new Thread(task));
        return thread.get();
    });

    @BeforeEach
    void startClient() {
        client.start();
    }

    @AfterEach
    void closeClient() {
        client.close();
        executor.shutdownNow();
    }

    private LeaderSelector selector(Callable<?> turn) {
        return new LeaderSelector(client, "/p", executor, new LeaderSelectorListenerAdapter() {
            @Override
            public void takeLeadership(ElectionClient source) throws Exception {
                turn.call();
            }
        });
    }

    /** Is interrupted, and returns when it may. */
    private static final class Stubborn extends LeaderSelectorListenerAdapter {
        final CountDownLatch leads = new CountDownLatch(1);
        final CountDownLatch interrupted = new CountDownLatch(1);
        final CountDownLatch mayReturn = new CountDownLatch(1);

        @Override
        public void takeLeadership(ElectionClient source) {
            leads.countDown();
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                interrupted.countDown();
            }
            Deadline.await(mayReturn, "it may return");
        }
    }

    private FakeCandidacy started(LeaderSelector selector) {
        selector.start();
        Deadline.until(() -> !engine.candidacies().isEmpty(), selector);
        return engine.last();
    }

    // It waits for its turn as long as it takes: if the lease were renewed a moment later, it would lead without one.
    @Test
    void aLeaseThatIsOverBeforeTheTurnIsToldTheEngine() {
        FakeCandidacy candidacy = started(selector(() -> null));
        Tenure tenure = candidacy.grant(7, Duration.ZERO);
        Deadline.until(() -> candidacy.reported().contains(tenure), "the engine hears of it");
    }

    // The connection is as before: it is not the connection listener that ends the turn.
    @Test
    void theEndOfItsTenureInterruptsTheListener() {
        CountDownLatch isLeading = new CountDownLatch(1);
        CountDownLatch isInterrupted = new CountDownLatch(1);
        LeaderSelector selector = selector(() -> {
            isLeading.countDown();
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                isInterrupted.countDown();
            }
            return null;
        });
        FakeCandidacy candidacy = started(selector);
        candidacy.grant(1);
        Deadline.await(isLeading, selector);
        assertThat(selector.hasLeadership()).isTrue();
        candidacy.end();
        Deadline.await(isInterrupted, selector);
        assertThat(selector.hasLeadership()).isFalse();
        Deadline.until(() -> candidacy.leaves() == 1, selector);
        selector.close();
    }

    // The thread belongs to the application, which may need it for something else, or wait for its end.
    @RealTime
    @Test
    void closingEndsThePauseAfterAListenerThatThrew() throws Exception {
        LeaderSelector selector = selector(() -> {
            throw new IllegalStateException("the listener's failure");
        });
        longestPause(selector);
        selector.autoRequeue();
        FakeCandidacy candidacy = started(selector);
        candidacy.grant(1);
        Deadline.until(
                () -> candidacy.leaves() == 1 && thread.get().getState() == Thread.State.TIMED_WAITING, selector);
        Future<?> next = executor.submit(() -> {});
        assertThat(next.isDone()).as("it pauses").isFalse();
        selector.close();
        // Half of the pause, which is that much longer than any machine takes for nothing.
        next.get(5, TimeUnit.SECONDS);
        assertThat(engine.candidacies()).hasSize(1);
    }

    /** Leads until it is interrupted, and says so. */
    private static final class Turn implements Callable<Void> {
        private final CountDownLatch hasBegun = new CountDownLatch(1);
        private final CountDownLatch isInterrupted = new CountDownLatch(1);

        @Override
        public Void call() {
            hasBegun.countDown();
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                isInterrupted.countDown();
            }
            return null;
        }
    }

    @Test
    void itQueuesOnceAtATimeAndAgainWhenItIsAsked() {
        LeaderSelector selector = selector(() -> null);
        assertThat(selector.getId()).isEmpty();
        assertThat(selector).hasToString("Selector /p");
        selector.setId("a");
        assertThat(selector.getId()).isEqualTo("a");
        assertThat(selector).hasToString("Selector /p of a");
        FakeCandidacy first = started(selector);
        assertThat(first.participantId()).isEqualTo("a");
        assertThat(selector.requeue()).as("it waits").isFalse();
        selector.setId("b");
        first.grant(1);
        Deadline.until(selector::requeue, selector);
        assertThat(first.leaves()).isEqualTo(1);
        Deadline.until(() -> engine.candidacies().size() == 2, selector);
        assertThat(engine.last().participantId()).isEqualTo("b");
        selector.close();
        assertThatIllegalStateException().isThrownBy(selector::requeue);
    }

    @Test
    void itQueuesByItselfUntilItIsClosed() {
        LeaderSelector selector = selector(() -> null);
        selector.autoRequeue();
        started(selector);
        for (int turn = 1; turn <= 3; turn++) {
            int candidacies = turn;
            Deadline.until(() -> engine.candidacies().size() == candidacies, selector);
            if (turn < 3) {
                engine.last().grant(turn);
            }
        }
        selector.close();
        Deadline.until(() -> engine.last().leaves() == 1, selector);
        engine.last().grant(9);
        assertThat(engine.candidacies()).hasSize(3);
    }

    @Test
    void interruptLeadershipEndsItImmediately() {
        Turn turn = new Turn();
        LeaderSelector selector = selector(turn);
        FakeCandidacy candidacy = started(selector);
        selector.interruptLeadership();
        assertThat(candidacy.leaves()).as("it does not lead yet").isZero();
        Tenure tenure = candidacy.grant(1);
        Deadline.await(turn.hasBegun, selector);
        selector.interruptLeadership();
        assertThat(selector.hasLeadership()).isFalse();
        assertThat(tenure.isEnded()).isTrue();
        assertThat(candidacy.leaves()).isEqualTo(1);
        Deadline.await(turn.isInterrupted, selector);
        selector.close();
    }

    @Test
    void closingEndsItsLeadershipAtOnce() {
        Turn turn = new Turn();
        LeaderSelector selector = selector(turn);
        FakeCandidacy candidacy = started(selector);
        Tenure tenure = candidacy.grant(1);
        Deadline.await(turn.hasBegun, selector);
        selector.close();
        assertThat(selector.hasLeadership()).isFalse();
        assertThat(tenure.isEnded()).isTrue();
        assertThat(candidacy.leaves()).isEqualTo(1);
        Deadline.await(turn.isInterrupted, selector);
        assertThatIllegalStateException().isThrownBy(selector::close);
    }

    // Its listener cancels at SUSPENDED, as the policy says; it hears of no state after the end.
    @Test
    void aListenerThatCancelsEndsTheTurnThatWaitsToo() {
        client.close();
        ElectionClient strict = Clients.over(
                engine,
                Clients.config()
                        .connectionTimeout(Duration.ofSeconds(1))
                        .connectionStateErrorPolicy(new StandardConnectionStateErrorPolicy())
                        .build());
        strict.start();
        List<ConnectionState> seen = new CopyOnWriteArrayList<>();
        LeaderSelector selector = new LeaderSelector(strict, "/p", executor, new LeaderSelectorListenerAdapter() {
            @Override
            public void takeLeadership(ElectionClient source) {
                throw new AssertionError("it leads");
            }

            @Override
            public void stateChanged(ElectionClient source, ConnectionState newState) {
                seen.add(newState);
                super.stateChanged(source, newState);
            }
        });
        FakeCandidacy candidacy = started(selector);
        engine.connect(Connection.SUSPENDED);
        Deadline.until(() -> candidacy.leaves() == 1, selector);
        Deadline.until(selector::requeue, selector);
        CountDownLatch areTold = new CountDownLatch(1);
        strict.getConnectionStateListenable().addListener((source, newState) -> areTold.countDown());
        selector.close();
        engine.connect(Connection.LOST);
        Deadline.await(areTold, "the listener behind that of the selector");
        strict.close();
        assertThat(seen).containsExactly(ConnectionState.SUSPENDED);
    }

    // Its client waits for the work of leaders: the thread is interrupted, and what it still does is waited for.
    @Test
    void closeWaitsForTheRunningListener() {
        client.close();
        ElectionClient draining = Clients.over(
                engine, Clients.config().drainTimeout(Duration.ofHours(1)).build());
        draining.start();
        Stubborn stubborn = new Stubborn();
        LeaderSelector selector = new LeaderSelector(draining, "/p", executor, stubborn);
        FakeCandidacy candidacy = started(selector);
        Tenure tenure = candidacy.grant(3);
        Deadline.await(stubborn.leads, "it leads");
        assertThat(candidacy.leave("it was transferred")).isTrue();
        Deadline.await(stubborn.interrupted, "its listener is interrupted");
        assertThat(selector.hasLeadership()).isTrue();
        assertThat(candidacy.drained()).isEmpty();
        assertThat(candidacy.leaves()).isZero();
        stubborn.mayReturn.countDown();
        // It may leave before the thread that interrupted it waits for it: then the engine hears of no work at all.
        Deadline.until(() -> candidacy.leaves() == 1, selector);
        Deadline.until(tenure::isEnded, selector);
        assertThat(candidacy.drained()).isSubsetOf(tenure);
        draining.close();
    }

    @Test
    void aSelectorThatIsClosedHandsOverWhenItsListenerHasReturned() {
        client.close();
        ElectionClient draining = Clients.over(
                engine, Clients.config().drainTimeout(Duration.ofHours(1)).build());
        draining.start();
        Stubborn stubborn = new Stubborn();
        LeaderSelector selector = new LeaderSelector(draining, "/p", executor, stubborn);
        FakeCandidacy candidacy = started(selector);
        candidacy.grant(3);
        Deadline.await(stubborn.leads, "it leads");
        selector.close();
        assertThat(selector.hasLeadership()).as("its listener still works").isFalse();
        assertThat(candidacy.leaves()).as("the tenure is kept").isZero();
        stubborn.mayReturn.countDown();
        Deadline.until(() -> candidacy.leaves() == 1, selector);
        draining.close();
    }

    @Test
    void itSeesWhoContends() throws Exception {
        LeaderSelector selector = selector(() -> null);
        engine.publish(
                "/p",
                new PathView(
                        List.of(
                                new PathView.Entry(new NodeId("n1"), 1, "a", true, 1),
                                new PathView.Entry(new NodeId("n2"), 1, "b", false, 1)),
                        OptionalLong.of(3)));
        Participant leader = new Participant("a", true);
        Participant other = new Participant("b", false);
        assertThat(selector.getLeader()).isEqualTo(leader);
        assertThat(selector.getParticipants()).containsExactly(leader, other);
        assertThat(Deadline.get(selector.getLeaderAsync().toCompletableFuture()))
                .isEqualTo(leader);
        assertThat(Deadline.get(selector.getParticipantsAsync().toCompletableFuture()))
                .containsExactly(leader, other);
    }

    @Test
    void withoutAnExecutorItsThreadIsADaemonThatEndsWithIt() {
        AtomicReference<Thread> own = new AtomicReference<>();
        LeaderSelector selector = new LeaderSelector(client, "/p", new LeaderSelectorListenerAdapter() {
            @Override
            public void takeLeadership(ElectionClient source) {
                own.set(Thread.currentThread());
            }
        });
        started(selector).grant(1);
        Deadline.until(() -> own.get() != null, selector);
        assertThat(own.get().isDaemon()).isTrue();
        assertThat(own.get().getName()).startsWith("Quorate-LeaderSelector-");
        selector.close();
        Deadline.until(() -> !own.get().isAlive(), selector);
    }

    @Test
    void thePauseDoublesWithEachListenerThatThrew() {
        LeaderSelector selector = selector(() -> {
            throw new IllegalStateException("the listener's failure");
        });
        selector.autoRequeue();
        started(selector).grant(1);
        Deadline.until(() -> engine.candidacies().size() == 2, selector);
        assertThat(pauseMillis(selector)).isEqualTo(50);
        engine.last().grant(2);
        Deadline.until(() -> pauseMillis(selector) != 50, selector);
        assertThat(pauseMillis(selector)).isEqualTo(100);
        selector.close();
    }

    /** What Java lets a method throw that declares nothing. */
    static Stream<Throwable> anything() {
        return Stream.of(
                new NoClassDefFoundError("of the test"),
                new StackOverflowError("of the test"),
                new OutOfMemoryError("of the test"),
                new AssertionError("of the test"),
                new IOException("of the test"));
    }

    @ParameterizedTest
    @MethodSource("anything")
    void throwingListenerIsLoggedAndPausesTheSelector(Throwable thrown) {
        try (CapturedLog log = new CapturedLog()) {
            LeaderSelector selector = new LeaderSelector(client, "/p", new LeaderSelectorListenerAdapter() {
                @Override
                public void takeLeadership(ElectionClient source) throws Exception {
                    LeaderSelectorTest.<RuntimeException>sneak(thrown);
                }
            });
            selector.autoRequeue();
            for (int turn = 1; turn <= 3; turn++) {
                int candidacies = turn;
                if (turn == 1) {
                    selector.start();
                }
                Deadline.until(() -> engine.candidacies().size() == candidacies, selector);
                engine.last().grant(turn);
                long pause = 50L << turn - 1;
                Deadline.until(() -> pauseMillis(selector) == pause, selector);
            }
            selector.close();
            assertThat(log.text().lines().filter(line -> line.contains("takeLeadership threw")))
                    .hasSize(3);
        }
    }

    @SuppressWarnings("unchecked")
    private static <T extends Throwable> void sneak(Throwable thrown) throws T {
        throw (T) thrown;
    }

    // Doubled with each listener that throws, it takes twenty seconds to get there.
    private static void longestPause(LeaderSelector selector) throws ReflectiveOperationException {
        pause().set(selector, 10_000L);
    }

    private static Field pause() {
        try {
            Field pause = LeaderSelector.class.getDeclaredField("pauseMillis");
            pause.setAccessible(true);
            return pause;
        } catch (NoSuchFieldException e) {
            throw new AssertionError(e);
        }
    }

    private static long pauseMillis(LeaderSelector selector) {
        synchronized (selector) {
            try {
                return pause().getLong(selector);
            } catch (IllegalAccessException e) {
                throw new AssertionError(e);
            }
        }
    }
}
