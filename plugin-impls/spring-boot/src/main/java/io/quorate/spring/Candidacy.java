package io.quorate.spring;

import io.quorate.ElectionClient;
import io.quorate.FencedLeaderLatchListener;
import io.quorate.LeaderLatch;
import io.quorate.LeaderLatch.CloseMode;
import io.quorate.LeaderObserver;
import io.quorate.LeaderObserverListener;
import io.quorate.Participant;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.integration.leader.Candidate;

/**
 * An initiator from a start to its stop. The callbacks of the latch must return, because the end of leadership is told
 * only then; the candidate may take its time. So it is called on a thread of its own, one call after the other.
 */
final class Candidacy implements FencedLeaderLatchListener, LeaderObserverListener {

    private static final Logger LOG = LoggerFactory.getLogger(QuorateLeaderInitiator.class);

    // A candidate that throws does not lead and throw without a pause.
    private static final long PAUSE_MILLIS_MIN = 50;
    private static final long PAUSE_MILLIS_MAX = 10_000;

    private final Candidate candidate;
    private final Events events;
    private final boolean publishesFailures;
    private final LeaderLatch latch;
    private final LeaderObserver observer;
    private final ExecutorService thread;
    private final CountDownLatch isClosing = new CountDownLatch(1);

    /** The thread behind the executor, once it is needed. */
    private volatile @Nullable Thread own;

    private volatile Tenure tenure;
    // Confined to the thread, except that a callback reads the pause after it has waited for the thread.
    private volatile long pauseMillis;
    private @Nullable Tenure begun;
    // Confined to the callbacks, which come in turns.
    private Future<?> granting = CompletableFuture.completedFuture(null);

    Candidacy(ElectionClient client, Candidate candidate, Events events, boolean publishesFailures) {
        this.candidate = candidate;
        this.events = events;
        this.publishesFailures = publishesFailures;
        String path = events.role().startsWith("/") ? events.role() : "/" + events.role();
        this.latch = new LeaderLatch(client, path, candidate.getId(), CloseMode.NOTIFY_LEADER);
        this.observer = new LeaderObserver(client, path);
        this.tenure = Tenure.none(events.role());
        this.thread = Executors.newSingleThreadExecutor(work -> {
            Thread made = new Thread(work, "quorate-leader-" + events.role());
            made.setDaemon(true);
            own = made;
            return made;
        });
    }

    void start() {
        latch.addListener(this);
        latch.drain(leadership -> finish());
        observer.getListenable().addListener(this);
        observer.start();
        try {
            latch.start();
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException(latch + " does not start", e);
        }
    }

    Tenure tenure() {
        return tenure;
    }

    boolean isOpen() {
        return latch.getState() == LeaderLatch.State.STARTED;
    }

    // ---------------------------------------------------------------- callbacks of the latch

    @Override
    public void isLeader(long fencingToken) {
        Tenure next = Tenure.of(events.role(), latch, fencingToken);
        tenure = next;
        granting = thread.submit(() -> grant(next));
    }

    /**
     * Interrupts the candidate that still works, before a planned end; completed when it has returned. A leadership
     * without its candidate is given up, also if it would go on by now.
     */
    private CompletionStage<Void> finish() {
        Tenure last = tenure;
        boolean isInterrupted = granting.cancel(true);
        CompletableFuture<Void> returned = new CompletableFuture<>();
        thread.execute(() -> {
            if (isInterrupted) {
                last.yield();
            }
            returned.complete(null);
        });
        return returned;
    }

    /** The latch contends again when this has returned. */
    @Override
    public void notLeader() {
        Tenure last = tenure;
        granting.cancel(true);
        await(thread.submit(() -> revoke(last)));
        if (pauseMillis > 0) {
            pause();
        }
    }

    private void pause() {
        try {
            if (isClosing.await(pauseMillis, TimeUnit.MILLISECONDS)) {
                LOG.debug("Role {}: is closed while it pauses", events.role());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void await(Future<?> work) {
        try {
            work.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | CancellationException e) {
            throw new IllegalStateException("Role " + events.role() + ": an error in the candidate", e);
        }
    }

    // ---------------------------------------------------------------- on the thread of the candidate

    // Justification: catches everything. The candidate is the application's.
    private void grant(Tenure granted) {
        begun = granted;
        try {
            candidate.onGranted(granted);
        } catch (InterruptedException e) {
            // The thread was the candidate's, and its work is over: at the end of leadership, or by itself.
            granted.yield();
            return;
        } catch (Throwable e) {
            pauseMillis = Math.min(PAUSE_MILLIS_MAX, Math.max(PAUSE_MILLIS_MIN, 2 * pauseMillis));
            // Before the log, which may throw as well.
            granted.yield();
            LOG.warn(
                    "Role {}: onGranted threw; leadership is given up, and contended for again after {} ms",
                    events.role(),
                    pauseMillis,
                    e);
            return;
        }
        pauseMillis = 0;
        events.granted(granted);
    }

    private void revoke(Tenure revoked) {
        if (begun != revoked) {
            // It was over before the candidate could be called.
            return;
        }
        try {
            candidate.onRevoked(revoked);
        } catch (Throwable e) {
            LOG.warn("Role {}: onRevoked threw", events.role(), e);
        }
        events.revoked(revoked);
    }

    // ---------------------------------------------------------------- what all hear

    @Override
    public void leaderChanged(Participant leader, long fencingToken) {
        events.changed(leader, fencingToken);
        boolean isOwn = latch.leadership()
                .filter(present -> present.fencingToken() == fencingToken)
                .isPresent();
        if (publishesFailures && fencingToken != 0 && !isOwn) {
            events.failedToAcquire(tenure);
        }
    }

    // ---------------------------------------------------------------- its end

    void close() {
        isClosing.countDown();
        if (!isOpen()) {
            end();
            return;
        }
        if (Thread.currentThread() == own) {
            // The candidate closes it: onRevoked follows when this has returned.
            latch.closeAsync(CloseMode.NOTIFY_LEADER).whenComplete((nothing, failure) -> end());
            return;
        }
        try {
            latch.close(CloseMode.NOTIFY_LEADER);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (IllegalStateException e) {
            LOG.debug("Role {}: another thread has closed it", events.role(), e);
        } finally {
            end();
        }
    }

    private void end() {
        observer.close();
        // Queued callbacks of the latch, such as a last onRevoked, still run.
        thread.shutdown();
    }
}
