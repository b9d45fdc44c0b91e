package io.quorate;

import io.quorate.client.CloseNotice;
import io.quorate.client.LatchContender;
import io.quorate.client.Paths;
import io.quorate.engine.SerialDispatcher;
import io.quorate.jvm.NodeLog;
import java.io.Closeable;
import java.util.Collection;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Leads in turns with other selectors of its path: when it leads, it runs {@link
 * LeaderSelectorListener#takeLeadership}, and it gives leadership up when that returns. By default selectors lead in
 * the order in which they queued.
 *
 * <p>A selector queues once per {@link #start} and {@link #requeue}; after {@link #autoRequeue} it queues again each
 * time. All methods may be called from any thread, the listener included. Only {@link #getLeader} and {@link
 * #getParticipants} can block, for the first question about a path.
 */
public class LeaderSelector implements Closeable {

    private static final Logger LOG = NodeLog.of(LeaderSelector.class);
    private static final AtomicInteger NUMBERS = new AtomicInteger();

    // The pause after takeLeadership threw doubles each time, so that the selector does not lead and throw without end.
    private static final long PAUSE_MILLIS_MIN = 50;
    private static final long PAUSE_MILLIS_MAX = 10_000;

    private enum State {
        LATENT,
        STARTED,
        CLOSED
    }

    /** One time in the queue, up to its end. */
    private final class Attempt implements Runnable {
        private final LatchContender contender =
                new LatchContender(leaderPath, id, false, ElectionClient.latchCallbacks(client));
        private final CompletableFuture<Void> returned = new CompletableFuture<>();
        private @Nullable Thread thread;
        private boolean isOver;
        private boolean hasLeft;

        @Override
        public void run() {
            if (!begin()) {
                finished(this, false);
                return;
            }
            boolean hasFailed = false;
            try {
                contender.listeners().addListener(new LeaderLatchListener() {
                    @Override
                    public void isLeader() {
                        // The thread below waits for that itself.
                    }

                    @Override
                    public void notLeader() {
                        cancel();
                    }
                });
                contender.drain(leadership -> {
                    interrupt();
                    // A copy, because a stage that is not needed any more is cancelled.
                    return endsJvm() ? LatchContender.NO_WORK : returned.copy();
                });
                contender.start(Optional.empty());
                client.register(contender);
                if (contender.awaitTenure(Long.MAX_VALUE) && isWanted()) {
                    listener.takeLeadership(client);
                }
            } catch (InterruptedException e) {
                LOG.debug("{} was interrupted", LeaderSelector.this);
            } catch (Throwable e) {
                // Justification: catches everything. The listener is the application's; the selector must go on. An
                // error most of all: it would lead and throw without end, and nobody else would lead.
                hasFailed = true;
                LOG.error("{}: takeLeadership threw; leadership is given up", LeaderSelector.this, e);
            } finally {
                returned.complete(null);
                end();
                finished(this, hasFailed);
            }
        }

        private synchronized boolean begin() {
            thread = Thread.currentThread();
            return !isOver;
        }

        /** The listener returns after the shutdown hooks then, and one of these may close the client. */
        private synchronized boolean endsJvm() {
            return SerialDispatcher.isExiting(thread);
        }

        /** A cancellation before the contender was started found nothing to close. */
        private synchronized boolean isWanted() {
            return !isOver;
        }

        /** Leaves the queue, or gives leadership up. From here on nobody interrupts the thread. */
        private void end() {
            synchronized (this) {
                isOver = true;
                thread = null;
            }
            leave();
            // An interrupt for this attempt must not hit the next one.
            Thread.interrupted();
        }

        private void leave() {
            boolean isFirst;
            synchronized (this) {
                isFirst = !hasLeft && contender.life() == LatchContender.Life.STARTED;
                hasLeft |= isFirst;
            }
            if (isFirst) {
                Optional<CloseNotice> notice = contender.close(false, false);
                client.unregister(contender);
                notice.ifPresent(CloseNotice::tell);
            }
        }

        /** Leadership ends when the listener has returned, if its client waits for that; else now. */
        private void cancelInTime() {
            contender.finishWork(false, false).thenRun(this::cancel);
        }

        /** A thread that has not called the listener yet does not. */
        private synchronized void interrupt() {
            isOver = true;
            if (thread != null) {
                thread.interrupt();
            }
        }

        /** Leadership ends now, even if the listener ignores the interrupt. */
        private void cancel() {
            leave();
            interrupt();
        }
    }

    private final ElectionClient client;
    private final String leaderPath;
    private final LeaderSelectorListener listener;
    private final ConnectionStateListener cancelling = this::stateChanged;
    private final ExecutorService executor;
    private final boolean ownsExecutor;
    private final CountDownLatch isClosed = new CountDownLatch(1);
    private volatile String id = "";

    // Guarded by this.
    private State state = State.LATENT;
    private @Nullable Attempt attempt;
    private boolean requeuesByItself;
    private long pauseMillis;

    /**
     * A selector whose listener runs on a daemon thread of its own, which ends when the selector is closed.
     *
     * @param client     the node that the selector belongs to; may be in any state
     * @param leaderPath the path to lead, in the form of a ZooKeeper path; relative to the client's namespace
     * @param listener   does the work of the leader
     * @throws NullPointerException     if {@code client} or {@code listener} is null
     * @throws IllegalArgumentException if the path is null or not legal; the message names the rule
     */
    public LeaderSelector(ElectionClient client, String leaderPath, LeaderSelectorListener listener) {
        this(client, leaderPath, ownThread(), listener, true);
    }

    /**
     * A selector whose listener runs on the given executor. The selector takes one of its threads for as long as it
     * queues or leads.
     *
     * @param client          the node that the selector belongs to; may be in any state
     * @param leaderPath      the path to lead, in the form of a ZooKeeper path; relative to the client's namespace
     * @param executorService stays open when the selector is closed
     * @param listener        does the work of the leader
     * @throws NullPointerException     if {@code client}, {@code executorService} or {@code listener} is null
     * @throws IllegalArgumentException if the path is null or not legal; the message names the rule
     */
    public LeaderSelector(
            ElectionClient client,
            String leaderPath,
            ExecutorService executorService,
            LeaderSelectorListener listener) {
        this(client, leaderPath, executorService, listener, false);
    }

    private LeaderSelector(
            ElectionClient client,
            String leaderPath,
            ExecutorService executor,
            LeaderSelectorListener listener,
            boolean ownsExecutor) {
        this.client = Objects.requireNonNull(client, "client cannot be null");
        this.leaderPath = Paths.validated(leaderPath);
        this.listener = Objects.requireNonNull(listener, "listener cannot be null");
        this.executor = Objects.requireNonNull(executor, "executorService cannot be null");
        this.ownsExecutor = ownsExecutor;
    }

    private static ExecutorService ownThread() {
        return Executors.newSingleThreadExecutor(task -> {
            Thread thread = new Thread(task, "Quorate-LeaderSelector-" + NUMBERS.getAndIncrement());
            thread.setDaemon(true);
            return thread;
        });
    }

    /**
     * Begins to contend, for one attempt. Never blocks, unless the executor does. If the client is not started yet, the
     * selector joins when it starts. On a closed client the attempt ends at once.
     *
     * @throws IllegalStateException      "Cannot be started more than once", also after {@link #close}
     * @throws RejectedExecutionException if the executor takes no task; {@link #requeue} tries again
     */
    public void start() {
        synchronized (this) {
            if (state != State.LATENT) {
                throw new IllegalStateException("Cannot be started more than once");
            }
            state = State.STARTED;
            // Under the lock, so that a close() finds both of them.
            client.getConnectionStateListenable().addListener(cancelling);
            queue();
        }
    }

    /**
     * Queues again at the tail, after an attempt has ended. Returns at once.
     *
     * @return whether it queued; false if it queues or leads already
     * @throws IllegalStateException      "close() has already been called", also before {@link #start}
     * @throws RejectedExecutionException if the executor takes no task
     */
    public boolean requeue() {
        synchronized (this) {
            if (state != State.STARTED) {
                throw new IllegalStateException("close() has already been called");
            }
            return queue();
        }
    }

    private boolean queue() {
        if (attempt != null) {
            return false;
        }
        Attempt next = new Attempt();
        attempt = next;
        try {
            executor.execute(next);
        } catch (Throwable e) {
            // Justification: catches everything. The executor is the application's, and what it throws is the caller's.
            attempt = null;
            throw e;
        }
        return true;
    }

    private void queueAgain() {
        try {
            queue();
        } catch (Throwable e) {
            // Justification: catches everything. The executor is the application's, and this may be its thread.
            LOG.error("{}: the executor rejected the attempt; autoRequeue is off from now on", this, e);
        }
    }

    /**
     * Makes the selector queue again by itself each time that an attempt has ended, until it or its client is closed.
     * If {@code takeLeadership} threw, it pauses before: 50 ms the first time, then twice as long each time, up to 10
     * s.
     */
    public void autoRequeue() {
        synchronized (this) {
            requeuesByItself = true;
        }
    }

    private void finished(Attempt over, boolean hasFailed) {
        pauseAfter(hasFailed);
        synchronized (this) {
            if (attempt == over) {
                attempt = null;
                if (requeuesByItself && state == State.STARTED && !client.isClosing()) {
                    queueAgain();
                }
            }
        }
    }

    private void pauseAfter(boolean hasFailed) {
        long pause;
        synchronized (this) {
            boolean isNeeded = hasFailed && requeuesByItself && state == State.STARTED;
            pauseMillis = isNeeded ? Math.min(PAUSE_MILLIS_MAX, Math.max(PAUSE_MILLIS_MIN, 2 * pauseMillis)) : 0;
            pause = pauseMillis;
        }
        if (pause > 0) {
            try {
                // Ends with close(): the thread may be the application's.
                isClosed.await(pause, TimeUnit.MILLISECONDS);
            } catch (InterruptedException e) {
                LOG.debug("{}: the pause after a failure was interrupted", this);
            }
        }
    }

    /**
     * Leaves the queue, or gives leadership up and interrupts the listener. When this returns, {@link #hasLeadership}
     * is false. The next contender may lead when the listener has returned, or has had the client's {@linkplain
     * ElectionSettings#drainTimeout drain time-out}, 30 s by default. This does not wait for the listener, and never
     * blocks.
     *
     * @throws IllegalStateException "Already closed or has not been started"
     */
    @Override
    public void close() {
        Attempt last;
        synchronized (this) {
            if (state != State.STARTED) {
                throw new IllegalStateException("Already closed or has not been started");
            }
            state = State.CLOSED;
            last = attempt;
            attempt = null;
        }
        isClosed.countDown();
        client.getConnectionStateListenable().removeListener(cancelling);
        if (last != null) {
            last.cancelInTime();
        }
        if (ownsExecutor) {
            executor.shutdownNow();
        }
    }

    /**
     * Ends leadership now and interrupts the listener, if the selector leads. Otherwise this has no effect. Does not
     * wait for the listener.
     */
    public void interruptLeadership() {
        Attempt current = current();
        // The same attempt for both: the next one, which waits, must not be cancelled for this one.
        if (current != null && current.contender.isLeading()) {
            current.cancel();
        }
    }

    /** Lets the listener cancel by throwing. */
    private void stateChanged(ElectionClient source, ConnectionState newState) {
        try {
            listener.stateChanged(source, newState);
        } catch (CancelLeadershipException e) {
            cancelAttempt();
        }
    }

    /** As {@link #interruptLeadership}, or leaves the queue. */
    void cancelAttempt() {
        Attempt current = current();
        if (current != null) {
            current.cancel();
        }
    }

    private synchronized @Nullable Attempt current() {
        return attempt;
    }

    /**
     * Sets the id that others see in {@link Participant#getId}, from the next attempt on.
     *
     * @param id need not be unique
     * @throws NullPointerException if {@code id} is null
     */
    public void setId(String id) {
        this.id = Objects.requireNonNull(id, "id cannot be null");
    }

    /** {@return the id that was set, or an empty string} */
    public String getId() {
        return id;
    }

    /**
     * Answers whether this selector leads at the moment of the call, as {@link LeaderLatch#hasLeadership} does.
     *
     * @return true if this selector leads
     */
    public boolean hasLeadership() {
        Attempt current = current();
        return current != null && current.contender.isLeading();
    }

    /**
     * Answers who leads or queues, as {@link LeaderLatch#getParticipants} does.
     *
     * @return the leader, then the others by rank; immutable, and never null
     * @throws Exception as {@link LeaderLatch#getParticipants}
     */
    public Collection<Participant> getParticipants() throws Exception {
        return client.views().participants(leaderPath);
    }

    /**
     * Answers who leads, as {@link LeaderLatch#getLeader} does.
     *
     * @return the leader, never null; if no leader is known, its id is empty and {@link Participant#isLeader} is
     *         false
     * @throws Exception as {@link LeaderLatch#getLeader}
     */
    public Participant getLeader() throws Exception {
        return client.views().leader(leaderPath);
    }

    /**
     * As {@link #getParticipants}, without a thread that waits. Dependent stages run on a callback thread and may
     * block.
     *
     * @return completed with the contenders, or exceptionally with what {@link #getParticipants} would throw
     */
    public CompletionStage<Collection<Participant>> getParticipantsAsync() {
        return client.views().participantsAsync(leaderPath);
    }

    /**
     * As {@link #getLeader}, without a thread that waits. Dependent stages run on a callback thread and may block.
     *
     * @return completed with the leader, or exceptionally with what {@link #getLeader} would throw
     */
    public CompletionStage<Participant> getLeaderAsync() {
        return client.views().leaderAsync(leaderPath);
    }

    @Override
    public String toString() {
        return "Selector " + leaderPath + (id.isEmpty() ? "" : " of " + id);
    }
}
