package io.quorate.core.path;

import io.quorate.core.collection.LongMap;
import io.quorate.core.message.ContenderId;
import io.quorate.core.message.ContenderRecord;
import io.quorate.core.message.VoteMessage.Handover;
import io.quorate.core.message.VoteMessage.Release;
import io.quorate.core.message.VoteMessage.Successor;
import io.quorate.core.path.ContenderState.Leading;
import io.quorate.core.path.ContenderState.Leaving;
import io.quorate.core.path.ContenderState.Out;
import io.quorate.core.step.NodeEffect;
import io.quorate.core.step.StepContext;
import io.quorate.core.support.SupportHeld;
import io.quorate.core.voters.PerVoter;
import io.quorate.engine.Lease;
import io.quorate.engine.Tenure;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * The tenures of all contenders of this node: docs/protocol.md#votes. Each rests on the votes of a majority whose
 * epochs of support are believed in. Votes that are missing are won back in the background; when the lease is over, or
 * on purpose, the tenure ends.
 */
public final class Tenures {

    /**
     * So many leaders that lack a vote, or a better lease, are looked at with the heartbeat: what they ask leaves in
     * its frame.
     */
    private static final int LOOKED_AT_ONCE = 512;

    /** Leaders that are looked at for each tenure that may end because its lease is over. */
    private static final int LOOKS_PER_END = 8;

    /** More certificates than this are compared with those in use. */
    private static final int LEASES_KEPT = 8;

    private final StepContext context;
    private final PathTable paths;
    private final SupportHeld supportHeld;
    private final Votes votes;
    private final LongMap<LocalContender> leading = new LongMap<>();
    /**
     * The leaders that lack the vote of each voter: a leader that waits for one voter does not hold up others at
     * another.
     */
    private final PerVoter<VoterQueue> lacking;
    /** The leaders whose lease does not rest on all their votes yet. */
    private final Set<LocalContender> behind = new LinkedHashSet<>();
    /** How many of them are looked at before the next heartbeat. */
    private int behindLeft;
    /** The leaders whose term a voter refused: a higher one is needed to win that voter back. */
    private final Set<LocalContender> refused = new HashSet<>();
    /** The leader that was looked at last for a lease that is over. */
    private long lookedAt = LongMap.BEFORE_ALL;
    /** How many contenders are leaving. */
    private int leaving;
    /** The number of the last departure. */
    private long departures;

    Tenures(StepContext context, PathTable paths, SupportHeld supportHeld, Votes votes) {
        this.context = context;
        this.paths = paths;
        this.supportHeld = supportHeld;
        this.votes = votes;
        this.lacking = context.perVoter(() -> new VoterQueue(context));
    }

    /** How many contenders of this node lead. */
    public int size() {
        return leading.size();
    }

    /** The contender's claim is backed by this lease: it leads. */
    void begin(LocalContender contender, Lease lease) {
        Tenure tenure = contender.lead(context, lease);
        contender.candidate.share(lease.certificate());
        leading.put(contender.number, contender);
        awaitVotes(contender);
        context.emit(new NodeEffect.Granted(contender.number, tenure));
        paths.changed(contender);
        context.agenda().add(contender.path);
    }

    // ---------------------------------------------------------------- the work of a leader that leaves

    /** How many contenders of this node lead until their application has finished its work. */
    int leaving() {
        return leaving;
    }

    /**
     * The leader leads on until its application has finished its work.
     *
     * @param to whom leadership goes to if that one is up at the end; empty if the best may have it
     */
    void leave(LocalContender contender, Leaving.Cause cause, String reason, Optional<ContenderId> to) {
        if (contender.state() instanceof Leaving begun) {
            if (to.isPresent() && !to.equals(begun.to())) {
                refuse(contender, begun, reason);
            }
            contender.become(context, begun.join(cause, reason, to));
            return;
        }
        contender.become(context, new Leaving(++departures, cause, reason, to, false));
        leaving++;
        if (cause != Leaving.Cause.APPLICATION) {
            context.emit(new NodeEffect.Leaving(
                    contender.number, contender.candidate.tenure().orElseThrow(), departures, reason));
        }
    }

    /** The leader was to leave, and does not. */
    void stay(LocalContender contender, Leaving former, String reason) {
        leaving--;
        contender.become(context, new Leading(reason));
        refuse(contender, former, reason);
        context.emit(new NodeEffect.Stays(
                contender.number, contender.candidate.tenure().orElseThrow(), reason));
    }

    // ---------------------------------------------------------------- repair

