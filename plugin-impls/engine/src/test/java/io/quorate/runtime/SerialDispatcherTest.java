package io.quorate.runtime;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.quorate.engine.SerialDispatcher;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Serial queues on a shared pool. */
class SerialDispatcherTest {

    private static void await(CountDownLatch gate) {
        try {
            assertThat(gate.await(600, SECONDS)).as("tasks left: %s", gate).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void tasksOfManyThreadsRunOneAtATimeAndEachThreadsInOrder() throws Exception {
        int threads = 4;
        int tasks = 5_000;
        SerialDispatcher dispatcher = new SerialDispatcher(CallbackPool.SHARED);
        AtomicBoolean isRunning = new AtomicBoolean();
        AtomicInteger faults = new AtomicInteger();
        int[] last = new int[threads];
        CountDownLatch left = new CountDownLatch(threads * tasks);
        List<Thread> senders = new ArrayList<>();
        for (int sender = 0; sender < threads; sender++) {
            int number = sender;
            senders.add(new Thread(() -> {
                for (int task = 1; task <= tasks; task++) {
                    int expected = task;
                    dispatcher.execute(() -> {
                        boolean isAlone = isRunning.compareAndSet(false, true);
                        // Justification: the array is plain, so a missing happens-before shows as a fault, too.
                        if (!isAlone || ++last[number] != expected) {
                            faults.incrementAndGet();
                        }
                        isRunning.set(false);
                        left.countDown();
                    });
                }
            }));
        }
        senders.forEach(Thread::start);
        await(left);
        assertThat(faults).hasValue(0);
    }

    // Each task is handed over at the very moment at which the one before ends and the dispatcher gives its thread
    // back: a waiting thread would come too late, so this one does not rest. Beside busy processes each task takes as
    // long
    // as theirs have a turn, and there are fewer; one that is forgotten never runs.
    @Test
    void aTaskThatComesWhileTheThreadIsGivenBackIsNotForgotten() {
        SerialDispatcher dispatcher = new SerialDispatcher(CallbackPool.SHARED);
        AtomicInteger done = new AtomicInteger();
        // Justification: the end of the tries. A slow machine makes fewer of them, and none fails for that.
        long begun = System.nanoTime();
        for (int task = 1; task <= 100_000 && System.nanoTime() - begun < SECONDS.toNanos(2); task++) {
            dispatcher.execute(done::incrementAndGet);
            long deadline = System.nanoTime() + SECONDS.toNanos(600);
            while (done.get() < task) {
                // Justification: the deadline of ten minutes. Deadline rests between two looks, and this must not.
                if (System.nanoTime() - deadline > 0) {
                    fail("task %d has not run", task);
                }
                Thread.onSpinWait();
            }
        }
    }

    @Test
    void aTaskThatThrowsOrLeavesAnInterruptDoesNotHarmTheNext() {
        SerialDispatcher dispatcher = new SerialDispatcher(CallbackPool.SHARED);
        AtomicBoolean isInterrupted = new AtomicBoolean();
        CountDownLatch isDone = new CountDownLatch(1);
        CountDownLatch gate = new CountDownLatch(1);
        dispatcher.execute(() -> await(gate));
        dispatcher.execute(() -> {
            Thread.currentThread().interrupt();
            throw new AssertionError("thrown by the test");
        });
        dispatcher.execute(() -> isInterrupted.set(Thread.currentThread().isInterrupted()));
        dispatcher.execute(isDone::countDown);
        gate.countDown();
        await(isDone);
        assertThat(isInterrupted).isFalse();
    }

    // A logger that cannot print what it is given throws that itself.
    @Test
    void aTaskThatThrowsWhatCannotBeLoggedDoesNotHarmTheNext() {
        List<String> ran = new ArrayList<>();
        SerialDispatcher dispatcher = new SerialDispatcher(task -> {
            try {
                task.run();
            } catch (IllegalStateException e) {
                ran.add("the pool's thread was told");
            }
        });
        dispatcher.execute(() -> {
            throw new IllegalArgumentException("thrown by the test") {
                @Override
                public String toString() {
                    throw new IllegalStateException("thrown by the test");
                }
            };
        });
        dispatcher.execute(() -> ran.add("second"));
        assertThat(ran).containsExactly("second");
    }

    @Test
    void tasksOfAPoolThatRefusesRunWithTheNext() {
        AtomicBoolean isFull = new AtomicBoolean(true);
        List<String> ran = new ArrayList<>();
        SerialDispatcher dispatcher = new SerialDispatcher(task -> {
            if (isFull.get()) {
                throw new RejectedExecutionException("thrown by the test");
            }
            task.run();
        });
        dispatcher.execute(() -> ran.add("first"));
        isFull.set(false);
        dispatcher.execute(() -> ran.add("second"));
        assertThat(ran).containsExactly("first", "second");
    }

    @Test
    void isSettledWhenAllThatWasQueuedHasRun() {
        Queue<Runnable> threads = new ArrayDeque<>();
        SerialDispatcher dispatcher = new SerialDispatcher(threads::add);
        assertThat(dispatcher.settled()).as("nothing is queued").isCompleted();
        List<String> ran = new ArrayList<>();
        dispatcher.execute(() -> ran.add("one"));
        CompletableFuture<Void> settled = dispatcher.settled();
        dispatcher.execute(() -> ran.add("two, and settled " + settled.isDone()));
        assertThat(settled).isNotDone();
        threads.remove().run();
        assertThat(threads).isEmpty();
        assertThat(settled).isCompleted();
        assertThat(ran).containsExactly("one", "two, and settled true");
        assertThat(dispatcher.settled()).isCompleted();
    }

    // It would wait for itself.
    @Test
    void isSettledForItsOwnTasks() {
        SerialDispatcher dispatcher = new SerialDispatcher(Runnable::run);
        List<Boolean> seen = new ArrayList<>();
        dispatcher.execute(() -> {
            seen.add(dispatcher.isRunningHere());
            seen.add(dispatcher.settled().isDone());
        });
        assertThat(seen).containsExactly(true, true);
        assertThat(dispatcher.isRunningHere()).isFalse();
    }

    @Test
    void thePoolIsAskedOncePerBurst() {
        Queue<Runnable> threads = new ArrayDeque<>();
        SerialDispatcher dispatcher = new SerialDispatcher(threads::add);
        dispatcher.execute(() -> {});
        dispatcher.execute(() -> {});
        assertThat(threads).hasSize(1);
        threads.remove().run();
        dispatcher.execute(() -> {});
        assertThat(threads).hasSize(1);
    }

    @Test
    void aDispatcherWithNothingToDoHasNoThread() {
        CallbackPool pool = new CallbackPool();
        List<SerialDispatcher> idle = new ArrayList<>();
        for (int number = 0; number < 10_000; number++) {
            idle.add(new SerialDispatcher(pool));
        }
        assertThat(idle).hasSize(10_000);
        assertThat(pool.size()).isZero();
    }

    // A burst of quick callbacks, as when a node becomes the leader of thousands of paths at one moment.
    @Test
    void manyQuickTasksAtOnceNeedFewThreads() {
        CallbackPool pool = new CallbackPool(CallbackPoolTest::unwatched);
        CountDownLatch left = new CountDownLatch(2_000);
        for (int number = 0; number < 2_000; number++) {
            new SerialDispatcher(pool).execute(left::countDown);
        }
        await(left);
        assertThat(pool.size()).isLessThanOrEqualTo(CallbackPool.THREADS_MIN);
    }

    @Test
    void blockedTasksDoNotStarveTheOthers() {
        CallbackPool pool = new CallbackPool();
        CountDownLatch gate = new CountDownLatch(1);
        int blocked = 10 * CallbackPool.THREADS_MIN;
        CountDownLatch areBlocked = new CountDownLatch(blocked);
        for (int number = 0; number < blocked; number++) {
            new SerialDispatcher(pool).execute(() -> {
                areBlocked.countDown();
                await(gate);
            });
        }
        await(areBlocked);
        // Once more, when the limit has been lowered again and every thread is still blocked.
        for (int round = 0; round < 3; round++) {
            CountDownLatch isDone = new CountDownLatch(1);
            new SerialDispatcher(pool).execute(isDone::countDown);
            await(isDone);
        }
        gate.countDown();
    }

    @Test
    void threadsAreNamedDaemonsWithTheLibrarysClassLoader() {
        CallbackPool pool = new CallbackPool();
        List<Thread> seen = new ArrayList<>();
        CountDownLatch isDone = new CountDownLatch(1);
        pool.execute(() -> {
            seen.add(Thread.currentThread());
            isDone.countDown();
        });
        await(isDone);
        assertThat(seen).singleElement().satisfies(thread -> {
            assertThat(thread.isDaemon()).isTrue();
            assertThat(thread.getName()).isEqualTo("quorate-callback-1");
            assertThat(thread.getContextClassLoader()).isSameAs(CallbackPool.class.getClassLoader());
        });
    }
}
