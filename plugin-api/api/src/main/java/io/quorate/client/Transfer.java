package io.quorate.client;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Waits for a transfer of leadership. */
public final class Transfer {

    private Transfer() {}

    /**
     * Waits until it is done.
     *
     * @param late what the time-out says
     */
    public static void await(LatchContender contender, CompletableFuture<Void> done, long timeoutNanos, String late)
            throws InterruptedException, TimeoutException {
        try {
            done.get(contender.letTimePass(timeoutNanos, done::isDone), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            done.cancel(false);
            throw new TimeoutException(late + ": " + contender.explain());
        } catch (ExecutionException e) {
            Throwable cause = e.getCause();
            if (cause instanceof IllegalArgumentException) {
                throw new IllegalArgumentException(cause.getMessage(), cause);
            }
            throw new IllegalStateException(cause == null ? e.getMessage() : cause.getMessage(), cause);
        }
    }
}
