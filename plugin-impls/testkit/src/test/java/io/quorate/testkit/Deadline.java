package io.quorate.testkit;

import static java.util.concurrent.TimeUnit.SECONDS;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Waits in real time for other threads, up to {@link #SECONDS_MAX}; then the test fails. */
public final class Deadline {

    /** Generous, because a machine may be busy; the usual wait is a few milliseconds. */
    public static final long SECONDS_MAX = 600;

    private static final long PAUSE_NANOS = 1_000_000;

    /** For what is over in microseconds. Whoever sleeps is awake sooner on a busy machine than whoever gives way. */
    private static final long SHORT_PAUSE_NANOS = 20_000;

    private Deadline() {}

    /** Waits until the gate is open; the failure shows {@code state}. */
    public static void await(CountDownLatch gate, Object state) {
        try {
            if (!gate.await(SECONDS_MAX, SECONDS)) {
                throw new AssertionError("still waiting: " + state);
            }
        } catch (InterruptedException e) {
            throw new AssertionError("interrupted: " + state, e);
        }
    }

    /** Waits until the condition holds; for what has no event to wait for, such as a thread's state. */
    public static void until(BooleanSupplier condition, Object state) {
        long deadline = System.nanoTime() + SECONDS.toNanos(SECONDS_MAX);
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - deadline > 0) {
                throw new AssertionError("still waiting: " + state);
            }
            pause(SHORT_PAUSE_NANOS, () -> state);
        }
    }

    /** Whoever waits for a mutant is interrupted when it hangs, and would go on as busily as it can. */
    private static void pause(long nanos, Supplier<?> state) {
        LockSupport.parkNanos(nanos);
        if (Thread.interrupted()) {
            throw new AssertionError("interrupted: " + state.get());
        }
    }

    /**
     * Does {@code step} again and again until the condition holds, as for frames that may be lost; the failure shows
     * {@code state} as it is then.
     */
    public static void repeat(Runnable step, BooleanSupplier condition, Supplier<?> state) {
        long deadline = System.nanoTime() + SECONDS.toNanos(SECONDS_MAX);
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - deadline > 0) {
                throw new AssertionError("still waiting: " + state.get());
            }
            step.run();
            pause(PAUSE_NANOS, state);
        }
    }

    /** Waits until the condition holds; the failure shows {@code state} as it is then. */
    public static void await(BooleanSupplier condition, Supplier<?> state) {
        repeat(() -> {}, condition, state);
    }

    /** The answer of another thread; throws as {@link Future#get()} does. */
    public static <T> T get(Future<T> answer) throws Exception {
        return answer.get(SECONDS_MAX, SECONDS);
    }
}
