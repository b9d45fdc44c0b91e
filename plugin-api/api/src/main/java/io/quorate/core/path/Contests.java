package io.quorate.core.path;

import io.quorate.core.directory.PathView;
import io.quorate.core.directory.Registrar;
import io.quorate.core.directory.Roll;
import io.quorate.core.directory.Roster;
import io.quorate.core.message.Challenge;
import io.quorate.core.message.ContenderId;
import io.quorate.core.message.Epoch;
import io.quorate.core.message.Handover;
import io.quorate.core.message.Item;
import io.quorate.core.message.Listings;
import io.quorate.core.message.ListingsAck;
import io.quorate.core.message.Nack;
import io.quorate.core.message.Registration;
import io.quorate.core.message.Vote;
import io.quorate.core.settings.Digest;
import io.quorate.core.step.Context;
import io.quorate.core.step.NodeEffect;
import io.quorate.core.step.NodeEvent;
import io.quorate.core.step.Tenure;
import io.quorate.core.support.Belief;
import io.quorate.core.support.Configurations;
import io.quorate.core.support.Heartbeats;
import io.quorate.core.support.Peers;
import io.quorate.core.support.Standing;
import io.quorate.core.vote.OwnVote;
import io.quorate.core.vote.Takings;
import io.quorate.spi.Check;
import io.quorate.spi.NodeId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What the application and the voters do to the paths on which this node contends, or which it watches. */
public final class Contests {

    private final Context context;
    private final Peers peers;
    private final OwnVote ownVote;
    private final Takings takings;
    private final Optional<? extends Roster<?>> roster;
    private final Paths<Succession> paths;
    private final Registrar registrar;
    private final ReturnedVotes returns;
    private final Tenures tenures;
    private final Claims claims;
    private final Elections elections;
    private final Succession.Parts parts;
    private final Explainer explainer;

    public Contests(Context context, Belief belief, Peers peers, Standing standing, Heartbeats heartbeats,
            OwnVote ownVote,
             Takings takings, Configurations configurations, Optional<? extends Roster<?>> roster) {
        this.context = context;
        this.peers = peers;
        this.ownVote = ownVote;
        this.takings = takings;
        this.roster = roster;
        paths = new Paths<>(context, belief);
        registrar = paths.registrar();
        returns = new ReturnedVotes(context, paths);
        ClaimSender sender = new ClaimSender(context, belief, ownVote);
        tenures = new Tenures(context, paths, belief, sender);
        claims = new Claims(context, paths, returns, belief, standing, heartbeats, ownVote, sender, tenures);
        elections = new Elections(context, peers);
        explainer = new Explainer(context, paths, registrar, belief, standing, configurations);
        parts = new Succession.Parts(peers, standing, ownVote, takings, elections, claims);
    }

    public Registrar registrar() {
        return registrar;
    }

    public Tenures tenures() {
        return tenures;
    }

    public Claims claims() {
        return claims;
    }

    public Elections elections() {
        return elections;
    }

    /** Where the contender stands. */
    public Situation explain(long number) {
        return paths.contender(number).map(explainer::of).orElseGet(explainer::ofNobody);
    }

    /** Who contends on the path; empty until another voter has told, or if the node neither contends nor watches. */
    public Optional<PathView> view(String path) {
        return paths.find(path).filter(Contest::isKnown).map(Contest::view);
    }

    private Succession contest(String path) {
        return paths.findOrAdd(path, p -> {
            roster.ifPresent(r -> r.adopt(p));
            return new Succession(context, parts, p);
        });
    }

    // ---------------------------------------------------------------- what the application does

    public void contend(NodeEvent.Contend event) {
        Check.argument(paths.contenders().get(event.number()) == null, "contender %d: exists already", event.number());
        long weight = switch (context.settings().rankOrder()) {
            case PRIORITY -> context.settings().priority();
            case SPREAD -> new Digest().add(event.path()).add(context.self().value()).value();
            default -> 0;
        };
        Contender contender = new Contender(event.path(), event.number(), event.participantId(), weight,
                context.voterCount());
        paths.contenders().put(event.number(), contender);
        contest(event.path()).add(contender);
        paths.changed(contender);
    }

