package io.quorate.core;

import io.quorate.core.NodeMessage.Elect;
import io.quorate.core.NodeMessage.ElectionId;
import io.quorate.spi.NodeId;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Whom the algorithm nominates on one path: starts an {@link ElectionRun} when a nominee is needed, starts another when
 * the contenders change or the nominee does not lead in time, and drops it when there is a tenure.
 */
final class Nomination implements ElectionRun.Listener {

    /** Messages of an election that this node does not know yet wait for it; more are dropped. */
    private static final int EARLY_MAX = 32;

    /** A message that came before its election. */
    private record Early(NodeId from, Elect message) {
    }

    private final Context context;
    private final Node node;
    private final Contest contest;
    private ElectionRun run;
    private long births;
    private Deque<Early> early;
    /** Nominees that did not lead in time; suspected in the next attempt. */
    private Set<NodeId> distrusted = Set.of();
    private Timers.Handle nomineeTimer;
    private Optional<String> failure = Optional.empty();

    Nomination(Context context, Node node, Contest contest) {
        this.context = context;
        this.node = node;
        this.contest = contest;
    }

    /** Takes care that an election of this name is under way. */
    void elect(ElectionId id, List<NodeId> ranked) {
        if (run != null && run.id().equals(id)) {
            return;
        }
        stop();
        Set<NodeId> suspects = new TreeSet<>(distrusted);
        ranked.stream().filter(n -> !node.isUp(n)).forEach(suspects::add);
        suspects.remove(context.self());
        ElectionRun started = new ElectionRun(context, contest.path, id, ++births, ranked, this);
        run = started;
        started.start(suspects);
        if (early != null && run == started) {
            Deque<Early> waiting = early;
            early = null;
            waiting.stream().filter(e -> e.message.election().equals(id))
                    .forEach(e -> started.onMessage(e.from, e.message));
        }
    }

    /** No nominee is needed now. */
    void stop() {
        if (run != null) {
            run.stop();
            run = null;
        }
        cancelNomineeTimer();
    }

    /** There was a leader since: everybody is trusted again. */
    void forgive() {
        distrusted = Set.of();
        failure = Optional.empty();
    }

    boolean isRunning() {
        return run != null;
    }

    Optional<NodeId> nominee() {
        return run == null ? Optional.empty() : run.nominee();
    }

    void onMessage(NodeId from, Elect message) {
        if (run != null && run.id().equals(message.election())) {
            run.onMessage(from, message);
            return;
        }
        early = early == null ? new ArrayDeque<>() : early;
        if (early.size() < EARLY_MAX) {
            early.add(new Early(from, message));
        }
    }

    /** A node has come up or gone down. */
    void onUpChanged(NodeId changed) {
        if (run == null) {
            return;
        }
        boolean isUp = node.isUp(changed);
        if (!isUp && run.nominee().equals(Optional.of(changed))) {
            distrust(changed);
        } else if (isUp) {
            run.trusted(changed);
        } else {
            run.suspected(changed);
        }
    }

    @Override
    public void onNominee(Optional<NodeId> nominee) {
        cancelNomineeTimer();
        if (nominee.isPresent() && !nominee.get().equals(context.self())) {
            nomineeTimer = context.timers.set(context.now() + 2 * Claims.period(context), this::onNomineeLate);
        }
        contest.onNominee();
    }

    @Override
    public void onFailure(String reason) {
        if (failure.isEmpty()) {
            context.note(true, "%s: %s; contenders claim by patience", contest.path, reason);
        }
        failure = Optional.of(reason);
    }

    /** What the algorithm threw last, since there was a leader. */
    Optional<String> failure() {
        return failure;
    }

    /** DECISIONS 19: a nominee that does not lead although it could is suspected in the next attempt. */
    private void onNomineeLate() {
        nomineeTimer = null;
        Optional<NodeId> nominee = nominee();
        if (nominee.isEmpty()) {
            return;
        }
        if (contest.holder().isPresent() || !node.votesAreFree(contest.path)) {
            nomineeTimer = context.timers.set(context.now() + Claims.period(context), this::onNomineeLate);
        } else {
            distrust(nominee.get());
        }
    }

    private void distrust(NodeId nominee) {
        Set<NodeId> more = new TreeSet<>(distrusted);
        more.add(nominee);
        distrusted = more.size() >= contest.nodes().size() ? Set.of() : more;
        stop();
        contest.reconsider();
    }

    private void cancelNomineeTimer() {
        if (nomineeTimer != null) {
            nomineeTimer.cancel();
            nomineeTimer = null;
        }
    }
}
