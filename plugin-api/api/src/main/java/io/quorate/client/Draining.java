package io.quorate.client;

import io.quorate.ClientMonitor.DrainOutcome;
import io.quorate.Leadership;
import io.quorate.jvm.NodeLog;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/** A tenure whose work is being finished before it ends on purpose: ADR-0096. */
final class Draining {

    private static final Logger LOG = NodeLog.of(Draining.class);

    private final Drain drain;
    private final Executor callbacks;
    private final String latch;
    private final String reason;
    private final long begun;
    private final CompletableFuture<DrainOutcome> over = new CompletableFuture<>();
    /** The work is null until it has begun. */
    volatile @Nullable CompletionStage<?> work;

    // Guarded by the latch's lock.
    /** The departure that the engine waits for; 0 if it waits for none. */
    long departure;
    /** Whether the application has resigned. */
    boolean resigns;
    /** Whether one that closes it wants the listeners to hear of that. */
    boolean tells;

    /** Whether a thread that closes the latch waits for its end. */
    private boolean closesLatch;
    /** Whether a thread that closes the client does. */
    private boolean closesClient;

    private boolean isBegun;

    /**
     * Does nothing yet.
     *
     * @param callbacks run what hangs on the work when it is cancelled
     * @param latch     for the log
     */
    Draining(Drain drain, Executor callbacks, String latch, String reason, long begun) {
        this.drain = drain;
        this.callbacks = callbacks;
        this.latch = latch;
        this.reason = reason;
        this.begun = begun;
    }

    /** Completed with the outcome; the bound completes it with a time-out. */
    CompletableFuture<DrainOutcome> over() {
        return over;
    }

    /** A thread that closes the latch, or its client, is to wait. Answers whether it is the first of its kind. */
    boolean isFirstClose(boolean isByClient) {
        boolean isFirst = isByClient ? !closesClient : !closesLatch;
        closesClient |= isByClient;
        closesLatch |= !isByClient;
        return isFirst;
    }

    boolean isClosing() {
        return closesLatch || closesClient;
    }

    boolean isWantedByApplication() {
        return resigns || isClosing();
    }

    /** Answers true once. */
    synchronized boolean isFirstBegin() {
        boolean isFirst = !isBegun;
        isBegun = true;
        return isFirst;
    }

    String reason() {
        return reason;
    }

    Duration bound() {
        return drain.bound();
    }

    Duration age(long now) {
        return Duration.ofNanos(now - begun);
    }

    // Justification: catches everything. The work is the application's, and what it throws must not hold up the end.
    void run(Leadership leadership) {
        if (over.isDone()) {
            return;
        }
        try {
            CompletionStage<?> stage = drain.work().apply(leadership);
            if (stage == null) {
                LOG.warn("{}: its drain answered null, which counts as done; leadership ends: {}", latch, reason);
                over.complete(DrainOutcome.DONE);
                return;
            }
            work = stage;
            // It may have been cut before the line above.
            if (over.isDone()) {
                cancelWork();
            }
            stage.whenComplete((result, error) -> ended(error));
        } catch (Throwable e) {
            ended(e);
        }
    }

    /** A dependent of the stage may close the latch before this learns that the stage is completed. */
    // Justification: catches everything. The stage may be of a foreign class, and a minimal one throws if it is asked.
    void look() {
        try {
            if (work instanceof Future<?> future && future.isDone()) {
                over.complete(DrainOutcome.DONE);
            }
        } catch (Throwable e) {
            LOG.debug("{}: the stage of its drain does not say whether it is completed", latch, e);
        }
    }

    private void ended(@Nullable Throwable error) {
        over.complete(DrainOutcome.DONE);
        if (error == null) {
            return;
        }
        if (over.isCompletedExceptionally() || over.join() != DrainOutcome.DONE) {
            // By its bound or a cut: leadership does not end because of this.
            LOG.debug("{}: what it did before it left has failed", latch, error);
        } else {
            LOG.warn(
                    "{}: its drain failed with {}, which counts as done; leadership ends: {}",
                    latch,
                    error.toString(),
                    reason,
                    error);
        }
    }

    /** Leadership ends now, or does not end. */
    void cut() {
        if (over.complete(DrainOutcome.CUT)) {
            cancelLater();
        }
    }

    /** The bound has come. */
    void timedOut() {
        LOG.warn(
                "{}: its drain has not completed for {}; leadership ends anyway ({}). Shorten the work, or give"
                        + " it a longer bound",
                latch,
                bound(),
                reason);
        cancelLater();
    }

    /** Dependents of the stage are foreign code, so they run neither on the node's thread nor on that of the bounds. */
    private void cancelLater() {
        if (work != null) {
            callbacks.execute(this::cancelWork);
        }
    }

    // Justification: catches everything. The stage may be of a foreign class.
    private void cancelWork() {
        if (work instanceof Future<?> future) {
            try {
                future.cancel(true);
            } catch (UnsupportedOperationException e) {
                LOG.debug("{}: the stage of its drain is a minimal one, which cannot be cancelled", latch, e);
            } catch (Throwable e) {
                LOG.warn("{}: the stage of its drain cannot be cancelled", latch, e);
            }
        }
    }

    @Override
    public String toString() {
        return "its work is being finished, for " + bound() + " at most: " + reason;
    }
}
