package io.quorate.core.path;

import io.quorate.core.message.ContenderRecord;
import io.quorate.core.message.VoteMessage.Handover;
import io.quorate.core.message.VoteMessage.Nack;
import io.quorate.core.message.VoteMessage.Release;
import io.quorate.core.message.VoteMessage.Vote;
import io.quorate.core.path.ContenderState.Claiming;
import io.quorate.core.path.ContenderState.Idle;
import io.quorate.core.path.ContenderState.Resting;
import io.quorate.core.path.ContenderState.Waiting;
import io.quorate.core.step.StepContext;
import io.quorate.core.support.ConnectionTracker;
import io.quorate.core.support.Heartbeats;
import io.quorate.core.support.SupportHeld;
import io.quorate.core.vote.Blockade;
import io.quorate.core.vote.OwnVote;
import io.quorate.engine.Epoch;
import io.quorate.engine.Lease;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * The claims of all contenders of this node: docs/protocol.md#votes from the candidate's side. A claim is sent to the
 * voters that support this node, itself included; a majority of votes whose epochs of support are believed in is a
 * tenure, which {@link Tenures} keeps.
 */
public final class Claims {

    /** Votes for a named successor that others arranged are waited for only this part of the usual delay. */
    private static final int EARLY_VOTES_DIVISOR = 16;

    private final StepContext context;
    private final Votes votes;
    private final SupportHeld supportHeld;
    private final ConnectionTracker connectionTracker;
    private final Heartbeats heartbeats;
    private final OwnVote ownVote;
    private final Tenures tenures;
    private final ClaimPace pace;
    private final PathTable paths;
    private final Set<LocalContender> claiming = new LinkedHashSet<>();

    Claims(
            StepContext context,
            PathTable paths,
            SupportHeld supportHeld,
            ConnectionTracker connectionTracker,
            Heartbeats heartbeats,
            OwnVote ownVote,
            Votes votes) {
        this.context = context;
        this.votes = votes;
        this.supportHeld = supportHeld;
        this.connectionTracker = connectionTracker;
        this.heartbeats = heartbeats;
        this.ownVote = ownVote;
        this.tenures = new Tenures(context, paths, supportHeld, votes);
        this.pace = new ClaimPace(context);
        this.paths = paths;
    }

    /** Whether a contender of this node leads, or claims to. */
    public boolean isBusy() {
        return tenures.size() > 0 || !claiming.isEmpty();
    }

    /** The contenders that claim at this moment. */
    List<LocalContender> claiming() {
        return List.copyOf(claiming);
    }

    Tenures tenures() {
        return tenures;
    }

    ClaimPace pace() {
        return pace;
    }

    // ---------------------------------------------------------------- the beginning

    /**
     * Returns the obstacle that is in the way of a claim for longest; empty if the contender may claim now.
     *
     * @param isNamed whether a leader has named it as its successor: then votes are free for it
     */
    Optional<Waiting> obstacle(ContendedPath contended, LocalContender contender, boolean isNamed) {
        long now = context.now();
        // A fresh connection: after a heartbeat period the others know that this node is up. At the first connection a
        // voter need not wait on a path that nobody leads, nor a node that contends alone there, nor a named successor.
        boolean isAlone = contended.ranked().isOfOneNode();
        boolean isNobodys = (context.isVoter() || isAlone) && contended.holder().isEmpty();
        boolean isFirst = connectionTracker.isFirst() && (isNobodys || isNamed);
        String reason = "its node has just connected, and the others must learn that first";
        long ready = isFirst
                ? now
                : connectionTracker.connectedSince() + context.lease().heartbeat();
        // The own vote: while it is another's, a claim would miss it. A successor gets it with the hand-over.
        if (!isNamed) {
            OptionalLong free = ownVote.freeAt(contender.path, contender.id(context));
            if (free.isPresent() && free.getAsLong() - ready > 0) {
                ready = free.getAsLong();
                reason = "its own node has voted for another";
            }
        }
        // The back-off: contenders whose claims collided must not claim at one moment again.
        if (contender.backOff().isPresent()) {
            long quietUntil = contender.backOff().get().quietUntil(context.lease(), claimants(contended));
            if (quietUntil - ready > 0) {
                ready = quietUntil;
                reason = contender.backOff().get().reason();
            }
        }
        return ready - now > 0 ? Optional.of(new Waiting(reason, OptionalLong.of(ready))) : Optional.empty();
    }

    private static int claimants(ContendedPath contended) {
        return contended.ranked().bestOfEachNode().size();
    }

