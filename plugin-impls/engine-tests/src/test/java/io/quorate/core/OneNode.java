package io.quorate.core;

import io.quorate.core.message.NodeMessage;
import io.quorate.core.message.SupportMessage.Ack;
import io.quorate.core.message.SupportMessage.Heartbeat;
import io.quorate.core.settings.NodeSettings;
import io.quorate.core.step.NodeEffect;
import io.quorate.core.step.NodeEvent;
import io.quorate.engine.Epoch;
import io.quorate.spi.NodeId;
import io.quorate.testkit.simulation.HighestUp;
import java.util.List;
import java.util.Optional;

/** One node, which hears what a test says; every node is in life 1. Times are those of {@link Contexts}. */
final class OneNode {

    final Node node;
    private final boolean isDurable;
    /** What the last step wanted done. */
    List<NodeEffect> effects;

    /** A node with the directory 7 and these voters, started at 0. */
    OneNode(NodeId self) {
        this(Contexts.of(self).settings());
    }

    OneNode(NodeSettings settings) {
        this(settings, new Birth(1, 0, true, 7, Optional.empty()));
    }

    OneNode(NodeSettings settings, Birth birth) {
        isDurable = birth.isDurable();
        node = new Node(settings, new HighestUp(), birth, (min, max) -> min);
        effects = node.start(0);
    }

    OneNode at(long time, NodeEvent event) {
        effects = node.step(time, event);
        return this;
    }

    OneNode at(long time) {
        return at(time, NodeEvent.Wake.INSTANCE);
    }

    OneNode hears(long time, NodeId from, NodeMessage message) {
        return at(time, new NodeEvent.Received(from, 1, message));
    }

    /** The answer of a voter, in its epoch of this number, to the heartbeat with this sequence. */
    OneNode acked(long time, NodeId voter, long sequence, long epoch, NodeId... up) {
        Optional<List<NodeId>> list = Optional.of(List.of(up)).filter(some -> !some.isEmpty());
        return hears(time, voter, new Ack(1, sequence, new Epoch(1, epoch), 0, 5, list));
    }

    /** A node under list 1, with a disk if this one has one, asks for support. */
    OneNode asked(long time, NodeId from) {
        long hash = Contexts.of(from).configHash();
        return hears(time, from, new Heartbeat(1, 0, time + 1, Optional.empty(), true, true, 0, hash, isDurable, -1));
    }

    /** What leaves for the node. */
    List<NodeMessage> to(NodeId receiver) {
        return effects.stream()
                .filter(effect ->
                        effect instanceof NodeEffect.Send send && send.to().equals(receiver))
                .map(effect -> ((NodeEffect.Send) effect).message())
                .toList();
    }

    /** The heartbeat that leaves for the node. */
    Optional<Heartbeat> heartbeat(NodeId receiver) {
        return to(receiver).stream()
                .filter(Heartbeat.class::isInstance)
                .map(Heartbeat.class::cast)
                .findFirst();
    }

    /** What the application is told of the connection, and why. */
    List<String> connections() {
        return effects.stream()
                .filter(NodeEffect.ConnectionChanged.class::isInstance)
                .map(effect -> (NodeEffect.ConnectionChanged) effect)
                .map(changed -> changed.connection() + ": " + changed.reason())
                .toList();
    }

    List<String> notes() {
        return effects.stream()
                .filter(NodeEffect.Note.class::isInstance)
                .map(effect -> ((NodeEffect.Note) effect).text())
                .toList();
    }
}
