package io.quorate.core.path;

import io.quorate.core.directory.RankedContenders;
import io.quorate.core.election.Elections;
import io.quorate.core.election.PathNomination;
import io.quorate.core.message.ContenderId;
import io.quorate.core.message.ContenderRecord;
import io.quorate.core.path.ContenderState.Electing;
import io.quorate.core.path.ContenderState.Idle;
import io.quorate.core.path.ContenderState.Leaving;
import io.quorate.core.path.ContenderState.Resting;
import io.quorate.core.path.ContenderState.Waiting;
import io.quorate.core.step.StepContext;
import io.quorate.core.support.ConnectionTracker;
import io.quorate.core.support.NodeLiveness;
import io.quorate.core.vote.OwnVote;
import io.quorate.engine.LeaseTiming;
import io.quorate.spi.NodeId;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Decides for each path whether this node rests because someone leads, takes part in an election, waits, or claims. It
 * has no state itself: {@link ContendedPath} keeps what one evaluation leaves for the next. {@link Claims} does the
 * claiming.
 */
final class Succession {

    private static final Resting OWN_LEADS = new Resting("another contender of this node leads");
    private static final Resting OWN_FIRST = new Resting("another contender of this node goes first");
    private static final Resting LED = new Resting("a leader is up");
    private static final Resting UNSUPPORTED = new Resting("no majority of voters supports this node");

    /** A nominee leaves a path to so many better ranked nodes at most, one after the other. */
    private static final int TURNS_MAX = 2;

    private final StepContext context;
    private final NodeLiveness liveness;
    private final ConnectionTracker connectionTracker;
    private final OwnVote ownVote;
    private final Elections elections;
    private final Claims claims;

    Succession(
            StepContext context,
            NodeLiveness liveness,
            ConnectionTracker connectionTracker,
            OwnVote ownVote,
            Elections elections,
            Claims claims) {
        this.context = context;
        this.liveness = liveness;
        this.connectionTracker = connectionTracker;
        this.ownVote = ownVote;
        this.elections = elections;
        this.claims = claims;
    }

    /**
     * Evaluates the path, because something changed that may matter, or at an instant that was asked for here. The
     * result depends on the present state only.
     */
    void evaluate(ContendedPath contended) {
        Optional<LocalContender> best = contended.bestOwn();
        Optional<ContenderRecord> holder = contended.holder();
        noteHolder(contended, holder);
        // No contender of this node is in the queue, or one leads: there is nothing to win.
        boolean leads = contended.isAnyLeading();
        if (best.isEmpty() || leads) {
            if (leads) {
                forgive(contended);
            }
            rest(contended, OWN_LEADS);
            return;
        }
        // A claim needs the votes of a majority that supports this node.
        if (!connectionTracker.isConnected()) {
            rest(contended, UNSUPPORTED);
            return;
        }
        // The answers to the claim decide, or its timer does.
        if (contended.isAnyClaiming()) {
            return;
        }
        if (holder.isPresent() && liveness.isUp(holder.get().id().node())) {
            // ADR-0017: while a leader is up, the path is quiet.
            rest(contended, LED);
            forgive(contended);
            // Failures of an algorithm in former elections are forgotten.
            contended.nomination = null;
            return;
        }
        // Patience counts from the moment at which the voters have dropped the holder, and once per absence of a
        // leader.
        if (holder.isPresent()) {
            contended.firstPatienceEnds = OptionalLong.empty();
        } else if (contended.firstPatienceEnds.isEmpty()) {
            long support = context.lease().support();
            contended.firstPatienceEnds =
                    OptionalLong.of(context.now() + support + context.jitter().between(0, support / 4));
        }
        restAllBut(best.get(), contended, OWN_FIRST);
        if (isBeingTaken(contended)) {
            contended.wakeAt(contended.electionNotBefore.getAsLong());
        } else {
            contended.electionNotBefore = OptionalLong.empty();
            elect(contended);
        }
        claimIfDue(contended, best.get());
    }

    /** A leader is up: no contender of this node claims, so what failed before counts for none of them. */
    private static void forgive(ContendedPath contended) {
        for (LocalContender contender : contended.own()) {
            contender.forgive();
        }
    }

