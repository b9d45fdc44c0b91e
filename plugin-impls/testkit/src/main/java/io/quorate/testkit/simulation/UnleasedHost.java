package io.quorate.testkit.simulation;

import io.quorate.core.message.NodeMessage;
import io.quorate.core.step.NodeEvent;
import io.quorate.engine.Tenure;
import io.quorate.spi.ElectionAlgorithm;
import io.quorate.spi.Event;
import io.quorate.spi.NodeId;
import io.quorate.spi.Options;
import io.quorate.testkit.simulation.VirtualCluster.Flight;
import java.util.List;
import java.util.Optional;

/**
 * A node without a lease. Its disk holds a counter of lives and what the algorithm saved, and is written in no time.
 * Everybody takes part in the one election from the start: there are no contenders, and no tenures.
 */
final class UnleasedHost implements VirtualHost {

    private final VirtualProcess process;
    private final VirtualNetwork network;
    private final ElectionAlgorithm algorithm;
    private final Options options;
    private final Runnable onLeadership;
    private final Alarm alarm;
    private UnleasedNode node;
    private long draws;

    // The disk.
    private long incarnation;
    private Event.Saved saved = Event.Saved.NOTHING;
    private boolean isFull;

    UnleasedHost(
            VirtualProcess process,
            VirtualNetwork network,
            ElectionAlgorithm algorithm,
            Options options,
            Runnable onLeadership) {
        this.process = process;
        this.network = network;
        this.algorithm = algorithm;
        this.options = options;
        this.onLeadership = onLeadership;
        this.alarm = new Alarm(process, () -> node.nextWake(), this::wake);
    }

    // ---------------------------------------------------------------- its life

    @Override
    public boolean canStart() {
        return !isFull;
    }

    @Override
    public void start() {
        incarnation++;
        node = new UnleasedNode(
                process.settings,
                algorithm,
                options,
                new UnleasedNode.Birth(incarnation, saved),
                (min, max) -> process.keyed.between(draws++, min, max));
        perform(node.start(process.clock.nanoTime()));
        alarm.set();
    }

    @Override
    public void crash() {
        node = null;
    }

    /** An algorithm has no word for a farewell: the others find out by its silence. */
    @Override
    public void close() {
        node = null;
    }

    // ---------------------------------------------------------------- steps

    private void step(NodeEvent event) {
        act(node.step(process.clock.nanoTime(), event));
    }

    @Override
    public void priority(int value) {
        act(node.priority(process.clock.nanoTime(), value));
    }

    private void act(List<UnleasedNode.Output> effects) {
        if (!effects.isEmpty()) {
            process.perform(effects.size(), () -> perform(effects));
        }
        alarm.set();
    }

    @Override
    public void receive(Flight flight) {
        step(new NodeEvent.Received(flight.from(), flight.incarnation(), (NodeMessage) flight.message()));
    }

    @Override
    public void wake() {
        step(NodeEvent.Wake.INSTANCE);
    }

    @Override
    public void clockChanged() {
        alarm.clockChanged();
    }

    private void perform(List<UnleasedNode.Output> effects) {
        for (UnleasedNode.Output effect : effects) {
            if (effect instanceof UnleasedNode.Output.Send send) {
                network.send(new Flight(process.id, send.to(), send.message(), incarnation, 0));
            } else if (effect instanceof UnleasedNode.Output.Save save && !isFull) {
                saved = save.saved();
            } else if (effect instanceof UnleasedNode.Output.LeaderNamed) {
                onLeadership.run();
            } else if (effect instanceof UnleasedNode.Output.Failed failed) {
                process.failure = Optional.of(failed.cause());
            }
        }
    }

    @Override
    public boolean leadsUnleased() {
        return node != null && node.isLeading();
    }

    @Override
    public Optional<NodeId> leaderUnleased() {
        return node == null ? Optional.empty() : node.leader();
    }

    // ---------------------------------------------------------------- what has no meaning without a lease

    @Override
    public void contend(String path, int number) {
        // Every node contends from its start on.
    }

    @Override
    public void withdraw(int number) {
        // It cannot: the membership is static.
    }

    @Override
    public void rejoin(int number) {
        // There are no tenures to lose.
    }

    @Override
    public void resign(int number, Tenure tenure) {
        // There are no tenures to end.
    }

    // ---------------------------------------------------------------- its disk

    @Override
    public void diskIsFull(boolean full) {
        isFull = full;
    }

    @Override
    public void completesWriteAtCrash(boolean completes) {
        // A write is never under way.
    }

    @Override
    public int load() {
        return node == null ? 0 : node.pendingTimers();
    }

    @Override
    public String describe() {
        return node == null ? process.id + ": crashed" : node.describe();
    }
}
