package io.quorate;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.LeaderLatch.CloseMode;
import io.quorate.client.CloseNotice;
import io.quorate.client.LatchCallbacks;
import io.quorate.client.LatchContender;
import io.quorate.engine.Tenure;
import io.quorate.testkit.Deadline;
import io.quorate.testkit.WaitingCall;
import io.quorate.testkit.simulation.Clients;
import io.quorate.testkit.simulation.FakeEngine;
import io.quorate.testkit.simulation.FakeEngine.FakeCandidacy;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

/** The work of leaders that leave, on threads: who runs what, and whom work that hangs holds up. */
class DrainThreadsTest {

    /** Longer than a test waits: what only comes because a bound is over has not come. */
    private static final Duration LONG = Duration.ofHours(1);

    private static final Duration SHORT = Duration.ofMillis(300);

    private final FakeEngine engine = new FakeEngine();
    private final ElectionClient client =
            Clients.over(engine, Clients.config().drainTimeout(LONG).build());
    private final CountDownLatch never = new CountDownLatch(1);

    @BeforeEach
    void start() {
        client.start();
    }

    @AfterEach
    void close() {
        never.countDown();
        client.close();
    }

    private LeaderLatch leads(String path, Function<Leadership, CompletionStage<?>> work, Duration bound)
            throws Exception {
        LeaderLatch latch = new LeaderLatch(client, path);
        latch.drain(work, bound);
        latch.start();
        engine.last().grant(engine.candidacies().size());
        return latch;
    }

    @Test
    void dependentsOfTheStageRunOnACallbackThread() throws Exception {
        CompletableFuture<Void> report = new CompletableFuture<>();
        AtomicReference<Thread> ran = new AtomicReference<>();
        report.whenComplete((nothing, error) -> ran.set(Thread.currentThread()));
        CountDownLatch asked = new CountDownLatch(1);
        LeaderLatch latch = leads(
                "/p",
                leadership -> {
                    asked.countDown();
                    return report;
                },
                LONG);
        FakeCandidacy candidacy = engine.last();
        candidacy.leave("it was transferred");
        Deadline.await(asked, latch);
        CallbackQueue.drain(latch);
        candidacy.end();
        Deadline.until(() -> ran.get() != null, latch);
        assertThat(ran.get()).as("the thread that stands for the node's").isNotSameAs(Thread.currentThread());
    }

    @Test
    void slowDependentDoesNotDelayOtherBounds() throws Exception {
        CompletableFuture<Void> report = new CompletableFuture<>();
        report.whenComplete((nothing, error) -> Deadline.await(never, "the end of the test"));
        leads("/a", leadership -> report, SHORT);
        FakeCandidacy one = engine.last();
        leads("/b", leadership -> new CompletableFuture<Void>(), SHORT.multipliedBy(2));
        FakeCandidacy other = engine.last();
        one.leave("x");
        other.leave("y");
        Deadline.until(() -> one.drained().size() == 1 && other.drained().size() == 1, "both bounds have come");
    }

    @Test
    void workThatTakesAllCallbackThreadsHoldsUpNoClose() throws Exception {
        for (int i = 0; i < 300; i++) {
            leads(
                    "/p" + i,
                    leadership -> {
                        Deadline.await(never, "the end of the test");
                        return CompletableFuture.completedFuture(null);
                    },
                    SHORT);
        }
        client.closeAsync();
        Deadline.until(() -> engine.closes() == 1, client);
        assertThat(engine.candidacies()).allMatch(candidacy -> candidacy.leaves() == 1);
    }

