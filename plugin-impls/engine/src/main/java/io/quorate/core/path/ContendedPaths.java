package io.quorate.core.path;

import io.quorate.core.collection.LongMap;
import io.quorate.core.directory.ContenderDirectory;
import io.quorate.core.directory.DirectoryClient;
import io.quorate.core.directory.RankedContenders;
import io.quorate.core.election.Elections;
import io.quorate.core.message.ContenderId;
import io.quorate.core.message.ContenderRecord;
import io.quorate.core.message.DirectoryMessage.Item;
import io.quorate.core.message.DirectoryMessage.Listings;
import io.quorate.core.message.DirectoryMessage.ListingsAck;
import io.quorate.core.message.DirectoryMessage.RegistrationsAck;
import io.quorate.core.message.NodeMessage;
import io.quorate.core.message.SupportMessage.Refused;
import io.quorate.core.message.VoteMessage.Challenge;
import io.quorate.core.message.VoteMessage.Elect;
import io.quorate.core.message.VoteMessage.Handover;
import io.quorate.core.message.VoteMessage.Nack;
import io.quorate.core.message.VoteMessage.Vote;
import io.quorate.core.path.ContenderState.Aside;
import io.quorate.core.path.ContenderState.Gone;
import io.quorate.core.path.ContenderState.Joining;
import io.quorate.core.path.ContenderState.Out;
import io.quorate.core.path.ContenderState.Placed;
import io.quorate.core.path.ContenderState.Resting;
import io.quorate.core.path.Preemption.Misplaced;
import io.quorate.core.step.NodeEffect;
import io.quorate.core.step.NodeEvent;
import io.quorate.core.step.StepContext;
import io.quorate.core.support.Configurations;
import io.quorate.core.support.ConnectionTracker;
import io.quorate.core.support.Heartbeats;
import io.quorate.core.support.NodeLiveness;
import io.quorate.core.support.SupportHeld;
import io.quorate.core.vote.OwnVote;
import io.quorate.core.voters.VoterPlaces;
import io.quorate.engine.Epoch;
import io.quorate.engine.PathView;
import io.quorate.engine.Situation;
import io.quorate.engine.Tenure;
import io.quorate.spi.Check;
import io.quorate.spi.NodeId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** Events of the application and of the voters on the paths on which this node contends, or which it watches. */
public final class ContendedPaths implements NodeMessage.ToContender, NodeEvent.ToContenders {

    /** Why the contenders of a node that closes leave. */
    private static final String CLOSED = "its client was closed";

    private static final String SENT_BACK = "the application sent it back";

    private final StepContext context;
    private final SupportHeld supportHeld;
    private final ConnectionTracker connectionTracker;
    private final OwnVote ownVote;
    private final Optional<? extends ContenderDirectory<?>> directory;
    private final PathTable paths;
    private final DirectoryClient directoryClient;
    private final Votes votes;
    private final Tenures tenures;
    private final Claims claims;
    private final Elections elections;
    private final Succession succession;
    private final Preemption preemption;
    private final Departures departures;
    private final Explainer explainer;

    private boolean isClosed;
    /** The contender that has left last since then. */
    private long withdrawn = LongMap.BEFORE_ALL;

    /** @param directory what this node keeps as a voter; empty if it does not vote */
    public ContendedPaths(
            StepContext context,
            SupportHeld supportHeld,
            NodeLiveness liveness,
            ConnectionTracker connectionTracker,
            Heartbeats heartbeats,
            OwnVote ownVote,
            Optional<? extends ContenderDirectory<?>> directory) {
        this.context = context;
        this.supportHeld = supportHeld;
        this.connectionTracker = connectionTracker;
        this.ownVote = ownVote;
        this.directory = directory;
        paths = new PathTable(context, supportHeld);
        directoryClient = paths.directoryClient();
        votes = new Votes(context, paths, supportHeld, ownVote);
        claims = new Claims(context, paths, supportHeld, connectionTracker, heartbeats, ownVote, votes);
        tenures = claims.tenures();
        preemption = new Preemption(context, liveness, paths, tenures);
        elections = new Elections(context, liveness, claims.pace()::timing);
        explainer = new Explainer(context, paths, directoryClient, supportHeld, connectionTracker, preemption);
        succession = new Succession(context, liveness, connectionTracker, ownVote, elections, claims);
        departures = new Departures(context, liveness, paths, tenures, succession, preemption);
    }

    /** The client that registers this node's contenders with the voters. */
    public DirectoryClient directoryClient() {
        return directoryClient;
    }

