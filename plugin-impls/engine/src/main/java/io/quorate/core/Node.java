package io.quorate.core;

import io.quorate.DuplicateNodeException;
import io.quorate.core.message.ContenderId;
import io.quorate.core.message.ContenderRecord;
import io.quorate.core.message.NodeMessage;
import io.quorate.core.message.SupportMessage.Ack;
import io.quorate.core.message.SupportMessage.Configuration;
import io.quorate.core.message.SupportMessage.Goodbye;
import io.quorate.core.message.SupportMessage.Heartbeat;
import io.quorate.core.message.VotersMessage.DecidedVoters;
import io.quorate.core.message.VotersMessage.VotersWanted;
import io.quorate.core.path.ContendedPaths;
import io.quorate.core.path.Preemption.Misplaced;
import io.quorate.core.settings.NodeSettings;
import io.quorate.core.step.Jitter;
import io.quorate.core.step.NodeEffect;
import io.quorate.core.step.NodeEvent;
import io.quorate.core.step.StepContext;
import io.quorate.core.step.Timers;
import io.quorate.core.step.Trace;
import io.quorate.core.support.Configurations;
import io.quorate.core.support.ConnectionTracker;
import io.quorate.core.support.Heartbeats;
import io.quorate.core.support.NodeLiveness;
import io.quorate.core.support.SupportGiven;
import io.quorate.core.support.SupportHeld;
import io.quorate.core.support.TakenPlaces;
import io.quorate.core.vote.OwnVote;
import io.quorate.core.voters.PaxosState;
import io.quorate.core.voters.VoterList;
import io.quorate.core.voters.VoterPlaces;
import io.quorate.engine.Connection;
import io.quorate.engine.PathView;
import io.quorate.engine.Situation;
import io.quorate.spi.Check;
import io.quorate.spi.ElectionAlgorithm;
import io.quorate.spi.NodeId;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * One node: support, ballots, the directory of contenders and contended paths tied together. Deterministic and
 * single-threaded: the same events at the same times give the same effects. The production driver and the simulator
 * drive it alike.
 *
 * <p>Every step reads the time once. It first ends tenures whose lease is over, then handles its event, then runs the
 * timers that are due, and last evaluates paths that have changed. Of very many tenures or paths it takes some, and the
 * next step follows at once (ADR-0098). Messages that overtake others leave the paths to the next step.
 */
public final class Node {

    /**
     * Paths that a closing node leaves at once: what it says of them is about one full frame to each of three voters.
     */
    private static final int FAREWELLS_PER_STEP = 128;

    /**
     * Paths that are worked at in one step for what happened before, so that with thousands of them heartbeats pass.
     */
    static final int PATHS_PER_WAKE = 512;

    /** The same for other events: a frame may have hundreds of them, and heartbeats wait behind it. */
    private static final int PATHS_PER_EVENT = 8;

    /** Batches that a node sends to its own voter, and that voter to the node, at once. */
    private static final int BATCHES_PER_DRAIN = 4;

    private final StepContext context;
    private final Authority authority;
    private final KnownVoters knownVoters;
    private final SupportGiven support;
    private final SupportHeld supportHeld;
    private final NodeLiveness liveness;
    private final ContendedPaths paths;
    private final ConnectionTracker connectionTracker;
    private final TakenPlaces takenPlaces;
    private final Heartbeats heartbeats;
    private final Configurations configurations;
    /** The parts of a voter; whether this node votes is a matter of the list. */
    private final Optional<Voter> voterPart;

    private final Acceptor acceptor;
    private final Coordinator coordinator;
    private final OwnVote ownVote;
    private final Events events = new Events();
    private final Parts receivers = new Parts();

    private Optional<String> stopped = Optional.empty();
    private boolean isStarted;

    private final class OwnNode implements Voter.Owner {

        @Override
        public void onQuarantineOver() {
            supportSelf();
        }

