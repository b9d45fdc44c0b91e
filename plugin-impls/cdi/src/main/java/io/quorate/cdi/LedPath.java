package io.quorate.cdi;

import io.quorate.LeaderLatch;
import io.quorate.leaderonly.work.RunningWork;

/**
 * The latch of one path, and the leader-only methods of it that run. All threads may use it.
 *
 * @param work what the latch finishes before its leadership ends on purpose
 */
record LedPath(LeaderLatch latch, RunningWork work) {

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
