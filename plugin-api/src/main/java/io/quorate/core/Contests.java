package io.quorate.core;

import io.quorate.spi.Check;
import io.quorate.spi.NodeId;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** All paths on which this node contends, or which it watches, and its contenders. */
final class Contests {

    /** Of thousands of paths that lose their leader at one moment; in between, heartbeats and claims come and go. */
    static final int LOOKS_PER_STEP = 512;

    private final Context context;
    private final Node node;
    private final Registrar registrar;
    private final Claims claims;
    private final ReturnedVotes returns;
    private final Elections elections;
    private final Map<String, Contest> contests = new LinkedHashMap<>();
    private final ByNumber<Contender> contenders = new ByNumber<>();
    /** Contests that something has happened to; each is looked at soon. */
    private final Deque<Contest> agenda = new ArrayDeque<>();

    Contests(Context context, Node node, Belief belief) {
        this.context = context;
        this.node = node;
        registrar = new Registrar(context, this, belief);
        claims = new Claims(context, node, this, belief);
        elections = new Elections(context, node);
        returns = new ReturnedVotes(context, this);
    }

    Registrar registrar() {
        return registrar;
    }

    Claims claims() {
        return claims;
    }

    ReturnedVotes returns() {
        return returns;
    }

    Elections elections() {
        return elections;
    }

    Optional<Contender> contender(long number) {
        return Optional.ofNullable(contenders.get(number));
    }

    Iterable<Contender> contenders() {
        return contenders;
    }

    Iterable<Contest> all() {
        return contests.values();
    }

    Optional<Contest> find(String path) {
        return Optional.ofNullable(contests.get(path));
    }

    Contest of(Contender contender) {
        return contest(contender.path);
    }

    void with(String path, Consumer<Contest> action) {
        find(path).ifPresent(action);
    }

    private Contest contest(String path) {
        return contests.computeIfAbsent(path, p -> {
            node.roster().ifPresent(roster -> roster.adopt(p));
            return new Contest(context, node, this, p);
        });
    }

    private void forgetIfUnused(Contest contest) {
        if (contest.isUnused()) {
            contests.remove(contest.path);
        }
    }

    // ---------------------------------------------------------------- what the application does

    void contend(NodeEvent.Contend event) {
        Check.argument(contenders.get(event.number()) == null, "contender %d: exists already", event.number());
        long weight = switch (context.settings.rankOrder()) {
            case PRIORITY -> context.settings.priority();
            case SPREAD -> new Digest().add(event.path()).add(context.self().value()).value();
            default -> 0;
        };
        Contender contender = new Contender(event.path(), event.number(), event.participantId(), weight,
                context.voterCount());
        contenders.put(event.number(), contender);
        contest(event.path()).add(contender);
        changed(contender);
    }

    /** The contender's tenure goes to a successor, and the contender leaves the path. */
    void withdraw(Contender contender, String reason) {
        Contest contest = of(contender);
        claims.end(contender, reason, contest.successor(contender));
        contest.remove(contender);
        contest.ownChanged();
        contenders.remove(contender.number);
        registrar.changed(contender);
        contest.reconsider();
        forgetIfUnused(contest);
    }

    /**
     * All contenders leave. Every tenure ends before anything is told; and those that lead go last, so that none of
     * this node is named as their successor.
     */
    void withdrawAll(String reason) {
        contenders.each(contender -> contender.candidate.tenure().ifPresent(Tenure::end));
        List<Contender> leading = new ArrayList<>();
        for (Contender contender : contenders) {
            if (contender.candidate.isLeading()) {
                leading.add(contender);
            } else {
                withdraw(contender, reason);
            }
        }
        leading.forEach(contender -> withdraw(contender, reason));
    }

    void rejoin(long number) {
        contender(number).filter(c -> c.stage == Contender.Stage.OUT).ifPresent(contender -> {
            if (contender.keepsPlace) {
                contender.stage = Contender.Stage.QUEUED;
                changed(contender);
                of(contender).reconsider();
            } else {
                joinAtTail(contender);
            }
        });
    }

    void tenureSeenEnded(long number, Tenure tenure) {
        contender(number).filter(c -> c.candidate.tenure().equals(Optional.of(tenure))).ifPresent(c -> {
            boolean isGivenUp = !tenure.lease().isOver(context.now());
            dropOut(c, isGivenUp ? "it was given up" : "its lease was found to be over");
            c.keepsPlace = isGivenUp;
        });
    }