        @Override
        public void onSilenced() {
            supportHeld.boundSelf();
        }

        @Override
        public boolean standBack(ContenderId own) {
            return paths.standBack(own);
        }

        @Override
        public void onLeft(String path, ContenderRecord gone) {
            paths.onLeft(path, gone);
        }
    }

    /** A node that does nothing before {@link #start}. */
    public Node(NodeSettings settings, ElectionAlgorithm algorithm, Birth birth, Jitter jitter) {
        this(settings, algorithm, birth, jitter, Trace.NONE);
    }

    /** The same; {@code trace} is told what its contenders do. */
    public Node(NodeSettings settings, ElectionAlgorithm algorithm, Birth birth, Jitter jitter, Trace trace) {
        context = new StepContext(settings, algorithm, jitter, trace, birth.incarnation());
        VoterList initial = KnownVoters.initial(settings, birth.paxos());
        if (initial.number() != context.voters().number()) {
            context.begin(initial, birth.store());
        }
        authority = new Authority(context);
        support = new SupportGiven(context);
        supportHeld = new SupportHeld(context);
        liveness = new NodeLiveness(context, peer -> paths().onUpChanged(peer));
        connectionTracker = new ConnectionTracker(context, supportHeld, liveness);
        takenPlaces = new TakenPlaces(context);
        knownVoters = new KnownVoters(context, authority, connectionTracker);
        heartbeats = new Heartbeats(context, supportHeld, liveness, birth.isDurable(), this::heartbeat);
        configurations = new Configurations(context, birth.isDurable());
        coordinator = new Coordinator(context, this::onDecided);
        acceptor = new Acceptor(
                context,
                birth.store(),
                birth.paxos()
                        .filter(paxos -> paxos.config().hash() == initial.hash())
                        .orElse(PaxosState.at(initial)),
                birth.paxos().isPresent(),
                new OwnAcceptor());
        voterPart = settings.isVoter() || birth.store() != 0
                ? Optional.of(new Voter(
                        context, support, liveness, heartbeats, configurations, birth.termCeiling(), new OwnNode()))
                : Optional.empty();
        ownVote = new OwnVote(context::isVoter, voterPart);
        paths = new ContendedPaths(
                context,
                supportHeld,
                liveness,
                connectionTracker,
                heartbeats,
                ownVote,
                voterPart.map(Voter::directory));
    }

    private Optional<Voter> voter() {
        return context.isVoter() ? voterPart : Optional.empty();
    }

    private final class OwnAcceptor implements Acceptor.Owner {

        @Override
        public void onTold(NodeId from, VoterList later) {
            Node.this.onTold(from, later);
        }

        @Override
        public long olderSupport() {
            return Math.max(quarantineLeft(), knownVoters.olderSupport());
        }

        @Override
        public long quarantineLeft() {
            return voterPart.map(Voter::quarantineLeft).orElse(0L);
        }

        @Override
        public Optional<String> exclusion() {
            return knownVoters.exclusion();
        }

        @Override
        public void onLeftOpen(VoterList value) {
            coordinator.onLeftOpen(value);
        }

        @Override
        public long termMax() {
            return voterPart.map(Voter::termMax).orElse(0L);
        }
    }

    /** The first step; called once, when the term store is locked. From here a voter's quarantine counts. */
    public List<NodeEffect> start(long now) {
        Check.state(!isStarted, "node %s: was started before", context.self());
        isStarted = true;
        context.setNow(now);
        voterPart.ifPresent(Voter::start);
        knownVoters.noteUnnamed();
        heartbeat();
        return finishStep(PATHS_PER_WAKE);
    }