    /** Claims the path for the contender, which is idle. */
    void claim(ContendedPath contended, LocalContender contender, String reason) {
        claim(contended, contender, false, reason);
        pace.onAsked(contender);
    }

    private void claim(ContendedPath contended, LocalContender contender, boolean isNamed, String reason) {
        begin(contended, contender, isNamed, votes.nextTerm(contended, contender), context.now(), reason);
        votes.send(contender);
        awaitAnswers(contended, contender);
    }

    /** Claims the term in which a leader has asked the voters to vote for this contender, without asking them again. */
    private void adopt(ContendedPath contended, LocalContender contender, long term) {
        // The votes are on their way, the leader's own right behind its word. Missing votes are asked for soon.
        long soon = context.now() + context.timing().delta() / EARLY_VOTES_DIVISOR;
        begin(contended, contender, true, term, soon, "a leader has named it as its successor");
        contender.claim().setTimer(context.timers().set(soon, () -> {
            votes.send(contender);
            awaitAnswers(contended, contender);
        }));
    }

    private void begin(
            ContendedPath contended,
            LocalContender contender,
            boolean isNamed,
            long term,
            long nextHeartbeats,
            String reason) {
        if (!isBusy()) {
            // While it waited, acknowledgements had time: they may be two periods old, and its lease so much shorter.
            heartbeats.hurry(nextHeartbeats);
        }
        contender.beginClaim(
                context, new Claiming(reason, new Blockade(context, supportHeld), isNamed, context.now()), term);
        pace.onBegin(claiming.isEmpty());
        claiming.add(contender);
        contended.sawTerm(term);
    }

    private void awaitAnswers(ContendedPath contended, LocalContender contender) {
        awaitVotes(contended, contender, context.now() + pace.patience(contender.claim()));
    }

    private void awaitVotes(ContendedPath contended, LocalContender contender, long until) {
        contender.claim().setTimer(context.timers().set(until, () -> {
            pace.onLate(contender);
            if (contender.claim().tryRepeat()) {
                contender.claim().blockade.onAskedAgain();
                votes.send(contender);
                awaitAnswers(contended, contender);
            } else {
                giveUp(contended, contender, "too few voters have answered its claim", 0);
            }
        }));
    }

    /**
     * H6: a leader has named this contender as its successor, and told the voters so. Votes in the term that it chose
     * are on their way.
     */
    void onHandover(ContendedPath contended, LocalContender contender, Handover message) {
        if (contender.isClaiming()) {
            // Its own claim goes on: the votes that stood in the way are free now.
            contender.claim().isNamed = true;
            votes.send(contender);
        } else if (!connectionTracker.isConnected()
                || obstacle(contended, contender, true).isPresent()) {
            // H7: it must not lead now, so the votes go back before anybody waits for it.
            votes.decline(message);
        } else if (message.claim() > contender.candidate.term()) {
            adopt(contended, contender, message.claim());
        } else {
            // A term that was used or given back is never claimed: it claims a higher one, before anybody else knows.
            claim(contended, contender, true, "a leader has named it as its successor");
        }
    }

    /** H6: whether the vote, which nobody here claimed, is the word of a leader whose hand-over is late or lost. */
    private boolean isForANamedSuccessor(ContendedPath contended, LocalContender contender, Vote vote) {
        // Queued, and with no claim or tenure of its own.
        return contender.state() instanceof Idle
                // It never used or gave back this term or a higher one.
                && vote.term() > contender.candidate.term()
                // Nobody leads or has led in this term.
                && contended.isAboveTokens(vote.term())
                // A tenure needs the support of a majority.
                && connectionTracker.isConnected();
    }

    // ---------------------------------------------------------------- the answers

    void onVote(ContendedPath contended, LocalContender contender, int voter, Vote vote) {
        if (isForANamedSuccessor(contended, contender, vote)) {
            if (obstacle(contended, contender, true).isPresent()) {
                votes.giveBack(context.voter(voter), vote);
                return;
            }
            adopt(contended, contender, vote.term());
        }
        if (contender.isLeading()) {
            tenures.onVoteBy(voter, contender);
        }
        boolean isLeadingNow = contender.isLeading() && !tenures.isOver(contender);
        Epoch epoch = supportHeld.shared(voter, vote.epoch());
        if (!contender.candidate.onVote(voter, vote.term(), epoch, isLeadingNow)) {
            return;
        }
        if (contender.isClaiming()) {
            leadIfBacked(contender);
        } else {
            tenures.onBacked(contender, voter);
        }
    }

