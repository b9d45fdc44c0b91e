package io.quorate;

import io.quorate.core.Connection;
import io.quorate.runtime.ElectionDriver;
import io.quorate.runtime.Engine;
import io.quorate.runtime.FileTermStore;
import io.quorate.runtime.MemoryTermStore;
import io.quorate.runtime.Plugins;
import io.quorate.runtime.SerialDispatcher;
import io.quorate.spi.Clock;
import io.quorate.spi.ElectionAlgorithm;
import io.quorate.spi.NodeId;
import io.quorate.spi.TermStore;
import io.quorate.spi.Transport;
import io.quorate.spi.TransportProvider;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A node of the cluster: stands where {@code CuratorFramework} stood. One per process is usual; it carries any number
 * of latches.
 *
 * <p>A client is started once and closed once. Closing it closes its latches and hands their leadership over; a process
 * that ends without closing makes the others wait until its lease has run out. All methods may be called from any
 * thread, also from callbacks.
 */
public class ElectionClient implements Closeable {

    /** The life of a client; the names are Curator's. */
    public enum State {
        /** Not started yet. */
        LATENT,
        /** Running; says nothing about the connection. */
        STARTED,
        /** Closed, or its start has failed, or its node has stopped by itself; for ever. */
        STOPPED
    }

    private static final Logger LOG = LoggerFactory.getLogger(ElectionClient.class);

    private final Engine engine;
    private final ClientSettings settings;
    private final Connectivity connectivity;
    private final ListenerSet<ConnectionStateListener> connectionListeners;
    private final boolean endsWhenSuspended;
    private final ClientViews views;
    private final LatchCallbacks latchCallbacks = new LatchCallbacks(this::runCallback, LatchCallbacks.LIMIT);

    // Held during start and close, so that these do not overlap.
    private final Object lifecycle = new Object();
    private boolean wasStarted;
    private boolean isEngineClosed;
    private volatile State state = State.LATENT;
    private final CompletableFuture<Optional<RuntimeException>> stopped = new CompletableFuture<>();

    // Both are guarded by the first.
    private final PathUsers users = new PathUsers();
    private final WatchedPaths watchedPaths = new WatchedPaths();

    /** What a client has to know beside its engine. */
    record ClientSettings(String namespace, Duration connectionTimeout, ConnectionStateErrorPolicy errorPolicy) {
    }

    ElectionClient(Engine engine, ClientSettings settings) {
        this.engine = Objects.requireNonNull(engine, "engine");
        this.settings = settings;
        this.views = new ClientViews(new Questions(), engine, settings.connectionTimeout());
        this.connectionListeners = new ListenerSet<>(new SerialDispatcher(engine.callbacks()), "Connection");
        this.connectivity = new Connectivity(engine, () -> state == State.STOPPED);
        // Asked once, here, because the engine's thread must not run foreign code.
        this.endsWhenSuspended = settings.errorPolicy().isErrorState(ConnectionState.SUSPENDED);
    }

    /**
     * Begins to describe a client: the settings of {@link ElectionSettings}, of which the node's id and the peers, or
     * the voters and a transport, are needed. Nothing is checked or opened before {@code build()} and {@link #start}.
     */
    public static Builder builder() {
        return new Builder();
    }

    /** Makes an {@link ElectionClient}; {@link ElectionSettings} explains the settings. */
    public static final class Builder extends ElectionSettings<Builder> {

        private Builder() {
        }

        @Override
        Builder self() {
            return this;
        }

        /**
         * A client, not started: no thread, port or file is in use before {@link ElectionClient#start}.
         *
         * @throws IllegalArgumentException with every fault of the settings, its value and its rule; or if the
         *                                  algorithm or the transport is not on the class path, or ambiguous
         */
        public ElectionClient build() {
            return create(ElectionConfig.of(this));
        }
    }

