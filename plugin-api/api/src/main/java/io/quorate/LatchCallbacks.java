package io.quorate;

import io.quorate.runtime.Engine;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * How a latch's callbacks are run.
 *
 * @param executor runs the callbacks of listeners that have no executor of their own
 * @param limit    the longest wait for callbacks: for {@code notLeader} before the latch contends again and before
 *                 {@code close} returns, for {@code isLeader} before {@code await} returns
 * @param monitors hear how long each callback takes
 */
record LatchCallbacks(Executor executor, Duration limit, ClientMonitors monitors) {

    /**
     * The longest wait for callbacks. For so long {@code notLeader} may keep a contender out of the queue, and
     * callbacks may hold up {@code close} and {@code await}. Too short: a node leads again while it still cleans up.
     * Too long: a latch whose callback hangs does not contend.
     */
    static final Duration LIMIT = Duration.ofSeconds(30);

    /** Of a latch without a client. */
    LatchCallbacks(Executor executor, Duration limit) {
        this(executor, limit, ClientMonitors.none());
    }

    /**
     * Waits for callbacks to return, up to the limit. An interrupt does not end the wait, because a thread that was
     * interrupted relies on it as well when it closes a latch. The thread keeps its flag.
     *
     * @return whether they have returned
     */
    boolean haveReturned(Engine engine, CompletableFuture<Void> returned) {
        boolean wasInterrupted = Thread.interrupted();
        try {
            long left = engine.letTimePass(limit.toNanos(), returned::isDone);
            long deadline = System.nanoTime() + left;
            while (left >= 0) {
                try {
                    returned.get(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
                    return true;
                } catch (InterruptedException e) {
                    wasInterrupted = true;
                }
            }
            // The simulated process is dead, so no callback will return.
            return true;
        } catch (TimeoutException e) {
            return false;
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        } finally {
            if (wasInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
