package io.quorate.testkit.simulation;

import io.quorate.ClientMonitor;
import io.quorate.Voters;
import io.quorate.core.voters.VoterList;
import io.quorate.engine.Connection;
import io.quorate.engine.Engine;
import io.quorate.engine.Migration;
import io.quorate.engine.PathView;
import io.quorate.engine.Situation;
import io.quorate.engine.Tenure;
import io.quorate.runtime.CallbackPool;
import io.quorate.runtime.Shown;
import io.quorate.spi.Check;
import io.quorate.spi.NodeId;
import io.quorate.spi.Problem;
import io.quorate.spi.TransportProvider.HostAndPort;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * An engine without a cluster: a test grants and ends tenures, changes the connection and publishes views. The thread
 * that calls those methods stands for the engine's thread. Safe for any thread, but one at a time may stand for the
 * engine's.
 */
public final class FakeEngine implements Engine {

    private static final NodeId SELF = new NodeId("fake");

    private final ManualClock clock = new ManualClock();
    private final List<ConnectionListener> connectionListeners = new CopyOnWriteArrayList<>();
    private final List<ClientMonitor> monitors = new CopyOnWriteArrayList<>();
    private final List<FakeCandidacy> candidacies = new CopyOnWriteArrayList<>();
    private final Map<String, CompletableFuture<PathView>> views = new ConcurrentHashMap<>();
    private final Map<String, List<ViewListener>> observers = new ConcurrentHashMap<>();
    private final List<String> standBys = new CopyOnWriteArrayList<>();
    private final List<Integer> priorities = new CopyOnWriteArrayList<>();
    private final List<String> unwatched = new CopyOnWriteArrayList<>();
    private final AtomicInteger starts = new AtomicInteger();
    private final AtomicInteger closes = new AtomicInteger();
    private Optional<OutOfMemoryError> noThreads = Optional.empty();
    private volatile Optional<String> refusedPath = Optional.empty();
    private volatile VoterList voters = VoterList.NONE;
    private final Map<Set<NodeId>, CompletableFuture<Void>> changes = new ConcurrentHashMap<>();
    private volatile boolean grantsAtOnce;
    private volatile Connection connection = Connection.NONE;
    private volatile Optional<Executor> callbacks = Optional.empty();
    private volatile Optional<RuntimeException> failure = Optional.empty();
    private volatile Optional<Instant> certificateEnd = Optional.empty();
    private volatile List<Problem> problems = List.of();
    private volatile String clusterId = "fake";
    private volatile Optional<IOException> startFailure = Optional.empty();
    private volatile Runnable starting = () -> {};
    private volatile Runnable closing = () -> {};
    private volatile Runnable standingBy = () -> {};
    private volatile Optional<Queue<Runnable>> queued = Optional.empty();

    /** Makes {@link #start} fail. */
    public void failStart(IOException cause) {
        startFailure = Optional.of(cause);
    }

    /** Has this done by {@link #start}, which may so take its time. */
    public void whileStarting(Runnable work) {
        starting = work;
    }

    /** Has this done by {@link #close}, which may so take its time. */
    public void whileClosing(Runnable work) {
        closing = work;
    }

    /** Has this done by {@link #standBy}, before it takes note of the reason. */
    public void whileStandingBy(Runnable work) {
        standingBy = work;
    }

    /** Makes {@link #runWaiting} throw, as where the system has no thread left. */
    public void failThreads(OutOfMemoryError failure) {
        noThreads = Optional.of(failure);
    }

    /** Makes {@link #contend} refuse this path, as if it were too long. */
    public void refuse(String path) {
        refusedPath = Optional.of(path);
    }

    /** From now on a contender leads before {@link #contend} returns. */
    public void grantAtOnce() {
        grantsAtOnce = true;
    }

    /** Has callbacks run on this executor. To be called before there is a client. */
    public void callbacksOn(Executor executor) {
        callbacks = Optional.of(executor);
    }

    /**
     * Has callbacks, and work that waits, queued here for the test to run; a call that waits runs them. To be called
     * before a client is.
     */
    public void callbacksQueuedIn(Queue<Runnable> queue) {
        callbacks = Optional.of(queue::add);
        queued = Optional.of(queue);
    }

    /** Lets the engine stop by itself, and tells the listeners. A test that needs it ends the tenures before. */
    public void fail(RuntimeException cause) {
        failure = Optional.of(cause);
        connectionListeners.forEach(listener -> listener.stopped(cause));
    }

    /** Changes the connection and tells the listeners. */
    public void connect(Connection next) {
        connection = next;
        connectionListeners.forEach(listener -> listener.changed(next));
    }

    /** Says who contends on a path; pending views of it complete. */
    public void publish(String path, PathView view) {
        if (!views.computeIfAbsent(path, unknown -> new CompletableFuture<>()).complete(view)) {
            views.put(path, CompletableFuture.completedFuture(view));
        }
        observers.getOrDefault(path, List.of()).forEach(observer -> observer.changed(view));
    }

    /** As with the setting {@code migration=tandem}. To be called before there is a client. */
    public void moves() {
        clusterId = Migration.clusterId("fake");
    }

