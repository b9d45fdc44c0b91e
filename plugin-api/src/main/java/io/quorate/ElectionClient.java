package io.quorate;

import io.quorate.core.Connection;
import io.quorate.core.PathView;
import io.quorate.runtime.Engine;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
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
        /** Closed, or its start has failed; for ever. */
        STOPPED
    }

    private static final Logger LOG = LoggerFactory.getLogger(ElectionClient.class);

    private final Engine engine;
    private final ClientSettings settings;
    private final Connectivity connectivity;
    private final boolean endsWhenSuspended;

    // Held during start and close, so that these do not overlap.
    private final Object lifecycle = new Object();
    private boolean wasStarted;
    private volatile State state = State.LATENT;

    // All three are guarded by the first; insertion order, so that equal runs go alike.
    private final Set<LatchContender> contenders = new LinkedHashSet<>();
    private final Map<String, Integer> contendersOfPath = new HashMap<>();
    private final Set<String> viewedPaths = new HashSet<>();

    /** What a client has to know beside its engine. */
    record ClientSettings(String namespace, Duration connectionTimeout, ConnectionStateErrorPolicy errorPolicy) {
    }

    ElectionClient(Engine engine, ClientSettings settings) {
        this.engine = Objects.requireNonNull(engine, "engine");
        this.settings = settings;
        this.connectivity = new Connectivity(engine, () -> state == State.STOPPED);
        // Asked once, here, because the engine's thread must not run foreign code.
        this.endsWhenSuspended = settings.errorPolicy().isErrorState(ConnectionState.SUSPENDED);
    }

    /** Begins to describe a client; {@link ElectionConfig} explains the settings. */
    public static ElectionClientBuilder builder() {
        return new ElectionClientBuilder();
    }

    /**
     * A client with these settings, not started.
     *
     * @throws IllegalArgumentException if the algorithm or the transport is not on the class path, or ambiguous
     */
    public static ElectionClient create(ElectionConfig config) {
        return ElectionClientBuilder.assemble(config);
    }

    /** A client over an engine, with no namespace and the other settings at their defaults; see the longer form. */
    public static ElectionClient over(Engine engine) {
        return over(engine, "", ElectionConfig.DEFAULT_CONNECTION_TIMEOUT, new SessionConnectionStateErrorPolicy());
    }

    /**
     * A client over an engine that the caller made: for tests and other hosts of the core. The client starts and closes
     * the engine.
     *
     * @throws IllegalArgumentException if the namespace is not legal
     */
    public static ElectionClient over(Engine engine, String namespace, Duration connectionTimeout,
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
        List<LatchContender> waiting;
        synchronized (lifecycle) {
            if (wasStarted || state != State.LATENT) {
                throw new IllegalStateException("Cannot be started more than once");
            }
            wasStarted = true;
            startEngine();
            synchronized (contenders) {
                // Closed meanwhile: then nothing joins, and close() goes on as soon as the lifecycle is free.
                if (state == State.LATENT) {
                    state = State.STARTED;
                }
                waiting = List.copyOf(contenders);
            }
        }
        for (LatchContender contender : waiting) {
            try {
                join(contender);
            } catch (IllegalArgumentException e) {
                // Too long a path or id: that latch's fault, so it must not keep the others from joining.
                LOG.error("{} cannot contend", contender, e);
            }
        }
    }

    private void startEngine() {
        engine.addConnectionListener(this::connectionChanged);
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
     * and stops. When this returns, none of them leads, and the node takes no further part; it waits for no callback. A
     * client that was never started cannot be started afterwards. Twice is no error.
     */
    @Override
    public void close() {
        List<LatchContender> open;
        synchronized (contenders) {
            if (state == State.STOPPED) {
                return;
            }
            state = State.STOPPED;
            open = new ArrayList<>(contenders);
            contenders.clear();
            contendersOfPath.clear();
            viewedPaths.clear();
        }
        open.forEach(LatchContender::closeWithClient);
        connectivity.wake();
        // A start that is under way finishes first; its latches find this client stopped.
        synchronized (lifecycle) {
            engine.close();
        }
    }

    /** The state of this client; says nothing about the connection. */
    public State getState() {
        return state;
    }

    /**
     * Waits until a majority of voters supports this node, however long that takes; also for a {@link #start} to come.
     *
     * @throws InterruptedException  if interrupted while waiting
     * @throws ClientClosedException if the client is closed or gets closed
     * @throws RuntimeException      the reason why the node has stopped by itself, such as a second process under its
     * id
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
        return connectivity.listeners();
    }

    /** Whether this client's policy calls the state an error. */
    boolean isErrorState(ConnectionState connection) {
        return settings.errorPolicy().isErrorState(connection);
    }

    /** Has a callback run that has no executor of its own. */
    void runCallback(Runnable callback) {
        engine.callbacks().execute(callback);
    }

    /** Takes a started latch; it joins at once, or when this client starts, or never if this client is closed. */
    void register(LatchContender contender) {
        synchronized (contenders) {
            if (state == State.STOPPED) {
                return;
            }
            contenders.add(contender);
            contendersOfPath.merge(contender.path(), 1, Integer::sum);
            if (state == State.LATENT) {
                return;
            }
        }
        join(contender);
    }

    private void join(LatchContender contender) {
        contender.join(engine, inCluster(contender.path()));
    }

    /** Lets a closed latch go. */
    void unregister(LatchContender contender) {
        contender.leave();
        String path = inCluster(contender.path());
        synchronized (contenders) {
            if (!contenders.remove(contender)) {
                return;
            }
            int left = contendersOfPath.merge(contender.path(), -1, Integer::sum);
            if (left > 0) {
                return;
            }
            contendersOfPath.remove(contender.path());
            if (!viewedPaths.remove(path)) {
                return;
            }
        }
        engine.unwatch(path);
    }

    /** As {@link LeaderLatch#getParticipants}, of any path. */
    Collection<Participant> participants(String path) throws ConnectionLossException, InterruptedException {
        return view(path).contenders().stream().map(ElectionClient::participant).toList();
    }

    /** As {@link LeaderLatch#getLeader}, of any path. */
    Participant leader(String path) throws ConnectionLossException, InterruptedException {
        return view(path).contenders().stream().filter(PathView.Entry::isLeader).findFirst()
                .map(ElectionClient::participant).orElseGet(Participant::new);
    }

    private static Participant participant(PathView.Entry entry) {
        return new Participant(entry.participantId(), entry.isLeader());
    }

    /**
     * Who contends on a path, as {@link LeaderLatch#getParticipants} says.
     *
     * @param path relative to the namespace
     */
    PathView view(String path) throws ConnectionLossException, InterruptedException {
        String pathInCluster = inCluster(path);
        synchronized (contenders) {
            throwUnlessRunning();
            viewedPaths.add(pathInCluster);
        }
        CompletableFuture<PathView> view = engine.view(pathInCluster).toCompletableFuture();
        try {
            long remaining = engine.letTimePass(settings.connectionTimeout().toNanos(), view::isDone);
            return view.get(remaining, TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            throwUnlessRunning();
            throw new ConnectionLossException("No voter has told who contends on " + pathInCluster + " within "
                    + settings.connectionTimeout().toMillis() + " ms; " + engine.describe());
        } catch (ExecutionException e) {
            throwUnlessRunning();
            throw new IllegalStateException("Who contends on " + pathInCluster + " is unknown", e.getCause());
        }
    }

    private void throwUnlessRunning() {
        if (state == State.STOPPED) {
            throw new ClientClosedException();
        }
        if (state == State.LATENT) {
            throw new IllegalStateException("Expected state [STARTED] was [LATENT]");
        }
        engine.failure().ifPresent(failure -> {
            throw failure;
        });
    }

    private String inCluster(String path) {
        return Paths.inNamespace(settings.namespace(), path);
    }

    // On the engine's thread: nothing here runs foreign code. The listeners of the client come before those of latches.
    private void connectionChanged(Connection connection) {
        connectivity.wake();
        ConnectionState.of(connection).ifPresent(changed -> {
            connectivity.listeners().deliver(listener -> listener.stateChanged(this, changed));
            boolean endsLeadership = changed == ConnectionState.LOST
                    || changed == ConnectionState.SUSPENDED && endsWhenSuspended;
            List<LatchContender> told;
            synchronized (contenders) {
                told = List.copyOf(contenders);
            }
            told.forEach(contender -> contender.connectionChanged(changed, endsLeadership));
        });
    }
}
