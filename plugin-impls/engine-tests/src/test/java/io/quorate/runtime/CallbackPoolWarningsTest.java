package io.quorate.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.testkit.CapturedLog;
import io.quorate.testkit.Deadline;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** What holds callbacks up is said at once, with the cure, and not again within a minute. */
class CallbackPoolWarningsTest {

    private final AtomicBoolean isFull = new AtomicBoolean();

    private final ThreadFactory threads = work -> {
        if (isFull.get()) {
            throw new OutOfMemoryError("thrown by the test");
        }
        Thread thread = new Thread(work);
        thread.setDaemon(true);
        return thread;
    };

    private final CallbackPool pool = new CallbackPool(threads);

    @Test
    void aSystemWithoutAThread() {
        try (CapturedLog log = new CapturedLog()) {
            isFull.set(true);
            CountDownLatch isDone = new CountDownLatch(1);
            pool.execute(isDone::countDown);
            assertThat(log.lines("WARN"))
                    .singleElement()
                    .asString()
                    .contains("No thread can be started for callbacks (java.lang.OutOfMemoryError: thrown by the test):"
                            + " 1 wait, and it is tried again. Let the system allow this process more threads");
            pool.lookAfter();
            isFull.set(false);
            pool.lookAfter();
            Deadline.await(isDone, pool);
            assertThat(log.lines("WARN")).hasSize(1);
        }
    }

    @Test
    void allThreadsAreBusy() {
        CountDownLatch gate = new CountDownLatch(1);
        int tasks = CallbackPool.THREADS_MAX + 2;
        CountDownLatch areDone = new CountDownLatch(tasks);
        try (CapturedLog log = new CapturedLog()) {
            for (int i = 0; i < tasks; i++) {
                pool.execute(() -> {
                    Deadline.await(gate, pool);
                    areDone.countDown();
                });
            }
            Deadline.until(() -> !log.lines("WARN").isEmpty(), pool);
            assertThat(log.lines("WARN"))
                    .singleElement()
                    .asString()
                    .contains(
                            "All 256 threads for callbacks are busy, and 2 callbacks wait for one: no more are started."
                                    + " Let listeners return soon, or register them with their own executor");
            gate.countDown();
            Deadline.await(areDone, pool);
        }
    }
}
