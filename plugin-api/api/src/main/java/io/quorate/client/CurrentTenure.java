package io.quorate.client;

import io.quorate.ClientMonitor.DrainOutcome;
import io.quorate.FencedLeaderLatchListener;
import io.quorate.LeaderLatchListener;
import io.quorate.Leadership;
import io.quorate.engine.Tenure;
import io.quorate.jvm.NodeLog;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * A tenure of a latch, from the first listener that is told of its beginning to the work that is finished before it
 * ends on purpose: ADR-0096. Its latch's lock guards what changes together with the latch.
 */
final class CurrentTenure implements ListenerSet.Notice<LeaderLatchListener> {

    private static final Logger LOG = NodeLog.of(CurrentTenure.class);

    /** After so many tenures in a row in which {@code isLeader} threw, the latch ranks last for a while. */
    private static final int FAILURES_TO_LAST_RANK = 3;

    /** Longer than a hand-over there and back, so that another contender has had its try. */
    private static final Duration LAST_RANK_MIN = Duration.ofSeconds(10);

    /** That doubles with each failure more, to 320 s: a process that is repaired leads again within minutes. */
    private static final int LAST_RANK_DOUBLINGS_MAX = 5;

    final Tenure tenure;
    private final LatchState latch;
    /** Whether the engine has heard of its end. */
    private volatile boolean isReported;

    volatile boolean isSilenced;
    /** What a listener threw when it was told that the tenure has begun; null if none did. */
    volatile @Nullable Throwable failure;
    /** How long the latch does not contend after the tenure. */
    volatile Duration pause = Duration.ZERO;
    /** Whether the {@code isLeader} callbacks that {@code await} waits for have returned, or had their time. */
    volatile boolean isAnnounced;
    /** Whether a timer runs that ends the wait for them. */
    volatile boolean isBounded;
    /** Null unless its work is being finished, and it leaves then. Written under the latch's lock. */
    volatile @Nullable Draining draining;

    CurrentTenure(Tenure tenure, LatchState latch) {
        this.tenure = tenure;
        this.latch = latch;
    }

    /** Whether voters have granted it; a shadow leads without. */
    boolean hasVoters() {
        return tenure.token() != 0;
    }

    /**
     * Whether the latch leads with it at this moment. If its lease is over, it ends, and the engine receives its end
     * once.
     */
    boolean isValid() {
        if (!tenure.isEnded() && !latch.callbacks.condition().isMet()) {
            tenure.end();
        }
        // The clock last, because that is the exact answer.
        if (tenure.isValid(latch.clock)) {
            return latch.isStarted();
        }
        report();
        return false;
    }

    /**
     * Whether the lease holds. This does not end it, of which the engine would hear, so it may be asked under the lock.
     */
    boolean holds() {
        return tenure.remainingNanos(latch.clock) > 0;
    }

    /** Tells the engine that it has ended, once. */
    void report() {
        // Threads that ask whether it leads come here until the engine has answered. They do not wait for each other.
        if (!isReported && reportOnce()) {
            latch.candidacy.thenAccept(joined -> joined.tenureEnded(tenure));
        }
    }

    private synchronized boolean reportOnce() {
        boolean isFirst = !isReported;
        isReported = true;
        return isFirst;
    }

    // ---------------------------------------------------------------- its beginning

    /** Tells the listener that the tenure has begun, unless that was taken back. */
    @Override
    public void tell(LeaderLatchListener listener) {
        if (isSilenced) {
            return;
        }
        if (listener instanceof FencedLeaderLatchListener fenced) {
            fenced.isLeader(tenure.token());
        } else {
            listener.isLeader();
        }
    }

    /**
     * A listener has thrown. If listeners throw in several tenures in a row, this process cannot do the work of a
     * leader, and ranks last for a while. That counts immediately, because another listener may never return.
     */
    @Override
    public void threw(Throwable thrown) {
        int inARow;
        latch.lock.lock();
        try {
            if (failure != null) {
                return;
            }
            failure = thrown;
            latch.failuresInARow++;
            inARow = latch.failuresInARow;
        } finally {
            latch.lock.unlock();
        }
        if (inARow >= FAILURES_TO_LAST_RANK) {
            Duration length =
                    LAST_RANK_MIN.multipliedBy(1L << Math.min(inARow - FAILURES_TO_LAST_RANK, LAST_RANK_DOUBLINGS_MAX));
            latch.candidacy.thenAccept(joined ->
                    joined.rankLast(length, "its isLeader callback threw in " + inARow + " tenures in a row"));
            // A latch that resigns and is alone would lead again within milliseconds.
            pause = latch.resignsIfThrown ? length : Duration.ZERO;
        }
        if (latch.resignsIfThrown && isValid()) {
            resign();
        }
    }

    /** All listeners have returned from {@code isLeader}. */
    void heard() {
        latch.lock.lock();
        try {
            latch.failuresInARow = failure != null ? latch.failuresInARow : 0;
        } finally {
            latch.lock.unlock();
        }
    }

    /** The listeners without an executor have returned from {@code isLeader}, or have had their time. */
    void announced(boolean isLate) {
        boolean holdsUp;
        boolean isOver;
        latch.lock.lock();
        try {
            if (isAnnounced) {
                return;
            }
            isAnnounced = true;
            holdsUp = isLate && latch.has(tenure);
            boolean holds = holds();
            if (latch.has(tenure) && holds) {
                latch.stages.led(tenure.token(), latch.callbacks.executor());
            }
            isOver = latch.has(tenure) && !holds && latch.stages.isAwaited();
        } finally {
            latch.lock.unlock();
        }
        if (isOver) {
            // Threads that wait would not notice if the lease were renewed now. They wait for the next tenure.
            tenure.end();
            report();
        }
        if (holdsUp) {
            LOG.warn(
                    "{}: an isLeader callback has not returned for {}; threads that wait for leadership go on",
                    latch,
                    latch.callbacks.limit());
        }
    }