    /** The tenures of this node's contenders. */
    public Tenures tenures() {
        return tenures;
    }

    /** The claims of this node's contenders. */
    public Claims claims() {
        return claims;
    }

    /** Where the contender stands. */
    public Situation explain(long number, Configurations configurations) {
        return paths.contender(number)
                .map(contender -> explainer.of(contender, configurations))
                .orElseGet(() -> Situation.outside("it does not contend"));
    }

    /** Counts the leaders that a contender of a better rank follows, among the contenders after this one. */
    public Misplaced misplaced(long after) {
        return preemption.misplaced(after);
    }

    /**
     * The contenders of the path; empty until another voter has listed them, or if the node neither contends nor
     * watches.
     */
    public Optional<PathView> view(String path) {
        return paths.find(path)
                .filter(ContendedPath::isKnown)
                .map(contended -> contended.view(explainer.knownLeader(contended)));
    }

    /** Each path on which this node contends, or which it watches. */
    public void eachPath(Consumer<String> action) {
        paths.all().forEach(contended -> action.accept(contended.path));
    }

    /** Whether this node contends on the path or watches it. */
    public boolean isHere(String path) {
        return paths.isHere(path);
    }

    /** The contender that is known to lead the path. */
    public Optional<ContenderRecord> holder(String path) {
        return paths.find(path).flatMap(explainer::knownLeader);
    }

    private ContendedPath contended(String path) {
        return paths.findOrAdd(path, p -> {
            directory.ifPresent(d -> d.adopt(p));
            return new ContendedPath(context, paths.beginnings(), p);
        });
    }

    // ---------------------------------------------------------------- what the application does

    /** A contender joins the path. */
    @Override
    public void onContend(NodeEvent.Contend event) {
        if (isClosed) {
            return;
        }
        Check.argument(paths.contenders().get(event.number()) == null, "contender %d: exists already", event.number());
        LocalContender contender = new LocalContender(
                event.path(),
                event.number(),
                event.participantId(),
                preemption.weight(event.path()),
                context.voterCount());
        contender.ranksLast = preemption.ranksLast(contender);
        paths.contenders().put(event.number(), contender);
        contended(event.path()).add(contender);
        directoryClient.joined(event.path(), event.number());
        paths.changed(contender);
    }

    /** The contender's tenure goes to a successor, and the contender leaves the path. */
    @Override
    public void onWithdraw(NodeEvent.Withdraw event) {
        if (isClosed) {
            // Before its portion: who has withdrawn hears of nothing any more.
            paths.contender(event.number()).ifPresent(contender -> leave(contender.path));
            return;
        }
        Optional<LocalContender> contender = acting(event.number());
        if (contender.isPresent()) {
            withdraw(contender.get(), "it was closed");
        }
    }

    /** The contender, whose tenure is not over; empty if this node closes, which hands over what each of them was. */
    private Optional<LocalContender> acting(long number) {
        Optional<LocalContender> contender = isClosed ? Optional.empty() : paths.contender(number);
        if (contender.isPresent()) {
            tenures.endIfOverdue(contender.get());
        }
        return contender;
    }

    private void withdraw(LocalContender contender, String reason) {
        ContendedPath contended = paths.of(contender);
        claims.end(contender, new Gone(reason), succession.likelySuccessor(contended, contender));
        contended.remove(contender);
        contended.ownChanged();
        preemption.endSpell(contender);
        paths.contenders().remove(contender.number);
        directoryClient.left(contender.path, contender.number);
        // Forgets the path at once, so that it has no election and no timer.
        succession.evaluate(contended);
        paths.forgetIfUnused(contended);
    }

    /**
     * All contenders leave, so many with each call, and none joins, claims or leads from the first call on. Every
     * tenure ends before anything is told. On each path the one that leads is last, so that no contender of this node
     * is named as its successor. Answers whether all have left.
     */
    public boolean withdrawSome(int max) {
        if (!isClosed) {
            isClosed = true;
            paths.contenders().each(contender -> contender.candidate.tenure().ifPresent(Tenure::end));
            claims.claiming().forEach(contender -> leave(contender.path));
        }
        for (LocalContender next : paths.contenders().after(withdrawn, max)) {
            withdrawn = next.number;
            leave(next.path);
        }
        return paths.contenders().size() == 0;
    }

