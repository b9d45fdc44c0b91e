package io.quorate.complaints;

import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.TimeUnit;

/** Runs the attempts of a selector on the test's thread, when the test says so: then their waiting is virtual time. */
public final class Turns extends AbstractExecutorService {

    private final Queue<Runnable> waiting = new ArrayDeque<>();
    private boolean isShutdown;

    @Override
    public void execute(Runnable attempt) {
        waiting.add(attempt);
    }

    /** How many attempts wait for their thread. */
    public int waiting() {
        return waiting.size();
    }

    /** Runs the next attempt to its end. */
    public void runNext() {
        waiting.remove().run();
    }

    @Override
    public void shutdown() {
        isShutdown = true;
    }

    @Override
    public List<Runnable> shutdownNow() {
        shutdown();
        return List.copyOf(waiting);
    }

    @Override
    public boolean isShutdown() {
        return isShutdown;
    }

    @Override
    public boolean isTerminated() {
        return isShutdown && waiting.isEmpty();
    }

    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) {
        return isTerminated();
    }
}
