package io.quorate.engine;

import io.quorate.jvm.Daemons;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Completes futures that are late. It takes the place of {@link CompletableFuture#orTimeout}: the thread behind that
 * lives as long as the JVM, and keeps the context class loader of its first caller, so that this application could
 * never be unloaded. This thread keeps nothing of its callers, and ends when nothing is due.
 */
final class Timeouts {

    // As the callback threads: long enough for the waits of one fail-over.
    private static final long IDLE_SECONDS = 10;

    private static final ScheduledThreadPoolExecutor TIMER = timer();

    private Timeouts() {}

    private static ScheduledThreadPoolExecutor timer() {
        ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1, Daemons.named("quorate-timeouts"));
        timer.setKeepAliveTime(IDLE_SECONDS, TimeUnit.SECONDS);
        timer.allowCoreThreadTimeOut(true);
        // A future that is completed in time leaves nothing in the queue.
        timer.setRemoveOnCancelPolicy(true);
        return timer;
    }

    /**
     * Completes the future with a {@link TimeoutException} unless it is completed within the limit.
     *
     * @return the same future
     */
    static <T> CompletableFuture<T> orTimeout(CompletableFuture<T> future, Duration limit) {
        if (future.isDone()) {
            return future;
        }
        Future<?> late;
        try {
            late = TIMER.schedule(
                    () -> future.completeExceptionally(new TimeoutException()), limit.toNanos(), TimeUnit.NANOSECONDS);
        } catch (OutOfMemoryError e) {
            // Justification: the system has no thread left. The task is queued all the same, and the next caller starts
            // a thread for both.
            return future;
        }
        future.whenComplete((value, failure) -> late.cancel(false));
        return future;
    }
}
