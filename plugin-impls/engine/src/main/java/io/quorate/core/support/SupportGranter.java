package io.quorate.core.support;

import io.quorate.core.message.SupportMessage.Ack;
import io.quorate.core.message.SupportMessage.Heartbeat;
import io.quorate.core.message.SupportMessage.Refused;
import io.quorate.core.step.StepContext;
import io.quorate.core.step.Timers;
import io.quorate.engine.Epoch;
import io.quorate.spi.NodeId;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Grants the support of a voter: judges each heartbeat, acknowledges those that it accepts, and notices when they
 * cease. {@link SupportGiven} keeps what was granted.
 */
public final class SupportGranter {

    public interface Owner {

        /** The highest term that this voter knows on any path. */
        long termMax();

        /** A term is in use on some path, as another voter says. */
        void onTermHeard(long term);

        /** The support of the node has ended, and with it everything that the node registered. */
        void onSupportEnded(NodeId node);
    }

    private final StepContext context;
    private final SupportGiven support;
    private final NodeLiveness liveness;
    private final Heartbeats heartbeats;
    private final Configurations configurations;
    private final Owner owner;
    private final Map<NodeId, Timers.Handle> lapses = new TreeMap<>();
    /** Acknowledgements to voters that can wait for this node's next heartbeat to them. */
    private final Map<NodeId, Ack> delayed = new TreeMap<>();

    /** Grants what {@code support} holds. */
    public SupportGranter(
            StepContext context,
            SupportGiven support,
            NodeLiveness liveness,
            Heartbeats heartbeats,
            Configurations configurations,
            Owner owner) {
        this.context = context;
        this.support = support;
        this.liveness = liveness;
        this.heartbeats = heartbeats;
        this.configurations = configurations;
        this.owner = owner;
    }

    /** A node asks for support, or for it to go on. */
    public void onHeartbeat(NodeId from, long incarnation, Heartbeat heartbeat) {
        if (!agrees(from, heartbeat)) {
            return;
        }
        if (context.voterIndex(from) >= 0) {
            owner.onTermHeard(heartbeat.termMax());
        }
        if (!support.hasRoomFor(from)) {
            refuse(
                    from,
                    "voter " + context.self() + " knows " + SupportGiven.NODES_MAX + " nodes that do not vote, and"
                            + " supports no more; it forgets a node that is silent for " + StepContext.SUPPORTS_KEPT
                            + " support times");
            return;
        }
        Optional<Long> supported = support.incarnationOf(from);
        if (supported.isPresent() && incarnation != supported.get() && support.isSupported(from, supported.get())) {
            // This is a second process under the id, or a life that follows soon: the supported life keeps its support.
            return;
        }
        liveness.onHeartbeat(from, heartbeat);
        endIfLapsed(from);
        Epoch before = support.epochOf(from, incarnation);
        Optional<Epoch> epoch = support.onHeartbeat(from, incarnation, heartbeat.renounced());
        if (before != null && epoch.isPresent() && !epoch.get().equals(before)) {
            // The node renounced its epoch: its registrations are void, and it may have none in the new epoch.
            owner.onSupportEnded(from);
        }
        if (epoch.isPresent()) {
            watchForLapse(from);
            delayed.put(
                    from,
                    new Ack(
                            incarnation,
                            heartbeat.sequence(),
                            epoch.get(),
                            owner.termMax(),
                            liveness.upVersion(),
                            liveness.reportFor(heartbeat.upVersion())));
            int index = context.voterIndex(from);
            if (heartbeat.urgent() || index < 0) {
                acknowledge(from);
            }
            if (heartbeat.urgent() && index >= 0) {
                heartbeats.follow(index);
            }
        }
    }

    /** The acknowledgement of the node's newest heartbeat leaves, if it has not left yet. */
    public void acknowledge(NodeId to) {
        Ack ack = delayed.remove(to);
        if (ack != null) {
            context.send(to, ack);
        }
    }

    /**
     * Whether the configurations agree in what must be equal. A node that differs is told of this one's configuration,
     * and answers with its own, so that both say what differs.
     */
    private boolean agrees(NodeId from, Heartbeat heartbeat) {
        long difference = heartbeat.configHash() ^ context.configHash();
        boolean isMixed = context.voterIndex(from) >= 0 && heartbeat.durable() != configurations.isDurable();
        boolean mustDiffer = difference >>> Integer.SIZE != 0 || isMixed;
        if (mustDiffer) {
            configurations.tell(from);
        } else if (difference != 0) {
            configurations.tellNowAndThen(from);
        }
        return !mustDiffer;
    }

    private void refuse(NodeId from, String reason) {
        context.noteOnce("no support", from, "no support for node %s: %s", from, reason);
        context.send(from, new Refused(true, reason));
    }

    /** One timer per supported node; each heartbeat puts it off, so that it wakes nobody while all is well. */
    private void watchForLapse(NodeId peer) {
        lapses.put(peer, context.timers().replace(lapses.get(peer), support.until(peer), () -> {
            lapses.remove(peer);
            endIfLapsed(peer);
        }));
    }

    private void endIfLapsed(NodeId peer) {
        if (support.takeLapse(peer)) {
            onSupportEnded(peer);
        }
    }

    private void onSupportEnded(NodeId peer) {
        // No heartbeat to a node that no longer votes would take it along.
        delayed.remove(peer);
        owner.onSupportEnded(peer);
    }

    /** The node gives its support back, and everything with it. */
    public void onGoodbye(NodeId from, long incarnation) {
        if (support.onGoodbye(from, incarnation)) {
            onSupportEnded(from);
            liveness.onGoodbye(from);
        }
    }
}
