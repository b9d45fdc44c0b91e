package io.quorate.core.path;

import io.quorate.core.message.ContenderRecord;
import io.quorate.core.step.StepContext;
import io.quorate.core.support.NodeLiveness;
import io.quorate.spi.NodeId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Whom the algorithm nominates for one path: takes part in an election while a nominee is needed, and in another when
 * the contenders change. A nominee that does not lead is left to the patience of the others.
 */
final class PathNomination implements ElectionAttempt.Listener {

    private final StepContext context;
    private final NodeLiveness liveness;
    private final Elections elections;
    private final String path;
    private OptionalLong election = OptionalLong.empty();
    /** When the nominee was named, or could lead first after that. */
    private long namedAt;

    private Optional<String> failure = Optional.empty();

    PathNomination(StepContext context, NodeLiveness liveness, Elections elections, String path) {
        this.context = context;
        this.liveness = liveness;
        this.elections = elections;
        this.path = path;
    }

    /** Takes part in the election of these contenders: the best of each node, best rank first. */
    void elect(List<ContenderRecord> ranked) {
        long id = Elections.id(ranked, context.voters().number());
        if (isRunning() && (election.getAsLong() == id || isDecidedAmong(ranked))) {
            return;
        }
        stop();
        election = OptionalLong.of(id);
        elections.join(id, nodesOf(ranked), this);
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
    }

    /** Whether another one that begins anew would do as well. */
    boolean isForgettable() {
        return election.isEmpty() && failure.isEmpty();
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

    /** What the algorithm threw last, since there was a leader. */
    Optional<String> failure() {
        return failure;
    }

    @Override
    public void onNominee() {
        namedAt = context.now();
        context.agenda().add(path);
    }

    @Override
    public void onFailure(String reason) {
        if (failure.isEmpty()) {
            context.note(true, "%s: %s; contenders claim by patience", path, reason);
        }
        failure = Optional.of(reason);
    }
}
