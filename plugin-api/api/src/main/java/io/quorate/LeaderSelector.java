package io.quorate;

import java.io.Closeable;
import java.util.Collection;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Leadership in turns: a contender that leads runs {@link LeaderSelectorListener#takeLeadership}, and gives leadership
 * up when that returns. Contenders lead in the order in which they queued.
 *
 * <p>A selector queues once per {@link #start} or {@link #requeue}, or for ever after {@link #autoRequeue}. All methods
 * may be called from any thread, also from the listener.
 */
public class LeaderSelector implements Closeable {

    private static final Logger LOG = LoggerFactory.getLogger(LeaderSelector.class);
    private static final AtomicInteger NUMBERS = new AtomicInteger();

    // After a listener that threw: doubled with each that throws next, so that it does not lead and throw without end.
    private static final long PAUSE_MILLIS_MIN = 50;
    private static final long PAUSE_MILLIS_MAX = 10_000;

    private enum State { LATENT, STARTED, CLOSED }

    /** One time in the queue, to its end. */
    private final class Attempt implements Runnable {
        private final LatchContender contender = new LatchContender(leaderPath, id, false,
                ElectionClient.latchCallbacks(client));
        private Thread thread;
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
                contender.start(Optional.empty());
                client.register(contender);
                if (contender.awaitTenure(Long.MAX_VALUE) && isWanted()) {
                    listener.takeLeadership(client);
                }
            } catch (InterruptedException e) {
                LOG.debug("{} was interrupted", LeaderSelector.this);
            } catch (Exception e) {
                // Justification: the application's code may throw what it likes; the selector must go on.
                hasFailed = true;
                LOG.error("{}: takeLeadership threw; leadership is given up", LeaderSelector.this, e);
            } finally {
                end();
                finished(this, hasFailed);
            }
        }

        private synchronized boolean begin() {
            thread = Thread.currentThread();
            return !isOver;
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
            // What was meant for this attempt must not hit the next.
            Thread.interrupted();
        }

        private void leave() {
            boolean isFirst;
            synchronized (this) {
                isFirst = !hasLeft && contender.life() == LatchContender.Life.STARTED;
                hasLeft |= isFirst;
            }
            if (isFirst) {
                Optional<Farewell> farewell = contender.close(false);
                client.unregister(contender);
                farewell.ifPresent(Farewell::tell);
            }
        }

        private synchronized void interrupt() {
            if (thread != null) {
                thread.interrupt();
            }
        }

        /** Leadership ends now, whatever the listener does with the interrupt. */
        private void cancel() {
            leave();
            synchronized (this) {
                isOver = true;
                interrupt();
            }
        }
    }

    private final ElectionClient client;
    private final String leaderPath;
    private final LeaderSelectorListener listener;
    private final ConnectionStateListener cancelling = new Cancelling();
    private final ExecutorService executor;
    private final boolean ownsExecutor;
    private final CountDownLatch isClosed = new CountDownLatch(1);
    private volatile String id = "";

    // Guarded by this.
    private State state = State.LATENT;
    private Attempt attempt;
    private boolean requeuesByItself;
    private long pauseMillis;

    /** Lets the listener cancel by throwing. */
    private final class Cancelling implements ConnectionStateListener {
        @Override
        public void stateChanged(ElectionClient source, ConnectionState newState) {
            try {
                listener.stateChanged(source, newState);
            } catch (CancelLeadershipException e) {
                cancelAttempt();
            }
        }
    }

    /**
     * A selector with a daemon thread of its own.
     *
     * @throws NullPointerException     if {@code client} or {@code listener} is null
     * @throws IllegalArgumentException if the path is null or not legal
     */
    public LeaderSelector(ElectionClient client, String leaderPath, LeaderSelectorListener listener) {
        this(client, leaderPath, ownThread(), listener, true);
    }

    /**
     * A selector whose attempts run on the given executor, which takes one thread for as long as the selector queues or
     * leads, and is not shut down with it.
     *
     * @throws NullPointerException     if an argument is null
     * @throws IllegalArgumentException if the path is null or not legal
     */
    public LeaderSelector(ElectionClient client, String leaderPath, ExecutorService executorService,
                          LeaderSelectorListener listener) {
        this(client, leaderPath, executorService, listener, false);
    }

    private LeaderSelector(ElectionClient client, String leaderPath, ExecutorService executor,
                           LeaderSelectorListener listener, boolean ownsExecutor) {
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
     * Begins, and queues once; returns at once.
     *
     * @throws IllegalStateException "Cannot be started more than once", also after {@link #close}
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
     * Queues again, at the tail, after an attempt that has ended.
     *
     * @return false if it queues or leads already
     * @throws IllegalStateException "close() has already been called", also before {@link #start}
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
        } catch (RejectedExecutionException e) {
            attempt = null;
            throw e;
        }
        return true;
    }

    private void queueAgain() {
        try {
            queue();
        } catch (RejectedExecutionException e) {
            LOG.error("{}: the executor takes no further attempt; it no longer queues by itself", this, e);
        }
    }

    /** From now on it queues again by itself whenever an attempt has ended. */
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
                if (requeuesByItself && state == State.STARTED && client.getState() != ElectionClient.State.STOPPED) {
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
     * Leaves the queue, or gives leadership up: when this returns, {@link #hasLeadership} is false and the next
     * contender may lead, even if the listener ignores the interrupt. Does not wait for it.
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
            last.cancel();
        }
        if (ownsExecutor) {
            executor.shutdownNow();
        }
    }

    /** Interrupts the listener if this leads: leadership ends now. No effect otherwise. */
    public void interruptLeadership() {
        Attempt current = current();
        // The same attempt for both: the next one, which waits, must not be cancelled for this one.
        if (current != null && current.contender.isLeading()) {
            current.cancel();
        }
    }

    private void cancelAttempt() {
        Attempt current = current();
        if (current != null) {
            current.cancel();
        }
    }

    private synchronized Attempt current() {
        return attempt;
    }

    /**
     * What {@link Participant#getId} answers to others, from the next attempt on; need not be unique.
     *
     * @throws NullPointerException if {@code id} is null
     */
    public void setId(String id) {
        this.id = Objects.requireNonNull(id, "id cannot be null");
    }

    /** The id that was set, or an empty string. */
    public String getId() {
        return id;
    }

    /** Whether this leads at the moment of the call; as {@link LeaderLatch#hasLeadership}. */
    public boolean hasLeadership() {
        Attempt current = current();
        return current != null && current.contender.isLeading();
    }

    /** Who queues or leads; as {@link LeaderLatch#getParticipants}. */
    public Collection<Participant> getParticipants() throws Exception {
        return client.views().participants(leaderPath);
    }

    /** Who leads; as {@link LeaderLatch#getLeader}. */
    public Participant getLeader() throws Exception {
        return client.views().leader(leaderPath);
    }

    /** As {@link LeaderLatch#getParticipantsAsync}. */
    public CompletionStage<Collection<Participant>> getParticipantsAsync() {
        return client.views().participantsAsync(leaderPath);
    }

    /** As {@link LeaderLatch#getLeaderAsync}. */
    public CompletionStage<Participant> getLeaderAsync() {
        return client.views().leaderAsync(leaderPath);
    }

    @Override
    public String toString() {
        return "Selector " + leaderPath + (id.isEmpty() ? "" : " of " + id);
    }
}
