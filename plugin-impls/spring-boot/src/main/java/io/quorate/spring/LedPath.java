package io.quorate.spring;

import io.quorate.LeaderLatch;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** The latch of one path, and which threads run leader-only methods of it. All threads may use it. */
final class LedPath {

    private final LeaderLatch latch;

    // Guarded by this.
    /** How many methods each thread is in: one may call another. */
    private final Map<Thread, Integer> running = new HashMap<>();

    private CompletableFuture<Void> idle = new CompletableFuture<>();

    LedPath(LeaderLatch latch) {
        this.latch = latch;
    }

    LeaderLatch latch() {
        return latch;
    }

    /**
     * Whether a method may begin on this thread; if so, {@link #leave} must follow.
     *
     * @param beginsWork whether work may begin; what work that has begun calls itself belongs to it
     */
    boolean enter(boolean beginsWork) {
        boolean isNested;
        synchronized (this) {
            // Before the question: a leader that begins to leave waits for this method, or this sees that it leaves.
            isNested = running.merge(Thread.currentThread(), 1, Integer::sum) > 1;
        }
        boolean mayBegin = latch.leadership()
                .filter(present -> isNested || beginsWork && !present.isLeaving())
                .isPresent();
        if (!mayBegin) {
            leave();
        }
        return mayBegin;
    }

    void leave() {
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

    /** The drain of its latch: completed when the methods that run have returned. */
    synchronized CompletionStage<Void> finish() {
        idle = running.isEmpty() ? CompletableFuture.completedFuture(null) : new CompletableFuture<>();
        return idle;
    }
}
