package io.quorate.shedlock;

import io.quorate.ElectionClient;
import io.quorate.LeaderLatch;
import io.quorate.LeaderObserver;
import io.quorate.Leadership;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.SimpleLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The state of one name: the latch of its path, and the lock that holds it here. The latch excludes other
 * nodes, and the guard other threads of this one. Under the lock of this object the latch is asked its state, which is
 * a field, and nothing else of the library.
 */
final class NamedPath {

    private static final Logger LOG = LoggerFactory.getLogger(QuorateLockProvider.class);

    private final String name;
    private final LeaderLatch latch;
    private final LeaderObserver observer;
    private final LongSupplier clock;
    private final ScheduledExecutorService timer;
    /** Completed when somebody leads for the first time, or nobody waits for that any more. */
    private final CompletableFuture<Void> elected = new CompletableFuture<>();

    // Guarded by this.
    private Stage stage = Stage.NEW;
    private @Nullable QuorateLock holder;
    /** Completed when the name of a leader that leaves is free; null before the first time. */
    private @Nullable CompletableFuture<Void> free;
    /** No lock is given before, except that the holder may extend its own. */
    private long nanosFree;

    private long nanosUsed;

    private enum Stage {
        NEW,
        CONTENDING,
        LEFT
    }

    /** @param timer is never shut down: a leader may leave when its provider is closed */
    NamedPath(ElectionClient client, String name, String path, LongSupplier clock, ScheduledExecutorService timer) {
        this.name = name;
        this.latch = new LeaderLatch(client, path, client.nodeId());
        this.observer = new LeaderObserver(client, path);
        this.clock = clock;
        this.timer = timer;
        this.nanosFree = clock.getAsLong();
        this.nanosUsed = nanosFree;
    }

    /** {@return the name of the lock} */
    String name() {
        return name;
    }

    // ---------------------------------------------------------------- contending for the path

    /** Begins to contend. A refusal reaches those who wait, too. */
    void start() {
        observer.getListenable().addListener((leader, token) -> {
            if (token != 0) {
                elected.complete(null);
            }
        });
        latch.drain(leadership -> whenFree());
        try {
            latch.start();
            observer.start();
        } catch (Exception e) {
            // Justification: it declares that, as Curator's does, and throws what is unchecked.
            RuntimeException refusal =
                    e instanceof RuntimeException unchecked ? unchecked : new IllegalStateException(e);
            elected.completeExceptionally(refusal);
            throw refusal;
        }
        // It has served when it has seen one leader.
        elected.whenComplete((nothing, refusal) -> observer.close());
        // Also when the latch is closed: then nobody need wait.
        latch.awaitAsync().whenComplete((token, end) -> elected.complete(null));
        if (!isStarted()) {
            close();
        }
    }

    /** Whether it contends from now on: it may have been left before. */
    private synchronized boolean isStarted() {
        if (stage == Stage.NEW) {
            stage = Stage.CONTENDING;
        }
        return stage == Stage.CONTENDING;
    }

