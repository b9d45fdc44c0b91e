package io.quorate.testkit;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;

/** Notes when a thread of this JVM that wants to run does not: the machine is busy, or the JVM stands still. */
final class StallWatch {

    /** Less than the shortest time that a test claims anything about. */
    static final long STALL_NANOS = 40_000_000;

    private static final long PAUSE_NANOS = 20_000_000;
    /** Who only sleeps is preferred by the scheduler, and would not see what busy threads wait for. */
    private static final long WORK_NANOS = 200_000;

    private static final int KEPT_MAX = 1_000;

    private record Stall(long endNanos, long nanos) {}

    private static final Queue<Stall> STALLS = new ConcurrentLinkedQueue<>();

    static {
        Thread watch = new Thread(StallWatch::watch, "stall-watch");
        watch.setDaemon(true);
        watch.start();
    }

    private StallWatch() {}

    @SuppressWarnings("InfiniteLoopStatement")
    private static void watch() {
        while (true) {
            long begin = System.nanoTime();
            LockSupport.parkNanos(PAUSE_NANOS);
            long work = System.nanoTime();
            while (System.nanoTime() - work < WORK_NANOS) {
                Thread.onSpinWait();
            }
            note(System.nanoTime() - begin - PAUSE_NANOS);
        }
    }

    /** A thread was late by so much just now. */
    static void note(long nanos) {
        if (nanos >= STALL_NANOS) {
            STALLS.add(new Stall(System.nanoTime(), nanos));
            while (STALLS.size() > KEPT_MAX) {
                STALLS.poll();
            }
        }
    }

    /** The instant from which stalls are asked for; from the first one on somebody watches. */
    static long begin() {
        return System.nanoTime();
    }

    /** The longest stall that has ended after {@code nanoTime}, in nanoseconds; 0 without one. */
    static long longestSince(long nanoTime) {
        return STALLS.stream()
                .filter(stall -> stall.endNanos - nanoTime >= 0)
                .mapToLong(Stall::nanos)
                .max()
                .orElse(0);
    }
}