    /**
     * Lets the tenure rest on all its votes, unless that would be the worse lease at this moment, as it may be after a
     * change of the voters. A lease that is over stays so, and its tenure waits for its end. Returns whether there is
     * no more to do.
     */
    boolean renew(LocalContender contender) {
        if (isOver(contender)) {
            return true;
        }
        Tenure tenure = contender.candidate.tenure().orElseThrow();
        Lease lease = supportHeld.leaseOf(contender.candidate.certificate());
        contender.candidate.share(lease.certificate());
        if (lease != tenure.lease() && lease.until() - tenure.lease().until() >= 0) {
            tenure.setLease(lease);
        }
        return tenure.lease() == lease;
    }

    /** The voter has voted for the leader, which lacked the vote. */
    void onBacked(LocalContender contender, int voter) {
        if (!lacks(contender, voter)) {
            lacking.of(voter).remove(contender);
        }
        tryRenew(contender);
    }

    private void tryRenew(LocalContender contender) {
        behind.remove(contender);
        if (!renew(contender)) {
            behind.add(contender);
        }
    }

    /** A voter has answered a leader's claim by a vote, whether or not the leader lacks it. */
    void onVoteBy(int voter, LocalContender contender) {
        lacking.of(voter).onVote(contender.number, isFrozen());
    }

    /** A voter has refused a leader its vote. */
    void onRefusal(int voter, LocalContender contender) {
        lacking.of(voter).onAnswer(contender.number);
    }

    /** A voter refused the tenure's term, in which another may have its vote: the tenure needs a higher one. */
    void onTermRefused(LocalContender contender) {
        refused.add(contender);
    }

    /** Beliefs have changed: votes in former epochs have to be won again. */
    void onBeliefChanged() {
        paths.begin("beliefs", contended -> {
            for (LocalContender contender : contended.own()) {
                if (contender.isLeading()) {
                    awaitVotes(contender);
                }
            }
        });
    }

    /** Whether leases under the former voters run out: they end if the votes of the new voters come too late. */
    private boolean isFrozen() {
        OptionalLong since = context.votersSince();
        return since.isPresent()
                && context.now() - since.getAsLong() < context.lease().support();
    }

    /** The voters have changed: the votes of the new ones are missing now. */
    void onVoters() {
        leading.forEach(contender -> {
            for (int voter = 0; voter < context.voterCount(); voter++) {
                if (lacks(contender, voter)) {
                    lacking.of(voter).add(contender);
                }
            }
        });
    }

    /**
     * Asks voters again whose vote a tenure lacks, as fast as they answer; with a higher term if a voter has moved on.
     * Called per heartbeat; the next steps go on with it.
     */
    public void repair() {
        lacking.all().forEach(VoterQueue::beginPeriod);
        behindLeft = behind.size();
        work(LOOKED_AT_ONCE);
        retainLeases(LEASES_KEPT);
    }

    /** Whether leaders are to be looked at. */
    boolean hasWork() {
        for (int voter = 0; voter < context.voterCount(); voter++) {
            if (hasQuestion(voter)) {
                return true;
            }
        }
        return isAnyBehind();
    }

    /** Whether the lease of a leader is to be looked at. */
    private boolean isAnyBehind() {
        return behindLeft > 0 && !behind.isEmpty();
    }

    /** Whether a leader has a turn to ask the voter, which may be asked now. */
    private boolean hasQuestion(int voter) {
        VoterQueue queue = lacking.of(voter);
        return queue.hasTurn() && supportHeld.believes(voter) && queue.mayBeAsked();
    }

    /** Looks at so many of the leaders that lack a vote, or a better lease; called in each step. */
    void work(int max) {
        int left = max;
        for (int voter = 0; voter < context.voterCount(); voter++) {
            for (; left > 0 && hasQuestion(voter); left--) {
                ask(lacking.of(voter).next(), voter);
            }
        }
        for (; left > 0 && isAnyBehind(); left--) {
            behindLeft--;
            tryRenew(behind.iterator().next());
        }
    }

    /** Whether the contender's tenure is over, and waits for its end: nothing may renew it. */
    boolean isOver(LocalContender contender) {
        Tenure tenure = contender.candidate.tenure().orElseThrow();
        return tenure.isEnded() || tenure.lease().isOver(context.now());
    }

    /** Asks the voter, which may be asked now, for its vote. */
    private void ask(LocalContender contender, int voter) {
        if (isOver(contender) || !lacks(contender, voter)) {
            lacking.of(voter).remove(contender);
            return;
        }
        lacking.of(voter).onAsked(contender.number);
        ContendedPath contended = paths.of(contender);
        boolean isRefused = refused.remove(contender);
        if (isRefused || contended.termSeen() > contender.candidate.term()) {
            contender.candidate.bump(votes.nextTerm(contended, contender));
            contended.sawTerm(contender.candidate.term());
        }
        votes.send(contender, context.voter(voter));
    }