    /** The application gives leadership up, to the next in rank or to one that it names. */
    void giveUp(NodeEvent event) {
        if (event instanceof NodeEvent.Resign resign) {
            resign(resign);
        } else if (event instanceof NodeEvent.TransferTo transfer) {
            transfer(transfer);
        }
    }

    /** The leader gives up: the next in rank follows, and it queues behind all others when it is sent back. */
    private void resign(NodeEvent.Resign event) {
        contender(event.number()).filter(c -> c.candidate.tenure().equals(Optional.of(event.tenure()))).ifPresent(c -> {
            claims.end(c, "it resigned", of(c).successor(c));
            takeOut(c);
            of(c).reconsider();
        });
    }

    /** ADR-0024: a leader makes way for whoever is ranked better and has been up for two support times. */
    void preempt() {
        if (!context.settings.preempt()) {
            return;
        }
        for (Contender contender : contenders) {
            if (!contender.candidate.isLeading()) {
                continue;
            }
            Registration best = of(contender).ranked().first();
            boolean isAnother = !best.id().equals(contender.id(context));
            if (isAnother && node.peers().upFor(best.id().node()) >= 2 * context.settings.lease().support()) {
                handOver(contender, best, best.id() + " is ranked better");
            }
        }
    }

    private void handOver(Contender contender, Registration successor, String reason) {
        claims.end(contender, reason, Optional.of(successor));
        takeOut(contender);
        contender.keepsPlace = true;
        of(contender).reconsider();
    }

    /** ADR-0032: to exactly one contender, and to one that is up; else nothing changes. */
    private void transfer(NodeEvent.TransferTo event) {
        Optional<Contender> leader = contender(event.number()).filter(c -> c.candidate.isLeading());
        if (leader.isEmpty()) {
            refuse(event, new IllegalStateException("leadership cannot be transferred to '" + event.participantId()
                    + "': this contender does not lead"));
            return;
        }
        Contender contender = leader.get();
        List<Registration> named = of(contender).ranked().stream()
                .filter(r -> r.participantId().equals(event.participantId())).toList();
        if (named.size() != 1) {
            refuse(event, new IllegalArgumentException("participant id '" + event.participantId() + "': "
                    + named.size() + " contenders of " + contender.path + " have it, must be exactly one"));
            return;
        }
        Registration successor = named.get(0);
        if (!node.isUp(successor.id().node())) {
            refuse(event, new IllegalStateException("leadership of " + contender.path + " cannot be transferred to '"
                    + event.participantId() + "': its node " + successor.id().node() + " is not up"));
            return;
        }
        context.emit(new NodeEffect.TransferBegun(event.number(), successor.id()));
        if (successor.id().equals(contender.id(context))) {
            // It leads already, which nobody will announce.
            context.emit(new NodeEffect.ViewChanged(contender.path));
        } else {
            handOver(contender, successor, "it was transferred to " + successor.id());
        }
    }

    private void refuse(NodeEvent.TransferTo event, RuntimeException cause) {
        context.emit(new NodeEffect.TransferRefused(event.number(), cause));
    }

    void watch(NodeEvent.WatchPath event) {
        Contest contest = contest(event.path());
        if (contest.isWatched() != event.wanted()) {
            contest.watched(event.wanted());
            registrar.watchChanged(event.path());
        }
        forgetIfUnused(contest);
    }

    // ---------------------------------------------------------------- what happens to tenures

    /** The contender's tenure has ended by itself: it is out of the queue until the application sends it back. */
    void dropOut(Contender contender, String reason) {
        claims.end(contender, reason, Optional.empty());
        takeOut(contender);
        of(contender).reconsider();
    }

    private void takeOut(Contender contender) {
        contender.stage = Contender.Stage.OUT;
        contender.keepsPlace = false;
        changed(contender);
    }

    private void joinAtTail(Contender contender) {
        contender.stage = Contender.Stage.JOINING;
        contender.stamp = 0;
        changed(contender);
    }

    /** This node stops at once and for good: nothing is handed over. */
    void endAll(String reason) {
        contenders.forEach(contender -> claims.end(contender, reason, Optional.empty()));
    }

    /** The node lost its majority, or its life: whoever led is out, whoever waited waits at the tail. */
    void loseAll(String reason) {
        for (Contender contender : contenders) {
            if (contender.candidate.isLeading()) {
                dropOut(contender, reason);
            } else if (contender.stage == Contender.Stage.QUEUED) {
                claims.end(contender, reason, Optional.empty());
                joinAtTail(contender);
            }
            contender.keepsPlace = false;
        }
    }

