package io.quorate;

import io.quorate.client.ClientMonitors;
import io.quorate.client.ClientViews;
import io.quorate.client.CloseNotice;
import io.quorate.client.Connectivity;
import io.quorate.client.Eligibility;
import io.quorate.client.LatchCallbacks;
import io.quorate.client.LatchContender;
import io.quorate.client.ListenerSet;
import io.quorate.client.PathContender;
import io.quorate.client.PathUser;
import io.quorate.client.PathUsers;
import io.quorate.client.Paths;
import io.quorate.client.WatchedPaths;
import io.quorate.engine.Connection;
import io.quorate.engine.Engine;
import io.quorate.engine.Migration;
import io.quorate.engine.Plugins;
import io.quorate.engine.RecordMethods;
import io.quorate.engine.SerialDispatcher;
import io.quorate.jvm.NodeLog;
import io.quorate.spi.ElectionAlgorithm;
import io.quorate.spi.NodeId;
import io.quorate.spi.Problem;
import io.quorate.spi.Transport;
import io.quorate.spi.TransportProvider;
import io.quorate.spi.TransportProvider.HostAndPort;
import io.quorate.transport.Problems;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Queue;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiFunction;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * A node of the cluster: it stands where {@code CuratorFramework} stood. A process usually has one client, which
 * carries any number of latches, selectors and observers.
 *
 * <p>A client is started once and closed once. Closing it closes its latches and hands their leadership over. If a
 * process ends without closing its client, the others wait until its lease has run out. All methods may be called from
 * any thread, callbacks included. These wait: {@link #start}, {@link #close} and {@link #blockUntilConnected}. A thread
 * that must not wait, such as an event loop, calls {@link #startAsync} and {@link #closeAsync}.
 */
public class ElectionClient implements Closeable {

    /** The life of a client; the names are Curator's. */
    public enum State {
        /** Not started yet. */
        LATENT,
        /** Running. This says nothing about the connection. */
        STARTED,
        /** Closed, or its start has failed, or its node has stopped by itself. This is the last state. */
        STOPPED
    }

    private static final Logger LOG = NodeLog.of(ElectionClient.class);
    /** How long a close waits for lines that are not written yet. */
    private static final Duration LOG_LIMIT = Duration.ofSeconds(1);

    private final Engine engine;
    private final String namespace;
    private final ConnectionStateErrorPolicy errorPolicy;
    private final Connectivity connectivity;
    private final ListenerSet<ConnectionStateListener> connectionListeners;
    private final boolean endsWhenSuspended;
    private final ClientViews views;
    private final Eligibility eligibility;
    private final ClientMonitors monitors;
    private final LatchCallbacks latchCallbacks;

    // Held during start and close, so that these do not overlap. No monitor: with one a virtual thread of JDK 21 to 23
    // that waits keeps its carrier.
    private final ReentrantLock lifecycle = new ReentrantLock();
    private boolean isEngineClosed;
    // Outside the lifecycle, because a second start must be refused without waiting for the first.
    // As the application has set it; null while the settings count.
    private volatile @Nullable Integer priority;
    private final AtomicBoolean isStartTaken = new AtomicBoolean();
    /** Whether a thread waits, or has waited, for the close. */
    private final AtomicBoolean isCloseTaken = new AtomicBoolean();

    private final CompletableFuture<Void> engineClosed = new CompletableFuture<>();
    private volatile State state = State.LATENT;
    private volatile @Nullable Throwable startFailure;
    private final CompletableFuture<Optional<RuntimeException>> stopped = new CompletableFuture<>();

    // Both are guarded by the first.
    private final PathUsers users = new PathUsers();
    private final WatchedPaths watchedPaths = new WatchedPaths();
    // Guarded by the users.
    private boolean isClosing;
    /** Whether the application has closed this, so that nothing goes on without the node. Guarded by the users. */
    private boolean isClosedByApplication;

    /**
     * A client over an engine that the caller made. The test kit makes one, by a method handle. The client starts and
     * closes the engine.
     *
     * @param engine          not started
     * @param config          whose namespace, drain time-out and policy count
     * @param questionTimeout how long the first question about a path waits for a voter, more than 0
     */
    ElectionClient(Engine engine, ElectionConfig config, Duration questionTimeout) {
        this.engine = Objects.requireNonNull(engine, "engine");
        this.namespace = config.namespace();
        this.errorPolicy = config.connectionStateErrorPolicy();
        this.views = new ClientViews(new Questions(), engine, questionTimeout);
        this.eligibility = new Eligibility(engine, this::runCallback);
        this.monitors = new ClientMonitors(namespace, engine::clock);
        this.latchCallbacks = LatchCallbacks.ofClient(
                this::runCallback, config.drainTimeout(), monitors, Migration.isTandem(engine.clusterId()));
        this.connectionListeners = new ListenerSet<>(new SerialDispatcher(engine.callbacks()), new ConnectionOwner());
        this.connectivity = new Connectivity(engine, () -> state == State.STOPPED);
        // Asked once, here, because the engine's thread must not run foreign code.
        this.endsWhenSuspended = errorPolicy.isErrorState(ConnectionState.SUSPENDED);
    }

    /**
     * Begins to describe a client. {@link ElectionSettings} explains the settings. The node id is required, and so are
     * either the peers, or the voters and a transport. {@link Builder#build} checks the settings, and {@link #start}
     * opens port and files.
     *
     * @return a builder in which each setting has its default
     */
    public static Builder builder() {
        return new Builder();
    }

    /** Makes an {@link ElectionClient}; {@link ElectionSettings} explains the settings. */
    public static final class Builder extends ElectionSettings<Builder> {

        private Builder() {
            super(SettingRows.ALL);
        }

        /**
         * Makes a client, which uses no thread, port or file before {@link ElectionClient#start}, except that the files
         * of the secret and of TLS are read now.
         *
         * @return a client in the state {@link State#LATENT}
         * @throws IllegalArgumentException if settings are wrong, with all faults in one message, each with its value
         *                                  and its rule; or if the class path has no algorithm or transport of the
         *                                  chosen name, or more than one, or a transport that does not fit it
         */
        public ElectionClient build() {
            return create(ElectionConfig.of(this));
        }
    }

    /**
     * Makes a client with these settings, which uses no thread, port or file before {@link #start}. A transport that
     * {@link ElectionConfig#transport()} holds serves one client.
     *
     * @param config a checked configuration
     * @return a client in the state {@link State#LATENT}
     * @throws IllegalArgumentException if the class path has no algorithm or transport of the chosen name, or more than
     *                                  one; or if it has no engine, or more than one
     */
    public static ElectionClient create(ElectionConfig config) {
        ElectionAlgorithm algorithm = Plugins.algorithm(config.algorithm());
        Engine engine = Plugins.engine().create(config, algorithm, provider(config), config.secret());
        config.warnings().forEach(warning -> LOG.warn("Node {}: {}", config.nodeId(), warning));
        config.hints().forEach(hint -> LOG.info("Node {}: {}", config.nodeId(), hint));
        // A voter that has just started is silent for the support time: docs/curator.md#migration.
        return new ElectionClient(engine, config, config.connectionTimeout().plus(config.supportDuration()));
    }

    private static Optional<TransportProvider> provider(ElectionConfig config) {
        if (config.transport().isPresent()) {
            return Optional.empty();
        }
        String name = config.transportName();
        return Optional.of(config.isTransportNamed() ? Plugins.transport(name) : Plugins.transportOrOnly(name));
    }

    /**
     * Starts the node, and waits until it has its port and its files, but not for other nodes. Latches that were
     * started before join now. If the start fails, nothing is left running, the latches are closed but for shadows, and
     * this client cannot be used any more.
     *
     * <p>An event loop must not wait, so the transport over Vert.x refuses a start there. {@link #startAsync} may be
     * called anywhere.
     *
     * @throws IllegalStateException             "Cannot be started more than once", also after {@link #close}; or the
     *                                           transport refuses to wait on this thread
     * @throws ClientClosedException             if another thread closes this client before the start has begun, or
     *                                           while it waits for the disk
     * @throws UncheckedIOException              if the term store cannot be opened, which includes a disk that has not
     *                                           answered for 30 s, and an interrupt meanwhile; the thread keeps its
     *                                           flag
     * @throws io.quorate.spi.TransportException if the transport cannot listen, or does not fit the class path
     */
    public void start() {
        takeStart();
        startTaken();
    }

    /**
     * As {@link #start}, without holding up the caller: a daemon thread of this library waits. Dependent stages run on
     * a callback thread and may block.
     *
     * <p>Meanwhile this client is {@link State#LATENT}. Latches, selectors and observers may be made and started; they
     * join when it is {@link State#STARTED}, as they do before {@link #start}. It may also be closed; then a start that
     * has begun comes to its end before the node is closed.
     *
     * @return completed when this client is {@link State#STARTED} and the latches that were started before have joined.
     *         Completed exceptionally with what {@link #start} would throw; with {@link ClientClosedException} if this
     *         client is closed meanwhile; with the {@link #failure} if its node has stopped by itself meanwhile; with
     *         {@link OutOfMemoryError} if the system has no thread left: then nothing was started, and what is left is
     *         {@link #close}. To cancel the stage ends no start
     */
    public CompletionStage<Void> startAsync() {
        try {
            takeStart();
        } catch (IllegalStateException e) {
            return CompletableFuture.failedStage(e);
        }
        return onThreadOfItsOwn(
                "quorate-start",
                () -> {
                    startTaken();
                    // Dependents of the stage rely on a client that runs.
                    throwUnlessRunning();
                },
                noThread -> startFailure = noThread);
    }

    /** Passes once, and never on a closed client. */
    private void takeStart() {
        if (state != State.LATENT || !isStartTaken.compareAndSet(false, true)) {
            throw new IllegalStateException("Cannot be started more than once");
        }
    }

    private void startTaken() {
        List<PathUser> waiting;
        lifecycle.lock();
        try {
            if (state != State.LATENT) {
                throw new ClientClosedException();
            }
            startEngine();
            eligibility.start();
            synchronized (users) {
                // Closed meanwhile: then nothing joins, and close() goes on as soon as the lifecycle is free.
                if (state == State.LATENT) {
                    state = State.STARTED;
                }
                waiting = users.all();
            }
            tellPriority();
        } finally {
            lifecycle.unlock();
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

            /** Those that were closed because the node has stopped, and have not told their listeners. */
            private final List<CloseNotice> untold = new ArrayList<>();

            /** Port and files are kept until the application closes this. */
            @Override
            public void stopped(RuntimeException cause) {
                end(untold);
                // Each is removed when it has told: where memory is lacking, the engine calls this again.
                for (Iterator<CloseNotice> each = untold.iterator(); each.hasNext(); each.remove()) {
                    each.next().tell();
                }
                announceStop(Optional.of(cause));
            }
        });
        try {
            engine.start();
        } catch (IOException e) {
            startFailed(e);
            throw new UncheckedIOException(e.getMessage() == null ? e.toString() : e.getMessage(), e);
        } catch (Throwable e) {
            // Justification: catches everything. The transport is foreign code, and may throw what it does not declare;
            // and nothing is left running where memory is full.
            startFailed(e);
            throw e;
        }
    }

    /**
     * Nothing is left running.
     *
     * @throws ClientClosedException if this client was closed before, which ends a start that waits for its disk
     */
    private void startFailed(Throwable cause) {
        boolean wasClosed = state == State.STOPPED;
        startFailure = wasClosed ? null : cause;
        List<CloseNotice> notices = new ArrayList<>();
        end(notices);
        closeEngine(notices);
        if (wasClosed) {
            ClientClosedException closed = new ClientClosedException();
            closed.initCause(cause);
            throw closed;
        }
    }

    /**
     * Closes the latches of this client, each in its own {@link LeaderLatch.CloseMode}, hands their leadership over,
     * and stops. When this returns, none of them leads and the node takes no further part. Latches that notify have
     * then called {@code notLeader} as {@link LeaderLatch#close(LeaderLatch.CloseMode)} says; this waits for all of
     * them together, for 30 s at most; while the JVM ends, not for a listener that is inside {@link System#exit}. A
     * client that was never started cannot be started afterwards. A second call has no effect; from another thread, it
     * waits until the first has stopped the node.
     *
     * <p>If leaders of this client have work to {@linkplain LeaderLatch#drain(Function, java.time.Duration) finish},
     * the others leave at once, each of these when its own work is finished, and the node stops after the last; a
     * second call does not wait for work any more. Nobody of this client comes to lead meanwhile.
     *
     * <p>This is never refused, because a client that stays open keeps its port. But an event loop must not wait for
     * it, so there call {@link #closeAsync}.
     */
    @Override
    public void close() {
        Queue<CloseNotice> said = new ConcurrentLinkedQueue<>();
        LatchCallbacks.awaitWork(engine, finishWork(said));
        end(said);
        closeEngine(said);
    }

    /**
     * If leaders have work to finish, the others leave now, and each leader when its own work is finished. Nobody comes
     * to lead any more.
     *
     * @param said what closing waits for on behalf of those that have left
     * @return completed when the engine may be closed
     */
    private CompletableFuture<Void> finishWork(Queue<CloseNotice> said) {
        boolean isFirst;
        List<PathUser> open;
        synchronized (users) {
            isFirst = !isClosing;
            isClosing = true;
            isClosedByApplication = true;
            open = users.all();
        }
        Map<PathUser, CompletableFuture<Void>> works = new LinkedHashMap<>();
        for (PathUser user : open) {
            if (user.contender().isPresent()) {
                works.put(user, user.finishWork());
            }
        }
        // A second call has ended what was under way, and waits for nobody.
        if (!isFirst || works.values().stream().allMatch(work -> work == LatchContender.NO_WORK)) {
            return CompletableFuture.completedFuture(null);
        }
        // First those that do not lead, so that none of them is named as a successor.
        works.keySet().stream().filter(user -> user.token().isEmpty()).toList().forEach(user -> {
            end(user, said);
            works.remove(user);
        });
        return CompletableFuture.allOf(works.entrySet().stream()
                .map(each -> each.getValue().thenRun(() -> end(each.getKey(), said)))
                .toArray(CompletableFuture<?>[]::new));
    }

    /** One of them is closed before the engine is. */
    private void end(PathUser user, Queue<CloseNotice> said) {
        CloseNotice notice = user.closeWithClient();
        user.leave();
        if (!notice.tell().isDone()) {
            said.add(notice);
        }
    }

    /** Whether nobody of this client comes to lead any more. */
    boolean isClosing() {
        synchronized (users) {
            return isClosing;
        }
    }

    /**
     * As {@link #close}, without holding up the caller: a daemon thread of this library waits. Dependent stages run on
     * a callback thread and may block. A process that ends without waiting for the stage may end in the middle.
     *
     * <p>When this returns, none of the latches leads, and this client is {@link State#STOPPED}, unless leaders have
     * work to finish, as {@link #close} says: then that follows when it is finished. The hand-over follows in the
     * background, and {@code notLeader} after it. If a start has begun, it comes to its end before. A callback may call
     * this; if it waits for the stage, the stage waits for the callback, for 30 s at most.
     *
     * @return completed when {@link #close} would return: after the callbacks for which that waits. A second call has
     *         no effect, and its stage is completed when the first has stopped the node. Completed exceptionally with
     *         {@link OutOfMemoryError} if the system has no thread left: then nobody leads, and {@link #close} still
     *         has to give port and files back
     */
    public CompletionStage<Void> closeAsync() {
        Queue<CloseNotice> said = new ConcurrentLinkedQueue<>();
        CompletableFuture<Void> finished = finishWork(said);
        if (finished.isDone()) {
            return closeFinished(said);
        }
        // Not on a callback thread: work that hangs may have taken them all. The caller must not be able to stop the
        // closing through the returned stage.
        return finished.handle((nothing, failure) -> null)
                .thenCompose(nothing -> closeFinished(said))
                .copy();
    }

    private CompletionStage<Void> closeFinished(Collection<CloseNotice> said) {
        end(said);
        if (isCloseTaken.getAndSet(true) && said.isEmpty()) {
            // A thread waits already, and does all that is left.
            return onCallbackThread(engineClosed);
        }
        return onThreadOfItsOwn("quorate-close", () -> closeEngine(said), noThread -> isCloseTaken.set(false));
    }

    /** Runs what waits, and then completes the stage with its outcome. */
    private CompletionStage<Void> onThreadOfItsOwn(String name, Runnable work, Consumer<OutOfMemoryError> ifNoThread) {
        CompletableFuture<Void> outcome = new CompletableFuture<>();
        try {
            engine.runWaiting(name, () -> {
                try {
                    work.run();
                    outcome.complete(null);
                } catch (Throwable e) {
                    // Justification: catches everything. The stage carries the error of the blocking call to its
                    // holder.
                    outcome.completeExceptionally(e);
                }
            });
        } catch (OutOfMemoryError e) {
            // Justification: the system has no thread left. The holder of the stage learns it, and closes the client.
            ifNoThread.accept(e);
            outcome.completeExceptionally(e);
        }
        return onCallbackThread(outcome);
    }

    /** The part of closing that waits; {@link #end} comes before. */
    private void closeEngine(Collection<CloseNotice> notices) {
        CompletableFuture<Void> told;
        try {
            engine.abandonStart();
            // A start that is under way finishes first; its latches find this client stopped.
            lifecycle.lock();
            try {
                if (!isEngineClosed) {
                    isEngineClosed = true;
                    engine.close();
                }
            } finally {
                lifecycle.unlock();
            }
        } finally {
            told = CompletableFuture.allOf(
                    notices.stream().map(CloseNotice::tell).toArray(CompletableFuture<?>[]::new));
            announceStop(Optional.empty());
            engineClosed.complete(null);
        }
        if (!told.isDone()
                && !latchCallbacks.haveReturned(engine, told, () -> notices.stream()
                        .allMatch(each -> each.tell().isDone() || each.isInVain()))) {
            LOG.warn(
                    "Callbacks of latches have not returned for {}; their client is closed anyway",
                    latchCallbacks.limit());
        }
        RecordMethods.forgetLast();
        // The process may be about to end.
        NodeLog.flush(LOG_LIMIT);
    }

    /**
     * Nothing that this client carries can lead any more. How to tell the listeners that must hear of it is added to
     * {@code said}.
     */
    private void end(Collection<CloseNotice> said) {
        List<PathUser> open;
        eligibility.stop();
        synchronized (users) {
            isClosing = true;
            state = State.STOPPED;
            open = users.all().stream().filter(user -> !goesOn(user)).toList();
        }
        for (PathUser user : open) {
            // If another call has closed a user, that call waits for it.
            if (!user.isClosed()) {
                said.add(user.closeWithClient());
            }
        }
        synchronized (users) {
            // Last: where memory is lacking, another call finds those that are still open.
            open.forEach(users::drop);
            watchedPaths.clear();
        }
        connectivity.wake();
    }

    /** Whether it is left alone, although the node does not run any more. Under the lock of the users. */
    private boolean goesOn(PathUser user) {
        return user.needsNoNode() && !isClosedByApplication;
    }

    private void announceStop(Optional<RuntimeException> cause) {
        if (!stopped.isDone()) {
            runCallback(() -> stopped.complete(cause));
        }
    }

    /** {@return the id of this node, which no other node of its cluster has} */
    public String nodeId() {
        return engine.self().value();
    }

    /** {@return the id of the cluster that this node belongs to} */
    public String clusterId() {
        return Migration.name(engine.clusterId());
    }

    /** {@return the state of this client} It says nothing about the connection: see {@link #connectionState}. */
    public State getState() {
        return state;
    }

    /**
     * Answers how this client stands with the voters at this moment. This says nothing about leadership. Does not
     * block. If the thread of the node had no turn for a support time, it is LOST, though nobody was told.
     *
     * @return empty before a majority supported this node for the first time; never {@link ConnectionState#READ_ONLY}
     */
    public Optional<ConnectionState> connectionState() {
        return engine.connection().state();
    }

    /**
     * Answers how long ago the thread of this node last had a turn, as {@link Health#turnAge}. Does not block, and
     * costs nothing.
     *
     * @return zero if it does not run
     */
    public Duration turnAge() {
        return state == State.STARTED ? engine.turnAge() : Duration.ZERO;
    }

    /**
     * Answers how this client is at this moment: what the probes of a process and its status page need. Does not wait
     * for the node, and costs a glance at each latch of this client.
     *
     * @return state and reason, the voters and those that support this node, and the paths that this client leads
     */
    public Health health() {
        return health(this::leads, this::problems);
    }

    /**
     * Returns the {@link #health} of this client without the paths that it leads, for probes: anyone may ask a probe at
     * any rate, and this costs the same however many latches the client has. Does not wait for the node.
     *
     * @return as {@link #health}, except that {@link Health#leads} is empty, and that the reason does not name latches
     *         whose callback threw
     */
    public Health probe() {
        return health(TreeMap::new, engine::problems);
    }

    private Health health(Supplier<SortedMap<String, Long>> leading, Supplier<List<Problem>> problems) {
        // The end is read last, so nothing that is found after it can be from before it.
        Engine.Support support = engine.support();
        SortedMap<String, Long> leads = leading.get();
        Throwable failed = engine.failure().map(Throwable.class::cast).orElse(startFailure);
        if (failed != null) {
            String what = failed == startFailure ? "its start has failed: " : "";
            String why = failed.getMessage() == null ? failed.toString() : failed.getMessage();
            return ended(Health.State.FAILED, what + why, support);
        }
        return switch (state) {
            case LATENT -> ended(Health.State.JOINING, "it is not started", support);
            case STOPPED -> ended(Health.State.CLOSED, "it is closed", support);
            case STARTED -> running(support, leads, problems.get());
        };
    }

    private Health running(Engine.Support support, SortedMap<String, Long> leads, List<Problem> problems) {
        Health.State found =
                switch (support.connection()) {
                    case NONE -> Health.State.JOINING;
                    case CONNECTED, RECONNECTED -> Health.State.UP;
                    case SUSPENDED, LOST -> Health.State.DISCONNECTED;
                };
        Optional<String> objection = eligibility.objection();
        boolean isStandby = found == Health.State.UP && objection.isPresent();
        String reason =
                switch (found) {
                    case JOINING ->
                        support.reason().isEmpty()
                                ? "no majority of voters has supported this node since its start"
                                : support.reason();
                    // Its supporters may have changed since its connection did.
                    case UP -> "a majority of voters supports this node";
                    default -> support.connection() + ": " + support.reason();
                };
        return new Health(
                isStandby ? Health.State.STANDBY : found,
                Problems.added(
                        reason + objection.map(why -> "; it ranks last: " + why).orElse(""), problems),
                ids(support.voters()),
                ids(support.supporters()),
                leads,
                turnAge());
    }

    private static Health ended(Health.State state, String reason, Engine.Support support) {
        return new Health(state, reason, ids(support.voters()), List.of(), new TreeMap<>(), Duration.ZERO);
    }

    private static List<String> ids(List<NodeId> nodes) {
        return nodes.stream().map(NodeId::value).toList();
    }

    private SortedMap<String, Long> leads() {
        SortedMap<String, Long> leads = new TreeMap<>();
        for (PathUser user : users()) {
            user.token().ifPresent(token -> leads.put(user.path(), token));
        }
        return leads;
    }

    private List<PathUser> users() {
        synchronized (users) {
            return users.all();
        }
    }

    /**
     * Answers which of the paths that this client leads it leaves as soon as its work for them is finished: see {@link
     * LeaderLatch#drain}. Does not wait for the node, and costs a glance at each latch of this client.
     *
     * @return by the path as latches and selectors have it: in one sentence, why it leaves, and how long the work may
     *         take; immutable, and empty if it leaves none
     */
    public SortedMap<String, String> leaving() {
        SortedMap<String, String> leaving = new TreeMap<>();
        for (PathUser user : users()) {
            user.leaving().ifPresent(why -> leaving.put(user.path(), why));
        }
        return Collections.unmodifiableSortedMap(leaving);
    }

    /**
     * Answers how far this node has moved to Quorate, with {@link ElectionSettings#migration migration=tandem}. Does
     * not wait for the node, and costs a glance at each latch of this client.
     *
     * @return by the path as latches, selectors and tandems have it; immutable, and empty without that setting
     */
    public SortedMap<String, Stage> stages() {
        SortedMap<String, Stage> stages = new TreeMap<>();
        for (PathUser user : users()) {
            user.stage().ifPresent(stage -> stages.put(user.path(), stage));
        }
        return Collections.unmodifiableSortedMap(stages);
    }

    /**
     * Counts the paths that this client leads although another contender that is up ranks better: as after a transfer,
     * or a restart of that one. With {@code preempt} leadership moves there by itself. It waits for the node's thread,
     * usually for a millisecond per 4,096 latches, and for 5 s at most until it has a turn for these.
     *
     * @return 0 or more; empty if the client does not run, or its node does not answer
     */
    public OptionalInt misplaced() {
        return state == State.STARTED ? engine.misplaced() : OptionalInt.empty();
    }

    /**
     * As {@link LeaderLatch#explain}, for callers with a path and no latch: a status page, or a command of an operator.
     * If several latches and selectors of this client are on the path, it asks the one that leads, else the first. It
     * waits for the node's thread, usually for microseconds and for 5 s at most.
     *
     * @param path as latches and selectors have it
     * @return empty if no latch or selector of this client contends on the path; never of an observer
     * @throws NullPointerException if {@code path} is null
     */
    public Optional<Explanation> explain(String path) {
        return contender(path).map(PathContender::explain);
    }

    /**
     * As {@link LeaderLatch#transferTo(String)}, for callers with a path and no latch. Never blocks. Dependent stages
     * run on a callback thread and may block.
     *
     * @param path          as latches and selectors have it
     * @param participantId the id of exactly one participant of the path
     * @return as {@link LeaderLatch#transferTo(String)}; completed exceptionally with {@link IllegalStateException} too
     *         if no latch or selector of this client contends on the path
     * @throws NullPointerException if an argument is null
     */
    public CompletionStage<Void> transferTo(String path, String participantId) {
        Objects.requireNonNull(participantId, "participantId");
        Optional<PathContender> contender = contender(path);
        return contender.isPresent()
                ? onCallbackThread(contender.get().transferTo(participantId))
                : CompletableFuture.failedStage(new IllegalStateException(
                        "Not contending on " + path + ": leadership cannot be transferred to '" + participantId + "'"));
    }

    /**
     * Answers who votes, as far as this node knows: for an operator who wants to change that. Does not block.
     *
     * @return the newest list that this node has heard of; number 0 without members before {@link #start}, and until a
     *         node that {@linkplain ElectionSettings#joins joins} has been told
     */
    public Voters voters() {
        return engine.voters();
    }

    /**
     * Changes the voters, while all nodes run and leaders go on. One voter after the other joins or leaves, with at
     * least one support time between two of them; a majority of the voters decides each step. Call this at a node that
     * votes, or that the settings of all nodes name. All voters need a {@linkplain ElectionSettings#dataDirectory data
     * directory}. A node that is to vote is started before, with {@link ElectionSettings#joins}. Never blocks.
     * Dependent stages run on a callback thread and may block.
     *
     * <p>A request for the list in force changes nothing, so after any failure the same list may be requested again. A
     * voter whose data directory is new is taken in again by the list that it stands in, asked for with the number of
     * that list.
     *
     * @param number of the list that is to be changed, from {@link #voters}: if it has another number by now, nothing
     *               is changed
     * @param voters the complete list, 1 to 15 nodes: {@code n4}, or {@code n4=host:port} if not all nodes have the
     *               address of {@code n4} in their peers; an IPv6 address stands in brackets
     * @return completed with the list that is in force, when a majority of it votes and knows it. Each step waits for
     *         answers for 15 s at most, or longer if the support time is more than some seconds; if only the last one
     *         is decided and not known to a majority by then, that is in force too, and the log says who is missing.
     *         Completed exceptionally with {@link VotersNotChangedException} if nothing or not
     *         everything was changed, which the message tells; with {@link VotersUnknownException} if
     *         nobody knows; with {@link IllegalArgumentException} if the list is wrong, and nobody was asked; with
     *         {@link IllegalStateException} if voters have no data directory, if this client does not run, or if it is
     *         closed or its node fails meanwhile: then the change may have come about. Cancelling the stage does not
     *         end the change
     * @throws NullPointerException if {@code voters} is null or holds null
     */
    public CompletionStage<Voters> changeVoters(long number, String... voters) {
        Map<NodeId, Optional<HostAndPort>> wanted;
        try {
            wanted = Voters.wanted(voters);
            throwUnlessRunning();
        } catch (IllegalArgumentException | IllegalStateException e) {
            return CompletableFuture.failedStage(e);
        }
        return onCallbackThread(engine.changeVoters(number, wanted), nothing -> voters());
    }

    /** The one that leads the path, else the first; empty if none contends on it. */
    private Optional<PathContender> contender(String path) {
        List<PathUser> found;
        synchronized (users) {
            found = users.of(Objects.requireNonNull(path, "path"));
        }
        return found.stream()
                .filter(user -> user.token().isPresent())
                .findFirst()
                .flatMap(PathUser::contender)
                .or(() -> found.stream()
                        .flatMap(user -> user.contender().stream())
                        .findFirst());
    }

    /**
     * Gives all latches and selectors of this client another priority. It counts under {@link
     * io.quorate.spi.RankOrder#PRIORITY}, where the highest leads first; under another rank order the log says that it
     * has no effect. With {@code preempt} the leaderships move to who has a higher one by then, within two support
     * times, and a leader {@linkplain LeaderLatch#drain(java.util.function.Function) finishes its work} before.
     * Otherwise the next election counts.
     *
     * <p>Nothing waits: when this returns, the node will hear of it. Before {@link #start} it holds from the start on.
     * It is not remembered: another client of the same node has the priority of its settings.
     *
     * @param value in place of the one of the settings; any number
     */
    public void priority(int value) {
        priority = value;
        if (state == State.STARTED) {
            tellPriority();
        }
    }

    private void tellPriority() {
        Integer wanted = priority;
        if (wanted != null) {
            // The engine's thread reads what holds by then: calls that overtake each other change nothing.
            engine.priority(() -> Objects.requireNonNullElse(priority, wanted));
        }
    }

    /**
     * Lets all latches and selectors of this client rank behind those of other clients, or as usual again. The paths
     * that it leads are handed over to the best contender that is up and does not rank last itself: the first 16 at
     * once, and 16 more with each heartbeat. Where there is none, this client goes on leading, and hands over as soon
     * as there is one that has been up for two support times. So standby leaves no path without a leader for longer
     * than a hand-over takes.
     *
     * <p>Nothing waits: when this returns, the node will hear of it. Before {@link #start} it holds from the start on.
     * It has no effect on a closed client. It is not remembered: another client of the same node ranks as usual.
     *
     * @param wanted whether to rank last
     */
    public void standby(boolean wanted) {
        eligibility.standby(wanted);
    }

    /**
     * As {@link #standby}, for as long as {@code eligible} says false: for an application that knows when it could not
     * do the work of a leader. It is asked at once and then with each heartbeat, on a callback thread, never twice at
     * one time. A condition that throws, or has not returned within four heartbeats, counts as not eligible until it
     * returns again, which is logged once. Until the first answer, or until that is late, the client counts as
     * eligible.
     *
     * @param eligible whether this process is to lead if others can; replaces the one that was given before
     * @throws NullPointerException if {@code eligible} is null
     */
    public void eligibleWhile(BooleanSupplier eligible) {
        eligibility.eligibleWhile(Objects.requireNonNull(eligible, "eligible"));
    }

    /**
     * Adds a monitor, which is told of what happens in this client. It is told first how things are: the connection if
     * there is one, the paths that latches, selectors and observers use with their leaders, what this client leads,
     * which voters are heard, and the frames that were dropped. If the client is not started yet, it is told from the
     * start on; if the client is closed, it is told nothing. Does not wait for the first calls.
     *
     * @param monitor compared by {@code equals}; no effect if an equal one is there
     * @throws NullPointerException if {@code monitor} is null
     */
    public void addMonitor(ClientMonitor monitor) {
        monitors.add(Objects.requireNonNull(monitor, "monitor"), engine);
    }

    /**
     * Ends what {@link #addMonitor} has begun. Calls that are under way may still come.
     *
     * @param monitor compared by {@code equals}; an unknown one has no effect
     * @throws NullPointerException if {@code monitor} is null
     */
    public void removeMonitor(ClientMonitor monitor) {
        monitors.remove(Objects.requireNonNull(monitor, "monitor"), engine);
    }

    /**
     * Answers when the certificate ends that this node shows to the others, or one between it and the authority,
     * whichever is first: for a metric or an alert. New connections use what the files hold now, so this is later as
     * soon as another certificate was read. The log says it 30 days before. Does not block.
     *
     * @return empty before {@link #start}, without TLS, and if the transport does not know
     */
    public Optional<Instant> certificateEnd() {
        return engine.certificateEnd();
    }

    /**
     * Answers which faults of this node last until an operator repairs them, although the node works on, such as a disk
     * that stores nothing, keys that cannot be read again, peers that refuse this node; and of each latch that leads
     * although its {@code isLeader} callback threw. {@link #health} and {@link LeaderLatch#explain} name them in their
     * reasons. Does not wait for the node, and costs a glance at each latch of this client.
     *
     * @return immutable; empty if nothing is wrong, and if the node does not run
     */
    public List<Problem> problems() {
        if (state != State.STARTED) {
            return List.of();
        }
        Stream<Problem> ofLatches = users().stream().flatMap(user -> user.problem().stream());
        return Stream.concat(engine.problems().stream(), ofLatches)
                .limit(Transport.PROBLEMS_MAX)
                .toList();
    }

    /**
     * Answers why the node has stopped by itself: a second process runs under its id, or there was an internal error.
     * This client is then {@link State#STOPPED} and its latches are closed, so the application needs another client,
     * usually in another process. {@link #close} still has to give port and files back.
     *
     * <p>A disk that cannot store terms stops no node: its voter gives no new votes until it can.
     *
     * @return an exception that says why; empty while the node runs, and if it was closed
     */
    public Optional<RuntimeException> failure() {
        return engine.failure();
    }

    /**
     * Tells without a waiting thread when this client is {@link State#STOPPED}. Dependent stages run on a callback
     * thread, may block, and may close the client. The stage is read-only: nobody can complete or cancel it for others.
     *
     * @return completed with the {@link #failure} if the node has stopped by itself; with an empty value if the client
     *         was closed or its start has failed
     */
    public CompletionStage<Optional<RuntimeException>> stopped() {
        return stopped.minimalCompletionStage();
    }

    /**
     * Waits until a majority of voters supports this node, however long that takes. Before {@link #start} it waits for
     * that too. The voters are other processes of the application, as a rule: the first one waits here until others
     * have started, so no process should need this to come up. Latches need no connection to be started.
     *
     * @throws InterruptedException  if the thread is interrupted while it waits
     * @throws ClientClosedException if the client is closed before or meanwhile
     * @throws RuntimeException      the {@link #failure}, if the node has stopped by itself
     */
    public void blockUntilConnected() throws InterruptedException {
        connectivity.await(Long.MAX_VALUE);
    }

    /**
     * As {@link #blockUntilConnected()}, for a bounded time.
     *
     * @param maxWaitTime how long to wait, in {@code units}; at 0 or less it looks once and does not wait
     * @param units       null means that there is no bound, as in Curator
     * @return whether a majority supports this node; false if the time ran out before
     * @throws InterruptedException  if the thread is interrupted while it waits
     * @throws ClientClosedException if the client is closed before or meanwhile
     * @throws RuntimeException      the {@link #failure}, if the node has stopped by itself
     */
    public boolean blockUntilConnected(int maxWaitTime, TimeUnit units) throws InterruptedException {
        return connectivity.await(units == null ? Long.MAX_VALUE : units.toNanos(maxWaitTime));
    }

    /**
     * Answers where listeners for changes of the connection are added and removed. They hear of changes after they were
     * added. RECONNECTED is queued here before a latch can queue the {@code isLeader} that follows from it. The two
     * queues are independent, so a slow listener may still hear of RECONNECTED after that {@code isLeader}.
     *
     * @return the listeners of this client, the same object each time
     */
    public Listenable<ConnectionStateListener> getConnectionStateListenable() {
        return connectionListeners;
    }

    /**
     * {@return the policy that says in which connection states leaders of this client give up} The listener of a
     * selector may ask it, as {@link LeaderSelectorListenerAdapter} does.
     */
    public ConnectionStateErrorPolicy getConnectionStateErrorPolicy() {
        return errorPolicy;
    }

    /** How the callbacks of the client's latches are run. */
    static LatchCallbacks latchCallbacks(ElectionClient client) {
        // A mock of the client has none, and an application is tested with latches over it.
        return client.latchCallbacks != null
                ? client.latchCallbacks
                : new LatchCallbacks(client::runCallback, LatchCallbacks.LIMIT);
    }

    /** Makes what stands behind a latch of this client. */
    LatchContender contender(BiFunction<Engine, LatchCallbacks, LatchContender> maker) {
        return maker.apply(engine, latchCallbacks);
    }

    /** Runs a callback that has no executor of its own. */
    void runCallback(Runnable callback) {
        engine.callbacks().execute(callback);
    }

    /** Passes the stage's outcome on from a callback thread, so that dependent stages do not run on the engine's. */
    <T> CompletionStage<T> onCallbackThread(CompletionStage<T> stage) {
        return onCallbackThread(stage, value -> value);
    }

    private <S, T> CompletionStage<T> onCallbackThread(CompletionStage<S> stage, Function<S, T> result) {
        CompletableFuture<T> outcome = new CompletableFuture<>();
        stage.whenComplete((value, failure) -> runCallback(() -> {
            if (failure == null) {
                outcome.complete(result.apply(value));
            } else {
                outcome.completeExceptionally(failure);
            }
        }));
        return outcome;
    }

    /** Takes what was started; it joins at once, or when this client starts. On a closed client it is closed too. */
    void register(PathUser user) {
        State found;
        boolean isTaken;
        synchronized (users) {
            // A close() meanwhile did not find it here and does not look again.
            if (user.isClosed()) {
                return;
            }
            found = isClosing ? State.STOPPED : state;
            isTaken = found != State.STOPPED || goesOn(user);
            if (isTaken) {
                users.add(user);
                if (user.contender().isEmpty()) {
                    watchedPaths.add(inCluster(user.path()));
                }
            }
        }
        if (!isTaken) {
            // It can never lead, and the threads that wait for that must learn it.
            user.closeWithClient().tell();
        } else if (found == State.STARTED) {
            join(user);
        } else {
            // Joins when the client starts, if it does.
            user.begin(engine, inCluster(user.path()));
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

    /** The contenders and leaders of any path. */
    ClientViews views() {
        return views;
    }

    private String inCluster(String path) {
        return Paths.inNamespace(namespace, path);
    }

    // On the engine's thread: nothing here runs foreign code. The listeners of the client come before those of latches.
    private void connectionChanged(Connection connection) {
        connectivity.wake();
        connection.state().ifPresent(changed -> {
            // An application that closes its client has lost nothing, as in Curator. A node that fails says LOST first.
            if (state != State.STOPPED) {
                connectionListeners.deliver("stateChanged", listener -> listener.stateChanged(this, changed));
            }
            boolean endsLeadership =
                    changed == ConnectionState.LOST || changed == ConnectionState.SUSPENDED && endsWhenSuspended;
            users().forEach(user -> user.connectionChanged(changed, endsLeadership));
        });
    }

    private void throwUnlessRunning() {
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

    /** The listeners that hear of the connection. */
    private final class ConnectionOwner implements ListenerSet.Owner {

        @Override
        public String path() {
            return "";
        }

        @Override
        public ClientMonitors monitors() {
            return monitors;
        }

        @Override
        public String toString() {
            return "Connection";
        }
    }

    /** The parts of this client that questions about paths need. */
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
            ElectionClient.this.throwUnlessRunning();
        }

        @Override
        public <T> CompletionStage<T> onCallbackThread(CompletionStage<T> stage) {
            return ElectionClient.this.onCallbackThread(stage);
        }
    }
}
