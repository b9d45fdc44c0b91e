package io.quorate.core.path;

import io.quorate.core.directory.RankedContenders;
import io.quorate.core.message.ContenderId;
import io.quorate.core.message.ContenderRecord;
import io.quorate.core.step.StepContext;
import io.quorate.core.step.Timers;
import io.quorate.core.support.ConnectionTracker;
import io.quorate.core.support.NodeLiveness;
import io.quorate.core.vote.OwnVote;
import io.quorate.core.vote.Takings;
import io.quorate.spi.NodeId;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * What this node does about the leadership of one path: whether it rests because somebody leads, takes part in an
 * election, waits, or claims. {@link Claims} does the claiming.
 */
final class Succession extends ContendedPath {

    /** Only so many nodes, the best by rank that are up, may claim although they are not the nominee: ADR-0020. */
    private static final int PATIENT_MAX = 3;

    private final Parts parts;
    /** Null while there is nothing to elect, and nothing to remember of former elections. */
    private @Nullable PathNomination nomination;

    private OptionalLong electionNotBefore = OptionalLong.empty();
    private OptionalLong patienceEnds = OptionalLong.empty();
    private boolean isAskedFor;
    private long askAgainAt;
    private Timers.@Nullable Handle wake;
    /** Who led when this was last evaluated; null if nobody did. */
    private @Nullable ContenderId lastHolder;

    /** What the paths of a node share. */
    record Parts(
            NodeLiveness liveness,
            ConnectionTracker connectionTracker,
            OwnVote ownVote,
            Takings takings,
            Elections elections,
            Claims claims) {}

    Succession(StepContext context, Parts parts, String path) {
        super(context, path);
        this.parts = parts;
    }

    /**
     * Evaluates the path, because something changed that may matter, or at an instant that it asked for itself. What it
     * does depends on the present state only.
     */
    void evaluate() {
        Optional<LocalContender> best = bestOwn();
        Optional<ContenderRecord> holder = holder();
        noteHolder(holder);
        if (best.isEmpty() || isAnyOwn(ContenderState.LEADING)) {
            rest("this node leads, or nobody of it is in the queue");
            return;
        }
        if (!parts.connectionTracker.isConnected()) {
            rest("no majority of voters supports this node");
            return;
        }
        if (isAnyOwn(ContenderState.CLAIMING)) {
            return;
        }
        if (holder.isPresent() && parts.liveness.isUp(holder.get().id().node())) {
            // ADR-0017: while a leader is up, the path is quiet.
            rest("a leader is up");
            best.get().backOff().ifPresent(BackOff::forgive);
            // Everybody is trusted again.
            nomination = null;
            return;
        }
        if (holder.isPresent()) {
            patienceEnds = OptionalLong.empty();
        } else if (patienceEnds.isEmpty()) {
            patienceEnds = patience();
        }
        restAllBut(best.get());
        if (isBeingTaken()) {
            wakeAt(electionNotBefore.getAsLong());
        } else {
            electionNotBefore = OptionalLong.empty();
            elect();
        }
        claimIfDue(best.get());
    }

    /** One contender acts for this node. The others have nothing to do, whatever they did before. */
    private void restAllBut(LocalContender acting) {
        for (LocalContender contender : own()) {
            if (contender != acting && contender.state().isIdle()) {
                contender.become(context, ContenderState.RESTING, "another contender of this node goes first");
            }
        }
    }

    /** A leader that goes without having been suspected has released: its successor is claiming already. */
    private void noteHolder(Optional<ContenderRecord> holder) {
        if (holder.isEmpty() && lastHolder != null && parts.liveness.isUp(lastHolder.node())) {
            electionNotBefore =
                    OptionalLong.of(context.now() + context.settings().timing().deltas(4));
        }
        lastHolder = holder.map(ContenderRecord::id).orElse(null);
    }

    /** The successor claims already, unless this voter knows that the votes are free: then it did not want to. */
    private boolean isBeingTaken() {
        return electionNotBefore.isPresent()
                && electionNotBefore.getAsLong() - context.now() > 0
                && !(context.selfVoter() >= 0 && parts.ownVote.isFree(path));
    }

