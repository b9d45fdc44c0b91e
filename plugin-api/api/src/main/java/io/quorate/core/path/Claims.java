package io.quorate.core.path;

import io.quorate.core.collection.ByNumber;
import io.quorate.core.message.Claim;
import io.quorate.core.message.Epoch;
import io.quorate.core.message.Handover;
import io.quorate.core.message.Nack;
import io.quorate.core.message.Registration;
import io.quorate.core.message.Release;
import io.quorate.core.message.Successor;
import io.quorate.core.message.Vote;
import io.quorate.core.step.Agenda;
import io.quorate.core.step.Context;
import io.quorate.core.step.Lease;
import io.quorate.core.step.NodeEffect;
import io.quorate.core.step.Tenure;
import io.quorate.core.support.Belief;
import io.quorate.core.support.Heartbeats;
import io.quorate.core.support.Standing;
import io.quorate.core.vote.Blockade;
import io.quorate.core.vote.Candidate;
import io.quorate.core.vote.OwnVote;
import io.quorate.spi.NodeId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * The claims and tenures of all contenders of this node: docs/protocol.md#votes from the candidate's side. A claim is
 * sent to the voters that support this node, itself included; a majority of votes whose epochs of support are believed
 * in is a tenure.
 */
public final class Claims {

    /** A claim whose term was too low is repeated at once with a higher one, so many times. */
    private static final int RAISES_MAX = 8;

    /** A claim that too few voters answer is repeated so many times: a voter that has just started is slow. */
    private static final int REPETITIONS_MAX = 3;

    /** Tenures that are repaired in one heartbeat period; the others follow in the next. */
    private static final int REPAIRS_MAX = 4_000;

    /** Votes for a named successor that others arranged are waited for only this part of the usual delay. */
    private static final int EARLY_VOTES_DIVISOR = 16;

    /** More certificates than this are compared with those in use. */
    private static final int LEASES_KEPT = 8;

    private final Context context;
    private final Paths<?> paths;
    private final ReturnedVotes returns;
    private final Belief belief;
    private final Standing standing;
    private final Heartbeats heartbeats;
    private final OwnVote ownVote;
    private final ByNumber<Contender> leading = new ByNumber<>();
    private final Set<Contender> claiming = new LinkedHashSet<>();
    /** Leaders that some believed voter's vote is missing for. */
    private final Set<Contender> underBacked = new LinkedHashSet<>();

    Claims(Context context, Paths<?> paths, ReturnedVotes returns, Belief belief,
           Standing standing, Heartbeats heartbeats, OwnVote ownVote) {
        this.context = context;
        this.paths = paths;
        this.returns = returns;
        this.belief = belief;
        this.standing = standing;
        this.heartbeats = heartbeats;
        this.ownVote = ownVote;
    }

    public int leadingCount() {
        return leading.size();
    }

    /** Whether a contender of this node leads, or claims to. */
    public boolean isBusy() {
        return leading.size() > 0 || !claiming.isEmpty();
    }

    // ---------------------------------------------------------------- the claim

    /** Until when the contender must not claim, and does not because of that; empty if it may now. */
    OptionalLong obstacle(Contender contender) {
        long now = context.now();
        // At the first connection, on a path that nobody leads, a voter, which hears the others, need not wait.
        boolean isNobodys = context.selfVoter() >= 0 && paths.of(contender).holder().isEmpty();
        boolean isFirst = standing.isFirst() && (isNobodys || contender.isNamed);
        long ready = isFirst ? now : standing.connectedSince() + context.settings().lease().heartbeat();
        if (!contender.isNamed) {
            OptionalLong free = ownVote.freeAt(contender.path, contender.id(context));
            if (free.isPresent() && free.getAsLong() - ready > 0) {
                ready = free.getAsLong();
            }
        }
        if (contender.isQuiet && contender.quietUntil - ready > 0) {
            ready = contender.quietUntil;
        }
        return ready - now > 0 ? OptionalLong.of(ready) : OptionalLong.empty();
    }

    /** Claims the path for the contender, which is idle. */
    void claim(Contest contest, Contender contender) {
        begin(contender, context.now());
        raise(contest, contender);
        awaitVotes(contest, contender, context.now() + answerTime());
    }

