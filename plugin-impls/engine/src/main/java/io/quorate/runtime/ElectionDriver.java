package io.quorate.runtime;

import static java.util.Objects.requireNonNull;

import io.quorate.ClientMonitor;
import io.quorate.Voters;
import io.quorate.core.Birth;
import io.quorate.core.Node;
import io.quorate.core.collection.LongMap;
import io.quorate.core.message.ContenderRecord;
import io.quorate.core.message.NodeMessage;
import io.quorate.core.path.Preemption.Misplaced;
import io.quorate.core.settings.NodeSettings;
import io.quorate.core.step.NodeEffect;
import io.quorate.core.step.NodeEvent;
import io.quorate.core.step.StepContext;
import io.quorate.core.voters.VoterList;
import io.quorate.engine.Clock;
import io.quorate.engine.Connection;
import io.quorate.engine.Engine;
import io.quorate.engine.Fatal;
import io.quorate.engine.Guard;
import io.quorate.engine.PathView;
import io.quorate.engine.Situation;
import io.quorate.engine.Tenure;
import io.quorate.jvm.NodeLog;
import io.quorate.runtime.DecodedFrame.Reason;
import io.quorate.settings.ClusterSecret;
import io.quorate.spi.Check;
import io.quorate.spi.ElectionAlgorithm;
import io.quorate.spi.NodeId;
import io.quorate.spi.Problem;
import io.quorate.spi.Transport;
import io.quorate.spi.TransportProvider.HostAndPort;
import io.quorate.transport.Problems;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.event.Level;

/**
 * Runs a {@link Node} in real time: one thread takes frames, calls of the application and the clock in turns, and
 * performs what the node wants done. That is the transport's thread, or one of its own: heartbeats depend on no thread
 * of the application, and on no event loop that runs code of the application.
 */
public final class ElectionDriver implements Engine {

    /** How long a node that has failed sleeps; it only answers questions. */
    private static final long IDLE_NANOS = 1_000_000_000;

    /** How long {@link #close} waits for the others to acknowledge the last messages: 100,000 paths may want ten seconds. */
    private static final long FAREWELL_NANOS_MAX = 15_000_000_000L;

    /** The interval at which a closing driver asks again whether more may leave. */
    private static final long FAREWELL_PAUSE_NANOS = 5_000_000;

    /** The heap that must be free before listeners are told of the end: about what a client with one latch needs. */
    private static final int ROOM_TO_TELL = 64 << 10;

    private static final Set<String> OF_SECRETS =
            Set.of(Reason.OTHER_SECRET.name(), Reason.WITH_MAC.name(), Reason.WITHOUT_MAC.name());

    // The subjects of problems.
    private static final String TERMS = "terms";
    private static final String SEAT = "voters";

    private static final String TERMS_NOT_STORED = "terms cannot be stored, so this voter does not vote in new terms: ";

    private static final String NAMELESS_REASON = "internal error";
    private static final Consumer<DriverCandidacy> END_TENURE = DriverCandidacy::endTenure;

    /** Stands for no instant: nobody watches, or there was no turn yet. */
    private static final long NEVER = Long.MIN_VALUE;

    private final NodeSettings settings;
    private final Optional<ClusterSecret> secret;
    private final ElectionAlgorithm algorithm;
    private final TermStore store;
    private final Transport transport;
    private final Clock clock;
    private final NodeEnvironment environment;
    private final Logger log;
    private final Mailbox mailbox;
    private final AtomicLong numbers = new AtomicLong();
    private final AtomicBoolean isStarted = new AtomicBoolean();
    private final AtomicBoolean isClosed = new AtomicBoolean();
    private final List<ConnectionListener> connectionListeners = new CopyOnWriteArrayList<>();
    /** Held while the driver is started or closed, so that nothing is opened behind a close. */
    private final ReentrantLock lifecycle = new ReentrantLock();

    // Confined to the driver's thread, from the start on.
    private final LongMap<DriverCandidacy> candidacies = new LongMap<>();
    private final Turns turns;
    private final PathViews views;
    private final Transfers transfers;
    private final LeadershipLog leadershipLog;
    private final Monitors monitors;
    private final Monitors.Facts facts = new Facts();
    /** The latest instant at which the thread wanted to act, as it told last. */
    private long due;

    private volatile long stepAt;

    private final Queue<NodeEffect> pending = new ArrayDeque<>();
    private final Effects effects = new Effects();
    private final DriverCandidacy.Driver candidacyDriver = new Candidacies();