    /** All contenders of the path that have not left yet. */
    private void leave(String path) {
        Optional<ContendedPath> contended = paths.find(path);
        if (contended.isEmpty()) {
            return;
        }
        List<LocalContender> leading = new ArrayList<>(1);
        for (LocalContender contender : contended.get().own()) {
            if (contender.isLeading()) {
                leading.add(contender);
            } else {
                withdraw(contender, CLOSED);
            }
        }
        leading.forEach(contender -> withdraw(contender, CLOSED));
    }

    /** The application sends the contender back into the queue. */
    @Override
    public void onRejoin(NodeEvent.Rejoin event) {
        paths.contender(event.number()).ifPresent(contender -> {
            if (contender.state() instanceof Out) {
                contender.become(context, new Joining(SENT_BACK));
                paths.changed(contender);
            } else if (contender.state() instanceof Aside) {
                contender.become(context, new Resting(SENT_BACK));
                paths.changed(contender);
                context.agenda().add(contender.path);
            }
        });
    }

    /** The application found the tenure over, or ended it. No effect if it is not the contender's present one. */
    @Override
    public void onTenureSeenEnded(NodeEvent.TenureSeenEnded event) {
        acting(event.number())
                .filter(c -> Departures.leads(c, event.tenure()))
                .ifPresent(c -> tenures.takeOut(c, new Aside("it was given up"), Optional.empty()));
    }

    /** The leader gives up: the next in rank follows, and it queues behind all others when it is sent back. */
    @Override
    public void onResign(NodeEvent.Resign event) {
        acting(event.number())
                .filter(c -> Departures.leads(c, event.tenure()))
                .ifPresent(c -> tenures.takeOut(c, new Out("it resigned"), succession.likelySuccessor(paths.of(c), c)));
    }

    /** The application finishes its work, or no longer, before a tenure of the contender ends on purpose. */
    @Override
    public void onDrains(NodeEvent.Drains event) {
        paths.contender(event.number()).ifPresent(contender -> contender.drains = event.wanted());
    }

    /** As {@link Departures#onLeave}. */
    @Override
    public void onLeave(NodeEvent.Leave event) {
        acting(event.number()).ifPresent(c -> departures.onLeave(c, event));
    }

    /** As {@link Departures#onDrained}. */
    @Override
    public void onDrained(NodeEvent.Drained event) {
        acting(event.number()).ifPresent(c -> departures.onDrained(c, event));
    }

    /** As {@link Preemption#standBy}. */
    @Override
    public void onStandBy(NodeEvent.StandBy event) {
        if (!isClosed) {
            preemption.standBy(event);
        }
    }

    /** As {@link Preemption#priority}. */
    @Override
    public void onPriority(NodeEvent.Priority event) {
        preemption.priority(event);
    }

    /** As {@link Preemption#rankLast}. */
    @Override
    public void onRankLast(NodeEvent.RankLast event) {
        preemption.rankLast(event);
    }

    /** Some of the leaders of this node make way, if others are ranked better; called at each heartbeat. */
    public void makeWay() {
        if (!isClosed) {
            preemption.makeWay();
        }
    }

    /** As {@link Departures#onTransferTo}. */
    @Override
    public void onTransferTo(NodeEvent.TransferTo event) {
        departures.onTransferTo(acting(event.number()).filter(LocalContender::isLeading), event);
    }

    /** The application wants to know who contends on a path, or no longer. */
    @Override
    public void onWatchPath(NodeEvent.WatchPath event) {
        ContendedPath contended = contended(event.path());
        if (contended.isWatched != event.wanted()) {
            boolean isNew = !contended.isListening();
            contended.isWatched = event.wanted();
            directoryClient.watchChanged(event.path(), isNew);
        }
        paths.forgetIfUnused(contended);
    }

    // ---------------------------------------------------------------- what happens to tenures

    /** This node stops at once and for good: nothing is handed over. */
    public void endAll(String reason) {
        paths.contenders().forEach(c -> claims.end(c, new Gone(reason), Optional.empty()));
    }

    /**
     * The node lost its majority: contenders that led are out, and those that waited wait at the tail. A contender that
     * leads by the time at which its path is looked at may have begun to since.
     */
    public void loseAll(String reason) {
        paths.begin("loss", contended -> {
            lose(contended, reason);
            context.agenda().add(contended.path);
        });
    }

    private void lose(ContendedPath contended, String reason) {
        for (LocalContender contender : contended.own()) {
            if (contender.isLeading()) {
                if (tenures.isOver(contender)) {
                    tenures.takeOut(contender, new Out(reason), Optional.empty());
                }
            } else if (contender.state() instanceof Placed) {
                claims.end(contender, new Joining(reason), Optional.empty());
                paths.changed(contender);
            } else if (contender.state() instanceof Aside) {
                contender.become(context, new Out(reason));
            }
        }
    }

