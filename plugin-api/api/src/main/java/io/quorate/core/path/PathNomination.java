package io.quorate.core.path;

import io.quorate.core.message.ContenderRecord;
import io.quorate.core.step.StepContext;
import io.quorate.core.step.Timers;
import io.quorate.core.support.NodeLiveness;
import io.quorate.core.vote.Takings;
import io.quorate.spi.NodeId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Whom the algorithm nominates for one path: takes part in an election while a nominee is needed, and in another when
 * the contenders change or the nominee does not lead in time.
 */
final class PathNomination implements ElectionAttempt.Listener {

    private final StepContext context;
    private final NodeLiveness liveness;
    private final Elections elections;
    private final Takings takings;
    private final String path;
    private final BooleanSupplier isFree;
    private OptionalLong election = OptionalLong.empty();
    /** How many nodes elect. */
    private int electors;
    /** Nominees that did not lead in time; suspected in the next attempt. */
    private Set<NodeId> distrusted = Set.of();

    /** When the nominee was named, or could lead first after that. */
    private long namedAt;

    private Timers.@Nullable Handle nomineeTimer;
    /** Whether the nominee could have led when it was last evaluated. */
    private boolean wasFree;

    private Optional<String> failure = Optional.empty();

    /** @param isFree whether nobody leads the path, and no vote that this node knows of is in the way of a claim */
    PathNomination(
            StepContext context,
            NodeLiveness liveness,
            Elections elections,
            Takings takings,
            String path,
            BooleanSupplier isFree) {
        this.context = context;
        this.liveness = liveness;
        this.elections = elections;
        this.takings = takings;
        this.path = path;
        this.isFree = isFree;
    }

    /** Takes part in the election of these contenders: the best of each node, best rank first. */
    void elect(List<ContenderRecord> ranked) {
        electors = ranked.size();
        long id = Elections.id(ranked, distrusted, context.voters().number());
        if (isRunning() && (election.getAsLong() == id || isDecidedAmong(ranked))) {
            return;
        }
        stop();
        election = OptionalLong.of(id);
        elections.join(id, nodesOf(ranked), distrusted, this);
    }

    /**
     * Whether the nominee of the election that is under way will do for these electors too: it is one of them and up,
     * and nobody has come who did not elect. Then only others have left, the dead leader as a rule. A full set of
     * electors always gets another one in the place of one that left; that one is not waited for.
     */
    private boolean isDecidedAmong(List<ContenderRecord> ranked) {
        List<NodeId> nodes = nodesOf(ranked);
        Optional<NodeId> nominee = nominee();
        return nominee.isPresent()
                && nodes.contains(nominee.get())
                && liveness.isUp(nominee.get())
                && (nodes.size() == Elections.ELECTORS_MAX
                        || elections.members(election.getAsLong()).containsAll(nodes));
    }

    private static List<NodeId> nodesOf(List<ContenderRecord> ranked) {
        List<NodeId> nodes = new ArrayList<>(ranked.size());
        for (ContenderRecord registration : ranked) {
            nodes.add(registration.id().node());
        }
        return nodes;
    }

    /** No nominee is needed now. */
    void stop() {
        if (election.isPresent()) {
            long id = election.getAsLong();
            election = OptionalLong.empty();
            elections.leave(id, this);
        }
        cancelNomineeTimer();
    }

    /** Whether another one that begins anew would do as well. */
    boolean isForgettable() {
        return election.isEmpty() && distrusted.isEmpty() && failure.isEmpty();
    }

    boolean isRunning() {
        return election.isPresent() && elections.knows(election.getAsLong());
    }

    Optional<NodeId> nominee() {
        return election.isPresent() ? elections.nominee(election.getAsLong()) : Optional.empty();
    }

    /** When the nominee was named, or could lead first after that; only while there is one. */
    long namedAt() {
        return namedAt;
    }

    /** The path has no leader any more: only now could those lead whom the nominee is to let go first. */
    void onLeaderless() {
        namedAt = context.now();
    }

    /** Whether the node was nominated and did not lead in time. */
    boolean isDistrusted(NodeId node) {
        return distrusted.contains(node);
    }

    /** What the algorithm threw last, since there was a leader. */
    Optional<String> failure() {
        return failure;
    }

    @Override
    public void onNominee() {
        cancelNomineeTimer();
        namedAt = context.now();
        Optional<NodeId> nominee = nominee();
        if (nominee.isPresent() && !nominee.get().equals(context.self())) {
            wasFree = isFree.getAsBoolean();
            nomineeTimer =
                    context.timers().set(context.now() + 2 * context.settings().claimPeriod(), this::onNomineeLate);
        }
        context.agenda().add(path);
    }

    @Override
    public void onFailure(String reason) {
        if (failure.isEmpty()) {
            context.note(true, "%s: %s; contenders claim by patience", path, reason);
        }
        failure = Optional.of(reason);
    }

    /** ADR-0019: a nominee that does not lead although it could is suspected in the next attempt. */
    private void onNomineeLate() {
        nomineeTimer = null;
        Optional<NodeId> nominee = nominee();
        if (nominee.isEmpty()) {
            return;
        }
        boolean couldLead = wasFree;
        wasFree = isFree.getAsBoolean();
        if (wasFree && couldLead && !takings.isTaking(nominee.get())) {
            distrust(nominee.get());
        } else {
            int periods = wasFree && !couldLead ? 2 : 1;
            nomineeTimer = context.timers()
                    .set(context.now() + periods * context.settings().claimPeriod(), this::onNomineeLate);
        }
    }

    private void distrust(NodeId nominee) {
        Set<NodeId> more = new TreeSet<>(distrusted);
        more.add(nominee);
        distrusted = more.size() >= electors ? Set.of() : more;
        stop();
        context.agenda().add(path);
    }

    private void cancelNomineeTimer() {
        if (nomineeTimer != null) {
            nomineeTimer.cancel();
            nomineeTimer = null;
        }
    }
}