    @SuppressWarnings("NullAway.Init")
    private Node node;

    @SuppressWarnings("NullAway.Init")
    private Post post;
    /** Null until it is started. */
    @SuppressWarnings("NullAway.Init")
    private TermKeeper termKeeper;

    /** Null until it is started. */
    @SuppressWarnings("NullAway.Init")
    private OutageLog outageLog;

    private final Problems problems;
    /** The writes of the term store that have no answer yet. */
    private final AtomicInteger writes = new AtomicInteger();
    /** When the oldest of them began, or the last answer came. */
    private volatile long writesSince;

    private boolean isOver;
    private boolean isLeaving;
    private String endReason = NAMELESS_REASON;

    private boolean isEndUntold;
    private boolean isLossUntold;
    private boolean isStopUntold;

    /** Completed with the node's new life; exceptionally if the driver is closed before the disk has answered. */
    private final CompletableFuture<Birth> born = new CompletableFuture<>();

    private final CompletableFuture<Void> farewell = new CompletableFuture<>();

    /** When the thread had its last turn, for threads that ask while it is stuck. */
    private volatile long lastTurn = NEVER;

    private volatile Connection connection = Connection.NONE;
    private volatile Support support = Support.NONE;
    /** The voters that support this node in {@link #support}, as bits. */
    private int supporters;

    /** Who votes; none before the start. */
    private volatile VoterList voters = VoterList.NONE;

    private final Map<Long, CompletableFuture<Void>> changes = new HashMap<>();

    private volatile @Nullable RuntimeException failure;
    /** The failure, while there is no memory to say more. */
    private final RuntimeException nameless;

    /**
     * A driver that does nothing before {@link #start}. It owns {@code transport} and {@code store}: they are closed
     * with it.
     *
     * @param secret under which frames carry a MAC; empty if they carry none
     */
    public ElectionDriver(
            NodeSettings settings,
            Optional<ClusterSecret> secret,
            ElectionAlgorithm algorithm,
            Transport transport,
            TermStore store,
            Clock clock,
            NodeEnvironment environment) {
        this.secret = Objects.requireNonNull(secret, "secret");
        this.environment = environment;
        this.log = environment.log(ElectionDriver.class);
        this.settings = Objects.requireNonNull(settings, "settings");
        this.algorithm = Objects.requireNonNull(algorithm, "algorithm");
        this.transport = Objects.requireNonNull(transport, "transport");
        this.store = Objects.requireNonNull(store, "store");
        this.clock = Objects.requireNonNull(clock, "clock");
        this.nameless = new IllegalStateException("node " + settings.self() + " has stopped by an internal error");
        this.mailbox = environment.mailbox("quorate-" + settings.self(), clock, transport::loop, this::onBug);
        turns = new Turns(mailbox, this::step, path -> node.view(path), this::over);
        this.views = new PathViews(turns, listener -> Guard.tell(settings.self(), listener));
        this.transfers = new Transfers(turns);
        this.leadershipLog = new LeadershipLog(settings.self(), log);
        this.problems = new Problems(() -> stepAt);
        this.monitors = new Monitors(
                settings.self(), settings.voters(), settings.lease().heartbeat(), log);
    }

    @Override
    public void start() throws IOException {
        lifecycle.lock();
        try {
            Check.state(!isClosed.get(), "node %s: is closed", settings.self());
            Check.state(!isStarted.getAndSet(true), "node %s: was started before", settings.self());
            open();
        } finally {
            lifecycle.unlock();
        }
        // While the node waits for support anyway.
        FirstHandOver.prepare();
    }

    private void open() throws IOException {
        boolean isOpen = false;
        try {
            TermKeeper keeper = new TermKeeper(settings.self(), store, clock, environment, mailbox::post, this::onDisk);
            termKeeper = keeper;
            Birth birth = keeper.open(born);
            // The store is locked, so the quarantine counts from here.
            long lockedAt = clock.nanoTime();
            post = new Post(
                    settings,
                    secret,
                    algorithm,
                    transport,
                    birth.incarnation(),
                    environment.log(Post.class),
                    environment::onHarmfulFrame);
            node = new Node(settings, algorithm, birth, environment.jitter());
            voters = node.voters();
            post.voters(voters.ids());
            monitors.onVotersChanged(voters.ids());
            support = new Support(Connection.NONE, "", voters.ids(), List.of());
            transport.start(new Frames());
            reachVoters();
            logStart(birth);
            outageLog = new OutageLog(settings.self(), log, lockedAt);
            due = lockedAt;
            stepAt = lockedAt;
            lastTurn = lockedAt;
            mailbox.start(() -> perform(node.start(lockedAt)), this::onTurn, this::onTurnsOver);
            isOpen = true;
        } finally {
            if (!isOpen) {
                isClosed.set(true);
                mailbox.stop(this::finish);
                closeParts();
            }
        }
    }

