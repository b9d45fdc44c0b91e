package io.quorate.jvm;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A wait for the end of something, which has a bound. Closing waits so, and on in spite of interrupts: half a close
 * would leave a port open or a directory locked.
 */
@FunctionalInterface
public interface BoundedWait {

    /**
     * Waits once.
     *
     * @param nanos how long at most, in nanoseconds
     * @return whether it has come to its end
     * @throws InterruptedException if the thread is interrupted before or meanwhile
     */
    boolean await(long nanos) throws InterruptedException;

    /**
     * Waits on if it is interrupted. The thread keeps its flag.
     *
     * @param nanosMax how long in all, in nanoseconds
     * @param wait     waits once
     * @return whether it has come to its end
     */
    static boolean isOver(long nanosMax, BoundedWait wait) {
        long deadline = System.nanoTime() + nanosMax;
        boolean wasInterrupted = Thread.interrupted();
        try {
            while (true) {
                try {
                    return wait.await(Math.max(0, deadline - System.nanoTime()));
                } catch (InterruptedException e) {
                    wasInterrupted = true;
                }
            }
        } finally {
            if (wasInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /**
     * As {@link #isOver(long, BoundedWait)}, for a future: it may fail as well.
     *
     * @param nanosMax how long in all, in nanoseconds
     * @param future   what is waited for
     * @return whether it is completed
     */
    static boolean isOver(long nanosMax, Future<?> future) {
        return isOver(nanosMax, nanos -> {
            try {
                future.get(nanos, TimeUnit.NANOSECONDS);
            } catch (ExecutionException e) {
                // The waiting thread checks it.
            } catch (TimeoutException e) {
                return false;
            }
            return true;
        });
    }
}