    /**
     * A client with these settings, not started.
     *
     * @throws IllegalArgumentException if the algorithm or the transport is not on the class path, or ambiguous
     */
    public static ElectionClient create(ElectionConfig config) {
        ElectionAlgorithm algorithm = Plugins.algorithm(config.algorithm());
        NodeId self = new NodeId(config.nodeId());
        Transport transport = config.transport().orElseGet(() -> Plugins.transport(config.transportName())
                .create(new TransportProvider.Settings(config.clusterId(), self, config.peers())));
        TermStore store = config.dataDirectory()
                .<TermStore>map(directory -> new FileTermStore(directory, self, config.clusterId()))
                .orElseGet(MemoryTermStore::new);
        ElectionDriver driver = new ElectionDriver(config.nodeSettings(), algorithm, transport, store, Clock.SYSTEM);
        config.hints().forEach(hint -> LOG.info("Node {}: {}", config.nodeId(), hint));
        return new ElectionClient(driver, new ClientSettings(config.namespace(), config.connectionTimeout(),
                config.connectionStateErrorPolicy()));
    }

    /** A client over an engine, with no namespace and the other settings at their defaults; see the longer form. */
    static ElectionClient over(Engine engine) {
        return over(engine, "", ElectionSettings.DEFAULT_CONNECTION_TIMEOUT, new SessionConnectionStateErrorPolicy());
    }

    /**
     * A client over an engine that the caller made, which the client starts and closes. The test kit calls it too.
     *
     * @throws IllegalArgumentException if the namespace is not legal
     */
    static ElectionClient over(Engine engine, String namespace, Duration connectionTimeout,
                               ConnectionStateErrorPolicy errorPolicy) {
        Paths.validated("/" + namespace);
        return new ElectionClient(engine, new ClientSettings(namespace, connectionTimeout, errorPolicy));
    }

    /**
     * Starts the node; does not wait for the others. Latches that were started before join now. If it fails, nothing is
     * left running, the latches are closed, and this client cannot be used any more.
     *
     * @throws IllegalStateException                  "Cannot be started more than once", also after {@link #close}
     * @throws UncheckedIOException                   if the term store cannot be opened
     * @throws io.quorate.spi.TransportException      if the transport cannot listen
     */
    public void start() {
        List<PathUser> waiting;
        synchronized (lifecycle) {
            if (wasStarted || state != State.LATENT) {
                throw new IllegalStateException("Cannot be started more than once");
            }
            wasStarted = true;
            startEngine();
            synchronized (users) {
                // Closed meanwhile: then nothing joins, and close() goes on as soon as the lifecycle is free.
                if (state == State.LATENT) {
                    state = State.STARTED;
                }
                waiting = List.copyOf(users);
            }
        }
        for (PathUser user : waiting) {
            try {
                join(user);
            } catch (IllegalArgumentException e) {
                // Too long a path or id: that latch's fault, so it must not keep the others from joining.
                LOG.error("{} cannot join", user, e);
            }
        }
    }

    private void startEngine() {
        engine.addConnectionListener(new Engine.ConnectionListener() {
            @Override
            public void changed(Connection connection) {
                connectionChanged(connection);
            }

            @Override
            public void stopped(RuntimeException cause) {
                stoppedByItself(cause);
            }
        });
        boolean hasStarted = false;
        try {
            engine.start();
            hasStarted = true;
        } catch (IOException e) {
            throw new UncheckedIOException(e.getMessage(), e);
        } finally {
            if (!hasStarted) {
                close();
            }
        }
    }

    /**
     * Closes the latches of this client, each in its own {@link LeaderLatch.CloseMode}, hands their leadership over,
     * and stops. When this returns, none of them leads, the node takes no further part, and the {@code notLeader} that
     * some of them call has returned, as {@link LeaderLatch#close(LeaderLatch.CloseMode)} says; all of them together
     * are waited for up to 30 s. A client that was never started cannot be started afterwards. Twice is no error; the
     * second call, from another thread, waits for the first.
     */
    @Override
    public void close() {
        List<Farewell> farewells = end();
        CompletableFuture<Void> told;
        try {
            // A start that is under way finishes first; its latches find this client stopped.
            synchronized (lifecycle) {
                if (!isEngineClosed) {
                    isEngineClosed = true;
                    engine.close();
                }
            }
        } finally {
            told = tell(farewells);
            announceStop(Optional.empty());
        }
        if (!told.isDone() && !latchCallbacks.haveReturned(engine, told)) {
            LOG.warn("Callbacks of latches have not returned for {}; their client is closed all the same",
                    latchCallbacks.limit());
        }
    }