    private Object shown(VoterList config) {
        if (config.number() == 0) {
            return "as " + settings.voters() + " will tell";
        }
        return config.number() == 1 ? config.ids() : config;
    }

    private void logStart(Birth birth) {
        log.info(
                "node {} of cluster '{}' starts{}: voters {}, algorithm {}, incarnation {}",
                settings.self(),
                settings.clusterId(),
                birth.isDurable() && birth.termCeiling() == 0 ? ", with an empty data directory" : "",
                shown(voters),
                algorithm.name(),
                birth.incarnation());
        long nominated =
                settings.lease().suspicion() + algorithm.usualFailover(settings.timing(), Math.max(1, voters.size()));
        if (nominated > settings.lease().support()) {
            log.warn(
                    "node {}: algorithm {} usually needs {} ms to nominate a successor, which is more than the support"
                            + " time of {} ms: fail-over will take longer than the lease",
                    settings.self(),
                    algorithm.name(),
                    nominated / 1_000_000,
                    settings.lease().support() / 1_000_000);
        }
    }

    @Override
    public void abandonStart() {
        born.completeExceptionally(closed());
    }

    @Override
    public void close() {
        if (isClosed.getAndSet(true)) {
            return;
        }
        abandonStart();
        lifecycle.lock();
        try {
            if (node != null && mailbox.post(this::beginFarewell)) {
                mailbox.await(farewell, FAREWELL_NANOS_MAX);
            }
            mailbox.stop(() -> {
                endFarewell();
                finish();
            });
            closeParts();
        } finally {
            lifecycle.unlock();
        }
        log.info("node {} is closed", settings.self());
    }

    private void beginFarewell() {
        isLeaving = true;
        sayFarewell();
    }

    private void sayFarewell() {
        if (!post.isSomeoneBehind(clock.nanoTime())) {
            step(new NodeEvent.Close());
        }
        if (isFarewellOver()) {
            isLeaving = false;
            farewell.complete(null);
        }
    }

    private boolean isFarewellOver() {
        return failure != null || isOver || node == null || node.isStopped();
    }

    /** The rest is sent at once, although it may not arrive. */
    private void endFarewell() {
        if (isLeaving && !isFarewellOver()) {
            log.warn(
                    "node {}: peers have not acknowledged all closing messages; sending the"
                            + " rest without waiting: some paths may have no leader until a lease is over",
                    settings.self());
        }
        while (!isFarewellOver()) {
            step(new NodeEvent.Close());
        }
    }

    private void closeParts() {
        try {
            transport.close();
        } finally {
            if (termKeeper != null) {
                termKeeper.close();
            } else {
                store.close();
            }
        }
    }

    /** This is the last turn: events that are still posted have no effect. */
    private void finish() {
        isOver = true;
        if (node != null) {
            post.sayFarewell(clock.nanoTime());
        }
        // Callers from now on get the failure, and not an error about a thread without turns.
        lastTurn = NEVER;
        leadershipLog.tellRest();
        monitors.onStopped("it is closed");
        endWaiting(closed());
    }

    private void endWaiting(RuntimeException cause) {
        views.end(cause);
        transfers.end(cause);
        List.copyOf(changes.values()).forEach(change -> change.completeExceptionally(cause));
        changes.clear();
    }

    /** Why nothing comes any more, if so. */
    private Optional<RuntimeException> over() {
        return failure != null
                ? Optional.of(failure)
                : isOver || isClosed.get() ? Optional.of(closed()) : Optional.empty();
    }

    private IllegalStateException closed() {
        return new IllegalStateException("node " + settings.self() + " is closed");
    }

    // ---------------------------------------------------------------- the driver's thread

    /**
     * Called on threads of the transport. Frames of strangers are dropped here, so they take no room in the mailbox.
     */
    private final class Frames implements Transport.Receiver {
        private final Entrance entrance = post.entrance();
        private final PendingDrops pendingDrops = new PendingDrops();
        /** That of all connections whose transport does not ask for it. */
        private final Transport.Standing unread = new Transport.Standing();
        /** The peers that refuse this node, and that it was not told of yet. */
        private final Map<NodeId, Long> takenPlaces = new ConcurrentHashMap<>();

