package io.quorate;

import io.quorate.client.ClientMonitors;
import io.quorate.client.CloseNotice;
import io.quorate.client.ListenerSet;
import io.quorate.client.PathContender;
import io.quorate.client.PathUser;
import io.quorate.client.Paths;
import io.quorate.engine.Engine;
import io.quorate.engine.PathView;
import io.quorate.engine.SerialDispatcher;
import java.io.Closeable;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Tells who leads a path, without contending for it. It serves a process that sends requests on to the leader, or that
 * watches the leader.
 *
 * <p>It knows what the voters have told its node, usually milliseconds after a latch has begun to lead. While the
 * client is not connected it hears nothing, and the leader that it knows may have been replaced. So its answer must not
 * decide about an action that only the leader may take.
 *
 * <p>An observer is started once and closed once. All methods may be called from any thread, listeners included, and
 * none blocks.
 */
public class LeaderObserver implements Closeable {

    private static final Known NOBODY = new Known(new Participant("", false), 0);

    private enum State {
        LATENT,
        STARTED,
        CLOSED
    }

    private record Known(Participant leader, long token) {}

    private final ElectionClient client;
    private final ListenerSet<LeaderObserverListener> listeners;
    private final Watch watch;

    // Both are guarded by this.
    private State state = State.LATENT;
    private long tokenMax;
    private volatile Known known = NOBODY;

    /** The part of it that the client carries. */
    private final class Watch implements PathUser, ListenerSet.Owner {
        private final String path;
        private final ClientMonitors monitors =
                ElectionClient.latchCallbacks(client).monitors();
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
        public ClientMonitors monitors() {
            return monitors;
        }

        @Override
        public Optional<PathContender> contender() {
            return Optional.empty();
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
        public CloseNotice closeWithClient() {
            shut();
            return CloseNotice.NONE;
        }

        @Override
        public void connectionChanged(ConnectionState connection, boolean endsLeadership) {
            // The last known view stands until the node learns more.
        }

        @Override
        public String toString() {
            return "Observer of " + path;
        }
    }

    /**
     * An observer, which does nothing before {@link #start}.
     *
     * @param client the node that the observer belongs to; may be in any state
     * @param path   the path to observe, in the form of a ZooKeeper path; relative to the client's namespace
     * @throws NullPointerException     if {@code client} is null
     * @throws IllegalArgumentException if the path is null or not legal; the message names the rule
     */
    public LeaderObserver(ElectionClient client, String path) {
        this.client = Objects.requireNonNull(client, "client cannot be null");
        this.watch = new Watch(Paths.validated(path));
        this.listeners = new ListenerSet<>(new SerialDispatcher(client::runCallback), watch);
    }

    /**
     * Begins to observe. Returns at once. If the client is not started yet, the observer begins when it starts. If the
     * client is closed, this observer is closed too.
     *
     * @throws IllegalStateException    "Cannot be started more than once", also after {@link #close}
     * @throws IllegalArgumentException if the path with its namespace is longer than 2048 bytes in UTF-8. The observer
     *                                  is closed then. If the client starts only later, this is logged instead
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

    /** Ends the observation. No further call of a listener begins. A second call has no effect. */
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
     * Answers where listeners are added and removed. A listener that was added before {@link #start} hears of the
     * leader as soon as one is known. A listener that is added later hears of the next change.
     *
     * @return the listeners of this observer, the same object each time
     */
    public Listenable<LeaderObserverListener> getListenable() {
        return listeners;
    }

    /**
     * Answers who leads, as far as the node knows.
     *
     * @return the leader, never null; if no leader is known, its id is empty and {@link Participant#isLeader} is
     *         false
     */
    public Participant getLeader() {
        return known().leader;
    }

    /**
     * Answers the fencing token of the leader, as far as the node knows. This does not throw where {@link
     * LeaderLatch#fencingToken} does, because an observer often sees a path that nobody leads.
     *
     * @return at least 1; empty if no leader is known
     */
    public OptionalLong fencingToken() {
        long token = known().token;
        return token == 0 ? OptionalLong.empty() : OptionalLong.of(token);
    }

    /** A node whose thread stands still tells nothing: then its client counts as lost. */
    private Known known() {
        return client.connectionState().filter(ConnectionState.LOST::equals).isPresent() ? NOBODY : known;
    }

    // On the engine's thread.
    private synchronized void viewChanged(PathView view) {
        Known next = view.leader()
                .map(entry -> new Known(
                        new Participant(entry.participantId(), true),
                        view.token().getAsLong()))
                .orElse(NOBODY);
        // The voters tell it one after the other, and one that is late may still name the former leader.
        boolean isOutdated = view.leader().isPresent() && next.token < tokenMax;
        if (state != State.STARTED || isOutdated || next.token == known.token) {
            return;
        }
        tokenMax = Math.max(tokenMax, next.token);
        known = next;
        listeners.deliver("leaderChanged", listener -> {
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
