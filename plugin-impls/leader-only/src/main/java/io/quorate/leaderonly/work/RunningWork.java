package io.quorate.leaderonly.work;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Which threads run leader-only methods of one path. All threads may use it. */
public final class RunningWork {

    /** Whether a method may begin. */
    @FunctionalInterface
    public interface Question {
        /**
         * Answers at once, on the thread of the method.
         *
         * @param isNested whether a method of its path calls it, on the same thread
         * @return whether it may
         */
        boolean mayBegin(boolean isNested);
    }

    // Guarded by this.
    /** How many methods each thread is in: one may call another. */
    private final Map<Thread, Integer> running = new HashMap<>();

    private CompletableFuture<Void> idle = new CompletableFuture<>();

    /** Nothing runs yet. */
    public RunningWork() {}

    /**
     * Asks whether a method may begin on this thread; if so, {@link #leave} must follow.
     *
     * @param question asked once
     * @return its answer
     */
    public boolean enter(Question question) {
        boolean isNested;
        synchronized (this) {
            // Before the question: a leader that begins to leave waits for this method, or this sees that it leaves.
            isNested = running.merge(Thread.currentThread(), 1, Integer::sum) > 1;
        }
        boolean mayBegin = false;
        try {
            mayBegin = question.mayBegin(isNested);
            return mayBegin;
        } finally {
            if (!mayBegin) {
                leave();
            }
        }
    }

    /** A method that has begun on this thread has returned. */
    public void leave() {
        CompletableFuture<Void> due;
        synchronized (this) {
            running.computeIfPresent(Thread.currentThread(), (thread, depth) -> depth == 1 ? null : depth - 1);
            if (!running.isEmpty()) {
                return;
            }
            due = idle;
        }
        due.complete(null);
    }

    /**
     * {@return a stage that is completed when the methods that run have returned} A method that has called {@link
     * System#exit} does not count, because that call waits for the shutdown hook which asks this.
     */
    public synchronized CompletionStage<Void> finish() {
        running.keySet().removeIf(RunningWork::endsTheJvm);
        idle = running.isEmpty() ? CompletableFuture.completedFuture(null) : new CompletableFuture<>();
        return idle;
    }

    private static boolean endsTheJvm(Thread thread) {
        return Arrays.stream(thread.getStackTrace())
                .anyMatch(each -> each.getClassName().equals(Runtime.class.getName())
                        && each.getMethodName().equals("exit"));
    }
}