    @Test
    void anInterruptDoesNotShortenTheWaitOfClose() throws Exception {
        CompletableFuture<Void> report = new CompletableFuture<>();
        LeaderLatch latch = leads("/p", leadership -> report, LONG);
        FakeCandidacy candidacy = engine.last();
        AtomicReference<Boolean> isInterrupted = new AtomicReference<>();
        Thread closing = new Thread(() -> {
            Thread.currentThread().interrupt();
            try {
                latch.close();
            } catch (IOException e) {
                throw new AssertionError(e);
            }
            isInterrupted.set(Thread.currentThread().isInterrupted());
        });
        closing.start();
        Deadline.until(() -> !candidacy.leaving().isEmpty(), latch);
        assertThat(latch.hasLeadership()).isTrue();
        report.complete(null);
        Deadline.until(() -> isInterrupted.get() != null, latch);
        assertThat(isInterrupted.get()).isTrue();
        assertThat(candidacy.leaves()).isEqualTo(1);
    }

    @Test
    void aSecondCloseOnAnotherThreadThrowsNothing() throws Exception {
        for (int i = 0; i < 50; i++) {
            LeaderLatch latch = leads("/p", leadership -> new CompletableFuture<Void>(), LONG);
            FakeCandidacy candidacy = engine.last();
            WaitingCall<Boolean> first = WaitingCall.begun(() -> {
                latch.close();
                return true;
            });
            Deadline.until(() -> !candidacy.leaving().isEmpty(), latch);
            latch.close();
            assertThat(first.awaitAnswer()).isTrue();
        }
    }

    // It is interrupted, stays all the same, and leaves again while its listener still works.
    @Test
    void aSelectorThatHasStayedIsWaitedForTheNextTime() {
        CountDownLatch leads = new CountDownLatch(1);
        AtomicInteger interrupts = new AtomicInteger();
        CountDownLatch mayReturn = new CountDownLatch(1);
        LeaderSelector selector = new LeaderSelector(client, "/p", new LeaderSelectorListenerAdapter() {
            @Override
            public void takeLeadership(ElectionClient source) {
                leads.countDown();
                while (mayReturn.getCount() > 0) {
                    if (Thread.interrupted()) {
                        interrupts.incrementAndGet();
                    }
                    // Justification: it looks for interrupts again; nothing depends on how soon.
                    LockSupport.parkNanos(1_000_000);
                }
            }
        });
        selector.start();
        Deadline.until(() -> !engine.candidacies().isEmpty(), selector);
        FakeCandidacy candidacy = engine.last();
        Tenure tenure = candidacy.grant(3);
        Deadline.await(leads, selector);
        candidacy.leave("it is on standby");
        Deadline.until(() -> interrupts.get() == 1, selector);
        candidacy.stay();
        candidacy.leave("it was transferred");
        Deadline.until(() -> interrupts.get() == 2, selector);
        assertThat(candidacy.drained()).as("its listener still works").isEmpty();
        assertThat(candidacy.leaves()).isZero();
        mayReturn.countDown();
        // It may leave before the thread that interrupted it waits for it: then the engine hears of no work at all.
        Deadline.until(() -> candidacy.leaves() == 1, selector);
        Deadline.until(tenure::isEnded, selector);
        assertThat(candidacy.drained()).isSubsetOf(tenure);
    }

    @Test
    void aSelectorDoesNotQueueAgainWhileItsClientIsClosing() throws Exception {
        CountDownLatch leads = new CountDownLatch(1);
        CountDownLatch hasReturned = new CountDownLatch(1);
        LeaderSelector selector = new LeaderSelector(client, "/p", new LeaderSelectorListenerAdapter() {
            @Override
            public void takeLeadership(ElectionClient source) throws Exception {
                leads.countDown();
                try {
                    never.await();
                } finally {
                    hasReturned.countDown();
                }
            }
        });
        selector.autoRequeue();
        selector.start();
        Deadline.until(() -> !engine.candidacies().isEmpty(), selector);
        FakeCandidacy candidacy = engine.last();
        candidacy.grant(3);
        Deadline.await(leads, selector);
        CompletableFuture<Void> report = new CompletableFuture<>();
        leads("/q", leadership -> report, LONG);
        List<FakeCandidacy> before = List.copyOf(engine.candidacies());
        CompletableFuture<Void> closed = client.closeAsync().toCompletableFuture();
        Deadline.await(hasReturned, selector);
        Deadline.until(() -> candidacy.leaves() == 1, selector);
        report.complete(null);
        Deadline.get(closed);
        assertThat(engine.candidacies()).isEqualTo(before);
    }

