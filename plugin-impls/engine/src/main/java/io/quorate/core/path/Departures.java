package io.quorate.core.path;

import io.quorate.core.message.ContenderId;
import io.quorate.core.message.ContenderRecord;
import io.quorate.core.path.ContenderState.Aside;
import io.quorate.core.path.ContenderState.Leaving;
import io.quorate.core.step.NodeEffect;
import io.quorate.core.step.NodeEvent;
import io.quorate.core.step.StepContext;
import io.quorate.core.support.NodeLiveness;
import io.quorate.engine.Tenure;
import java.util.List;
import java.util.Optional;

/**
 * Leaders whose application finishes its work before their tenure ends on purpose: ADR-0096. The tenure goes on
 * meanwhile, and the successor is chosen when the work is done.
 */
final class Departures {

    private final StepContext context;
    private final NodeLiveness liveness;
    private final PathTable paths;
    private final Tenures tenures;
    private final Succession succession;
    private final Preemption preemption;

    Departures(
            StepContext context,
            NodeLiveness liveness,
            PathTable paths,
            Tenures tenures,
            Succession succession,
            Preemption preemption) {
        this.context = context;
        this.liveness = liveness;
        this.paths = paths;
        this.tenures = tenures;
        this.succession = succession;
        this.preemption = preemption;
    }

    /** The application ends the tenure by itself; until then the contender stands as one that leaves. */
    void onLeave(LocalContender leader, NodeEvent.Leave event) {
        if (leads(leader, event.tenure())) {
            tenures.leave(leader, Leaving.Cause.APPLICATION, event.reason(), Optional.empty());
        }
    }

    /** The application has finished its work. No effect unless this departure is still wanted. */
    void onDrained(LocalContender leader, NodeEvent.Drained event) {
        Leaving leaving = leads(leader, event.tenure()) ? leader.leaving() : null;
        if (leaving == null || leaving.number() != event.departure()) {
            return;
        }
        leader.become(context, leaving.drained());
        switch (leaving.cause()) {
            case RANK -> preemption.onDrained(leader);
            case TRANSFER -> finishTransfer(leader, leaving);
            case APPLICATION -> {
                // The application is about to say more.
            }
        }
    }

    /** Whether the contender leads, with this tenure. */
    static boolean leads(LocalContender contender, Tenure tenure) {
        return contender.candidate.tenure().equals(Optional.of(tenure));
    }

    /** ADR-0032: to exactly one contender, and to one that is up; else nothing changes. */
    void onTransferTo(Optional<LocalContender> acting, NodeEvent.TransferTo event) {
        String to = " cannot be transferred to '" + event.participantId() + "': ";
        if (acting.isEmpty()) {
            refuse(event, "leadership" + to + "this contender does not lead");
            return;
        }
        LocalContender leader = acting.get();
        List<ContenderRecord> named = paths.of(leader).ranked().stream()
                .filter(r -> r.participantId().equals(event.participantId()))
                .toList();
        if (named.size() != 1) {
            refuse(
                    event,
                    new IllegalArgumentException("participant id '" + event.participantId() + "': " + named.size()
                            + " contenders of " + leader.path + " have it, must be exactly one"));
            return;
        }
        ContenderRecord successor = named.get(0);
        String leadership = "leadership of " + leader.path + to;
        if (!liveness.isUp(successor.id().node())) {
            refuse(event, leadership + "its node " + successor.id().node() + " is not up");
            return;
        }
        if (successor.isLast() && preemption.eligible(leader, 0).isPresent()) {
            // The successor would have to make way at its next heartbeat.
            refuse(event, leadership + "it ranks last, on standby or after failures, while others do not");
            return;
        }
        long token = leader.registration(context).token();
        context.emit(new NodeEffect.TransferBegun(event.number(), successor.id(), token));
        if (!successor.id().equals(leader.id(context))) {
            transfer(leader, successor);
            return;
        }
        // A transfer to another one is taken back by that.
        if (leader.state() instanceof Leaving leaving && leaving.cause() == Leaving.Cause.TRANSFER) {
            tenures.stay(leader, leaving, "it was transferred to itself");
        }
        // It leads already, so there will be no announcement.
        context.emit(new NodeEffect.ViewChanged(leader.path));
    }

    private void refuse(NodeEvent.TransferTo event, String reason) {
        refuse(event, new IllegalStateException(reason));
    }

    private void refuse(NodeEvent.TransferTo event, RuntimeException cause) {
        context.emit(new NodeEffect.TransferRefused(event.number(), Optional.empty(), cause));
    }

    /** The leader is to hand over to this contender, which is up: now, or when its work is done. */
    private void transfer(LocalContender leader, ContenderRecord successor) {
        String reason = "it was transferred to " + successor.id();
        if (!leader.drains && leader.leaving() == null) {
            tenures.takeOut(leader, new Aside(reason), Optional.of(successor));
            return;
        }
        tenures.leave(leader, Leaving.Cause.TRANSFER, reason, Optional.of(successor.id()));
        if (leader.state() instanceof Leaving leaving && leaving.isDrained()) {
            finishTransfer(leader, leaving);
        }
    }

    private void finishTransfer(LocalContender leader, Leaving leaving) {
        Optional<ContenderRecord> successor = succession.successor(paths.of(leader), leader);
        if (successor.isEmpty()) {
            tenures.stay(leader, leaving, "no other contender is up any more");
            return;
        }
        ContenderId next = successor.get().id();
        boolean isNamed = leaving.to().filter(next::equals).isPresent();
        String reason =
                isNamed ? leaving.reason() : leaving.reason() + ", which is not up any more: " + next + " follows";
        tenures.takeOut(leader, new Aside(reason), successor);
    }
}
