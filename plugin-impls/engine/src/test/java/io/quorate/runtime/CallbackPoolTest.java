package io.quorate.runtime;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

/** How many threads callbacks get, and what becomes of callbacks for which there is none. */
class CallbackPoolTest {

    /** Threads of which the next so many cannot be started. */
    private static final class Threads implements ThreadFactory {
        private final AtomicInteger failures = new AtomicInteger();
        private final AtomicInteger attempts = new AtomicInteger();
        private final AtomicInteger ended = new AtomicInteger();

        @Override
        public Thread newThread(Runnable work) {
            Runnable counted = () -> {
                try {
                    work.run();
                } finally {
                    ended.incrementAndGet();
                }
            };
            Thread thread = new Thread(counted) {
                @Override
                public synchronized void start() {
                    attempts.incrementAndGet();
                    if (failures.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
                        throw new Error("unable to create native thread (thrown by the test)");
                    }
                    super.start();
                }
            };
            thread.setDaemon(true);
            return thread;
        }
    }

    /** For a pool that never adds threads because nothing has ended for a while: on a busy machine nothing does. */
    static Thread unwatched(Runnable work) {
        return new Thread(work) {
            {
                setDaemon(true);
            }

            @Override
            public synchronized void start() {
                if (!getName().equals("quorate-callback-watch")) {
                    super.start();
                }
            }
        };
    }

    private final Threads threads = new Threads();
    private final CallbackPool pool = new CallbackPool(threads);
    private final CountDownLatch gate = new CountDownLatch(1);

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(600, SECONDS)).as("left: %s", latch).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static void await(String what, BooleanSupplier condition) {
        long deadline = System.nanoTime() + SECONDS.toNanos(600);
        while (!condition.getAsBoolean()) {
            // Justification: the deadline of ten minutes, in a module that has no Deadline.
            assertThat(System.nanoTime() - deadline)
                    .as("still waiting: %s", what)
                    .isNegative();
            // Justification: a condition is looked at again; nothing depends on how soon.
            LockSupport.parkNanos(1_000_000);
        }
    }

    private CountDownLatch executeBlocked(int count) {
        CountDownLatch areDone = new CountDownLatch(count);
        for (int i = 0; i < count; i++) {
            pool.execute(() -> {
                await(gate);
                areDone.countDown();
            });
        }
        return areDone;
    }

    // 2,000 latches whose isLeader() does the work itself must not take 2,000 threads from the process.
    @Test
    void blockedCallbacksTakeThreadsUpToTheLimit() {
        CountDownLatch areDone = executeBlocked(2_000);
        await("the limit", () -> pool.backlog().contains("256 threads"));
        // Justification: a lower bound. More time does not add a thread.
        long since = System.nanoTime();
        await("many looks", () -> System.nanoTime() - since > 20_000_000L * CallbackPool.PATIENCE_MILLIS);
        assertThat(pool.size()).isEqualTo(CallbackPool.THREADS_MAX);
        assertThat(pool.backlog()).isEqualTo("1744 callbacks wait: 256 threads of at most 256 are busy with others");
        gate.countDown();
        await(areDone);
        assertThat(pool.size()).isLessThanOrEqualTo(CallbackPool.THREADS_MAX);
        await("nothing waits", () -> pool.backlog().isEmpty());
    }

    @Test
    void callbackForWhichNoThreadCanBeStartedRunsWhenOneCan() {
        threads.failures.set(1);
        CountDownLatch isDone = new CountDownLatch(1);
        pool.execute(isDone::countDown);
        await(isDone);
        assertThat(threads.attempts.get()).isGreaterThanOrEqualTo(3);
    }

    // Not even the thread that would try again can be started; a node's thread sees to that.
    @Test
    void callbackForWhichNoThreadAtAllCanBeStartedRunsWhenANodeLooksAfterIt() {
        threads.failures.set(Integer.MAX_VALUE);
        CountDownLatch isDone = new CountDownLatch(1);
        pool.execute(isDone::countDown);
        pool.lookAfter();
        assertThat(pool.size()).isZero();
        assertThat(pool.backlog()).isEqualTo("1 callbacks wait: 0 threads of at most 256 are busy with others");
        threads.failures.set(0);
        assertThat(isDone.getCount()).isEqualTo(1);
        pool.lookAfter();
        await(isDone);
    }

    @Test
    void growthGoesOnAfterAThreadThatCouldNotBeStarted() {
        CountDownLatch areDone = executeBlocked(CallbackPool.THREADS_MIN + 1);
        await(
                "one was added",
                () -> pool.size() == CallbackPool.THREADS_MIN + 1
                        && pool.backlog().isEmpty());
        int attempts = threads.attempts.get();
        threads.failures.set(3);
        CountDownLatch isDone = new CountDownLatch(1);
        pool.execute(isDone::countDown);
        await(isDone);
        // Each attempt has failed or has added a thread; on a busy machine one more is added before the fourth has
        // begun.
        int added = pool.size() - CallbackPool.THREADS_MIN - 1;
        assertThat(added).isPositive();
        assertThat(threads.attempts.get() - attempts).isEqualTo(3 + added);
        gate.countDown();
        await(areDone);
    }

    @Test
    void callbackThatThrowsOrLeavesAnInterruptCostsNoThread() {
        CountDownLatch areDone = new CountDownLatch(100);
        for (int i = 0; i < 100; i++) {
            pool.execute(() -> {
                Thread.currentThread().interrupt();
                areDone.countDown();
                throw new AssertionError("thrown by the test");
            });
        }
        await(areDone);
        CountDownLatch isDone = new CountDownLatch(1);
        pool.execute(isDone::countDown);
        await(isDone);
        // To log what it threw takes time, so more than usual may have been started. None has ended.
        assertThat(threads.ended.get()).isLessThan(50);
    }
}
