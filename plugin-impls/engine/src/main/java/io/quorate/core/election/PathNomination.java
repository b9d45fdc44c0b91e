package io.quorate.core.election;

import io.quorate.core.message.ContenderRecord;
import io.quorate.core.step.StepContext;
import io.quorate.core.support.NodeLiveness;
import io.quorate.spi.NodeId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The nominee of one path. Takes part in an election while a nominee is needed, and in another one when the contenders
 * change. If the nominee does not lead, the patience of the others ends that.
 */
public final class PathNomination implements ElectionAttempt.Listener {

    private final StepContext context;
    private final NodeLiveness liveness;
    private final Elections elections;
    private final String path;
    private OptionalLong election = OptionalLong.empty();
    /** The instant at which the nominee was named, or could lead first after that. */
    private long namedAt;

    private Optional<String> failure = Optional.empty();

    /** Without a nominee, and in no election. */
    public PathNomination(StepContext context, NodeLiveness liveness, Elections elections, String path) {
        this.context = context;
        this.liveness = liveness;
        this.elections = elections;
        this.path = path;
    }

    /** Takes part in the election of these contenders: the best of each node, best rank first. */
    public void elect(List<ContenderRecord> ranked) {
        long id = Elections.id(ranked, context.voters().number());
        if (isRunning() && (election.getAsLong() == id || isDecidedAmong(ranked))) {
            return;
        }
        stop();
        election = OptionalLong.of(id);
        elections.join(id, nodesOf(ranked), this);
    }

    /**
     * Whether the nominee of the running election stands for these electors too: it is one of them and up, and all of
     * them took part. Then electors have only left, as a rule the dead leader. A full set of electors always gets
     * another one in the place of one that left; the election does not wait for that one.
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

    /** Leaves the election, if it takes part in one. */
    public void stop() {
        if (election.isPresent()) {
            long id = election.getAsLong();
            election = OptionalLong.empty();
            elections.leave(id, this);
        }
    }

    /** Whether this object holds nothing worth keeping. */
    public boolean isForgettable() {
        return election.isEmpty() && failure.isEmpty();
    }

    /** Whether it takes part in an election. */
    public boolean isRunning() {
        return election.isPresent();
    }

    /** The nominee of the election; empty without one, or while it has not decided. */
    public Optional<NodeId> nominee() {
        return election.isPresent() ? elections.nominee(election.getAsLong()) : Optional.empty();
    }

    /** The instant at which the nominee was named, or could lead first after that; only while there is one. */
    public long namedAt() {
        return namedAt;
    }

    /** The path has just lost its leader: the turns of better ranked nodes count from now on. */
    public void onLeaderless() {
        namedAt = context.now();
    }

    /** The error of the algorithm on this path, since there was a leader. */
    public Optional<String> failure() {
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