    /** Waits once in the life of this object: later on, a path without a leader is no reason to hold up a job. */
    void awaitElected(Duration timeout) {
        try {
            elected.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            elected.complete(null);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException refusal) {
                throw refusal;
            }
            throw new IllegalStateException(observer + ": its latch does not start", e);
        }
    }

    /** Notes that its name is asked for. */
    synchronized void use() {
        nanosUsed = clock.getAsLong();
    }

    /**
     * Answers whether this is to be closed now, because nobody has used it for so long and nobody holds it. If so, no
     * lock is given any more. That a lock is given and that it is left exclude each other: a lock on a path that this
     * node has left would hold nobody back.
     */
    synchronized boolean leaveIfIdle(Duration idle) {
        long now = clock.getAsLong();
        if (!isFree(now)) {
            nanosUsed = now;
        }
        boolean isIdle = latch.getState() == LeaderLatch.State.CLOSED || now - nanosUsed >= idle.toNanos();
        if (stage == Stage.CONTENDING && isFree(now) && isIdle) {
            stage = Stage.LEFT;
            return true;
        }
        return false;
    }

    /** Takes {@link #leaveIfIdle} back: nobody has closed it. */
    synchronized void stay() {
        stage = Stage.CONTENDING;
    }

    /** Gives no lock any more. Answers the lock that is held. */
    synchronized Optional<QuorateLock> leave() {
        stage = Stage.LEFT;
        return Optional.ofNullable(holder).filter(held -> clock.getAsLong() - held.nanosAtMost() < 0);
    }

    /** Leaves the path, as soon as its name is free if the client gives leaders time for that. Nothing waits. */
    void close() {
        elected.complete(null);
        latch.closeAsync().whenComplete((closed, failure) -> {
            if (failure != null) {
                LOG.debug("{}: its latch is not open", observer, failure);
            }
        });
    }

    /** A planned end waits for this stage. No lock is granted meanwhile, because the leader leaves. */
    private CompletionStage<Void> whenFree() {
        CompletableFuture<Void> waiting = new CompletableFuture<>();
        synchronized (this) {
            free = waiting;
        }
        completeIfFree(waiting);
        return waiting;
    }

    /** Not under the lock of this object: what hangs on the stage is of the library. */
    private void completeIfFree(@Nullable CompletableFuture<Void> waiting) {
        if (waiting == null || waiting.isDone()) {
            return;
        }
        long left;
        synchronized (this) {
            left = nanosFree - clock.getAsLong();
        }
        if (left <= 0) {
            waiting.complete(null);
            return;
        }
        ScheduledFuture<?> time = timer.schedule(() -> completeIfFree(waiting), left, TimeUnit.NANOSECONDS);
        // Nobody keeps a timer of hours for a leader that is gone.
        waiting.whenComplete((isFree, cut) -> time.cancel(false));
    }

    private void completeIfFree() {
        CompletableFuture<Void> waiting;
        synchronized (this) {
            waiting = free;
        }
        completeIfFree(waiting);
    }

    // ---------------------------------------------------------------- locks of this node

    private boolean isFree(long now) {
        return now - nanosFree >= 0;
    }

    Optional<SimpleLock> lock(LockConfiguration configuration) {
        Optional<Leadership> leadership = latch.leadership();
        if (leadership.isEmpty() || leadership.get().isLeaving()) {
            return Optional.empty();
        }
        QuorateLock next;
        long nanosFreeBefore;
        synchronized (this) {
            long now = clock.getAsLong();
            nanosFreeBefore = nanosFree;
            if (stage != Stage.CONTENDING || !isFree(now)) {
                return Optional.empty();
            }
            next = new QuorateLock(this, configuration, leadership.get().fencingToken(), now);
            hold(next);
        }
        return confirmed(next, nanosFreeBefore, true);
    }

    Optional<SimpleLock> extend(QuorateLock held, LockConfiguration configuration) {
        QuorateLock next;
        synchronized (this) {
            long now = clock.getAsLong();
            if (!isHolder(held, now)) {
                return Optional.empty();
            }
            next = new QuorateLock(this, configuration, held.fencingToken(), now);
            hold(next);
        }
        // Its job may still run when this node leads again.
        return confirmed(next, held.nanosAtMost(), false);
    }

    private void hold(QuorateLock next) {
        holder = next;
        nanosFree = next.nanosAtMost();
    }

    private boolean isHolder(QuorateLock lock, long now) {
        return holder == lock && now - lock.nanosAtMost() < 0;
    }

    /**
     * Leadership is looked at last, so that what was given was held when it was given. If it was not, the name is free
     * when it would have been without.
     *
     * @param isNew whether it is none if the leader leaves, which may have found the name free
     */
    private Optional<SimpleLock> confirmed(QuorateLock given, long nanosFreeBefore, boolean isNew) {
        boolean isGiven = latch.leadership()
                .filter(present -> present.fencingToken() == given.fencingToken())
                .filter(present -> !isNew || !present.isLeaving())
                .isPresent();
        if (isGiven) {
            return Optional.of(given);
        }
        synchronized (this) {
            if (holder == given) {
                holder = null;
                nanosFree = nanosFreeBefore;
            }
        }
        completeIfFree();
        return Optional.empty();
    }

    private boolean leadsWith(long token) {
        return latch.leadership()
                .filter(present -> present.fencingToken() == token)
                .isPresent();
    }

    boolean isHeldBy(QuorateLock lock) {
        synchronized (this) {
            if (!isHolder(lock, clock.getAsLong())) {
                return false;
            }
        }
        return leadsWith(lock.fencingToken());
    }

    void unlock(QuorateLock lock) {
        boolean leads = leadsWith(lock.fencingToken());
        boolean isInTime;
        synchronized (this) {
            long now = clock.getAsLong();
            isInTime = isHolder(lock, now);
            if (isInTime) {
                holder = null;
                nanosFree = now - lock.nanosAtLeast() < 0 ? lock.nanosAtLeast() : now;
            }
        }
        completeIfFree();
        if (!isInTime || !leads) {
            LOG.warn(
                    "{} was over before it was unlocked, because {}: its job may have run in two places",
                    lock,
                    isInTime ? "its leadership had ended" : "lockAtMostFor had passed");
        }
    }
}