    private void rest(String reason) {
        for (LocalContender contender : own()) {
            if (contender.state().isIdle()) {
                contender.become(context, ContenderState.RESTING, reason);
            }
        }
        if (nomination != null) {
            nomination.stop();
            nomination = nomination.isForgettable() ? null : nomination;
        }
        patienceEnds = OptionalLong.empty();
        if (wake != null) {
            wake.cancel();
            wake = null;
        }
    }

    /** ADR-0020: only the first three that are up, one after the other. */
    private OptionalLong patience() {
        int position = 0;
        for (ContenderRecord best : ranked().bestOfEachNode()) {
            if (best.id().node().equals(context.self())) {
                break;
            }
            position += parts.liveness.isUp(best.id().node()) ? 1 : 0;
        }
        if (position >= PATIENT_MAX) {
            return OptionalLong.empty();
        }
        long support = context.settings().lease().support();
        return OptionalLong.of(context.now()
                + support
                + support * position / 2
                + context.jitter().between(0, support / 4));
    }

    Optional<String> algorithmFailure() {
        return nomination == null ? Optional.empty() : nomination.failure();
    }

    private void elect() {
        List<ContenderRecord> electors = Elections.electors(ranked());
        if (electors.size() == 1 || !RankedContenders.hasAnyOf(context.self(), electors)) {
            // An election with one contender has one outcome.
            if (nomination != null) {
                nomination.stop();
            }
        } else {
            nomination().elect(electors);
        }
    }

    private PathNomination nomination() {
        if (nomination == null) {
            nomination = new PathNomination(
                    context,
                    parts.liveness,
                    parts.elections,
                    parts.takings,
                    path,
                    () -> holder().isEmpty() && parts.ownVote.isFree(path));
        }
        return nomination;
    }

    private boolean isElecting() {
        return nomination != null && nomination.isRunning();
    }

    private void claimIfDue(LocalContender contender) {
        boolean isNominee = nomination != null && nomination.isRunning()
                ? nomination.nominee().equals(Optional.of(context.self()))
                : ranked().isOfOneNode() && electionNotBefore.isEmpty();
        boolean isImpatient = patienceEnds.isPresent() && patienceEnds.getAsLong() - context.now() <= 0;
        if (!isNominee && !isImpatient) {
            contender.become(context, ContenderState.ELECTING, "nobody leads, and it is not nominated");
            patienceEnds.ifPresent(this::wakeAt);
            return;
        }
        OptionalLong obstacle = parts.claims.obstacle(contender, false);
        if (obstacle.isPresent()) {
            contender.become(context, ContenderState.WAITING, "it is to claim, and something is in the way");
            wakeAt(obstacle.getAsLong());
            askForOwnVote(contender);
        } else {
            parts.claims.claim(this, contender, isNominee ? "it is nominated" : "its patience is over");
        }
    }

    /**
     * This node's own vote is another's that is up and does not lead: its release was lost, perhaps. Nobody would ever
     * find out, because a challenge follows from a claim, and with its own vote given away this node does not claim.
     */
    private void askForOwnVote(LocalContender contender) {
        if (isAskedFor && askAgainAt - context.now() > 0) {
            wakeAt(askAgainAt);
            return;
        }
        isAskedFor = parts.ownVote.challenge(path, contender.id(context));
        if (isAskedFor) {
            askAgainAt = context.now() + context.settings().lease().heartbeat();
            wakeAt(askAgainAt);
        }
    }

    /** Evaluates the path again then, if not before. */
    private void wakeAt(long instant) {
        if (wake != null && wake.deadline() - instant <= 0) {
            return;
        }
        if (wake != null) {
            wake.cancel();
        }
        wake = context.timers().set(instant, () -> {
            wake = null;
            enqueue();
        });
    }

    private void enqueue() {
        context.agenda().add(path);
    }

    /** The first contender by rank, other than {@code leaver}, that is up: ADR-0024. */
    Optional<ContenderRecord> successor(LocalContender leaver) {
        for (ContenderRecord other : ranked()) {
            if (!other.id().equals(leaver.id(context))
                    && parts.liveness.isUp(other.id().node())) {
                return Optional.of(other);
            }
        }
        return Optional.empty();
    }

    void onUpChanged(NodeId changed) {
        if (own().isEmpty()) {
            return;
        }
        boolean wasLeader = lastHolder != null && lastHolder.node().equals(changed);
        if (wasLeader || isElecting()) {
            enqueue();
        }
    }
}