        @Override
        public boolean received(Optional<NodeId> sender, byte[] frame) {
            return received(sender, frame, unread);
        }

        @Override
        public boolean received(Optional<NodeId> sender, byte[] frame, Transport.Standing standing) {
            Checked checked = entrance.check(sender, frame);
            if (checked instanceof Checked.Passed passed) {
                if (standing.isForAnswers() && passed.envelope().kind() != Envelope.Kind.REFUSAL) {
                    return false;
                }
                Incoming incoming = new Incoming(passed, standing);
                mailbox.postFrame(frame.length, incoming::open, incoming::handle);
                return true;
            }
            if (pendingDrops.add((DecodedFrame.Dropped) checked)) {
                mailbox.post(() -> pendingDrops.take().forEach(ElectionDriver.this::onDropped));
            }
            return false;
        }

        @Override
        public boolean isBehind() {
            return mailbox.isBehind();
        }

        @Override
        public Transport.Life life() {
            return new Transport.Life(post.incarnation(), settings.lease().support());
        }

        @Override
        public void onPlaceTaken(NodeId by, long life) {
            if (takenPlaces.put(by, life) == null) {
                mailbox.post(() -> step(new NodeEvent.PlaceTaken(by, requireNonNull(takenPlaces.remove(by)), true)));
            }
        }
    }

    /** Most frames wait; messages that leases depend on are handled at once. */
    private final class Incoming {
        private final Checked.Passed passed;
        private final Transport.Standing standing;
        private Optional<Post.Rest> rest = Optional.empty();

        private Incoming(Checked.Passed passed, Transport.Standing standing) {
            this.passed = passed;
            this.standing = standing;
        }

        private void open() {
            // A node that has stopped answers nothing: a life that seems to live would keep the next one from its
            // place.
            rest = failure == null
                    ? post.open(passed, standing, clock.nanoTime(), ElectionDriver.this::step)
                    : Optional.empty();
        }

        private void handle() {
            rest.ifPresent(left -> post.handle(left, clock.nanoTime(), ElectionDriver.this::step));
        }
    }

    private void onDropped(DecodedFrame.Dropped dropped) {
        if (failure == null) {
            post.tell(dropped, clock.nanoTime(), this::step);
        }
    }

    /** The mailbox is empty: time passes. Answers until when, if nothing arrives. */
    private long onTurn() {
        CallbackPool.SHARED.lookAfter();
        if (failure != null) {
            if (isEndUntold) {
                tellEnd();
            }
            return clock.nanoTime() + IDLE_NANOS;
        }
        transportFailure().ifPresent(why -> {
            throw new IllegalStateException("its transport has ended, and was not closed: " + why);
        });
        if (isLeaving) {
            sayFarewell();
        }
        // Only monitors need this reading of the clock.
        long begun = monitors.isEmpty() ? NEVER : clock.nanoTime();
        if (begun != NEVER) {
            monitors.turn(begun, due, node, facts);
        }
        long wake = node.nextWake();
        if (wake - clock.nanoTime() <= 0) {
            step(NodeEvent.Wake.INSTANCE);
            wake = node.nextWake();
        }
        if (node.supporters() != supporters) {
            publishSupport(connection, support.reason());
        }
        long now = clock.nanoTime();
        post.acknowledge(now);
        leadershipLog.turn(now);
        outageLog.turn(support, now);
        long next = isLeaving && !post.isSomeoneBehind(now) ? now : isLeaving ? now + FAREWELL_PAUSE_NANOS : wake;
        // A pause during this work is reported in the next turn, as if that had been due when this work began.
        boolean hasPaused = begun != NEVER && now - begun > settings.lease().heartbeat();
        due = hasPaused ? begun : next;
        lastTurn = now;
        return next;
    }

    private Optional<String> transportFailure() {
        try {
            // Throws here if the answer is null.
            return isClosed.get() ? Optional.empty() : transport.failure().filter(why -> !why.isEmpty());
        } catch (Throwable e) {
            // Justification: catches everything but what nobody survives. The transport is foreign code; if it throws,
            // it does not know.
            Fatal.throwIfFatal(e);
            return Optional.empty();
        }
    }

    /** A few events were handled: what they want sent leaves, in as few frames as possible. */
    private void onTurnsOver() {
        post.flush(clock.nanoTime());
    }

