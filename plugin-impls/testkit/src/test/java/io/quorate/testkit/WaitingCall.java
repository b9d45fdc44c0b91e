package io.quorate.testkit;

import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/** A call that runs, and probably waits, in a thread of its own. */
public final class WaitingCall<T> {

    private final FutureTask<T> task;
    private final Thread thread;

    /** Begins the call. */
    public WaitingCall(Callable<T> call) {
        task = new FutureTask<>(call);
        thread = new Thread(task, "waiting call");
        thread.setDaemon(true);
        thread.start();
    }

    /** A call that waits for something, or has ended, when this returns. */
    public static <T> WaitingCall<T> begun(Callable<T> call) {
        WaitingCall<T> begun = new WaitingCall<>(call);
        begun.awaitRest();
        return begun;
    }

    /** Waits until it waits for something, or has ended. */
    public void awaitRest() {
        Deadline.until(() -> waits() || isDone(), thread);
    }

    private boolean waits() {
        Thread.State state = thread.getState();
        return state == Thread.State.WAITING || state == Thread.State.TIMED_WAITING || state == Thread.State.BLOCKED;
    }

    /** Whether it has returned or thrown. */
    public boolean isDone() {
        return task.isDone();
    }

    /** Interrupts its thread, which has noticed when this returns: it has ended, or waits on. */
    public void interrupt() {
        thread.interrupt();
        Deadline.until(() -> isDone() || waits() && !thread.isInterrupted(), thread);
    }

    /** Its answer; it has to be done. Throws what the call has thrown. */
    public T answer() throws Exception {
        if (!isDone()) {
            throw new AssertionError("still waiting");
        }
        return awaitAnswer();
    }

    /** Its answer, for which it waits. Throws what the call has thrown. */
    public T awaitAnswer() throws Exception {
        try {
            return Deadline.get(task);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof Exception exception) {
                throw exception;
            }
            throw new AssertionError(e.getCause());
        }
    }
}