    private void restAllBut(@Nullable LocalContender acting, ContendedPath contended, Resting rest) {
        for (LocalContender contender : contended.own()) {
            if (contender != acting && contender.state() instanceof Idle) {
                contender.become(context, rest);
            }
        }
    }

    private void noteHolder(ContendedPath contended, Optional<ContenderRecord> holder) {
        ContenderId last = contended.lastHolder;
        // H8: a leader that ends without having been suspected has released, so its successor claims already.
        if (holder.isEmpty() && last != null && liveness.isUp(last.node())) {
            contended.electionNotBefore =
                    OptionalLong.of(context.now() + context.timing().deltas(4));
        }
        // The turns of the nominee count from here: nobody could lead before.
        if (holder.isEmpty() && last != null && contended.nomination != null) {
            contended.nomination.onLeaderless();
        }
        contended.lastHolder = holder.isPresent() ? holder.get().id() : null;
    }

    /** H8: whether a named successor is claiming. If this node's own vote is free, the successor did not want it. */
    private boolean isBeingTaken(ContendedPath contended) {
        return contended.electionNotBefore.isPresent()
                && contended.electionNotBefore.getAsLong() - context.now() > 0
                && !(context.isVoter() && ownVote.isFree(contended.path));
    }

    private void rest(ContendedPath contended, Resting rest) {
        restAllBut(null, contended, rest);
        PathNomination nomination = contended.nomination;
        if (nomination != null) {
            nomination.stop();
            contended.nomination = nomination.isForgettable() ? null : nomination;
        }
        contended.firstPatienceEnds = OptionalLong.empty();
        contended.askAgainAt = OptionalLong.empty();
        contended.sleep();
    }

    /**
     * ADR-0020: after all votes of a dead node have ended, the contenders claim one after the other, by rank. The rank
     * is that of now: those that have gone down meanwhile have no turn. Before the first may claim, its turn is
     * answered.
     */
    private OptionalLong patienceEnds(ContendedPath contended) {
        OptionalLong ofTheFirst = contended.firstPatienceEnds;
        return ofTheFirst.isEmpty() || ofTheFirst.getAsLong() - context.now() > 0
                ? ofTheFirst
                : OptionalLong.of(ofTheFirst.getAsLong() + turn(position(contended)));
    }

    /**
     * The instant at which this node claims as nominee. Nodes that rank better and are up go first: contenders that
     * cannot reach each other each nominate themselves, and one that has just come back must not overtake the queue.
     */
    private long turnOfNominee(ContendedPath contended, PathNomination nomination) {
        return nomination.namedAt() + turn(Math.min(position(contended), TURNS_MAX));
    }

    /** How long a node leaves a path to those before it. */
    private long turn(int position) {
        return context.lease().support() * position / 2;
    }

    /** How many nodes that are up have a contender that ranks before all of this node. */
    private int position(ContendedPath contended) {
        int position = 0;
        for (ContenderRecord best : contended.ranked().bestOfEachNode()) {
            if (best.id().node().equals(context.self())) {
                break;
            }
            position += liveness.isUp(best.id().node()) ? 1 : 0;
        }
        return position;
    }

    private void elect(ContendedPath contended) {
        List<ContenderRecord> electors = Elections.electors(contended.ranked());
        if (electors.size() == 1 || !RankedContenders.hasAnyOf(context.self(), electors)) {
            // One elector needs no election, and a node that is no elector takes part in none.
            if (contended.nomination != null) {
                contended.nomination.stop();
            }
        } else {
            nomination(contended).elect(electors);
        }
    }

    private PathNomination nomination(ContendedPath contended) {
        PathNomination nomination = contended.nomination;
        if (nomination == null) {
            nomination = new PathNomination(context, liveness, elections, contended.path);
            contended.nomination = nomination;
        }
        return nomination;
    }

