package io.quorate.engine;

import io.quorate.jvm.NodeLog;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Runs tasks one at a time, in the order in which they were handed over, on the shared pool of daemon threads.
 *
 * <p>It has no thread of its own: it borrows one while it has something to run. A task that blocks delays the later
 * tasks of this dispatcher and nobody else's. Each task sees the writes of the one before.
 */
public final class SerialDispatcher implements Executor, Runnable {

    private static final Logger LOG = NodeLog.of(SerialDispatcher.class);

    /** Stands for a thread that is about to come. */
    private static final Object COMING = new Object();

    private final Executor pool;
    /** The tasks that wait; null while there are none, as with most of ten thousand latches. Guarded by this. */
    private @Nullable Queue<Runnable> tasks;
    /**
     * The thread that runs the tasks, {@link #COMING} before it has begun, null while none is needed. Written under the
     * lock.
     */
    private volatile @Nullable Object runner;

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
        if (add(Objects.requireNonNull(task, "task"))) {
            schedule();
        }
    }

    /** Answers whether a thread is needed. */
    private synchronized boolean add(Runnable task) {
        if (tasks == null) {
            tasks = new ArrayDeque<>(2);
        }
        tasks.add(task);
        boolean isIdle = runner == null;
        if (isIdle) {
            runner = COMING;
        }
        return isIdle;
    }

    // Justification: catches everything. A pool that refuses must not stop the engine's thread, which calls this.
    private void schedule() {
        try {
            pool.execute(this);
        } catch (Throwable e) {
            int waiting = refused();
            NodeLog.lastWords(LOG, "No thread for {} callbacks; they wait for the next one", waiting, e);
        }
    }

    /** Whether the caller is one of the tasks, or was called by one. */
    public boolean isRunningHere() {
        return runner == Thread.currentThread();
    }

    /**
     * Whether its task is inside {@link Runtime#exit}. That waits for the shutdown hooks, so the task does not return
     * before these have.
     */
    public boolean isExiting() {
        return isExiting(runner);
    }

    /** Whether it is a thread inside {@link Runtime#exit}. */
    public static boolean isExiting(@Nullable Object runner) {
        return runner instanceof Thread thread
                && Arrays.stream(thread.getStackTrace())
                        .anyMatch(each -> each.getClassName().equals(Runtime.class.getName())
                                && each.getMethodName().equals("exit"));
    }

    /**
     * Completed when all tasks queued by now have run: at once if there are none, and at once for a caller that is one
     * of the tasks, because it would wait for itself.
     */
    public CompletableFuture<Void> settled() {
        synchronized (this) {
            if (runner == Thread.currentThread() || runner == null && tasks == null) {
                return CompletableFuture.completedFuture(null);
            }
        }
        CompletableFuture<Void> settled = new CompletableFuture<>();
        execute(() -> settled.complete(null));
        return settled;
    }

    /** No thread will come. Answers how many tasks wait. */
    private synchronized int refused() {
        runner = null;
        return tasks == null ? 0 : tasks.size();
    }

    /** Runs the tasks that wait. For the pool alone. */
    @Override
    public void run() {
        for (Runnable task = next(); task != null; task = next()) {
            Guard.callback(task);
        }
    }

    /** The next task; null if there is none, and the thread goes. */
    private synchronized @Nullable Runnable next() {
        Runnable task = tasks == null ? null : tasks.poll();
        if (task == null) {
            tasks = null;
            runner = null;
        } else {
            runner = Thread.currentThread();
        }
        return task;
    }
}