    /** The leader stands in the queue of each voter that supports this node, and whose vote it lacks. */
    private void awaitVotes(LocalContender contender) {
        for (int voter = 0; voter < context.voterCount(); voter++) {
            if (supportHeld.believes(voter) && lacks(contender, voter)) {
                lacking.of(voter).add(contender);
            }
        }
    }

    /** Whether the tenure does not have the vote of the voter in the present epoch. */
    private boolean lacks(LocalContender contender, int voter) {
        return contender.candidate.isMissing(voter, supportHeld.epochOf(voter));
    }

    // ---------------------------------------------------------------- the end

    /**
     * Ends so many of the tenures whose lease is over; first thing in each step, and the next step follows at once if
     * some are left. They are over in the meantime too.
     */
    public void endOverdue(int max) {
        int ended = 0;
        while (supportHeld.hasOverdueLease()) {
            List<LocalContender> next = leading.after(lookedAt, LOOKS_PER_END * max);
            for (LocalContender contender : next) {
                if (ended == max) {
                    return;
                }
                lookedAt = contender.number;
                ended += endIfOverdue(contender) ? 1 : 0;
            }
            if (next.size() == LOOKS_PER_END * max) {
                return;
            }
            // All were looked at. Leases that are over and unused are removed.
            lookedAt = LongMap.BEFORE_ALL;
            retainLeases(0);
        }
    }

    /**
     * Ends the contender's tenure if its lease is over, before anything else is done with it: of very many the end may
     * not have come yet. Answers whether it was.
     */
    boolean endIfOverdue(LocalContender contender) {
        boolean isOverdue = isOverdue(contender);
        if (isOverdue) {
            takeOut(contender, new Out("its lease has run out"), Optional.empty());
        }
        return isOverdue;
    }

    /** Whether the contender leads by a lease that is over: its tenure ends soon. */
    boolean isOverdue(LocalContender contender) {
        return contender.isLeading()
                && contender.candidate.tenure().orElseThrow().lease().isOver(context.now());
    }

    /**
     * The leader's tenure ends, and it does not queue until the application sends it back.
     *
     * @param next whether it comes back at the tail ({@link Out}) or to its place ({@link ContenderState.Aside})
     */
    void takeOut(LocalContender contender, ContenderState next, Optional<ContenderRecord> successor) {
        end(contender, next, successor);
        paths.changed(contender);
        context.agenda().add(contender.path);
    }

    /**
     * Ends what the contender has, a claim or a tenure: first stop, then tell.
     *
     * @param successor who is to follow, if the tenure ends on purpose
     */
    void end(LocalContender contender, ContenderState next, Optional<ContenderRecord> successor) {
        // No lambdas, here and in what follows a hand-over: the first one of a process links each of them.
        Tenure tenure = contender.candidate.tenure().orElse(null);
        if (tenure != null) {
            tenure.end();
        }
        boolean wasIdle = contender.candidate.isIdle();
        long term = contender.candidate.term();
        Leaving left = contender.leaving();
        leaving -= left == null ? 0 : 1;
        contender.stop(context, next);
        leading.remove(contender.number);
        for (VoterQueue queue : lacking.all()) {
            queue.remove(contender);
            queue.forget(contender.number);
        }
        behind.remove(contender);
        refused.remove(contender);
        if (wasIdle) {
            return;
        }
        Optional<Successor> named = Optional.empty();
        if (tenure != null && successor.isPresent()) {
            ContenderId to = successor.get().id();
            long claim = votes.nextTerm(paths.of(contender), contender);
            named = Optional.of(new Successor(to, claim));
            context.send(to.node(), new Handover(contender.path, to.number(), term, claim));
        }
        context.sendToVoters(new Release(contender.path, contender.number, term, named));
        if (tenure != null) {
            context.emit(new NodeEffect.Revoked(contender.number, tenure, next.reason()));
        }
        if (left != null
                && !(successor.isPresent()
                        && left.to().equals(Optional.of(successor.get().id())))) {
            refuse(contender, left, next.reason());
        }
    }

    /** Its successor does not come to lead by this departure, if it has one. */
    private void refuse(LocalContender contender, Leaving left, String reason) {
        if (left.to().isPresent()) {
            ContenderId to = left.to().get();
            context.emit(new NodeEffect.TransferRefused(
                    contender.number,
                    Optional.of(to),
                    new IllegalStateException(
                            "leadership of " + contender.path + " was not transferred to " + to + ": " + reason)));
        }
    }

    private void retainLeases(int kept) {
        if (supportHeld.leaseCount() > kept) {
            Set<Lease> used = new HashSet<>();
            leading.forEach(c -> used.add(c.candidate.tenure().orElseThrow().lease()));
            supportHeld.retainLeases(used);
        }
    }
}
