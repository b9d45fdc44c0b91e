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
 * @param executor runs those of listeners that have none of their own
 * @param limit    how long callbacks are waited for: {@code notLeader} before the latch contends again and before
 *                 closing returns, {@code isLeader} before waiting for leadership returns
 */
record LatchCallbacks(Executor executor, Duration limit) {

    /**
     * How long callbacks are waited for. {@code notLeader} may keep a contender out of the queue for so long: too
     * short, and a node leads again while it still cleans up; too long, and one that hangs does not contend. Closing
     * and {@code await} are held up no longer either.
     */
    static final Duration LIMIT = Duration.ofSeconds(30);

    /**
     * Waits for callbacks to return, up to the limit. An interrupt does not end it, because whoever closes something in
     * a thread that was interrupted relies on it as well; the flag is kept.
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
            // Whose process is dead has nobody to wait for.
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
