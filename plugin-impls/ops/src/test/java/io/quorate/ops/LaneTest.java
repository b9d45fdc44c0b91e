package io.quorate.ops;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.testkit.Deadline;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.util.component.AbstractLifeCycle;
import org.eclipse.jetty.util.thread.Scheduler;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The time of a lane passes when a test says so. */
class LaneTest {

    private static final String CROWD = "1 is being answered already";

    /** Keeps tasks until their time passes. */
    private static final class Clock extends AbstractLifeCycle implements Scheduler {
        private final ConcurrentLinkedQueue<Runnable> tasks = new ConcurrentLinkedQueue<>();

        @Override
        public Task schedule(Runnable task, long delay, TimeUnit units) {
            tasks.add(task);
            return () -> tasks.remove(task);
        }

        /** The wait of all turns ends once. */
        private void pass() {
            List<Runnable> due = List.copyOf(tasks);
            tasks.removeAll(due);
            due.forEach(Runnable::run);
        }
    }

    /** Keeps the lane's thread after its answer until it may go on. */
    private static final class Kept implements Lane.Outcome {
        private final CompletableFuture<Answer> answer = new CompletableFuture<>();
        private final CountDownLatch end;

        private Kept(CountDownLatch end) {
            this.end = end;
        }

        @Override
        public void answered(Answer given) {
            answer.complete(given);
            Deadline.await(end, "the thread goes on");
        }

        @Override
        public void failed(Throwable cause) {
            answer.completeExceptionally(cause);
        }
    }

    private final Clock clock = new Clock();
    private final CountDownLatch threadGoesOn = new CountDownLatch(1);
    private final CountDownLatch workEnds = new CountDownLatch(1);
    private final Lane lane = new Lane("quorate-lane-test", 1, CROWD, clock);

    @AfterEach
    void close() {
        threadGoesOn.countDown();
        workEnds.countDown();
        lane.close();
    }

    private CompletableFuture<Answer> run(Lane.Work work, CountDownLatch end) {
        Kept outcome = new Kept(end);
        lane.run(work, outcome, late -> true);
        return outcome.answer;
    }

    private static Answer answer() {
        return new Answer(200, Map.of(), "");
    }

    // As on a machine that starts a thread only after the wait of the turn.
    @Test
    void turnsWaitForALateThread() {
        run(LaneTest::answer, threadGoesOn).join();
        CompletableFuture<Answer> next = run(LaneTest::answer, threadGoesOn);
        clock.pass();
        clock.pass();
        assertThat(next).isNotDone();
        threadGoesOn.countDown();
        assertThat(next.join().status()).isEqualTo(200);
    }

    @Test
    void aRequestThatMayNotWaitIsRefused() {
        Kept outcome = new Kept(threadGoesOn);
        lane.run(
                () -> {
                    throw new AssertionError("runs");
                },
                outcome,
                late -> false);
        assertThatThrownBy(outcome.answer::join)
                .hasCauseInstanceOf(Refused.class)
                .hasRootCauseMessage("24 requests from your address are being answered already: ask again later");
    }

    @Test
    void turnsAreRefusedWhileAllThreadsAnswer() {
        CountDownLatch begun = new CountDownLatch(1);
        run(LaneTest::answer, threadGoesOn).join();
        CompletableFuture<Answer> second = run(
                () -> {
                    begun.countDown();
                    Deadline.await(workEnds, "the work ends");
                    return answer();
                },
                threadGoesOn);
        CompletableFuture<Answer> third = run(LaneTest::answer, threadGoesOn);
        clock.pass();
        assertThat(third).isNotDone();
        threadGoesOn.countDown();
        Deadline.await(begun, "the second turn begins");
        clock.pass();
        assertThatThrownBy(third::join).hasCauseInstanceOf(Refused.class).hasRootCauseMessage(CROWD);
        workEnds.countDown();
        assertThat(second.join().status()).isEqualTo(200);
    }
}