    /** The contender's tenure goes to a successor, and the contender leaves the path. */
    public void withdraw(long number, String reason) {
        paths.contender(number).ifPresent(contender -> withdraw(contender, reason));
    }

    private void withdraw(Contender contender, String reason) {
        Succession contest = paths.of(contender);
        claims.end(contender, ContenderState.GONE, reason, contest.successor(contender));
        contest.remove(contender);
        contest.ownChanged();
        paths.contenders().remove(contender.number);
        registrar.changed(contender.path, contender.number);
        // At once: a path that is forgotten has no election and no timer.
        contest.look();
        paths.forgetIfUnused(contest);
    }

    /**
     * All contenders leave. Every tenure ends before anything is told; and those that lead go last, so that none of
     * this node is named as their successor.
     */
    public void withdrawAll(String reason) {
        paths.contenders().each(contender -> contender.candidate.tenure().ifPresent(Tenure::end));
        List<Contender> leading = new ArrayList<>();
        for (Contender contender : paths.contenders()) {
            if (contender.isLeading()) {
                leading.add(contender);
            } else {
                withdraw(contender, reason);
            }
        }
        leading.forEach(contender -> withdraw(contender, reason));
    }

    /** The application sends the contender back into the queue. */
    public void rejoin(long number) {
        paths.contender(number).ifPresent(contender -> {
            if (contender.state() == ContenderState.OUT) {
                contender.joinAtTail(context, "the application sent it back");
                paths.changed(contender);
            } else if (contender.state() == ContenderState.ASIDE) {
                contender.become(context, ContenderState.RESTING, "the application sent it back");
                paths.changed(contender);
                context.agenda().add(contender.path);
            }
        });
    }

    public void tenureSeenEnded(long number, Tenure tenure) {
        paths.contender(number).filter(c -> c.candidate.tenure().equals(Optional.of(tenure))).ifPresent(c -> {
            if (tenure.lease().isOver(context.now())) {
                tenures.takeOut(c, ContenderState.OUT, "its lease was found to be over", Optional.empty());
            } else {
                tenures.takeOut(c, ContenderState.ASIDE, "it was given up", Optional.empty());
            }
        });
    }

    /** The leader gives up: the next in rank follows, and it queues behind all others when it is sent back. */
    public void resign(NodeEvent.Resign event) {
        paths.contender(event.number()).filter(c -> c.candidate.tenure().equals(Optional.of(event.tenure())))
                .ifPresent(c -> tenures.takeOut(c, ContenderState.OUT, "it resigned", paths.of(c).successor(c)));
    }

    /** ADR-0024: a leader makes way for whoever is ranked better and has been up for two support times. */
    public void preempt() {
        if (!context.settings().preempt()) {
            return;
        }
        for (Contender contender : paths.contenders()) {
            if (!contender.isLeading()) {
                continue;
            }
            Registration best = paths.of(contender).ranked().first();
            boolean isAnother = !best.id().equals(contender.id(context));
            if (isAnother && peers.upFor(best.id().node()) >= 2 * context.settings().lease().support()) {
                handOver(contender, best, best.id() + " is ranked better");
            }
        }
    }

    private void handOver(Contender contender, Registration successor, String reason) {
        tenures.takeOut(contender, ContenderState.ASIDE, reason, Optional.of(successor));
    }