    private void begin(Contender contender, long nextHeartbeats) {
        contender.isQuiet = false;
        contender.raises = 0;
        contender.blockade = new Blockade(context, belief);
        contender.repetitions = 0;
        if (!isBusy()) {
            // While it waited, acknowledgements had time: they may be two periods old, and its lease so much shorter.
            heartbeats.hurry(nextHeartbeats);
        }
        claiming.add(contender);
    }

    /** The claim leaves with a term above every one that was heard of. */
    private void raise(Contest contest, Contender contender) {
        contender.candidate.claim(nextTerm(contest, contender));
        contest.sawTerm(contender.candidate.term());
        send(claimOf(contender));
    }

    private long nextTerm(Contest contest, Contender contender) {
        return Math.max(Math.max(contest.termSeen(), contender.candidate.term()), ownVote.term(contest.path)) + 1;
    }

    /** A voter that does not support this node would not answer; when it does, the claim is repeated. */
    private void send(Claim claim) {
        for (int voter = 0; voter < context.voterCount(); voter++) {
            if (belief.believes(voter)) {
                context.send(context.voter(voter), claim);
            }
        }
    }

    private static Claim claimOf(Contender contender) {
        return new Claim(contender.path, contender.number, contender.candidate.term());
    }

    /** There and back; longer for one of thousands of claims, which take a voter as long as this node. */
    private long answerTime() {
        return context.settings().timing().deltas(2) * (1 + claiming.size() / Agenda.LOOKS_PER_STEP);
    }

    private void awaitVotes(Contest contest, Contender contender, long until) {
        contender.cancelClaimTimer();
        contender.claimTimer = context.timers().set(until, () -> {
            contender.claimTimer = null;
            if (contender.repetitions == REPETITIONS_MAX) {
                giveUp(contest, contender, 0);
            } else {
                contender.repetitions++;
                repeat(contender);
                awaitVotes(contest, contender, context.now() + answerTime());
            }
        });
    }

    private void repeat(Contender contender) {
        for (int voter = 0; voter < context.voterCount(); voter++) {
            if (contender.candidate.isMissing(voter, belief.epochOf(voter))) {
                context.send(context.voter(voter), claimOf(contender));
            }
        }
    }

    /**
     * The claim has failed: what was voted is given back, and the contender keeps quiet for a while.
     *
     * @param blocked how long too many votes are another's
     */
    void giveUp(Contest contest, Contender contender, long blocked) {
        contender.cancelClaimTimer();
        claiming.remove(contender);
        contender.candidate.stop();
        contender.blockade = null;
        contender.isNamed = false;
        context.sendToVoters(new Release(contender.path, contender.number, contender.candidate.term(),
                Optional.empty()));
        contender.backOff(context, blocked);
        context.agenda().add(contest.path);
    }

    /**
     * A leader has named this contender as its successor, and told the voters so: votes in the term that it chose are
     * on their way. A contender that cannot use them claims at once, before anybody else knows.
     */
    void onHandover(Contest contest, Contender contender, Handover message) {
        Candidate candidate = contender.candidate;
        contender.isNamed = true;
        if (candidate.isClaiming()) {
            send(claimOf(contender));
        } else if (!standing.isConnected() || obstacle(contender).isPresent()) {
            contender.isNamed = false;
            returns.decline(message);
        } else if (message.claim() > candidate.term()) {
            adopt(contest, contender, message.claim());
        } else {
            claim(contest, contender);
        }
    }

    /** Claims the term in which a leader has asked the voters to vote for this contender, without asking them again. */
    private void adopt(Contest contest, Contender contender, long term) {
        // The votes are on their way, the leader's own right behind its word. What is missing soon is asked for.
        long soon = context.now() + context.settings().timing().delta() / EARLY_VOTES_DIVISOR;
        begin(contender, soon);
        contender.candidate.claim(term);
        contest.sawTerm(term);
        contender.claimTimer = context.timers().set(soon, () -> {
            repeat(contender);
            awaitVotes(contest, contender, context.now() + answerTime());
        });
    }