    /** Handles one event. After {@link NodeEvent.Close}, or when the node has failed, nothing has an effect. */
    public List<NodeEffect> step(long now, NodeEvent event) {
        Check.state(isStarted, "node %s: has not been started", context.self());
        if (stopped.isPresent()) {
            return List.of();
        }
        Check.state(now - context.now() >= 0, "time %d: must not be before %d", now, context.now());
        boolean stoodStill = now - context.now() > context.lease().support();
        context.setNow(now);
        // No voter could refuse a sole voter, and its leases have no end.
        if (stoodStill && context.voterCount() > 1) {
            voterPart.ifPresent(Voter::onStoodStill);
        }
        int pathsMax = event instanceof NodeEvent.Wake ? PATHS_PER_WAKE : PATHS_PER_EVENT;
        paths.tenures().endOverdue(pathsMax);
        updateConnection();
        event.dispatch(events);
        return finishStep(isOvertaking(event) ? 0 : pathsMax);
    }

    private static boolean isOvertaking(NodeEvent event) {
        return event instanceof NodeEvent.Received received
                && received.message().overtakes();
    }

    /** @param pathsMax 0 if the paths wait for the next step: more messages that leases depend on follow */
    private List<NodeEffect> finishStep(int pathsMax) {
        drain();
        if (stopped.isEmpty()) {
            if (context.timers().run(context.now())) {
                drain();
            }
            if (pathsMax > 0) {
                boolean hadWork = hasWork();
                if (voterPart.isPresent()) {
                    voterPart.get().directory().work(pathsMax);
                }
                paths.work(pathsMax);
                if (hadWork) {
                    drain();
                }
            }
        }
        return context.takeEffects();
    }

    private boolean hasWork() {
        return paths.hasWork()
                || voterPart.isPresent() && voterPart.get().directory().hasWork();
    }

    /**
     * Handles the messages of this node to itself, and sends what is in the outboxes. Its own voter gets a few batches
     * per step: with thousands of paths the rest follows in the next steps, and heartbeats pass in between.
     */
    private void drain() {
        int rounds = 0;
        do {
            for (NodeMessage own = context.pollToSelf(); own != null; own = context.pollToSelf()) {
                // The word of this node's own voter is void if this node no longer votes, as with any other node.
                if (own.sender() != NodeMessage.Sender.VOTER || context.isVoter()) {
                    own.dispatch(receivers, context.self(), context.incarnation());
                }
            }
            if (stopped.isEmpty()) {
                paths.directoryClient().flush();
                voterPart.ifPresent(v -> v.directory().flush());
            }
        } while (context.hasToSelf() && ++rounds < BATCHES_PER_DRAIN);
    }

    /** When to step with {@link NodeEvent.Wake} if nothing else happens before. */
    public long nextWake() {
        if (stopped.isPresent()) {
            return context.now() + Timers.NEVER;
        }
        if (hasWork() || context.hasToSelf() || supportHeld.hasOverdueLease()) {
            return context.now();
        }
        long next = context.timers().next(context.now() + context.lease().heartbeat());
        return connectionTracker.nextEnd(supportHeld.nextLeaseEnd(next));
    }

    // ---------------------------------------------------------------- events

    private final class Events implements NodeEvent.Handler {

        @Override
        public void on(NodeEvent.Wake wake) {
            // Every step does what is due.
        }

        @Override
        public void on(NodeEvent.Received received) {
            if (authority.believes(received.from(), received.incarnation(), received.message())) {
                received.message().dispatch(receivers, received.from(), received.incarnation());
            } else if (received.message() instanceof DecidedVoters decided) {
                knownVoters.onNotBelieved(received.from(), decided.config());
            }
        }

        @Override
        public NodeEvent.ToContenders contenders() {
            return paths;
        }

        @Override
        public void on(NodeEvent.TermsReserved reserved) {
            voterPart.ifPresent(v -> v.terms().onReserved(reserved.upTo()));
        }

        @Override
        public void on(NodeEvent.ReserveFailed failed) {
            voterPart.ifPresent(v -> v.terms().onFailed(failed.reason()));
        }

