package io.quorate.runtime;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The daemon threads on which callbacks run; shared by all clients of the process.
 *
 * <p>A few threads serve any number of quick callbacks, so ten thousand latches that gain leadership at one moment do
 * not start ten thousand threads. Blocked callbacks do not starve the others: when tasks wait and none has finished for
 * {@value #PATIENCE_MILLIS} ms, the number of threads is doubled. Idle threads end.
 */
final class CallbackPool implements Executor {

    /** The pool of this process. */
    static final CallbackPool SHARED = new CallbackPool();

    /** How many threads are kept busy before tasks wait: a few, because most callbacks are quick. */
    static final int THREADS_MIN = 4;

    /**
     * How long waiting tasks see no task finish before threads are added, in milliseconds. Too small: a burst of quick
     * callbacks starts many threads; too large: blocked callbacks delay those of other latches.
     */
    static final long PATIENCE_MILLIS = 10;

    // Long enough for the callbacks of one fail-over, short enough that a quiet process keeps no threads.
    private static final long IDLE_SECONDS = 10;

    private final AtomicInteger numbers = new AtomicInteger();
    private final AtomicBoolean isWatched = new AtomicBoolean();
    private final ThreadPoolExecutor threads;

    CallbackPool() {
        threads = new ThreadPoolExecutor(THREADS_MIN, Integer.MAX_VALUE, IDLE_SECONDS, TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(), this::newThread);
        threads.allowCoreThreadTimeOut(true);
    }

    /** Runs the task soon, on a daemon thread; returns at once. */
    @Override
    public void execute(Runnable task) {
        threads.execute(task);
        watchIfWaiting();
    }

    /** How many threads there are, busy or idle. */
    int size() {
        return threads.getPoolSize();
    }

    private void watchIfWaiting() {
        if (!threads.getQueue().isEmpty() && isWatched.compareAndSet(false, true)) {
            lookLater(threads.getCompletedTaskCount());
        }
    }

    private void lookLater(long completed) {
        CompletableFuture.delayedExecutor(PATIENCE_MILLIS, TimeUnit.MILLISECONDS, Runnable::run)
                .execute(() -> look(completed));
    }

    private void look(long completedBefore) {
        if (threads.getQueue().isEmpty()) {
            threads.setCorePoolSize(THREADS_MIN);
            isWatched.set(false);
            // A task that came between the two lines above found the mark still set.
            watchIfWaiting();
            return;
        }
        long completed = threads.getCompletedTaskCount();
        if (completed == completedBefore) {
            // More than there are now, not more than the limit: that one is lowered while blocked threads live on.
            threads.setCorePoolSize(Math.max(THREADS_MIN, 2 * threads.getPoolSize()));
        }
        lookLater(completed);
    }

    private Thread newThread(Runnable work) {
        Thread thread = new Thread(work, "quorate-callback-" + numbers.incrementAndGet());
        thread.setDaemon(true);
        // Not that of the application whose call happened to start the thread: it could never be unloaded.
        thread.setContextClassLoader(CallbackPool.class.getClassLoader());
        return thread;
    }
}