    /**
     * This node no longer knows who leads, or knows it again: its application looks at the paths anew. A voter's word
     * from before that is stale while the voter is silent; when it is back, it tells everything anew.
     */
    public void onOutChanged() {
        if (!connectionTracker.isOut()) {
            supportHeld.renounceSilent(0);
            for (int voter = 0; voter < context.voterCount(); voter++) {
                if (!supportHeld.believes(voter)) {
                    paths.beginnings().add(voter);
                }
            }
        }
        paths.begin("views", contended -> context.emit(new NodeEffect.ViewChanged(contended.path)));
    }

    // ---------------------------------------------------------------- what the voters say

    /** The voter supports this node in a new epoch: it has forgotten everything. Answers whether that was so. */
    public boolean onEpoch(int voter, Epoch epoch) {
        boolean isNew = directoryClient.onEpoch(voter, epoch);
        if (isNew) {
            paths.registerAll(voter);
        }
        return isNew;
    }

    /** The voters have changed. */
    public void onVoters(VoterPlaces places) {
        paths.all().forEach(contended -> contended.onVoters(places));
        for (LocalContender contender : paths.contenders()) {
            contender.candidate.onVoters(places, context.voterCount());
        }
        claims.onVoters();
        paths.evaluateAll();
    }

    /**
     * A voter tells what it lists. This counts, and is acknowledged, only in the epoch in which this node is being
     * told.
     */
    @Override
    public void onListings(NodeId from, Listings listings) {
        int voter = context.voterIndex(from);
        if (!directoryClient.isCurrent(voter, listings.epoch())) {
            return;
        }
        if (directoryClient.acceptListing(voter, listings.batch())) {
            Map<String, ContendedPath> touched = new LinkedHashMap<>();
            for (Item item : listings.items()) {
                Optional<ContendedPath> contended = paths.find(item.path());
                if (contended.isPresent()) {
                    contended.get().onItem(voter, item);
                    touched.put(item.path(), contended.get());
                }
            }
            for (ContendedPath contended : touched.values()) {
                onListingsChanged(contended);
            }
        }
        context.send(from, new ListingsAck(listings.batch()));
    }

    /** The contender's own node told this voter, before the other voters could. */
    public void onLeft(String path, ContenderRecord gone) {
        Optional<ContendedPath> contended = paths.find(path);
        if (contended.isPresent() && contended.get().onLeft(gone)) {
            onListingsChanged(contended.get());
        }
    }

    // Loops, not streams, here and in what it calls: every change of leader passes this several times, in cold code.
    private void onListingsChanged(ContendedPath contended) {
        count(contended);
        context.agenda().add(contended.path);
    }

    private void count(ContendedPath contended) {
        contended.share(directory.isPresent() ? directory.get().contenders(contended.path) : RankedContenders.EMPTY);
        for (LocalContender contender : contended.own()) {
            if (contended.isConfirmed(contender)) {
                contender.onPlace(context, contended.nextStamp());
                paths.changed(contender);
            }
        }
        yieldToRival(contended);
        context.emit(new NodeEffect.ViewChanged(contended.path));
    }

    /**
     * A majority of voters cannot have voted for another while a tenure of this node is valid. If they say that they
     * did, a clock runs wrong, a voter has forgotten what it promised, or two processes give the vote of one id. Then
     * the leader with the lower token stops, even if its lease is not over; with equal tokens, which guards do not tell
     * apart, both do.
     */
    private void yieldToRival(ContendedPath contended) {
        for (LocalContender contender : contended.own()) {
            // A tenure that has ended is not news.
            tenures.endIfOverdue(contender);
            Optional<Tenure> tenure = contender.candidate.tenure();
            ContenderRecord rival =
                    tenure.isEmpty() ? null : contended.rival(tenure.get().token());
            if (rival != null) {
                context.note(
                        true,
                        "%s: %s leads with token %d, and this node with %d: an assumption of the lease does not hold."
                                + " Look whether two processes may run under one voter's id, at the clocks of all"
                                + " nodes, and whether data directories were restored or exchanged",
                        contended.path,
                        rival.id(),
                        rival.token(),
                        tenure.get().token());
                String reason = rival.id() + " leads with token " + rival.token() + ", and this one with "
                        + tenure.get().token();
                tenures.takeOut(contender, new Out(reason), Optional.empty());
                return;
            }
        }
    }