    /** Says who votes. */
    public void vote(VoterList config) {
        voters = config;
    }

    /** The changes of voters that were asked for, each with what is to be completed when it is over. */
    public Map<Set<NodeId>, CompletableFuture<Void>> changes() {
        return changes;
    }

    @Override
    public Voters voters() {
        return Shown.voters(voters);
    }

    @Override
    public CompletionStage<Void> changeVoters(long number, Map<NodeId, Optional<HostAndPort>> wanted) {
        return changes.computeIfAbsent(wanted.keySet(), nodes -> new CompletableFuture<>());
    }

    /** Everyone who ever contended, in order. */
    public List<FakeCandidacy> candidacies() {
        return candidacies;
    }

    /** The latest candidacy. */
    public FakeCandidacy last() {
        return candidacies.get(candidacies.size() - 1);
    }

    /** The paths given to {@link #unwatch}. */
    public List<String> unwatched() {
        return unwatched;
    }

    /** The reasons given to {@link #standBy}; "no" for none. */
    public List<String> standBys() {
        return standBys;
    }

    /** How many observe a path. */
    public int observers(String path) {
        return observers.getOrDefault(path, List.of()).size();
    }

    /** How often it was started. */
    public int starts() {
        return starts.get();
    }

    /** How often it was closed. */
    public int closes() {
        return closes.get();
    }

    @Override
    public void start() throws IOException {
        starts.incrementAndGet();
        starting.run();
        if (startFailure.isPresent()) {
            throw startFailure.get();
        }
    }

    @Override
    public void close() {
        closes.incrementAndGet();
        closing.run();
        IllegalStateException closed = new IllegalStateException("engine closed");
        views.values().forEach(view -> view.completeExceptionally(closed));
    }

    @Override
    public ManualClock clock() {
        return clock;
    }

    @Override
    public Executor callbacks() {
        return callbacks.orElse(CallbackPool.SHARED);
    }

    @Override
    public void runWaiting(String name, Runnable work) {
        noThreads.ifPresent(failure -> {
            throw failure;
        });
        queued.ifPresentOrElse(queue -> queue.add(work), () -> Engine.super.runWaiting(name, work));
    }

    @Override
    public long letTimePass(long nanosMax, BooleanSupplier isOver) {
        queued.ifPresent(queue -> {
            for (Runnable next = queue.poll(); next != null; next = queue.poll()) {
                next.run();
            }
        });
        return nanosMax;
    }

    @Override
    public NodeId self() {
        return SELF;
    }

    @Override
    public String clusterId() {
        return clusterId;
    }

    @Override
    public Connection connection() {
        return connection;
    }

    @Override
    public Support support() {
        return new Support(connection, "", List.of(), List.of());
    }

    @Override
    public Optional<RuntimeException> failure() {
        return failure;
    }

    @Override
    public Optional<Instant> certificateEnd() {
        return certificateEnd;
    }

    /** As if the node had a certificate. */
    public void certificateEndsAt(Instant end) {
        certificateEnd = Optional.of(end);
    }

    @Override
    public List<Problem> problems() {
        return problems;
    }

    /** As if the node had these problems, and no others. */
    public void hasProblems(Problem... present) {
        problems = List.of(present);
    }

    @Override
    public void addConnectionListener(ConnectionListener listener) {
        connectionListeners.add(listener);
    }

    @Override
    public void addMonitor(ClientMonitor monitor, UnaryOperator<String> inClient) {
        monitors.add(monitor);
    }

    @Override
    public void removeMonitor(ClientMonitor monitor) {
        monitors.remove(monitor);
    }

    /** The monitors, for the test to call. */
    public List<ClientMonitor> monitors() {
        return monitors;
    }

    @Override
    public FakeCandidacy contend(String path, String participantId, ContenderListener listener) {
        Check.argument(!refusedPath.equals(Optional.of(path)), "path %s: refused by the test", path);
        FakeCandidacy candidacy = new FakeCandidacy(path, participantId, listener, clock);
        candidacies.add(candidacy);
        if (grantsAtOnce) {
            candidacy.grant(candidacies.size());
        }
        return candidacy;
    }

    @Override
    public CompletionStage<PathView> view(String path) {
        return views.computeIfAbsent(path, unknown -> new CompletableFuture<>()).copy();
    }

    @Override
    public void unwatch(String path) {
        unwatched.add(path);
    }

    @Override
    public void observe(String path, ViewListener listener) {
        observers.computeIfAbsent(path, unknown -> new CopyOnWriteArrayList<>()).add(listener);
        Optional.ofNullable(views.get(path))
                .filter(CompletableFuture::isDone)
                .map(CompletableFuture::join)
                .ifPresent(listener::changed);
    }

    @Override
    public void unobserve(String path, ViewListener listener) {
        observers.getOrDefault(path, List.of()).remove(listener);
    }

    @Override
    public void priority(IntSupplier value) {
        priorities.add(value.getAsInt());
    }

    /** The values given to {@link #priority}. */
    public List<Integer> priorities() {
        return priorities;
    }