    /** The voters have changed: claims go on among the new ones, above the floor, and may be backed already. */
    void onVoters() {
        tenures.onVoters();
        for (LocalContender contender : claiming) {
            contender.claim().blockade = new Blockade(context, supportHeld);
            raiseAboveFloor(contender);
            votes.send(contender);
        }
        leadWhatIsBacked();
    }

    /**
     * A tenure begins in a term above the floor only (docs/reconfiguration.md, R7): a claim that is not above the new
     * floor is raised. Answers whether it was.
     */
    private boolean raiseAboveFloor(LocalContender contender) {
        if (contender.candidate.term() > context.voters().floor()) {
            return false;
        }
        ContendedPath contended = paths.of(contender);
        contender.candidate.claim(votes.nextTerm(contended, contender));
        contended.sawTerm(contender.candidate.term());
        return true;
    }

    private void leadIfBacked(LocalContender contender) {
        // While SUSPENDED, earlier acknowledgements may still back a claim. ADR-0059 wants RECONNECTED first, or an
        // application that gives up at SUSPENDED would lose the leadership again.
        if (!contender.isClaiming() || connectionTracker.isSuspended()) {
            return;
        }
        Epoch[] certificate = contender.candidate.certificate();
        if (!supportHeld.isMajority(certificate)) {
            return;
        }
        if (raiseAboveFloor(contender)) {
            votes.send(contender);
            return;
        }
        Lease lease = supportHeld.leaseOf(certificate);
        if (!lease.isOver(context.now())) {
            claiming.remove(contender);
            pace.onBacked(contender);
            tenures.begin(contender, lease);
        }
    }

    /** Claims that are backed may lead: a belief has changed, or a suspension is over. */
    public void leadWhatIsBacked() {
        for (LocalContender contender : List.copyOf(claiming)) {
            leadIfBacked(contender);
        }
    }

    /** Beliefs have changed: a claim may be backed now, and votes in former epochs have to be won again. */
    public void onBeliefChanged() {
        leadWhatIsBacked();
        tenures.onBeliefChanged();
    }

    void onNack(ContendedPath contended, LocalContender contender, int voter, Nack nack) {
        if (contender.isLeading()) {
            tenures.onRefusal(voter, contender);
        }
        if (nack.claimed() != contender.candidate.term()) {
            return;
        }
        boolean isBlocked = nack.remainingNanos() > 0;
        if (contender.isLeading() && !isBlocked) {
            // The voter is ahead: the next repair uses a higher term. Another may have used the same term there.
            tenures.onTermRefused(contender);
        } else if (contender.isClaiming() && isBlocked) {
            onBlocked(contended, contender, voter, nack.remainingNanos());
        } else if (contender.isClaiming() && contender.claim().tryRaise()) {
            contender.candidate.claim(votes.nextTerm(contended, contender));
            contended.sawTerm(contender.candidate.term());
            votes.send(contender);
        }
    }

    /** The voter's vote is another's. If too many votes are, the claim waits for them, or fails. */
    private void onBlocked(ContendedPath contended, LocalContender contender, int voter, long remaining) {
        Claiming claim = contender.claim();
        claim.blockade.by(voter, remaining);
        OptionalLong blocked = claim.blockade.remaining();
        if (blocked.isEmpty()) {
            return;
        }
        long wait = blocked.getAsLong();
        long soon = context.timing().deltas(2);
        if (wait <= soon || claim.isNamed) {
            // The votes are free soon by themselves. Or the release of the leader that named this contender is late or
            // lost, and the voter has just challenged that leader.
            if (wait <= soon) {
                claim.repetitions = 0;
            }
            awaitVotes(contended, contender, context.now() + Math.min(wait, soon));
        } else {
            giveUp(contended, contender, "too many votes are another's", wait);
        }
    }

    // ---------------------------------------------------------------- the end

    /**
     * The claim has failed: its votes are given back, and the contender keeps quiet for a while.
     *
     * @param reason  why
     * @param blocked how long too many votes are another's
     */
    void giveUp(ContendedPath contended, LocalContender contender, String reason, long blocked) {
        claiming.remove(contender);
        pace.onEnd(contender);
        String failure = "its claim has failed: " + reason;
        contender.stop(context, new Resting(failure));
        context.sendToVoters(
                new Release(contender.path, contender.number, contender.candidate.term(), Optional.empty()));
        contender.backOff(context, failure, blocked, claimants(contended));
        context.agenda().add(contended.path);
    }

    /** Ends what the contender has, a claim or a tenure: as {@link Tenures#end}. */
    void end(LocalContender contender, ContenderState next, Optional<ContenderRecord> successor) {
        claiming.remove(contender);
        pace.onEnd(contender);
        tenures.end(contender, next, successor);
    }
}
