package io.quorate.testkit.simulation;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * The time of a simulated cluster, which the test's thread lets pass, and the one lock under which everything in the
 * cluster happens. Callbacks of the application run between two events, on the test's thread and without the lock.
 */
public final class SimulatedWorld {

    /** So much time passes before a condition is looked at again. */
    static final long STEP_NANOS = VirtualTime.MILLI;

    /** A wait of the test's thread that takes longer than this is one that never ends: ten minutes. */
    static final long WAIT_NANOS_MAX = 600_000 * VirtualTime.MILLI;

    /** More callbacks than this without any time between them are a loop that never ends. */
    private static final int CALLBACKS_AT_ONCE_MAX = 100_000;

    private record Callback(SimulatedEngine engine, Runnable task) {}

    private final VirtualCluster cluster;
    private final ReentrantLock lock = new ReentrantLock();
    private final Queue<Callback> callbacks = new ConcurrentLinkedQueue<>();
    private final AtomicInteger numbers = new AtomicInteger();
    private volatile Thread testThread = Thread.currentThread();
    private volatile AssertionError broken;

    public SimulatedWorld(VirtualCluster cluster) {
        this.cluster = cluster;
    }

    int nextNumber() {
        return numbers.incrementAndGet();
    }

    public long now() {
        return cluster.time().now();
    }

    /** From now on time passes while the calling thread waits. */
    public void isTestedHere() {
        testThread = Thread.currentThread();
    }

    /** To be run by {@link #advanceTo}; takes no lock, because a latch calls this under its own. */
    void queue(SimulatedEngine engine, Runnable task) {
        callbacks.add(new Callback(engine, task));
    }

    /** As {@link #queue}, but so much later. */
    void after(SimulatedEngine engine, long nanos, Runnable task) {
        locked(() -> cluster.time().after(nanos, () -> queue(engine, task)));
    }

    // ---------------------------------------------------------------- the lock

    public void locked(Runnable action) {
        locked(() -> {
            action.run();
            return true;
        });
    }

    /** A broken rule on any thread fails the test, even if its exception was caught. */
    public <T> T locked(Supplier<T> action) {
        lock.lock();
        try {
            return action.get();
        } catch (BrokenRule e) {
            if (broken == null) {
                broken = new AssertionError(e.getMessage() + "\n" + cluster.describe(), e);
            }
            throw broken;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Passes as long as no rule was broken.
     *
     * @throws AssertionError if one was
     */
    public void throwIfBroken() {
        AssertionError found = broken;
        if (found != null) {
            throw found;
        }
    }

    // ---------------------------------------------------------------- time

    /** Lets time pass up to and including this instant, with all callbacks that become due. */
    public void advanceTo(long end) {
        boolean goesOn = true;
        while (goesOn) {
            throwIfBroken();
            boolean hasCalled = runCallbacks();
            goesOn = next(end) || hasCalled;
        }
    }

    // Justification: catches everything. An exception of a node is a finding, even if a waiting callback swallows it.
    private boolean next(long end) {
        return locked(() -> {
            try {
                return cluster.time().next(end);
            } catch (BrokenRule e) {
                throw e;
            } catch (RuntimeException | Error e) {
                broken = new AssertionError(e + "\n" + cluster.describe(), e);
                throw broken;
            }
        });
    }

    private boolean runCallbacks() {
        int count = 0;
        for (Callback next = callbacks.poll(); next != null; next = callbacks.poll()) {
            Callback due = next;
            if (locked(() -> due.engine.admits(() -> callbacks.add(due)))) {
                due.task.run();
            }
            if (++count > CALLBACKS_AT_ONCE_MAX) {
                throw new AssertionError("more than " + CALLBACKS_AT_ONCE_MAX + " callbacks at one instant");
            }
        }
        return count > 0;
    }

    /** Lets time pass until the condition holds, or for so long. Answers whether it holds. */
    public boolean advanceUntil(long nanosMax, BooleanSupplier condition) {
        long end = now() + nanosMax;
        while (!condition.getAsBoolean()) {
            if (now() >= end) {
                return false;
            }
            advanceTo(Math.min(end, now() + STEP_NANOS));
        }
        return true;
    }

    /** As {@link io.quorate.engine.Engine#letTimePass} says; threads of the application wait in real time. */
    long letTimePass(long nanosMax, BooleanSupplier isOver) {
        if (Thread.currentThread() != testThread) {
            return nanosMax;
        }
        long begin = now();
        long limit = Math.min(nanosMax, WAIT_NANOS_MAX);
        boolean hasEnded = advanceUntil(
                limit, () -> isOver.getAsBoolean() || Thread.currentThread().isInterrupted());
        if (!hasEnded && limit < nanosMax) {
            throw new AssertionError("the test's thread waits for ever: " + limit / VirtualTime.MILLI
                    + " ms of virtual time have passed\n" + describe());
        }
        return nanosMax - (now() - begin);
    }

    public String describe() {
        return locked(cluster::describe);
    }
}