    @Override
    public OptionalInt misplaced() {
        return OptionalInt.empty();
    }

    @Override
    public void standBy(Supplier<Optional<String>> reason) {
        standingBy.run();
        standBys.add(reason.get().orElse("no"));
    }

    @Override
    public Duration turnAge() {
        return Duration.ZERO;
    }

    @Override
    public Duration heartbeat() {
        return Duration.ofMillis(20);
    }

    @Override
    public String describe() {
        return "fake engine, " + connection;
    }

    /** One contender, under the test's control. */
    public static final class FakeCandidacy implements Candidacy {

        private final String path;
        private final String participantId;
        private final ContenderListener listener;
        private final ManualClock clock;
        private final AtomicInteger rejoins = new AtomicInteger();
        private final AtomicInteger leaves = new AtomicInteger();
        private final List<Tenure> reported = new CopyOnWriteArrayList<>();
        private final List<Tenure> resigned = new CopyOnWriteArrayList<>();
        private final List<Tenure> drained = new CopyOnWriteArrayList<>();
        private final List<String> leaving = new CopyOnWriteArrayList<>();
        private volatile boolean drains;
        private final AtomicLong departures = new AtomicLong();
        private final List<String> lastRanks = new CopyOnWriteArrayList<>();
        private final Map<String, CompletableFuture<Void>> transfers = new ConcurrentHashMap<>();
        private volatile Tenure tenure;
        private volatile Runnable onExplain = () -> {};
        private volatile Runnable onLeave = () -> {};

        FakeCandidacy(String path, String participantId, ContenderListener listener, ManualClock clock) {
            this.path = path;
            this.participantId = participantId;
            this.listener = listener;
            this.clock = clock;
        }

        /** Begins a tenure with a lease of this length. */
        public Tenure grant(long token, Duration lease) {
            tenure = TenureFixture.tenure(path, token, clock.nanoTime() + lease.toNanos());
            listener.granted(tenure);
            return tenure;
        }

        /** Begins a tenure with a lease of an hour. */
        public Tenure grant(long token) {
            return grant(token, Duration.ofHours(1));
        }

        /** Ends the present tenure. */
        public void end() {
            tenure.end();
            listener.ended(tenure, "ended by the test");
        }

        /** Asks for the end of the present tenure, as a transfer or standby does. Answers whether that waits. */
        public boolean leave(String reason) {
            if (drains) {
                listener.leaving(tenure, departures.incrementAndGet(), reason);
            }
            return drains;
        }

        /** Takes {@link #leave(String)} back. */
        public void stay() {
            listener.stays(tenure, "as the test wants it");
        }

        /** Whether it waits for {@link #drained(Tenure, long)} before a tenure ends on purpose. */
        public boolean drains() {
            return drains;
        }

        /** The tenures given to {@link #drained(Tenure, long)}. */
        public List<Tenure> drained() {
            return drained;
        }

        /** The reasons given to {@link #leaves}. */
        public List<String> leaving() {
            return leaving;
        }

        /** The path as the cluster knows it. */
        public String path() {
            return path;
        }

        /** The id that others see. */
        public String participantId() {
            return participantId;
        }

        /** How often {@link #rejoin} was called. */
        public int rejoins() {
            return rejoins.get();
        }

        /** How often {@link #leave} was called. */
        public int leaves() {
            return leaves.get();
        }

        /** The tenures given to {@link #resign}. */
        public List<Tenure> resigned() {
            return resigned;
        }

        /** The transfers that were asked for, by participant id. */
        public Map<String, CompletableFuture<Void>> transfers() {
            return transfers;
        }

        /** The tenures given to {@link #tenureEnded}. */
        public List<Tenure> reported() {
            return reported;
        }

        @Override
        public void rejoin() {
            rejoins.incrementAndGet();
        }

        @Override
        public void tenureEnded(Tenure over) {
            reported.add(over);
        }

        @Override
        public void resign(Tenure given) {
            resigned.add(given);
        }

        @Override
        public void drains(boolean wanted) {
            drains = wanted;
        }

        @Override
        public void leaves(Tenure leaver, String reason) {
            leaving.add(reason);
        }

        @Override
        public void drained(Tenure over, long departure) {
            drained.add(over);
        }

        /** Stays open until the test completes what is in {@link #transfers}. */
        @Override
        public CompletionStage<Void> transferTo(String successor) {
            return transfers.computeIfAbsent(successor, id -> new CompletableFuture<>());
        }

        /** Runs this, which may throw, whenever it leaves. */
        public void onLeave(Runnable action) {
            onLeave = action;
        }

        @Override
        public void leave() {
            leaves.incrementAndGet();
            onLeave.run();
        }

        @Override
        public void rankLast(Duration length, String reason) {
            lastRanks.add(reason);
        }

        /** The reasons given to {@link #rankLast}. */
        public List<String> lastRanks() {
            return lastRanks;
        }

        /** Runs this, which may block, whenever somebody asks for an explanation. */
        public void onExplain(Runnable action) {
            onExplain = action;
        }

        @Override
        public Situation explain() {
            onExplain.run();
            return Situation.outside("as the test says");
        }
    }
}
