package io.quorate.core;

import io.quorate.spi.NodeId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;

/**
 * Whom the algorithm nominates for one path: takes part in an election while a nominee is needed, and in another when
 * the contenders change or the nominee does not lead in time.
 */
final class Nomination implements ElectionRun.Listener {

    private final Context context;
    private final Node node;
    private final Contest contest;
    private final Elections elections;
    private OptionalLong election = OptionalLong.empty();
    /** Nominees that did not lead in time; suspected in the next attempt. */
    private Set<NodeId> distrusted = Set.of();
    private Timers.Handle nomineeTimer;
    /** Whether the nominee could have led when it was last looked at. */
    private boolean wasFree;
    private Optional<String> failure = Optional.empty();

    Nomination(Context context, Node node, Elections elections, Contest contest) {
        this.context = context;
        this.node = node;
        this.elections = elections;
        this.contest = contest;
    }

    /** Takes part in the election of these contenders: the best of each node, best rank first. */
    void elect(List<Registration> ranked) {
        long id = Elections.id(ranked, distrusted);
        if (isRunning() && (election.getAsLong() == id || isDecidedAmong(ranked))) {
            return;
        }
        stop();
        election = OptionalLong.of(id);
        elections.join(id, nodesOf(ranked), distrusted, this);
    }

    /**
     * Whether the election has named one of these, and has lost nobody but others: the dead leader, as a rule. If not
     * all contenders elect, another may have come in its place, and is not waited for.
     */
    private boolean isDecidedAmong(List<Registration> ranked) {
        List<NodeId> nodes = nodesOf(ranked);
        Optional<NodeId> nominee = nominee();
        return nominee.isPresent() && nodes.contains(nominee.get()) && node.isUp(nominee.get())
                && (nodes.size() == Contest.ELECTORS_MAX
                || elections.members(election.getAsLong()).containsAll(nodes));
    }

    private static List<NodeId> nodesOf(List<Registration> ranked) {
        List<NodeId> nodes = new ArrayList<>(ranked.size());
        for (Registration registration : ranked) {
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

    /** What the algorithm threw last, since there was a leader. */
    Optional<String> failure() {
        return failure;
    }

    @Override
    public void onNominee() {
        cancelNomineeTimer();
        Optional<NodeId> nominee = nominee();
        if (nominee.isPresent() && !nominee.get().equals(context.self())) {
            wasFree = isFree();
            nomineeTimer = context.timers.set(context.now() + 2 * Claims.period(context), this::onNomineeLate);
        }
        contest.lookAgain();
    }

    @Override
    public void onFailure(String reason) {
        if (failure.isEmpty()) {
            context.note(true, "%s: %s; contenders claim by patience", contest.path, reason);
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
        wasFree = isFree();
        if (wasFree && couldLead && !elections.isTaking(nominee.get())) {
            distrust(nominee.get());
        } else {
            int periods = wasFree && !couldLead ? 2 : 1;
            nomineeTimer = context.timers.set(context.now() + periods * Claims.period(context), this::onNomineeLate);
        }
    }

    private boolean isFree() {
        return contest.holder().isEmpty() && node.votesAreFree(contest.path);
    }

    private void distrust(NodeId nominee) {
        Set<NodeId> more = new TreeSet<>(distrusted);
        more.add(nominee);
        distrusted = more.size() >= contest.electors().size() ? Set.of() : more;
        stop();
        contest.lookAgain();
    }

    private void cancelNomineeTimer() {
        if (nomineeTimer != null) {
            nomineeTimer.cancel();
            nomineeTimer = null;
        }
    }
}
