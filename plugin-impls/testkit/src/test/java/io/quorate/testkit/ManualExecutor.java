package io.quorate.testkit;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;

/** Runs its tasks when the test says so, on the caller's thread. It is the application's: nobody shuts it down. */
public final class ManualExecutor extends AbstractExecutorService {

    private final Queue<Runnable> waiting = new ConcurrentLinkedQueue<>();

    @Override
    public void execute(Runnable task) {
        waiting.add(task);
    }

    /** How many tasks wait. */
    public int waiting() {
        return waiting.size();
    }

    /** Runs the next task to its end; it is an error if there is none. */
    public void runNext() {
        waiting.remove().run();
    }

    /** As {@link #runNext}, if a task waits. */
    public void runNextIfAny() {
        Runnable next = waiting.poll();
        if (next != null) {
            next.run();
        }
    }

    @Override
    public void shutdown() {
        throw new AssertionError("shut down by somebody who was only given it");
    }

    @Override
    public List<Runnable> shutdownNow() {
        throw new AssertionError("shut down by somebody who was only given it");
    }

    @Override
    public boolean isShutdown() {
        return false;
    }

    @Override
    public boolean isTerminated() {
        return false;
    }

    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) {
        return false;
    }
}