    /** ADR-0032: to exactly one contender, and to one that is up; else nothing changes. */
    public void transfer(NodeEvent.TransferTo event) {
        Optional<Contender> leader = paths.contender(event.number()).filter(Contender::isLeading);
        if (leader.isEmpty()) {
            refuse(event, new IllegalStateException("leadership cannot be transferred to '" + event.participantId()
                    + "': this contender does not lead"));
            return;
        }
        Contender contender = leader.get();
        List<Registration> named = paths.of(contender).ranked().stream()
                .filter(r -> r.participantId().equals(event.participantId())).toList();
        if (named.size() != 1) {
            refuse(event, new IllegalArgumentException("participant id '" + event.participantId() + "': "
                    + named.size() + " contenders of " + contender.path + " have it, must be exactly one"));
            return;
        }
        Registration successor = named.get(0);
        if (!peers.isUp(successor.id().node())) {
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

    public void watch(NodeEvent.WatchPath event) {
        Succession contest = contest(event.path());
        if (contest.isWatched() != event.wanted()) {
            contest.watched(event.wanted());
            registrar.watchChanged(event.path());
        }
        paths.forgetIfUnused(contest);
    }

    // ---------------------------------------------------------------- what happens to tenures

    /** This node stops at once and for good: nothing is handed over. */
    public void endAll(String reason) {
        paths.contenders().forEach(c -> claims.end(c, ContenderState.GONE, reason, Optional.empty()));
    }

    /** The node lost its majority, or its life: whoever led is out, whoever waited waits at the tail. */
    public void loseAll(String reason) {
        for (Contender contender : paths.contenders()) {
            if (contender.isLeading()) {
                tenures.takeOut(contender, ContenderState.OUT, reason, Optional.empty());
            } else if (contender.state().hasPlace()) {
                claims.end(contender, ContenderState.JOINING, reason, Optional.empty());
                contender.joinAtTail(context, reason);
                paths.changed(contender);
            } else if (contender.state() == ContenderState.ASIDE) {
                contender.become(context, ContenderState.OUT, reason);
            }
        }
    }

    // ---------------------------------------------------------------- what the voters say

    /** The voter supports this node in a new epoch: it has forgotten everything. Answers whether that was so. */
    public boolean onEpoch(int voter, Epoch epoch) {
        boolean isNew = registrar.onEpoch(voter, epoch);
        if (isNew) {
            paths.all().forEach(contest -> contest.clearListing(voter));
        }
        return isNew;
    }

    /** Another life of this node begins, in place. */
    public void reset() {
        registrar.reset();
        for (int voter = 0; voter < context.voterCount(); voter++) {
            for (Contest contest : paths.all()) {
                contest.clearListing(voter);
            }
        }
    }

    public void onListings(NodeId from, Listings listings) {
        int voter = context.voterIndex(from);
        if (voter < 0 || !registrar.isCurrent(voter, listings.epoch())) {
            return;
        }
        if (registrar.isNewListing(voter, listings.batch())) {
            Map<String, Contest> touched = new LinkedHashMap<>();
            for (Item item : listings.items()) {
                paths.find(item.path()).ifPresent(contest -> {
                    contest.onItem(voter, item);
                    item.leader().ifPresent(takings::onTaking);
                    touched.put(contest.path, contest);
                });
            }
            for (Contest contest : touched.values()) {
                onListingsChanged(contest);
            }
        }
        context.send(from, new ListingsAck(listings.batch()));
    }

    /** The contender's own node told this voter, before the other voters could. */
    public void onLeft(String path, Registration gone) {
        paths.find(path).filter(contest -> contest.onLeft(gone)).ifPresent(this::onListingsChanged);
    }

    // Loops, not streams, here and in what it calls: every change of leader passes this several times, in cold code.
    private void onListingsChanged(Contest contest) {
        contest.share(roster.map(r -> r.roll(contest.path)).orElse(Roll.EMPTY));
        for (Contender contender : contest.own()) {
            if (contest.isConfirmed(contender)) {
                contender.onPlace(context, contest.nextStamp());
                paths.changed(contender);
            }
        }
        yieldToHigherToken(contest);
        context.agenda().add(contest.path);
        context.emit(new NodeEffect.ViewChanged(contest.path));
    }

    /**
     * A majority of voters cannot have voted for another while a tenure of this node is valid. If they say that they
     * did, an assumption of the lease does not hold: a clock runs wrong, or a voter has forgotten what it promised.
     * Then the one with the lower token stops, whatever its lease says.
     */
    private void yieldToHigherToken(Contest contest) {
        Optional<Registration> leader = contest.holder();
        for (Contender contender : contest.own()) {
            Optional<Tenure> tenure = contender.candidate.tenure();
            if (tenure.isPresent() && leader.isPresent() && leader.get().token() > tenure.get().token()) {
                context.note(true, "%s: %s leads with token %d, and this node with %d: an assumption of the lease does"
                        + " not hold. Look at the clocks of all nodes, and whether data directories were restored or"
                        + " exchanged", contest.path, leader.get().id(), leader.get().token(), tenure.get().token());
                tenures.takeOut(contender, ContenderState.OUT,
                        leader.get().id() + " leads with the higher token " + leader.get().token(), Optional.empty());
                return;
            }
        }
    }

    /** Another claims the same path, and goes first. Answers whether there was a claim to give up. */
    public boolean standBack(ContenderId own) {
        Optional<Contender> claiming = paths.contender(own.number()).filter(c -> c.id(context).equals(own)
                && c.isClaiming() && !c.claim().isNamed());
        claiming.ifPresent(c -> claims.giveUp(paths.of(c), c, 0));
        return claiming.isPresent();
    }

    // ---------------------------------------------------------------- messages about one path, for a contender

    /** A vote for a contender that is gone is given back at once: perhaps nobody would ever ask for it. */
    public void onVote(NodeId from, Vote vote) {
        Optional<Contender> contender = paths.contender(vote.path(), vote.number());
        if (contender.isPresent()) {
            Contest contest = paths.of(contender.get());
            contest.sawTerm(vote.term());
            claims.onVote(contest, contender.get(), context.voterIndex(from), vote);
        } else {
            returns.giveBack(from, vote);
        }
    }

    public void onNack(NodeId from, Nack nack) {
        paths.find(nack.path()).ifPresent(contest -> {
            contest.sawTerm(nack.term());
            contest.own(nack.number()).ifPresent(c -> claims.onNack(contest, c, context.voterIndex(from), nack));
        });
    }

    public void onChallenge(NodeId from, Challenge challenge) {
        returns.onChallenge(from, challenge);
    }

    public void onHandover(NodeId from, Handover message) {
        Optional<Succession> found = paths.find(message.path());
        if (found.isEmpty()) {
            returns.decline(message);
            return;
        }
        Contest contest = found.get();
        // From a contender, not from a voter: terms far above all in use are neither followed nor given back, because
        // a term that a contender has given back is one that it has used.
        long highest = Math.max(message.term(), message.claim());
        long known = ownVote.termKnown();
        if (highest - Math.max(contest.termSeen(), known) > Context.CLAIM_LEAP_MAX) {
            context.noteOnce("term", from, "%s: the hand-over in term %d by %s is not believed: it is more than 2^24"
                    + " above %d, the highest term that is known here", contest.path, highest, from, known);
            return;
        }
        Optional<Contender> contender = contest.own(message.number())
                .filter(c -> c.state().hasPlace() && !c.isLeading());
        contest.sawTerm(message.term());
        if (contender.isPresent()) {
            contender.get().backOff().ifPresent(backOff -> backOff.endQuiet(context.now()));
            claims.onHandover(contest, contender.get(), message);
        } else {
            returns.decline(message);
        }
    }

    // ---------------------------------------------------------------- paths that something has happened to

    public void lookAtAll() {
        paths.all().forEach(contest -> context.agenda().add(contest.path));
    }

    /** Looks at some of the paths that something has happened to. */
    public void work() {
        context.agenda().work(this::look);
    }

    private boolean look(String path) {
        Optional<Succession> found = paths.find(path);
        if (found.isEmpty()) {
            return false;
        }
        found.get().look();
        return true;
    }

    public void onUpChanged(NodeId peer) {
        elections.onUpChanged(peer);
        paths.all().forEach(contest -> contest.onUpChanged(peer));
    }
}