    /**
     * A vote that this contender did not claim: a leader has named it as its successor, and the word of that is late,
     * or lost. Above every term that it used or gave back, and above every token of the path, nobody else has led or
     * leads in that term.
     */
    private boolean isForANamedSuccessor(Contest contest, Contender contender, Vote vote) {
        return contender.stage == Contender.Stage.QUEUED && contender.candidate.isIdle()
                && vote.term() > contender.candidate.term() && contest.isAboveTokens(vote.term())
                && standing.isConnected();
    }

    void onVote(Contest contest, Contender contender, int voter, Vote vote) {
        Candidate candidate = contender.candidate;
        if (isForANamedSuccessor(contest, contender, vote)) {
            contender.isNamed = true;
            if (obstacle(contender).isPresent()) {
                contender.isNamed = false;
                return;
            }
            adopt(contest, contender, vote.term());
        }
        boolean isLeadingNow = candidate.tenure().map(t -> !t.isEnded() && !t.lease().isOver(context.now()))
                .orElse(false);
        if (!candidate.onVote(voter, vote.term(), belief.shared(voter, vote.epoch()), isLeadingNow)) {
            return;
        }
        if (candidate.isClaiming()) {
            leadIfBacked(contest, contender);
        } else {
            renew(contender);
        }
    }

    private void leadIfBacked(Contest contest, Contender contender) {
        // What was acknowledged in time may back a claim although nobody has been heard for long: ADR-0027 wants
        // RECONNECTED first, and an application that gives up at SUSPENDED would lose it again.
        if (!contender.candidate.isClaiming() || standing.isSuspended()) {
            return;
        }
        Epoch[] certificate = contender.candidate.certificate();
        if (!belief.isMajority(certificate)) {
            return;
        }
        Lease lease = belief.leaseOf(certificate);
        if (lease.isOver(context.now())) {
            return;
        }
        contender.cancelClaimTimer();
        claiming.remove(contender);
        contender.blockade = null;
        contender.isNamed = false;
        contender.failures = 0;
        contender.mustRaise = false;
        Tenure tenure = contender.candidate.lead(contender.path, lease);
        leading.put(contender.number, contender);
        underBacked.add(contender);
        context.emit(new NodeEffect.Granted(contender.number, tenure));
        paths.changed(contender);
        context.agenda().add(contest.path);
    }

    /** Lets the tenure rest on all its votes, unless that would be the worse lease at this moment. */
    private void renew(Contender contender) {
        Tenure tenure = contender.candidate.tenure().orElseThrow();
        Lease lease = belief.leaseOf(contender.candidate.certificate());
        contender.candidate.share(lease.certificate());
        if (lease != tenure.lease() && lease.until() - tenure.lease().until() >= 0) {
            tenure.lease(lease);
        }
    }

    void onNack(Contest contest, Contender contender, int voter, Nack nack) {
        Candidate candidate = contender.candidate;
        if (nack.claimed() != candidate.term()) {
            return;
        }
        if (candidate.isLeading()) {
            // It wins the voter back in the next heartbeat period. Another may have used the very same term there.
            contender.mustRaise |= nack.remainingNanos() == 0;
            return;
        }
        if (!candidate.isClaiming()) {
            return;
        }
        if (nack.remainingNanos() > 0) {
            onBlocked(contest, contender, voter, nack.remainingNanos());
        } else if (contender.raises < RAISES_MAX) {
            contender.raises++;
            raise(contest, contender);
        }
    }

    /** The voter's vote is another's. If too many are, the claim waits for them, or fails and waits longer. */
    private void onBlocked(Contest contest, Contender contender, int voter, long remaining) {
        contender.blockade.by(voter, remaining);
        OptionalLong blocked = contender.blockade.remaining();
        if (blocked.isEmpty()) {
            return;
        }
        long wait = blocked.getAsLong();
        long soon = context.settings().timing().deltas(2);
        if (wait <= soon || contender.isNamed) {
            // Of a named successor, the leader's release is late or lost: the voter has just asked the leader for it.
            contender.repetitions = wait <= soon ? 0 : contender.repetitions;
            awaitVotes(contest, contender, context.now() + Math.min(wait, soon));
        } else {
            giveUp(contest, contender, wait);
        }
    }

    // ---------------------------------------------------------------- the tenure

