package io.quorate.cdi;

import io.quorate.LeaderLatch;
import io.quorate.leaderonly.work.RunningWork;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

/**
 * The latch of one path, and the leader-only methods of it that run. All threads may use it.
 *
 * @param work  what the latch finishes before its leadership ends on purpose
 * @param first what it does before that; null for nothing
 */
record LedPath(LeaderLatch latch, RunningWork work, AtomicReference<Supplier<CompletionStage<Void>>> first) {

    /** {@return a stage that is completed when nothing runs, and the channels of the path are paused} */
    CompletionStage<Void> finish() {
        Supplier<CompletionStage<Void>> pause = first.get();
        return pause == null ? work.finish() : pause.get().thenCompose(paused -> work.finish());
    }

    /** A method begins on this thread that takes a message. {@link #leave} must follow. */
    boolean receive() {
        return work.enter(isNested -> true);
    }

    /** Whether a method may begin on this thread while the application runs; if so, {@link #leave} must follow. */
    boolean enter(boolean isOpen) {
        return work.enter(isNested -> latch.leadership()
                .filter(present -> isNested || isOpen && !present.isLeaving())
                .isPresent());
    }

    /** Whether work that begins now would. */
    boolean mayBegin() {
        return latch.leadership().filter(present -> !present.isLeaving()).isPresent();
    }

    void leave() {
        work.leave();
    }
}