        @Override
        public void on(NodeEvent.OwnIdHeard heard) {
            // This proves no second process: a node sends nothing to itself, so the frame is forged, or an address is
            // wrong.
            context.noteOnce(
                    "own id",
                    context.self(),
                    "a frame came from this node's own id with incarnation %d (this"
                            + " one is %d): another process runs under the id, or forges it; it is not believed",
                    heard.incarnation(),
                    context.incarnation());
        }

        @Override
        public void on(NodeEvent.PlaceTaken taken) {
            if (takenPlaces.isBelieved(taken.by())) {
                boolean isYoung = voter().map(Voter::isYoung).orElse(connectionTracker.connection() == Connection.NONE);
                if (takenPlaces.onTaken(taken.by(), isYoung, taken.isRecent())) {
                    failAsDuplicate(taken.life());
                } else {
                    voterPart.ifPresent(Voter::onPlaceTaken);
                }
            }
        }

        @Override
        public void on(NodeEvent.ForeignFrames frames) {
            configurations.onForeignFrames(frames);
        }

        @Override
        public void on(NodeEvent.ChangeVoters change) {
            coordinator.onChange(change);
        }

        @Override
        public void on(NodeEvent.PaxosStateStored stored) {
            acceptor.onStored(stored.paxos());
        }

        @Override
        public void on(NodeEvent.PaxosStateFailed failed) {
            acceptor.onFailed(failed.reason());
        }

        @Override
        public void on(NodeEvent.Close closing) {
            close();
        }
    }

    /**
     * The first of these events ends all tenures, and none begins any more. The contenders leave in portions, one with
     * this event and one with each that follows: with thousands of paths their messages are more than a link takes at
     * once. The goodbye is last, and then this node has stopped.
     */
    private void close() {
        if (paths.withdrawSome(FAREWELLS_PER_STEP)) {
            drain();
            Set<NodeId> told = new TreeSet<>(context.voters().ids());
            told.addAll(authority.left());
            told.forEach(peer -> context.send(peer, new Goodbye()));
            stop("closed");
        }
    }

    /** Whether events have no effect any more: the node has failed, or has said goodbye after a close. */
    public boolean isStopped() {
        return stopped.isPresent();
    }

    private void stop(String reason) {
        coordinator.stop();
        stopped = Optional.of(reason);
        support.silence();
        connectionTracker.end(reason);
    }

    /** ADR-0004: two processes run under one id. This one stops voting and leading, and says so. */
    private void failAsDuplicate(long other) {
        DuplicateNodeException cause = new DuplicateNodeException(context.self(), context.incarnation(), other);
        paths.endAll("a second process runs under this node's id");
        stop("a second process runs under this node's id");
        context.emit(new NodeEffect.Failed(cause));
    }

    // ---------------------------------------------------------------- layer 1: heartbeats and what follows from them

    private void heartbeat() {
        heartbeats.begin();
        // Heartbeats come first: they tell who is up, and whether this node is connected.
        liveness.recount();
        updateConnection();
        // Questions to voters that recur once per period leave with the heartbeats, in the same frame; of very many,
        // some.
        paths.tenures().repair();
        paths.makeWay();
        // Acknowledgements between voters that only wait leave with the heartbeats.
        voter().ifPresent(v -> context.voters().ids().forEach(v.granter()::acknowledge));
        heartbeats.send(
                connectionTracker.isConnected(),
                paths.claims().isBusy(),
                voter().map(Voter::termMax).orElse(0L));
        voterPart.ifPresent(Voter::onHeartbeatPeriod);
        acceptor.onHeartbeatPeriod();
        knownVoters.ask();
        paths.onHeartbeatPeriod();
    }

    private void onTold(NodeId from, VoterList told) {
        knownVoters.follow(from, told, acceptor.store()).ifPresent(this::onDecided);
    }

