package io.quorate.spring;

import io.quorate.LeaderLatch;
import io.quorate.leaderonly.work.RunningWork;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;

/**
 * The latch of one path, and what its leader finishes before its leadership ends on purpose. All threads may use it.
 *
 * @param work       the leader-only methods that run
 * @param lifecycles what runs while this process leads
 */
record LedPath(LeaderLatch latch, RunningWork work, List<LeaderLifecycle> lifecycles) {

    LedPath(LeaderLatch latch) {
        this(latch, new RunningWork(), new CopyOnWriteArrayList<>());
    }

    /**
     * Whether a method may begin on this thread; if so, {@link #leave} must follow.
     *
     * @param beginsWork whether work may begin; what work that has begun calls itself belongs to it
     */
    boolean enter(boolean beginsWork) {
        return work.enter(isNested -> latch.leadership()
                .filter(present -> isNested || beginsWork && !present.isLeaving())
                .isPresent());
    }

    void leave() {
        work.leave();
    }

    /** {@return a stage that completes when the methods have returned and the lifecycles have stopped} */
    CompletionStage<Void> finish() {
        return CompletableFuture.allOf(
                Stream.concat(Stream.of(work.finish()), lifecycles.stream().map(LeaderLifecycle::finish))
                        .map(CompletionStage::toCompletableFuture)
                        .toArray(CompletableFuture[]::new));
    }
}