    private void step(NodeEvent event) {
        if (failure != null || isOver) {
            return;
        }
        stepAt = clock.nanoTime();
        if (event instanceof NodeEvent.ForeignFrames frames && isOfVoter(frames.from())) {
            problems.note(
                    "frames " + frames.kind() + frames.from(),
                    kind(frames.kind()),
                    frames.text(),
                    Problems.AFTER_AN_ATTEMPT);
        }
        perform(node.step(stepAt, event));
    }

    /**
     * Strangers may send anything, so frames of unknown senders count while a voter is missing, which may be theirs.
     */
    private boolean isOfVoter(NodeId sender) {
        return sender.equals(settings.self())
                ? voters.ids().stream().anyMatch(voter -> !voter.equals(sender) && !post.hears(voter, stepAt))
                : voters.ids().contains(sender);
    }

    /** Says which problem these frames are. Their kind is the name of a {@link Reason}, or a text. */
    private static Problem.Kind kind(String frames) {
        if (frames.equals(Reason.OTHER_PROCESS_OF_US.name())) {
            return Problem.Kind.SECOND_PROCESS;
        }
        return OF_SECRETS.contains(frames) ? Problem.Kind.SECRET : Problem.Kind.MISMATCH;
    }

    /** Health reports faults of the disk as the log does. */
    private void onDisk(NodeEvent event) {
        writes.decrementAndGet();
        writesSince = stepAt;
        if (event instanceof NodeEvent.TermsReserved || event instanceof NodeEvent.PaxosStateStored) {
            // Both are in one file.
            problems.remove(TERMS);
            problems.remove(SEAT);
        } else if (event instanceof NodeEvent.ReserveFailed failed && isVoter()) {
            problems.note(TERMS, Problem.Kind.TERMS, TERMS_NOT_STORED + failed.reason());
        } else if (event instanceof NodeEvent.PaxosStateFailed failed) {
            problems.note(
                    SEAT,
                    Problem.Kind.VOTERS,
                    "the list of voters cannot be stored, so this node does not take part in a change of voters: "
                            + failed.reason(),
                    Problems.AFTER_AN_ATTEMPT);
        }
        step(event);
    }

    private void onWrite() {
        if (writes.getAndIncrement() == 0) {
            writesSince = stepAt;
        }
    }

    private boolean isVoter() {
        return voters.ids().contains(settings.self());
    }

    /** Effects are performed in order, even if a listener closes the driver in between: earlier effects come first. */
    private void perform(List<NodeEffect> wanted) {
        pending.addAll(wanted);
        for (NodeEffect next = pending.poll(); next != null; next = pending.poll()) {
            next.dispatch(effects);
        }
    }

    private final class Effects implements NodeEffect.Handler {

        @Override
        public void on(NodeEffect.Send send) {
            post.add(send.to(), send.message(), clock.nanoTime());
        }

        @Override
        public void on(NodeEffect.Granted granted) {
            DriverCandidacy candidacy = candidacies.get(granted.number());
            leadershipLog.begins(granted.tenure(), clock.nanoTime());
            monitors.onGranted(granted.tenure());
            candidacy.granted(granted.tenure());
        }

        @Override
        public void on(NodeEffect.Revoked revoked) {
            DriverCandidacy candidacy = candidacies.get(revoked.number());
            leadershipLog.ends(revoked.tenure(), revoked.reason(), clock.nanoTime());
            monitors.onRevoked(revoked.tenure(), revoked.reason());
            candidacy.ended(revoked.tenure(), revoked.reason());
        }

        @Override
        public void on(NodeEffect.Leaving leaving) {
            leadershipLog.leaves(leaving.tenure(), leaving.reason(), clock.nanoTime());
            candidacies.get(leaving.number()).leaving(leaving.tenure(), leaving.departure(), leaving.reason());
        }

        @Override
        public void on(NodeEffect.Stays stays) {
            leadershipLog.stays(stays.tenure(), stays.reason(), clock.nanoTime());
            candidacies.get(stays.number()).stays(stays.tenure(), stays.reason());
        }

        @Override
        public void on(NodeEffect.ReserveTerms reserve) {
            onWrite();
            termKeeper.reserve(reserve.upTo());
        }

        @Override
        public void on(NodeEffect.ConnectionChanged changed) {
            onConnectionChanged(changed.connection(), changed.reason());
        }

        @Override
        public void on(NodeEffect.ViewChanged changed) {
            String path = changed.path();
            // The time of the step is exact enough for a line of the log.
            if (node.isHere(path)) {
                leadershipLog.hears(path, node.holder(path), stepAt);
            } else {
                leadershipLog.forgets(path);
            }
            monitors.onViewChanged(path, node);
            if (views.isAwaited(path) || !transfers.isEmpty()) {
                node.view(path).ifPresent(view -> {
                    views.onChanged(path, view);
                    transfers.onChanged(path, view);
                });
            }
        }