    /** Claims that are backed may lead: a belief has changed, or a suspension is over. */
    public void leadWhatIsBacked() {
        for (Contender contender : List.copyOf(claiming)) {
            leadIfBacked(paths.of(contender), contender);
        }
    }

    /** Beliefs have changed: a claim may be backed now, and votes in former epochs have to be won again. */
    public void onBeliefChanged() {
        leadWhatIsBacked();
        for (Contender contender : leading) {
            if (!missing(contender).isEmpty()) {
                underBacked.add(contender);
            }
        }
    }

    /** Asks voters again whose vote a tenure lacks; with a higher term if a voter has moved on. Per heartbeat. */
    public void repair() {
        int repaired = 0;
        for (Contender contender : List.copyOf(underBacked)) {
            if (repaired++ == REPAIRS_MAX) {
                break;
            }
            underBacked.remove(contender);
            List<NodeId> missing = missing(contender);
            renew(contender);
            if (!missing.isEmpty()) {
                underBacked.add(contender);
                ask(contender, missing);
            }
        }
        retainLeases(LEASES_KEPT);
    }

    private void ask(Contender contender, List<NodeId> missing) {
        Contest contest = paths.of(contender);
        if (contender.mustRaise || contest.termSeen() > contender.candidate.term()) {
            contender.mustRaise = false;
            contender.candidate.bump(nextTerm(contest, contender));
            contest.sawTerm(contender.candidate.term());
            send(claimOf(contender));
        } else {
            missing.forEach(voter -> context.send(voter, claimOf(contender)));
        }
    }

    /** The voters that support this node, but whose vote in the present epoch the tenure does not have. */
    private List<NodeId> missing(Contender contender) {
        List<NodeId> missing = new ArrayList<>(0);
        for (int voter = 0; voter < context.voterCount(); voter++) {
            if (belief.believes(voter) && contender.candidate.isMissing(voter, belief.epochOf(voter))) {
                missing.add(context.voter(voter));
            }
        }
        return missing;
    }

    /** Ends every tenure whose lease is over. First thing in each step. */
    public void endOverdue() {
        if (!belief.hasOverdueLease()) {
            return;
        }
        for (Contender contender : leading) {
            Tenure tenure = contender.candidate.tenure().orElseThrow();
            if (tenure.lease().isOver(context.now())) {
                dropOut(contender, "its lease has run out");
            }
        }
        retainLeases(0);
    }

    /** The contender's tenure has ended by itself: it is out of the queue until the application sends it back. */
    void dropOut(Contender contender, String reason) {
        end(contender, reason, Optional.empty());
        takeOut(contender);
    }

    /** The contender does not queue until the application sends it back. */
    void takeOut(Contender contender) {
        contender.stage = Contender.Stage.OUT;
        contender.keepsPlace = false;
        paths.changed(contender);
        context.agenda().add(contender.path);
    }

    private void retainLeases(int kept) {
        if (belief.leaseCount() > kept) {
            Set<Lease> used = new HashSet<>();
            leading.forEach(c -> used.add(c.candidate.tenure().orElseThrow().lease()));
            belief.retainLeases(used);
        }
    }

    /**
     * Ends a claim or a tenure: first stop, then tell.
     *
     * @param successor who is to follow, if the tenure ends on purpose
     */
    void end(Contender contender, String reason, Optional<Registration> successor) {
        contender.cancelClaimTimer();
        contender.blockade = null;
        contender.isNamed = false;
        Optional<Tenure> tenure = contender.candidate.tenure();
        tenure.ifPresent(Tenure::end);
        boolean wasIdle = contender.candidate.isIdle();
        long term = contender.candidate.term();
        contender.candidate.stop();
        leading.remove(contender.number);
        claiming.remove(contender);
        underBacked.remove(contender);
        if (wasIdle) {
            return;
        }
        Optional<Successor> named = successor.filter(s -> tenure.isPresent())
                .map(s -> new Successor(s.id(), nextTerm(paths.of(contender), contender)));
        named.ifPresent(next -> context.send(next.claimer().node(), new Handover(contender.path,
                next.claimer().number(), term, next.term())));
        context.sendToVoters(new Release(contender.path, contender.number, term, named));
        tenure.ifPresent(t -> context.emit(new NodeEffect.Revoked(contender.number, t, reason)));
    }
}
