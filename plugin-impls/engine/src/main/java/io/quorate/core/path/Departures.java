package io.quorate.core.path;

import io.quorate.core.message.ContenderId;
import io.quorate.core.message.ContenderRecord;
import io.quorate.core.step.NodeEvent;
import io.quorate.engine.Tenure;
import java.util.Optional;

/**
 * Leaders whose application finishes its work before their tenure ends on purpose: ADR-0096. The tenure goes on
 * meanwhile, and the successor is chosen when the work is done.
 */
final class Departures {

    private final PathTable paths;
    private final Tenures tenures;
    private final Succession succession;
    private final Preemption preemption;

    Departures(PathTable paths, Tenures tenures, Succession succession, Preemption preemption) {
        this.paths = paths;
        this.tenures = tenures;
        this.succession = succession;
        this.preemption = preemption;
    }

    void onDrains(NodeEvent.Drains event) {
        paths.contender(event.number()).ifPresent(contender -> contender.drains = event.wanted());
    }

    /** The application ends the tenure by itself; until then the contender stands as one that leaves. */
    void onLeave(LocalContender leader, NodeEvent.Leave event) {
        if (leads(leader, event.tenure())) {
            tenures.leave(leader, Departure.Cause.APPLICATION, event.reason(), Optional.empty());
        }
    }

    /** The application has finished its work. No effect unless this departure is still wanted. */
    void onDrained(LocalContender leader, NodeEvent.Drained event) {
        Departure departure = leads(leader, event.tenure()) ? leader.departure() : null;
        if (departure == null || departure.number() != event.departure()) {
            return;
        }
        departure.drained();
        switch (departure.cause()) {
            case RANK -> preemption.onDrained(leader);
            case TRANSFER -> finishTransfer(leader, departure);
            case APPLICATION -> {
                // The application is about to say more.
            }
        }
    }

    /** Whether the contender leads, with this tenure. */
    static boolean leads(LocalContender contender, Tenure tenure) {
        return contender.candidate.tenure().equals(Optional.of(tenure));
    }

    /** The leader is to hand over to this contender, which is up: now, or when its work is done. */
    void transfer(LocalContender leader, ContenderRecord successor) {
        String reason = "it was transferred to " + successor.id();
        if (!leader.drains && leader.departure() == null) {
            tenures.takeOut(leader, ContenderState.ASIDE, reason, Optional.of(successor));
            return;
        }
        tenures.leave(leader, Departure.Cause.TRANSFER, reason, Optional.of(successor.id()));
        Departure departure = leader.departure();
        if (departure != null && departure.isDrained()) {
            finishTransfer(leader, departure);
        }
    }

    private void finishTransfer(LocalContender leader, Departure departure) {
        Optional<ContenderRecord> successor = succession.successor(paths.of(leader), leader);
        if (successor.isEmpty()) {
            tenures.stay(leader, "no other contender is up any more");
            return;
        }
        ContenderId next = successor.get().id();
        boolean isNamed = departure.to().filter(next::equals).isPresent();
        String reason =
                isNamed ? departure.reason() : departure.reason() + ", which is not up any more: " + next + " follows";
        tenures.takeOut(leader, ContenderState.ASIDE, reason, successor);
    }

    /** It was transferred to itself: a transfer to another one is taken back by that. */
    void transferToItself(LocalContender leader) {
        Departure departure = leader.departure();
        if (departure != null && departure.cause() == Departure.Cause.TRANSFER) {
            tenures.stay(leader, "it was transferred to itself");
        }
    }
}