        @Override
        public void on(NodeEffect.TransferBegun begun) {
            transfers.onBegun(begun);
        }

        @Override
        public void on(NodeEffect.StorePaxosState store) {
            onWrite();
            termKeeper.paxos(store.identity(), store.paxos());
        }

        @Override
        public void on(NodeEffect.VotersChanged changed) {
            voters = changed.config();
            if (!isVoter()) {
                problems.remove(TERMS);
            }
            post.voters(voters.ids());
            monitors.onVotersChanged(voters.ids());
            reachVoters();
            publishSupport(connection, support.reason());
        }

        @Override
        public void on(NodeEffect.Reach reach) {
            post.reach(reach.node(), reach.address());
        }

        @Override
        public void on(NodeEffect.ChangeEnded ended) {
            CompletableFuture<Void> change = changes.remove(ended.request());
            if (change != null) {
                ended.failure().ifPresentOrElse(change::completeExceptionally, () -> change.complete(null));
            }
        }

        @Override
        public void on(NodeEffect.TransferRefused refused) {
            transfers.onRefused(refused.number(), refused.successor(), refused.cause());
        }

        @Override
        public void on(NodeEffect.Failed failed) {
            failure = failed.cause();
            log.error("node {} has stopped: {}", settings.self(), failed.cause().getMessage());
            tellStopped(failed.cause());
        }

        @Override
        public void on(NodeEffect.Note note) {
            log.atLevel(note.isWarning() ? Level.WARN : Level.INFO).log("node {}: {}", settings.self(), note.text());
        }
    }

    /** The settings need not name later voters. */
    private void reachVoters() {
        for (VoterList.Member member : voters.members()) {
            if (!member.id().equals(settings.self())) {
                member.address().ifPresent(address -> post.reach(member.id(), address));
            }
        }
    }

    @Override
    public Voters voters() {
        return Shown.voters(voters);
    }

    /** The list that {@link #voters} shows. */
    public VoterList voterList() {
        return voters;
    }

    @Override
    public Executor callbacks() {
        return CallbackPool.SHARED;
    }

    @Override
    public CompletionStage<Void> changeVoters(long number, Map<NodeId, Optional<HostAndPort>> wanted) {
        return turns.ask(done -> {
            long request = numbers.incrementAndGet();
            changes.put(request, done);
            step(new NodeEvent.ChangeVoters(request, number, wanted));
        });
    }

    /** The values are for threads that ask while this one works. */
    private void publishSupport(Connection of, String reason) {
        supporters = node.supporters();
        List<NodeId> named = new ArrayList<>();
        for (int voter = 0; voter < voters.size(); voter++) {
            if ((supporters & 1 << voter) != 0) {
                named.add(voters.ids().get(voter));
            }
        }
        boolean isNews = !named.equals(support.supporters());
        support = new Support(of, reason, voters.ids(), named);
        if (isNews) {
            monitors.onSupportersChanged(support.supporters());
        }
    }

    private void onConnectionChanged(Connection next, String reason) {
        publishSupport(next, reason);
        connection = next;
        outageLog.onConnectionChanged(next, stepAt);
        // This comes after the state has changed: a listener asks for the state, and must hear the same.
        lastTurn = stepAt;
        // The end of the node has a line of its own, and is no news of the connection.
        if (!isClosed.get()) {
            log.info("node {}: {}: {}", settings.self(), next, reason);
        }
        monitors.onConnectionChanged(next, reason);
        connectionListeners.forEach(listener -> Guard.tell(settings.self(), () -> listener.changed(next)));
    }

    /** The node has stopped by itself: everything that waits for it learns that. */
    private void tellStopped(RuntimeException cause) {
        endWaiting(cause);
        monitors.onStopped(String.valueOf(cause.getMessage()));
        connectionListeners.forEach(listener -> Guard.tell(settings.self(), () -> listener.stopped(cause)));
    }