    private static CompletableFuture<Void> tell(List<Farewell> farewells) {
        return CompletableFuture.allOf(farewells.stream().map(Farewell::tell).toArray(CompletableFuture<?>[]::new));
    }

    /** On the engine's thread. Port and files are kept until the application closes this. */
    private void stoppedByItself(RuntimeException cause) {
        tell(end());
        announceStop(Optional.of(cause));
    }

    /** Nothing that this client carries can lead any more. Answers how to tell those that are to be told. */
    private List<Farewell> end() {
        List<PathUser> open;
        synchronized (users) {
            state = State.STOPPED;
            open = new ArrayList<>(users);
            users.clear();
            watchedPaths.clear();
        }
        List<Farewell> farewells = open.stream().map(PathUser::closeWithClient).toList();
        connectivity.wake();
        return farewells;
    }

    private void announceStop(Optional<RuntimeException> cause) {
        if (!stopped.isDone()) {
            runCallback(() -> stopped.complete(cause));
        }
    }

    /** The state of this client; says nothing about the connection. */
    public State getState() {
        return state;
    }

    /**
     * How this client stands with the voters at this moment; empty before the first majority. Never READ_ONLY. Says
     * nothing about leadership, and does not block.
     */
    public Optional<ConnectionState> connectionState() {
        return ConnectionState.of(engine.connection());
    }

    /**
     * Why the node has stopped by itself: a second process under its id, a term that cannot be stored, an internal
     * error. Empty while it runs, and if it was closed. Only another client, usually another process, helps: this one
     * is {@link State#STOPPED}, its latches are closed, and closing it gives its port and its files back.
     */
    public Optional<RuntimeException> failure() {
        return engine.failure();
    }

    /**
     * Completed, on a callback thread, when this client is {@link State#STOPPED}: with the {@link #failure} if its node
     * has stopped by itself, empty if it was closed or its start has failed. What follows on it may block, and may
     * close the client. Cancelling or completing it from outside changes nothing for others.
     */
    public CompletionStage<Optional<RuntimeException>> stopped() {
        return stopped.minimalCompletionStage();
    }

    /**
     * Waits until a majority of voters supports this node, however long that takes; also for a {@link #start} to come.
     *
     * @throws InterruptedException  if interrupted while waiting
     * @throws ClientClosedException if the client is closed or gets closed
     * @throws RuntimeException      the {@link #failure}, if the node has stopped by itself
     */
    public void blockUntilConnected() throws InterruptedException {
        connectivity.await(Long.MAX_VALUE);
    }

    /**
     * As {@link #blockUntilConnected()}, for a bounded time.
     *
     * @param units null means without a bound, as in Curator
     * @return whether a majority supports this node
     */
    public boolean blockUntilConnected(int maxWaitTime, TimeUnit units) throws InterruptedException {
        return connectivity.await(units == null ? Long.MAX_VALUE : units.toNanos(maxWaitTime));
    }

    /**
     * Where to register for changes of the connection. RECONNECTED is queued here before a latch can queue the
     * {@code isLeader} that follows from it; the two queues are independent, so a slow listener here may run later.
     */
    public Listenable<ConnectionStateListener> getConnectionStateListenable() {
        return connectionListeners;
    }

    /** In which connection states leaders of this client give up; a {@link LeaderSelectorListener} may ask it. */
    public ConnectionStateErrorPolicy getConnectionStateErrorPolicy() {
        return settings.errorPolicy();
    }

