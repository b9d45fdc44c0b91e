package io.quorate.runtime;

import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs tasks one at a time, in the order in which they were handed over, on the shared pool of daemon threads.
 *
 * <p>It has no thread of its own: it borrows one while it has something to run. A task that blocks delays the later
 * tasks of this dispatcher and nobody else's. What one task wrote, the next one sees.
 */
public final class SerialDispatcher implements Executor {

    private static final Logger LOG = LoggerFactory.getLogger(SerialDispatcher.class);

    private final Executor pool;
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean isScheduled = new AtomicBoolean();

    /** A dispatcher on the pool that all clients of the process share. */
    public SerialDispatcher() {
        this(CallbackPool.SHARED);
    }

    /** A dispatcher on a pool of the caller's, which must run every task that it accepts. */
    public SerialDispatcher(Executor pool) {
        this.pool = Objects.requireNonNull(pool, "pool");
    }

    /**
     * Queues the task behind all earlier ones; returns at once, from any thread, and throws nothing. A task that throws
     * is logged, and the next one runs. If the pool refuses, that is logged and the tasks wait for the next call.
     */
    @Override
    public void execute(Runnable task) {
        tasks.add(Objects.requireNonNull(task, "task"));
        schedule();
    }

    // Justification: catches everything. A pool that refuses must not stop the engine's thread, which calls this.
    private void schedule() {
        if (!isScheduled.compareAndSet(false, true)) {
            return;
        }
        try {
            pool.execute(this::runAll);
        } catch (RuntimeException | Error e) {
            isScheduled.set(false);
            LOG.error("No thread for {} callbacks; they wait for the next one", tasks.size(), e);
        }
    }

    private void runAll() {
        Runnable task = tasks.poll();
        while (task != null) {
            run(task);
            task = tasks.poll();
        }
        isScheduled.set(false);
        // A task that came after the last poll found the mark still set and left the scheduling to us.
        if (!tasks.isEmpty()) {
            schedule();
        }
    }

    // Justification: catches everything. The application's code may throw what it likes; the next callback must run.
    private static void run(Runnable task) {
        try {
            task.run();
        } catch (Throwable e) {
            LOG.error("A callback threw", e);
        } finally {
            // An interrupt that a callback left behind was not meant for the next one.
            Thread.interrupted();
        }
    }
}