    /**
     * The voters have changed: docs/reconfiguration.md, R8. First the tenures whose leases are over end, so only valid
     * tenures are counted in the new list.
     */
    private void onDecided(VoterList decided) {
        VoterList former = context.voters();
        if (!knownVoters.isNext(decided)) {
            return;
        }
        boolean didVote = context.isVoter();
        paths.tenures().endOverdue(paths.tenures().size());
        supportHeld.freeze();
        liveness.freeze();
        VoterPlaces places = context.setVoters(decided, acceptor.store());
        boolean votes = context.isVoter();
        knownVoters.onVoters(former);
        supportHeld.onVoters(places);
        liveness.onVoters(didVote);
        if (didVote && !votes) {
            voterPart.ifPresent(Voter::onVotesNoMore);
        }
        paths.onVoters(places);
        acceptor.learn(decided);
        knownVoters.note(former, didVote);
        context.emit(new NodeEffect.VotersChanged(decided));
        if (votes && !didVote) {
            voterPart.ifPresent(v -> v.terms().start());
            if (!support.isSilent()) {
                supportHeld.believeSelf(support.own());
                onBeliefChanged(context.selfVoter());
            }
        }
        coordinator.onVoters();
        updateConnection();
        // At once: nobody supports this node under its new number before it has heard of that.
        heartbeats.hurry();
    }

    /** The quarantine is over: this voter supports itself from now on. */
    private void supportSelf() {
        supportHeld.believeSelf(support.own());
        onBeliefChanged(context.selfVoter());
        updateConnection();
        // The heartbeats leave now, not a period later: voters whose quarantine is over too answer at once, and a cold
        // start ends sooner.
        heartbeat();
    }

    private void onBeliefChanged(int index) {
        if (paths.onEpoch(index, Objects.requireNonNull(supportHeld.epochOf(index), "epoch"))) {
            liveness.onNewEpoch(index);
        }
        paths.claims().onBeliefChanged();
    }

    private void updateConnection() {
        boolean isChange = connectionTracker.setConnected(supportHeld.isConnected());
        if (isChange && connectionTracker.isConnected()) {
            // The others learn at once, not a period later, that this node is connected: until then it counts as
            // suspected.
            heartbeats.hurry();
        } else if (isChange) {
            // Every tenure ended by itself at this instant. The node gives back the votes that it may still have,
            // and its contenders queue at the tail.
            paths.loseAll("this node has lost the majority of voters");
            supportHeld.renounce();
        }
        liveness.setSelfUp(connectionTracker.isConnected());
        boolean wasOut = connectionTracker.isOut();
        if (connectionTracker.tell()) {
            paths.claims().leadWhatIsBacked();
        }
        if (connectionTracker.isOut() != wasOut) {
            paths.onOutChanged();
        }
        if (isChange && connectionTracker.isConnected()) {
            paths.onConnected();
        }
        if (connectionTracker.isSuspended()) {
            heartbeats.hurryForMajority();
        }
    }

    // ---------------------------------------------------------------- messages

    /** The parts of this node that messages go to. */
    private final class Parts implements NodeMessage.Receivers, NodeMessage.ToNode {

        @Override
        public NodeMessage.ToNode node() {
            return this;
        }

        @Override
        public Optional<Voter> voter() {
            return Node.this.voter();
        }

        @Override
        public ContendedPaths contender() {
            return paths;
        }

        @Override
        public Acceptor acceptor() {
            return acceptor;
        }

        @Override
        public Optional<VoterChange> coordinator() {
            return coordinator.change();
        }

        @Override
        public void onHeartbeat(NodeId from, long incarnation, Heartbeat heartbeat) {
            if (knownVoters.isOfNumber(from, heartbeat)) {
                voter().ifPresent(v -> v.granter().onHeartbeat(from, incarnation, heartbeat));
            }
        }