    /**
     * A better claimer claims the same path: a contender of this node that claims gives way. Answers whether one did.
     */
    public boolean standBack(ContenderId own) {
        Optional<LocalContender> claiming = paths.contender(own.number())
                .filter(c -> c.id(context).equals(own) && c.isClaiming() && !c.claim().isNamed);
        claiming.ifPresent(c -> claims.giveUp(paths.of(c), c, "a better one claims too", 0));
        return claiming.isPresent();
    }

    @Override
    public void onRegistrationsAck(NodeId from, RegistrationsAck ack) {
        directoryClient.onAck(from, ack.batch());
    }

    @Override
    public void onRefused(NodeId from, Refused refused) {
        if (refused.isOfSupport()) {
            directoryClient.onNoSupport(from, refused.reason());
        } else {
            directoryClient.onFull(from, refused.reason());
        }
    }

    // ---------------------------------------------------------------- messages about one path, for a contender

    @Override
    public void onElect(NodeId from, Elect elect) {
        elections.onMessage(from, elect);
    }

    /** A vote for a contender that is gone is given back at once: perhaps nobody would ever ask for it. */
    @Override
    public void onVote(NodeId from, Vote vote) {
        Optional<LocalContender> contender = paths.contender(vote.path(), vote.number());
        if (contender.isPresent() && !isClosed) {
            ContendedPath contended = paths.of(contender.get());
            contended.sawTerm(vote.term());
            claims.onVote(contended, contender.get(), context.voterIndex(from), vote);
        } else {
            votes.giveBack(from, vote);
        }
    }

    /** A voter refuses a contender of this node its vote. */
    @Override
    public void onNack(NodeId from, Nack nack) {
        paths.find(nack.path()).ifPresent(contended -> {
            contended.sawTerm(nack.term());
            contended.own(nack.number()).ifPresent(c -> claims.onNack(contended, c, context.voterIndex(from), nack));
        });
    }

    /** A voter asks for a vote back. */
    @Override
    public void onChallenge(NodeId from, Challenge challenge) {
        votes.onChallenge(from, challenge);
    }

    /** A leader names a contender of this node as its successor. */
    @Override
    public void onHandover(NodeId from, Handover message) {
        Optional<ContendedPath> found = paths.find(message.path());
        if (found.isEmpty() || isClosed) {
            votes.decline(message);
            return;
        }
        ContendedPath contended = found.get();
        // The sender is a contender and no voter. Terms far above all in use are neither followed nor given back,
        // because a term that was given back counts as used.
        long highest = Math.max(message.term(), message.claim());
        long known = Math.max(contended.termSeen(), ownVote.termKnown());
        if (highest - known > StepContext.CLAIM_LEAP_MAX) {
            context.noteOnce(
                    "term",
                    from,
                    "%s: the hand-over in term %d by %s is not believed: it is more than 2^32"
                            + " above %d, the highest term that is known here",
                    contended.path,
                    highest,
                    from,
                    known);
            return;
        }
        LocalContender contender = contended.own(message.number()).orElse(null);
        contended.sawTerm(message.term());
        if (contender != null && contender.state() instanceof Placed && !contender.isLeading()) {
            contender.forgive();
            claims.onHandover(contended, contender, message);
        } else {
            votes.decline(message);
        }
    }

    // ---------------------------------------------------------------- paths that something has happened to

    /** The majority supports this node again. */
    public void onConnected() {
        paths.evaluateAll();
    }

    /** Whether something has happened to paths that were not looked at yet. */
    public boolean hasWork() {
        return paths.isUnderWay() || !context.agenda().isEmpty() || tenures.hasWork();
    }

    /** Looks at so many of the paths that something has happened to; called in each step. */
    public void work(int max) {
        tenures.work(max);
        paths.work(max);
        context.agenda().work(max, this::evaluate);
    }

    /** Registers contenders again, now and then, that the voters did not list before. */
    public void onHeartbeatPeriod() {
        directoryClient.takeFull().forEach(paths::registerUnlisted);
    }

    private boolean evaluate(String path) {
        ContendedPath contended = paths.find(path).orElse(null);
        if (contended != null && !isClosed) {
            if (contended.takeRecount()) {
                count(contended);
            }
            preemption.updateRanks(contended);
            succession.evaluate(contended);
        }
        claims.pace().admit();
        return contended != null;
    }

    /** The node has come up or gone down. */
    public void onUpChanged(NodeId peer) {
        elections.onUpChanged(peer);
        paths.begin("up " + peer, contended -> succession.onUpChanged(contended, peer));
    }
}