    /** How the callbacks of the client's latches are run. */
    static LatchCallbacks latchCallbacks(ElectionClient client) {
        // A mocked client has none.
        return client.latchCallbacks != null ? client.latchCallbacks
                : new LatchCallbacks(client::runCallback, LatchCallbacks.LIMIT);
    }

    /** Has a callback run that has no executor of its own. */
    void runCallback(Runnable callback) {
        engine.callbacks().execute(callback);
    }

    /** Has the stage's outcome on a callback thread, so that what follows does not run on the engine's. */
    <T> CompletionStage<T> onCallbackThread(CompletionStage<T> stage) {
        CompletableFuture<T> outcome = new CompletableFuture<>();
        stage.whenComplete((value, failure) -> runCallback(() -> {
            if (failure == null) {
                outcome.complete(value);
            } else {
                outcome.completeExceptionally(failure);
            }
        }));
        return outcome;
    }

    /** Takes what was started; it joins at once, or when this client starts. On a closed client it is closed too. */
    void register(PathUser user) {
        State found;
        synchronized (users) {
            // Whoever has closed it meanwhile did not find it here, and does not come again.
            if (user.isClosed()) {
                return;
            }
            found = state;
            if (found != State.STOPPED) {
                users.add(user);
                if (user.watches()) {
                    watchedPaths.add(inCluster(user.path()));
                }
            }
        }
        switch (found) {
            case STARTED -> join(user);
            // It can never lead, and whoever waits for that must learn it.
            case STOPPED -> user.closeWithClient().tell();
            default -> {
                // Joins when the client starts.
            }
        }
    }

    private void join(PathUser user) {
        try {
            user.join(engine, inCluster(user.path()));
        } catch (IllegalArgumentException e) {
            // It can never lead either.
            user.closeWithClient().tell();
            unregister(user);
            throw e;
        }
    }

    /** Lets go what was closed. */
    void unregister(PathUser user) {
        user.leave();
        String path = inCluster(user.path());
        synchronized (users) {
            if (!users.drop(user) || users.isUsed(user.path()) || !watchedPaths.leave(path)) {
                return;
            }
        }
        engine.unwatch(path);
    }

    /** Who contends and leads, on any path. */
    ClientViews views() {
        return views;
    }

    private String inCluster(String path) {
        return Paths.inNamespace(settings.namespace(), path);
    }

    // On the engine's thread: nothing here runs foreign code. The listeners of the client come before those of latches.
    private void connectionChanged(Connection connection) {
        connectivity.wake();
        ConnectionState.of(connection).ifPresent(changed -> {
            connectionListeners.deliver(listener -> listener.stateChanged(this, changed));
            boolean endsLeadership = changed == ConnectionState.LOST
                    || changed == ConnectionState.SUSPENDED && endsWhenSuspended;
            List<PathUser> told;
            synchronized (users) {
                told = List.copyOf(users);
            }
            told.forEach(user -> user.connectionChanged(changed, endsLeadership));
        });
    }

    /** What the questions about paths need of this client. */
    private final class Questions implements ClientViews.Client {

        @Override
        public String asked(String path) {
            String pathInCluster = inCluster(path);
            synchronized (users) {
                throwUnlessRunning();
                watchedPaths.asked(pathInCluster);
            }
            return pathInCluster;
        }

        @Override
        public void answered(String path) {
            String pathInCluster = inCluster(path);
            synchronized (users) {
                if (!watchedPaths.answered(pathInCluster, users.isUsed(path))) {
                    return;
                }
            }
            engine.unwatch(pathInCluster);
        }

        @Override
        public void throwUnlessRunning() {
            engine.failure().ifPresent(failure -> {
                throw failure;
            });
            if (state == State.STOPPED) {
                throw new ClientClosedException();
            }
            if (state == State.LATENT) {
                throw new IllegalStateException("Expected state [STARTED] was [LATENT]");
            }
        }

        @Override
        public <T> CompletionStage<T> onCallbackThread(CompletionStage<T> stage) {
            return ElectionClient.this.onCallbackThread(stage);
        }
    }
}