    private void claimIfDue(ContendedPath contended, LocalContender contender) {
        PathNomination nomination = contended.nomination;
        // Without an election the node is the nominee if it contends alone, and no successor is expected.
        boolean isNominee = nomination != null && nomination.isRunning()
                ? nomination.nominee().equals(Optional.of(context.self()))
                : contended.ranked().isOfOneNode() && contended.electionNotBefore.isEmpty();
        OptionalLong patienceEnds = patienceEnds(contended);
        boolean isImpatient = patienceEnds.isPresent() && patienceEnds.getAsLong() - context.now() <= 0;
        if (!isNominee && !isImpatient) {
            contender.become(context, new Electing("no leader is up, and it is not nominated"));
            if (patienceEnds.isPresent()) {
                contended.wakeAt(patienceEnds.getAsLong());
            }
            return;
        }
        // A nominee leaves better ranked nodes their turn, unless its patience is over.
        if (nomination != null && nomination.isRunning() && !isImpatient) {
            long turn = turnOfNominee(contended, nomination);
            if (turn - context.now() > 0) {
                contender.become(context, new Electing("it is nominated, and others that are up rank better"));
                contended.wakeAt(turn);
                patienceEnds.ifPresent(contended::wakeAt);
                return;
            }
        }
        Optional<Waiting> obstacle = claims.obstacle(contended, contender, false);
        if (obstacle.isPresent()) {
            contender.become(context, obstacle.get());
            contended.wakeAt(obstacle.get().until().getAsLong());
            askForOwnVote(contended, contender);
        } else if (claims.pace().isFull()) {
            contender.become(context, new Waiting("other paths are claimed before this one", OptionalLong.empty()));
            claims.pace().defer(contended.path);
        } else {
            claims.claim(contended, contender, isNominee ? "it is nominated" : "its patience is over");
        }
    }

    /**
     * The holder of this node's own vote is up and does not lead, so its release may be lost. A challenge usually
     * follows from a claim, but this node does not claim without its own vote. So it asks the holder itself. The next
     * pause is as long as the path was without a leader, because the holder may be busy with thousands of such
     * questions (ADR-0077).
     */
    private void askForOwnVote(ContendedPath contended, LocalContender contender) {
        long now = context.now();
        if (contended.askAgainAt.orElse(now) - now <= 0) {
            LeaseTiming lease = context.lease();
            long leaderless = now + lease.support() - contended.firstPatienceEnds.orElse(now + lease.support());
            long again = now + Math.max(lease.heartbeat(), Math.min(leaderless, lease.support()));
            boolean isAsked = ownVote.challenge(contended.path, contender.id(context));
            contended.askAgainAt = isAsked ? OptionalLong.of(again) : OptionalLong.empty();
        }
        contended.askAgainAt.ifPresent(contended::wakeAt);
    }

    /** Whom {@code leaver} was asked to hand over to, or else the first other contender by rank: one that is up. */
    Optional<ContenderRecord> successor(ContendedPath contended, LocalContender leaver) {
        ContenderRecord successor = null;
        for (ContenderRecord other : contended.ranked()) {
            // ADR-0024
            if (!other.id().equals(leaver.id(context))
                    && liveness.isUp(other.id().node())
                    && (successor == null || other.id().equals(to(leaver)))) {
                successor = other;
            }
        }
        return Optional.ofNullable(successor);
    }

    /**
     * As {@link #successor}, for a leader that leaves in any case. If no other contender is up, it is the first one,
     * because its node may have joined after the voters last said who is up. They know by now.
     */
    Optional<ContenderRecord> likelySuccessor(ContendedPath contended, LocalContender leaver) {
        Optional<ContenderRecord> successor = successor(contended, leaver);
        // The one that it was asked to hand over to was up before, so that one has gone down.
        return successor.isPresent() || to(leaver) != null
                ? successor
                : contended.ranked().without(leaver.id(context)).stream().findFirst();
    }

    private static @Nullable ContenderId to(LocalContender leaver) {
        return leaver.state() instanceof Leaving leaving ? leaving.to().orElse(null) : null;
    }

    /** The node has come up or gone down: the path is evaluated if that may matter. */
    void onUpChanged(ContendedPath contended, NodeId changed) {
        if (contended.own().isEmpty()) {
            return;
        }
        // Suspicion of the leader wakes an election. During an election the suspects decide who is nominated.
        ContenderId last = contended.lastHolder;
        boolean wasLeader = last != null && last.node().equals(changed);
        boolean isElecting = contended.nomination != null && contended.nomination.isRunning();
        if (wasLeader || isElecting) {
            context.agenda().add(contended.path);
        }
    }
}