    // ---------------------------------------------------------------- closing waits for notLeader, whatever thread
    // goes on

    /** A latch whose work blocks on its callback thread, and whose {@code notLeader} does. */
    private final class Blocking implements LeaderLatchListener {
        final CountDownLatch mayFinish = new CountDownLatch(1);
        final CountDownLatch isTold = new CountDownLatch(1);
        final CountDownLatch mayReturn = new CountDownLatch(1);
        final LeaderLatch latch;
        final FakeCandidacy candidacy;

        Blocking(CloseMode mode) throws Exception {
            latch = new LeaderLatch(client, "/p", "a", mode);
            latch.addListener(this);
            latch.drain(
                    leadership -> {
                        Deadline.await(mayFinish, "it may finish");
                        return CompletableFuture.completedFuture(null);
                    },
                    LONG);
            latch.start();
            candidacy = engine.last();
            candidacy.grant(1);
        }

        @Override
        public void isLeader() {
            // It works.
        }

        @Override
        public void notLeader() {
            isTold.countDown();
            Deadline.await(mayReturn, "it may return");
        }

        void leaves() {
            Deadline.until(() -> !candidacy.leaving().isEmpty(), latch);
        }

        void isWaitedFor(CompletableFuture<?> closed) throws Exception {
            leaves();
            mayFinish.countDown();
            Deadline.await(isTold, latch);
            assertThat(closed).as("notLeader has not returned").isNotDone();
            mayReturn.countDown();
            Deadline.get(closed);
        }
    }

    private static CompletableFuture<Void> closing(Callable<?> close) {
        return CompletableFuture.runAsync(() -> {
            try {
                close.call();
            } catch (Exception e) {
                throw new CompletionException(e);
            }
        });
    }

    @Test
    void aClientWaitsForNotLeader() throws Exception {
        Blocking blocking = new Blocking(CloseMode.NOTIFY_LEADER);
        blocking.isWaitedFor(closing(() -> {
            client.close();
            return null;
        }));
    }

    @Test
    void aClientThatIsClosedInTheBackgroundWaitsForNotLeader() throws Exception {
        new Blocking(CloseMode.NOTIFY_LEADER).isWaitedFor(client.closeAsync().toCompletableFuture());
    }

    @Test
    void aLatchThatIsClosedInTheBackgroundWaitsForNotLeader() throws Exception {
        Blocking blocking = new Blocking(CloseMode.NOTIFY_LEADER);
        blocking.isWaitedFor(blocking.latch.closeAsync().toCompletableFuture());
    }

    // The client closes it in its own mode, which is silent.
    @Test
    void notLeaderIsDeliveredWhenTheClientClosesFirst() throws Exception {
        Blocking blocking = new Blocking(CloseMode.SILENT);
        CompletableFuture<Void> closed = closing(() -> {
            blocking.latch.close(CloseMode.NOTIFY_LEADER);
            return null;
        });
        blocking.leaves();
        client.closeAsync();
        blocking.isWaitedFor(closed);
    }

    @Test
    void aCloseFromWhatHangsOnTheStageFindsTheWorkFinished() throws Exception {
        CompletableFuture<Void> report = new CompletableFuture<>();
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch timedOut = new CountDownLatch(1);
        LeaderLatch latch = leads(
                "/p",
                leadership -> {
                    asked.countDown();
                    return report;
                },
                LONG);
        client.addMonitor(new ClientMonitor() {
            @Override
            public void drained(String path, DrainOutcome outcome, Duration took) {
                if (outcome != DrainOutcome.DONE) {
                    timedOut.countDown();
                }
            }
        });
        engine.last().leave("it was transferred");
        Deadline.await(asked, latch);
        CallbackQueue.drain(latch);
        CompletableFuture<Void> closed = report.thenRun(client::close);
        report.complete(null);
        Deadline.get(closed);
        assertThat(timedOut.getCount()).isEqualTo(1);
    }