    /**
     * Handles our own bug, or a machine that fails: ends all tenures, says so, and stops. No promise to the application
     * may be left standing. The part that takes no memory comes first, because there may be none: from then on nobody
     * leads, and callers learn it.
     */
    private void onBug(Throwable bug) {
        boolean wasConnected = connection != Connection.NONE && connection != Connection.LOST;
        failure = nameless;
        connection = wasConnected ? Connection.LOST : connection;
        candidacies.each(END_TENURE);
        endReason = NAMELESS_REASON;
        isLossUntold = wasConnected;
        isStopUntold = true;
        isEndUntold = true;
        try {
            endReason = "internal error: " + bug;
            failure = new IllegalStateException("node " + settings.self() + " has stopped: " + bug, bug);
        } finally {
            NodeLog.lastWords(
                    log, "node {} has stopped by an internal error, all leadership ends", settings.self(), bug);
            tellEnd();
        }
    }

    /**
     * Tells of the end to the listeners that have not been told; is repeated if the machine fails meanwhile. The end of
     * the client, which closes its latches, comes when these know that their tenures have ended.
     */
    private void tellEnd() {
        // Throws where there is no room, because a client that was told half of it might not tell the rest.
        isEndUntold = new byte[ROOM_TO_TELL].length > 0;
        boolean[] isTold = {true};
        candidacies.each(candidacy -> isTold[0] &= candidacy.abandon(endReason));
        if (!isTold[0]) {
            return;
        }
        if (isLossUntold) {
            onConnectionChanged(Connection.LOST, endReason);
            isLossUntold = false;
        }
        if (isStopUntold) {
            tellStopped(failure == null ? nameless : failure);
            isStopUntold = false;
        }
        isEndUntold = false;
    }

    // ---------------------------------------------------------------- the application's threads

    @Override
    public Clock clock() {
        return clock;
    }

    @Override
    public NodeId self() {
        return settings.self();
    }

    @Override
    public String clusterId() {
        return settings.clusterId();
    }

    @Override
    public Connection connection() {
        Connection last = connection;
        return isStuck(turnAge()) && last != Connection.NONE ? Connection.LOST : last;
    }

    @Override
    public Support support() {
        Support last = support;
        Duration age = turnAge();
        return isStuck(age)
                ? new Support(
                        last.connection() == Connection.NONE ? Connection.NONE : Connection.LOST,
                        "the thread of this node has had no turn for " + age.toSeconds() + " s: something blocks it",
                        last.voters(),
                        List.of())
                : last;
    }

    @Override
    public Duration turnAge() {
        long last = lastTurn;
        return last == NEVER || failure != null
                ? Duration.ZERO
                : Duration.ofNanos(Math.max(0, clock.nanoTime() - last));
    }

    /** After so long without a turn no support holds, although the node has not noticed that yet. */
    private boolean isStuck(Duration turnAge) {
        return turnAge.toNanos() > settings.lease().support();
    }

    @Override
    public Optional<RuntimeException> failure() {
        return Optional.ofNullable(failure);
    }

    @Override
    public void addConnectionListener(ConnectionListener listener) {
        connectionListeners.add(Objects.requireNonNull(listener, "listener"));
    }

    @Override
    public void addMonitor(ClientMonitor monitor, UnaryOperator<String> inClient) {
        mailbox.post(() -> {
            if (over().isEmpty()) {
                monitors.add(monitor, inClient, clock.nanoTime(), node, facts);
            }
        });
    }

    @Override
    public void removeMonitor(ClientMonitor monitor) {
        mailbox.post(() -> monitors.remove(monitor));
    }

    private final class Facts implements Monitors.Facts {

        @Override
        public Support support() {
            return support;
        }

        @Override
        public List<Tenure> tenures() {
            List<Tenure> tenures = new ArrayList<>();
            candidacies.each(candidacy -> candidacy.current().ifPresent(tenures::add));
            return tenures;
        }

        @Override
        public boolean hears(NodeId voter) {
            return post.hears(voter, clock.nanoTime());
        }

        @Override
        public Map<String, Long> dropped() {
            Map<String, Long> dropped = post.droppedByReason();
            dropped.put("unread", mailbox.dropped());
            return dropped;
        }
    }

    @Override
    public Candidacy contend(String path, String participantId, ContenderListener listener) {
        checkLength("path", path, NodeMessage.PATH_MAX);
        checkLength("participant id", participantId, ContenderRecord.PARTICIPANT_ID_MAX);
        DriverCandidacy candidacy = new DriverCandidacy(
                candidacyDriver, numbers.incrementAndGet(), path, Objects.requireNonNull(listener, "listener"));
        mailbox.post(() -> {
            candidacies.put(candidacy.number(), candidacy);
            step(new NodeEvent.Contend(path, candidacy.number(), participantId));
        });
        return candidacy;
    }

