package io.quorate.contract;

import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/** A call that runs, and probably waits, in a thread of its own. */
final class Waiting<T> {

    private final FutureTask<T> task;
    private final Thread thread;

    Waiting(Callable<T> call) {
        task = new FutureTask<>(call);
        thread = new Thread(task, "waiting call");
        thread.setDaemon(true);
        thread.start();
    }

    /** Returns when the thread waits for something or has ended. */
    Waiting<T> begun() {
        Real.eventually("the call waits or returns", () -> waits() || isDone());
        return this;
    }

    private boolean waits() {
        Thread.State state = thread.getState();
        return state == Thread.State.WAITING || state == Thread.State.TIMED_WAITING || state == Thread.State.BLOCKED;
    }

    boolean isDone() {
        return task.isDone();
    }

    void interrupt() {
        thread.interrupt();
    }

    /** Its answer; it has to be done. */
    T answer() throws Exception {
        if (!isDone()) {
            throw new AssertionError("still waiting");
        }
        try {
            return task.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof Exception failure) {
                throw failure;
            }
            throw e;
        }
    }
}
