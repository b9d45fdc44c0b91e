package io.quorate;

import io.quorate.core.PathView;
import io.quorate.runtime.Engine;
import io.quorate.runtime.SerialDispatcher;
import java.io.Closeable;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Tells who leads a path, without contending for it: for whoever redirects requests to the leader, or watches it.
 *
 * <p>It knows what its node knows, which comes from the voters: usually within milliseconds after a latch has begun to
 * lead. While the client is not connected it is told nothing, and the leader that it knows may have been replaced; what
 * it says must not decide about anything that only the leader may do.
 *
 * <p>All methods may be called from any thread, also from listeners; none blocks.
 */
public class LeaderObserver implements Closeable {

    private static final Known NOBODY = new Known(new Participant(), 0);

    private enum State { LATENT, STARTED, CLOSED }

    private record Known(Participant leader, long token) {
    }

    private final ElectionClient client;
    private final ListenerSet<LeaderObserverListener> listeners;
    private final Watch watch;

    // Both are guarded by this.
    private State state = State.LATENT;
    private long tokenMax;
    private volatile Known known = NOBODY;

    /** What the client carries of it. */
    private final class Watch implements PathUser {
        private final String path;
        private final Engine.ViewListener listener = LeaderObserver.this::viewChanged;
        // Both are guarded by this.
        private Optional<Runnable> end = Optional.empty();
        private boolean hasLeft;

        private Watch(String path) {
            this.path = path;
        }

        @Override
        public String path() {
            return path;
        }

        @Override
        public boolean watches() {
            return true;
        }

        @Override
        public boolean isClosed() {
            return !isOpen();
        }

        @Override
        public synchronized void join(Engine engine, String pathInCluster) {
            if (hasLeft) {
                // Closed while its turn to join came: nobody comes a second time to end it.
                return;
            }
            engine.observe(pathInCluster, listener);
            end = Optional.of(() -> engine.unobserve(pathInCluster, listener));
        }

        @Override
        public synchronized void leave() {
            hasLeft = true;
            end.ifPresent(Runnable::run);
            end = Optional.empty();
        }

        @Override
        public Farewell closeWithClient() {
            shut();
            return Farewell.NONE;
        }

        @Override
        public void connectionChanged(ConnectionState connection, boolean endsLeadership) {
            // What the node knows of the path stands until it learns more.
        }

        @Override
        public String toString() {
            return "Observer of " + path;
        }
    }

    /**
     * An observer; nothing happens before {@link #start}. The client may be in any state.
     *
     * @param path what is contended for; relative to the client's namespace
     * @throws NullPointerException     if {@code client} is null
     * @throws IllegalArgumentException if the path is null or not legal; the message names the rule
     */
    public LeaderObserver(ElectionClient client, String path) {
        this.client = Objects.requireNonNull(client, "client cannot be null");
        this.watch = new Watch(Paths.validated(path));
        this.listeners = new ListenerSet<>(new SerialDispatcher(client::runCallback), watch.toString());
    }

    /**
     * Begins to observe; returns at once. If the client is not started yet, it begins when that is; on a closed client
     * it is closed at once.
     *
     * @throws IllegalStateException    "Cannot be started more than once", also after {@link #close}
     * @throws IllegalArgumentException if the path is too long to be sent; if the client is started only later, that is
     *                                  logged then
     */
    public void start() {
        synchronized (this) {
            if (state != State.LATENT) {
                throw new IllegalStateException("Cannot be started more than once");
            }
            state = State.STARTED;
        }
        client.register(watch);
    }

    /** Ends the observation: no listener is called any more but one that has begun. Twice is no error. */
    @Override
    public void close() {
        shut();
        client.unregister(watch);
    }

    private synchronized void shut() {
        state = State.CLOSED;
        known = NOBODY;
        listeners.clear();
    }

    /**
     * Where to register for changes. A listener that is there before {@link #start} is told the leader as soon as one
     * is known; one that is added later, the next one.
     */
    public Listenable<LeaderObserverListener> getListenable() {
        return listeners;
    }

    /** Who leads, as far as its node knows; never null. If nobody does, it has an empty id and does not lead. */
    public Participant getLeader() {
        return known.leader;
    }

    /**
     * The token of that leadership; empty if nobody is known to lead, which is nothing unusual for a watcher and so no
     * exception, as it is on a {@linkplain LeaderLatch#fencingToken latch}.
     */
    public OptionalLong fencingToken() {
        long token = known.token;
        return token == 0 ? OptionalLong.empty() : OptionalLong.of(token);
    }

    // On the engine's thread.
    private synchronized void viewChanged(PathView view) {
        Known next = view.leader().map(entry -> new Known(new Participant(entry.participantId(), true),
                view.token().getAsLong())).orElse(NOBODY);
        // Voters tell it one after the other: one that is late may still name the former leader.
        boolean isOutdated = next != NOBODY && next.token < tokenMax;
        if (state != State.STARTED || isOutdated || next.token == known.token) {
            return;
        }
        tokenMax = Math.max(tokenMax, next.token);
        known = next;
        listeners.deliver(listener -> {
            if (isOpen()) {
                listener.leaderChanged(next.leader, next.token);
            }
        });
    }

    private synchronized boolean isOpen() {
        return state == State.STARTED;
    }

    @Override
    public String toString() {
        return watch.toString();
    }
}
