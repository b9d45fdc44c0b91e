package io.quorate.spring;

import io.quorate.LeaderLatch;
import io.quorate.leaderonly.work.RunningWork;

/**
 * The latch of one path, and the leader-only methods of it that run. All threads may use it.
 *
 * @param work what the latch finishes before its leadership ends on purpose
 */
record LedPath(LeaderLatch latch, RunningWork work) {

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
}