    private static void checkLength(String what, String value, int bytesMax) {
        int bytes = value.getBytes(StandardCharsets.UTF_8).length;
        Check.argument(bytes <= bytesMax, "%s of %d bytes: must be at most %d", what, bytes, bytesMax);
    }

    @Override
    public CompletionStage<PathView> view(String path) {
        checkLength("path", path, NodeMessage.PATH_MAX);
        return views.view(path);
    }

    @Override
    public void unwatch(String path) {
        views.unwatch(path);
    }

    @Override
    public void observe(String path, ViewListener listener) {
        checkLength("path", path, NodeMessage.PATH_MAX);
        views.observe(path, listener);
    }

    @Override
    public void unobserve(String path, ViewListener listener) {
        views.unobserve(path, listener);
    }

    @Override
    public void standBy(Supplier<Optional<String>> reason) {
        mailbox.post(() -> step(new NodeEvent.StandBy(reason.get())));
    }

    @Override
    public void priority(IntSupplier value) {
        mailbox.post(() -> step(new NodeEvent.Priority(value.getAsInt())));
    }

    @Override
    public OptionalInt misplaced() {
        int count = 0;
        OptionalLong after = OptionalLong.of(0);
        while (after.isPresent()) {
            long from = after.getAsLong();
            Optional<Misplaced> part = mailbox.ask(() -> node.misplaced(from));
            if (part.isEmpty()) {
                return OptionalInt.empty();
            }
            count += part.get().count();
            after = part.get().rest();
        }
        return OptionalInt.of(count);
    }

    @Override
    public Duration heartbeat() {
        return Duration.ofNanos(settings.lease().heartbeat());
    }

    @Override
    public Optional<Instant> certificateEnd() {
        try {
            return transport.certificateEnd();
        } catch (Throwable e) {
            // Justification: catches everything. The transport is foreign code; if it throws, it does not know.
            return Optional.empty();
        }
    }

    @Override
    public List<Problem> problems() {
        List<Problem> all = new ArrayList<>(problems.list());
        if (writes.get() > 0
                && stepAt - writesSince
                        >= StepContext.SUPPORTS_KEPT * settings.lease().support()) {
            all.add(new Problem(Problem.Kind.TERMS, TERMS_NOT_STORED + "the disk has not answered"));
        }
        try {
            all.addAll(transport.problems());
        } catch (Throwable e) {
            // Justification: catches everything. The transport is foreign code; if it throws, it does not know.
        }
        return List.copyOf(all);
    }

    @Override
    public String describe() {
        return mailbox.ask(() -> (failure == null ? node.describe() : "stopped: " + failure.getMessage())
                        + ", frames dropped " + post.dropped() + " and " + mailbox.dropped() + " unread, held back "
                        + post.refused()
                        + certificateEnd()
                                .map(end -> ", certificate ends at " + end)
                                .orElse(""))
                .map(text -> withBacklog(text, ", "))
                .orElse("node " + settings.self() + ": not running");
    }

    /** Callbacks that wait for a thread may belong to any node of the process. */
    private static String withBacklog(String text, String separator) {
        String backlog = CallbackPool.SHARED.backlog();
        return backlog.isEmpty() ? text : text + separator + backlog;
    }

    // ---------------------------------------------------------------- what a candidacy asks

    /** An event of a contender, which is forgotten once it has left. */
    private final class Posted implements Runnable {
        private final NodeEvent event;

        Posted(NodeEvent event) {
            this.event = event;
        }

        @Override
        public void run() {
            step(event);
            if (event instanceof NodeEvent.Withdraw left) {
                candidacies.remove(left.number());
                transfers.onLeft(left.number());
            }
        }
    }

    private final class Candidacies implements DriverCandidacy.Driver {

        @Override
        public NodeId self() {
            return settings.self();
        }

        /** Gives the node an event, on the driver's thread, if it still runs. */
        @Override
        public void post(NodeEvent event) {
            mailbox.post(new Posted(event));
        }

        @Override
        public CompletionStage<Void> transferTo(DriverCandidacy candidacy, String participantId) {
            return transfers.request(candidacy.number(), candidacy.path(), participantId);
        }

        @Override
        public Situation explain(long number) {
            return mailbox.ask(() -> node.explain(number))
                    .map(s -> new Situation(
                            Problems.added(withBacklog(s.reason(), "; "), problems()),
                            s.path(),
                            s.leaseEnd(),
                            s.supporters(),
                            s.voters()))
                    .orElseGet(() -> Situation.outside("its client is not running"));
        }
    }
}