    // ---------------------------------------------------------------- its work, before it ends on purpose

    /** The engine wants it to leave. */
    void leaving(long departure, String reason) {
        Draining open;
        latch.lock.lock();
        try {
            if (!latch.has(tenure)) {
                // It has ended, and the engine hears of that.
                return;
            }
            open = work(reason);
            if (open != null) {
                open.departure = departure;
            }
        } finally {
            latch.lock.unlock();
        }
        if (open == null) {
            latch.candidacy.thenAccept(joined -> joined.drained(tenure, departure));
        } else {
            begin(open);
        }
    }

    /** The engine no longer wants it to leave. */
    void stays() {
        Draining open;
        latch.lock.lock();
        try {
            open = draining;
            // A departure that the application began continues.
            if (!latch.has(tenure) || open == null || open.isWantedByApplication()) {
                return;
            }
            draining = null;
        } finally {
            latch.lock.unlock();
        }
        open.cut();
    }

    /** As {@code LatchContender.finishWork}. */
    CompletableFuture<Void> finishWork(boolean isByClient, boolean tells) {
        Draining open;
        boolean isCut;
        if (latch.drain == null && draining == null) {
            return LatchState.NO_WORK;
        }
        latch.lock.lock();
        try {
            if (!latch.isStarted() || !latch.has(tenure) || !holds()) {
                return LatchState.NO_WORK;
            }
            isCut = latch.dispatcher.isRunningHere();
            open = isCut ? draining : work(isByClient ? "its client is being closed" : "it is being closed");
            if (open != null) {
                isCut |= !open.isFirstClose(isByClient);
                open.tells |= tells;
            }
        } finally {
            latch.lock.unlock();
        }
        if (open == null) {
            return LatchState.NO_WORK;
        }
        if (isCut || open.work == null && latch.dispatcher.isExiting()) {
            open.cut();
            return CompletableFuture.completedFuture(null);
        }
        leaves(open);
        open.look();
        return finished(open);
    }

    /** Completed on no thread of the callbacks: a close there would pass for a callback, which waits for no other. */
    private CompletableFuture<Void> finished(Draining open) {
        CompletableFuture<Void> finished = new CompletableFuture<>();
        open.over().whenComplete((outcome, late) -> {
            if (latch.dispatcher.isRunningHere()) {
                // On the thread of the bounds: callbacks that hang may have taken all others.
                CompletableFuture<Void> soon = new CompletableFuture<>();
                soon.whenComplete((nothing, due) -> finished.complete(null));
                latch.engine.orTimeout(soon, Duration.ZERO);
            } else {
                finished.complete(null);
            }
        });
        return finished;
    }

    /** Gives it up, when its work is finished. Answers whether it had not ended. */
    boolean resign() {
        Draining open;
        latch.lock.lock();
        try {
            open = latch.has(tenure) ? work("it resigns") : null;
            if (open != null) {
                open.resigns = true;
            }
        } finally {
            latch.lock.unlock();
        }
        if (open == null || open.over().isDone()) {
            // A tenure whose work is finished leaves in any case.
            return resignNow() || open != null;
        }
        leaves(open);
        return true;
    }

    private boolean resignNow() {
        if (!latch.has(tenure) || !tenure.end()) {
            return false;
        }
        reportOnce();
        latch.candidacy.thenAccept(joined -> joined.resign(tenure));
        return true;
    }

    /** The work that is being finished, or from now on; null if there is none. Under the lock. */
    private @Nullable Draining work(String reason) {
        Drain wanted = latch.drain;
        if (draining == null && wanted != null && hasVoters()) {
            draining =
                    new Draining(wanted, latch.callbacks.executor(), latch.toString(), reason, latch.clock.nanoTime());
        }
        return draining;
    }

    /** The application has asked for the end. */
    private void leaves(Draining open) {
        latch.candidacy.thenAccept(joined -> joined.leaves(tenure, open.reason()));
        begin(open);
    }

    private void begin(Draining open) {
        if (open.isFirstBegin()) {
            latch.dispatcher.execute(() -> open.run(
                    new Leadership(tenure.token(), Duration.ofNanos(tenure.remainingNanos(latch.clock)), true)));
            latch.engine
                    .orTimeout(open.over(), open.bound())
                    .whenComplete((outcome, late) -> drained(open, late == null ? outcome : DrainOutcome.TIMED_OUT));
        }
    }

    private void drained(Draining over, DrainOutcome outcome) {
        if (outcome != DrainOutcome.CUT) {
            end(over);
        }
        if (outcome == DrainOutcome.TIMED_OUT) {
            over.timedOut();
        }
        Duration took = over.age(latch.clock.nanoTime());
        latch.callbacks.executor().execute(() -> latch.monitors().drained(latch.path, outcome, took));
    }

    private void end(Draining over) {
        boolean resigns;
        long departure;
        latch.lock.lock();
        try {
            resigns = over.resigns;
            // A thread that closes it goes on by itself.
            departure = over.isClosing() ? 0 : over.departure;
        } finally {
            latch.lock.unlock();
        }
        if (resigns) {
            resignNow();
        } else if (departure != 0) {
            latch.candidacy.thenAccept(joined -> joined.drained(tenure, departure));
        }
    }
}