    /** What is registered of the contender has changed: the voters are to be told. */
    void changed(Contender contender) {
        contender.version = registrar.nextVersion();
        of(contender).ownChanged();
        registrar.changed(contender);
        context.emit(new NodeEffect.ViewChanged(contender.path));
    }

    // ---------------------------------------------------------------- what the voters say

    /** The voter supports this node in a new epoch: it has forgotten everything. Answers whether that was so. */
    boolean onEpoch(int voter, Epoch epoch) {
        boolean isNew = registrar.onEpoch(voter, epoch);
        if (isNew) {
            contests.values().forEach(contest -> contest.clearListing(voter));
        }
        return isNew;
    }

    /** Another life of this node begins, in place. */
    void reset() {
        registrar.reset();
        for (int voter = 0; voter < context.voterCount(); voter++) {
            for (Contest contest : contests.values()) {
                contest.clearListing(voter);
            }
        }
    }

    void onListings(NodeId from, NodeMessage.Listings listings) {
        int voter = context.voterIndex(from);
        if (voter < 0 || !registrar.isCurrent(voter, listings.epoch())) {
            return;
        }
        if (registrar.isNewListing(voter, listings.batch())) {
            Map<String, Contest> touched = new LinkedHashMap<>();
            for (NodeMessage.Item item : listings.items()) {
                Contest contest = contests.get(item.path());
                if (contest != null) {
                    contest.onItem(voter, item);
                    touched.put(contest.path, contest);
                }
            }
            for (Contest contest : touched.values()) {
                onListingsChanged(contest);
            }
        }
        context.send(from, new NodeMessage.ListingsAck(listings.batch()));
    }

    /** The contender's own node told this voter, before the other voters could. */
    void onLeft(String path, Registration gone) {
        with(path, contest -> {
            if (contest.onLeft(gone)) {
                onListingsChanged(contest);
            }
        });
    }

    private void onListingsChanged(Contest contest) {
        contest.onListingsChanged();
        context.emit(new NodeEffect.ViewChanged(contest.path));
    }

    /** Another claims the same path, and goes first. Answers whether there was a claim to give up. */
    boolean standBack(ContenderId own) {
        Optional<Contender> claiming = contender(own.number()).filter(c -> c.id(context).equals(own)
                && c.candidate.isClaiming() && !c.isNamed);
        claiming.ifPresent(c -> claims.giveUp(of(c), c, 0));
        return claiming.isPresent();
    }

    /** A message about one path that is for a contender, not for a voter. */
    void onPathMessage(NodeId from, NodeMessage message) {
        int voter = context.voterIndex(from);
        if (message instanceof NodeMessage.Vote vote && voter >= 0) {
            onVote(from, voter, vote);
        } else if (message instanceof NodeMessage.Nack nack && voter >= 0) {
            with(nack.path(), contest -> contest.onNack(voter, nack));
        } else if (message instanceof NodeMessage.Challenge challenge && voter >= 0) {
            returns.onChallenge(from, challenge);
        } else if (message instanceof NodeMessage.Handover handover) {
            find(handover.path()).ifPresentOrElse(contest -> contest.onHandover(from, handover),
                    () -> returns.decline(handover));
        }
    }

    /** A vote for a contender that is gone is given back at once: perhaps nobody would ever ask for it. */
    private void onVote(NodeId from, int voter, NodeMessage.Vote vote) {
        if (contender(vote.number()).filter(c -> c.path.equals(vote.path())).isPresent()) {
            with(vote.path(), contest -> contest.onVote(voter, vote));
        } else {
            returns.giveBack(from, vote);
        }
    }

    void reconsiderAll() {
        contests.values().forEach(this::look);
    }

    /** The contest is looked at again, at the end of this step or of one that follows at once. */
    void look(Contest contest) {
        if (!contest.isOnAgenda) {
            contest.isOnAgenda = true;
            agenda.add(contest);
        }
    }

    boolean hasAgenda() {
        return !agenda.isEmpty();
    }

    /** Looks at some of the contests that something has happened to. */
    void work() {
        for (int looks = 0; looks < LOOKS_PER_STEP && hasAgenda(); looks++) {
            Contest contest = agenda.remove();
            contest.isOnAgenda = false;
            contest.reconsider();
        }
    }

    void onUpChanged(NodeId peer) {
        elections.onUpChanged(peer);
        contests.values().forEach(contest -> contest.onUpChanged(peer));
    }
}