    // ---------------------------------------------------------------- stages that answer no question

    // A minimal stage is a Future by its class, and throws if it is asked.
    @Test
    void aMinimalStageHoldsUpNoClose() throws Exception {
        CompletableFuture<Void> report = new CompletableFuture<>();
        CountDownLatch asked = new CountDownLatch(1);
        LeaderLatch latch = leads(
                "/p",
                leadership -> {
                    asked.countDown();
                    return report.minimalCompletionStage();
                },
                LONG);
        engine.last().leave("it was transferred");
        Deadline.await(asked, latch);
        CallbackQueue.drain(latch);
        CompletableFuture<Void> closed = client.closeAsync().toCompletableFuture();
        assertThat(latch.hasLeadership()).as("its work is not done").isTrue();
        report.complete(null);
        Deadline.get(closed);
    }

    // What is done is not cancelled, which a minimal stage refuses, and a line of the log would say so.
    @Test
    void aStageThatIsDoneIsNotCancelled() throws Exception {
        CountDownLatch cancelled = new CountDownLatch(1);
        LeaderLatch latch = leads(
                "/p",
                leadership -> {
                    CompletableFuture<Void> done = new CompletableFuture<>() {
                        @Override
                        public boolean cancel(boolean mayInterrupt) {
                            cancelled.countDown();
                            return super.cancel(mayInterrupt);
                        }
                    };
                    done.complete(null);
                    return done;
                },
                LONG);
        FakeCandidacy candidacy = engine.last();
        candidacy.leave("it was transferred");
        CallbackQueue.drain(latch);
        assertThat(candidacy.drained()).hasSize(1);
        assertThat(cancelled.getCount()).isEqualTo(1);
    }

    // ---------------------------------------------------------------- who waits for notLeader, if several close

    @Test
    void aSilentCloseWaitsForNoCallbackAndTheClientDoes() throws Exception {
        CompletableFuture<Void> report = new CompletableFuture<>();
        Blocking blocking = new Blocking(CloseMode.NOTIFY_LEADER);
        blocking.latch.drain(leadership -> report, LONG);
        CompletableFuture<Void> byClient = client.closeAsync().toCompletableFuture();
        CompletableFuture<Void> silent =
                blocking.latch.closeAsync(CloseMode.SILENT).toCompletableFuture();
        report.complete(null);
        Deadline.await(blocking.isTold, blocking.latch);
        Deadline.get(silent);
        assertThat(byClient).as("notLeader has not returned").isNotDone();
        blocking.mayReturn.countDown();
        Deadline.get(byClient);
    }

    @Test
    void allWaitForNotLeaderIfTheLeaseIsLostMeanwhile() throws Exception {
        Blocking blocking = new Blocking(CloseMode.NOTIFY_LEADER);
        CompletableFuture<Void> byLatch = blocking.latch.closeAsync().toCompletableFuture();
        CompletableFuture<Void> byClient = client.closeAsync().toCompletableFuture();
        blocking.candidacy.end();
        blocking.mayFinish.countDown();
        Deadline.await(blocking.isTold, blocking.latch);
        // Behind what completes on the threads of the callbacks.
        Deadline.get(
                client.onCallbackThread(CompletableFuture.completedFuture(null)).toCompletableFuture());
        assertThat(byLatch).as("notLeader has not returned").isNotDone();
        assertThat(byClient).as("notLeader has not returned").isNotDone();
        blocking.mayReturn.countDown();
        Deadline.get(byLatch);
        Deadline.get(byClient);
    }