        @Override
        public void onAck(NodeId from, Ack ack) {
            if (!context.isThisLife(ack.incarnation())) {
                return;
            }
            int index = context.voterIndex(from);
            liveness.onAck(index, ack.sequence(), ack.upVersion(), ack.up());
            ownVote.onTermAcknowledged(ack.termMax());
            if (supportHeld.onAck(index, ack.sequence(), ack.epoch())) {
                onBeliefChanged(index);
            }
            updateConnection();
        }

        @Override
        public void onConfiguration(NodeId from, Configuration configuration) {
            configurations.onConfiguration(from, configuration);
        }

        @Override
        public void onDecidedVoters(NodeId from, DecidedVoters decided) {
            onTold(from, decided.config());
        }

        @Override
        public void onVotersWanted(NodeId from, VotersWanted wanted) {
            knownVoters.tell(from, wanted.number());
        }
    }

    private ContendedPaths paths() {
        return paths;
    }

    // ---------------------------------------------------------------- what the driver asks

    /** The voters, as far as this node knows them. */
    public VoterList voters() {
        return context.voters();
    }

    /**
     * The contenders of the path; empty until another voter has listed them, or if this node neither contends nor
     * watches.
     */
    public Optional<PathView> view(String path) {
        return paths.view(path);
    }

    /** Where the contender stands. */
    public Situation explain(long number) {
        return paths.explain(number, configurations);
    }

    /**
     * Counts the leaders of this node that a contender of a better rank follows, in parts, so that no step takes long.
     *
     * @param after the contender after which to begin; 0 for the first
     */
    public Misplaced misplaced(long after) {
        return paths.misplaced(after);
    }

    /** Each path on which this node contends, or which it watches. */
    public void eachPath(Consumer<String> action) {
        paths.eachPath(action);
    }

    /** Whether this node contends on the path or watches it. */
    public boolean isHere(String path) {
        return paths.isHere(path);
    }

    /** The contender that is known to lead the path: nobody while the majority is lost. */
    public Optional<ContenderRecord> holder(String path) {
        return paths.holder(path);
    }

    /** As {@link SupportHeld#takeMargin}. */
    public OptionalLong takeMargin() {
        return supportHeld.takeMargin();
    }

    /**
     * The voters that are believed to support this node: bit i is the voter with index i. None after the node has
     * stopped.
     */
    public int supporters() {
        return stopped.isPresent() ? 0 : supportHeld.supporterBits();
    }

    /** State, voters and support, for logs and error messages. */
    public String describe() {
        return "node " + context.self() + " of cluster '" + context.settings().clusterId() + "': "
                + stopped.orElse(connectionTracker.connection().toString())
                + knownVoters.describe(supportHeld.supporters())
                + voter().map(Voter::describe).orElse("")
                + paths.directoryClient().describe()
                + takenPlaces.describe()
                + configurations.describe().map(", "::concat).orElse("")
                + ", leads " + paths.tenures().size() + " paths";
    }

    // ---------------------------------------------------------------- what the kit and tests ask

    /** Where this node stands with the voters. */
    public Connection connection() {
        return connectionTracker.connection();
    }

    /** The name of this life of the node. */
    public long incarnation() {
        return context.incarnation();
    }

    /** Whether the node is up: it was heard within three heartbeats, and reaches a majority of voters. */
    boolean isUp(NodeId node) {
        return liveness.isUp(node);
    }

    /** The number of paths of which this node keeps a ballot or registrations; 0 if it does not vote. */
    public int pageCount() {
        return voter().map(v -> v.directory().size()).orElse(0);
    }

    /**
     * The number of other nodes to which this voter gives or gave support, as far as it remembers; 0 if it does not
     * vote.
     */
    public int nodesKnown() {
        return support.size();
    }

    /** The number of messages that were not believed, for any reason. */
    public long messagesRefused() {
        return authority.refused();
    }

    /** Whether this node votes under the list that it knows. */
    public boolean votes() {
        return context.isVoter();
    }

    /** How many timers are pending: bounded by the number of voters, contenders and elections. */
    public int pendingTimers() {
        return context.timers().size();
    }
}