    // Whoever of the two came first to what had ended waited for it.
    @RepeatedTest(10)
    void theFirstCloseOfAClientWaitsForNotLeaderThoughASecondCutsTheWork() throws Exception {
        Blocking blocking = new Blocking(CloseMode.NOTIFY_LEADER);
        CompletableFuture<Void> first = closing(() -> {
            client.close();
            return null;
        });
        blocking.leaves();
        client.closeAsync();
        blocking.isWaitedFor(first);
    }

    @Test
    void aCallbackThatClosesTheClientOnceMoreDoesNotWaitForItself() throws Exception {
        CompletableFuture<Void> report = new CompletableFuture<>();
        CountDownLatch mayClose = new CountDownLatch(1);
        CountDownLatch hasClosed = new CountDownLatch(1);
        Blocking other = new Blocking(CloseMode.NOTIFY_LEADER);
        LeaderLatch latch = new LeaderLatch(client, "/q", "a", CloseMode.NOTIFY_LEADER);
        latch.drain(leadership -> report, LONG);
        latch.addListener(new LeaderLatchListener() {
            @Override
            public void isLeader() {
                // It works.
            }

            @Override
            public void notLeader() {
                Deadline.await(mayClose, "it may close");
                client.close();
                hasClosed.countDown();
            }
        });
        latch.start();
        engine.last().grant(2);
        CompletableFuture<Void> first = closing(() -> {
            client.close();
            return null;
        });
        other.leaves();
        // It comes after the other one here.
        FakeCandidacy candidacy = engine.last();
        Deadline.until(() -> !candidacy.leaving().isEmpty(), latch);
        report.complete(null);
        mayClose.countDown();
        Deadline.await(hasClosed, latch);
        other.mayFinish.countDown();
        other.mayReturn.countDown();
        Deadline.get(first);
    }

    // Two calls of a client close what has ended already: each waits for the callback, whichever comes first.
    @Test
    void closeOfAClosedLatchWaitsForTheNotLeaderOfALostLease() throws Exception {
        Notified notified = new Notified();
        notified.candidacy.end();
        Deadline.await(notified.isTold, notified.contender);
        CloseNotice one = notified.contender.closeWithClient();
        CloseNotice other = notified.contender.closeWithClient();
        notified.isWaitedFor(List.of(other.tell(), one.tell()));
    }

    @Test
    void closeOfAClosedLatchWaitsForTheNotLeaderOfTheFirstClose() throws Exception {
        Notified notified = new Notified();
        CloseNotice one = notified.contender.closeWithClient();
        CloseNotice other = notified.contender.closeWithClient();
        notified.isWaitedFor(List.of(other.tell(), one.tell()));
    }

    /** The contender of a latch that leads without work to finish, and whose notLeader returns when it may. */
    private final class Notified implements LeaderLatchListener {
        final CountDownLatch isTold = new CountDownLatch(1);
        final CountDownLatch mayReturn = new CountDownLatch(1);
        final LatchContender contender =
                new LatchContender("/p", "a", true, new LatchCallbacks(client::runCallback, LatchCallbacks.LIMIT));
        final FakeCandidacy candidacy;

        Notified() {
            contender.listeners().addListener(this);
            contender.start(Optional.empty());
            contender.join(engine, "/p");
            candidacy = engine.last();
            candidacy.grant(1);
        }

        @Override
        public void isLeader() {
            // It works.
        }

        @Override
        public void notLeader() {
            isTold.countDown();
            Deadline.await(mayReturn, "it may return");
        }

        void isWaitedFor(List<CompletableFuture<Void>> closings) throws Exception {
            Deadline.await(isTold, contender);
            assertThat(closings).as("notLeader has not returned").noneMatch(CompletableFuture::isDone);
            mayReturn.countDown();
            for (CompletableFuture<Void> closing : closings) {
                Deadline.get(closing);
            }
        }
    }
}
