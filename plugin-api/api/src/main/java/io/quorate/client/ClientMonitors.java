package io.quorate.client;

import io.quorate.ClientMonitor;
import io.quorate.engine.Clock;
import io.quorate.engine.Connection;
import io.quorate.engine.Engine;
import io.quorate.jvm.NodeLog;
import io.quorate.spi.NodeId;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;

/** The monitors of a client. Safe for any thread; costs a glance while there are none. */
public final class ClientMonitors {

    private static final Logger LOG = NodeLog.of(ClientMonitors.class);

    private final String namespace;
    private final Supplier<Clock> clock;
    /** What the engine was given for each monitor. */
    private final ConcurrentMap<ClientMonitor, Translated> monitors = new ConcurrentHashMap<>();

    public ClientMonitors(String namespace, Supplier<Clock> clock) {
        this.namespace = namespace;
        this.clock = clock;
    }

    /** A part without a client, which nobody can watch. */
    static ClientMonitors none() {
        return new ClientMonitors("", () -> Clock.SYSTEM);
    }

    /** Adds a monitor once. Locked, so that the engine hears of additions and removals in their order. */
    public synchronized void add(ClientMonitor monitor, Engine engine) {
        Translated translated = new Translated(monitor);
        if (monitors.putIfAbsent(monitor, translated) == null) {
            engine.addMonitor(translated);
        }
    }

    public synchronized void remove(ClientMonitor monitor, Engine engine) {
        Translated translated = monitors.remove(monitor);
        if (translated != null) {
            engine.removeMonitor(translated);
        }
    }

    /** Runs a callback of a listener; {@code call} throws nothing and answers whether the listener has thrown. */
    void watch(String path, String callback, BooleanSupplier call) {
        boolean isWatched = !monitors.isEmpty();
        long begun = isWatched ? clock.get().nanoTime() : 0;
        boolean hasThrown = call.getAsBoolean();
        if (isWatched) {
            Duration took = Duration.ofNanos(clock.get().nanoTime() - begun);
            tell(monitor -> monitor.callbackReturned(path, callback, took, hasThrown));
        }
    }

    /** The work of a leader is waited for no longer. */
    void drained(String path, ClientMonitor.DrainOutcome outcome, Duration took) {
        tell(monitor -> monitor.drained(path, outcome, took));
    }

    // Justification: catches everything. The monitor is the application's; it must not harm the listener it watches.
    private void tell(Consumer<ClientMonitor> event) {
        for (Translated translated : monitors.values()) {
            try {
                if (!translated.hasThrown) {
                    event.accept(translated.monitor);
                }
            } catch (Throwable e) {
                // It stays here, so that it can be removed.
                translated.hasThrown = true;
                LOG.error("A monitor threw, and hears no more of callbacks", e);
            }
        }
    }

    private static ClientMonitor.Leader translated(Engine.Leader leader) {
        return new ClientMonitor.Leader(leader.participantId(), leader.node().value(), leader.token());
    }

    /** A monitor as the engine calls it. */
    private final class Translated implements Engine.Monitor {

        private final ClientMonitor monitor;
        /** At a callback. */
        private volatile boolean hasThrown;

        private Translated(ClientMonitor monitor) {
            this.monitor = monitor;
        }

        @Override
        public void connectionChanged(Connection connection, String reason) {
            Connectivity.state(connection).ifPresent(state -> monitor.connectionChanged(state, reason));
        }

        @Override
        public void leaderChanged(String path, Optional<Engine.Leader> former, Optional<Engine.Leader> leader) {
            monitor.leaderChanged(
                    Paths.withoutNamespace(namespace, path),
                    former.map(ClientMonitors::translated),
                    leader.map(ClientMonitors::translated));
        }

        @Override
        public void forgotten(String path, Optional<Engine.Leader> former) {
            monitor.forgotten(Paths.withoutNamespace(namespace, path), former.map(ClientMonitors::translated));
        }

        @Override
        public void leads(String path, long token) {
            monitor.leads(Paths.withoutNamespace(namespace, path), token);
        }

        @Override
        public void leadsNoMore(String path, long token, String reason) {
            monitor.leadsNoMore(Paths.withoutNamespace(namespace, path), token, reason);
        }

        @Override
        public void supportersChanged(List<NodeId> supporters) {
            monitor.supportersChanged(supporters.stream().map(NodeId::value).toList());
        }

        @Override
        public void voterHeard(NodeId voter, boolean isHeard) {
            monitor.voterHeard(voter.value(), isHeard);
        }

        @Override
        public void voterLeft(NodeId voter) {
            monitor.voterLeft(voter.value());
        }

        @Override
        public void supportRenewed(long nanosLeft) {
            monitor.supportRenewed(Duration.ofNanos(nanosLeft));
        }

        @Override
        public void stalled(long nanosLate) {
            monitor.stalled(Duration.ofNanos(nanosLate));
        }

        @Override
        public void framesDropped(String reason, long count) {
            monitor.framesDropped(reason, count);
        }

        @Override
        public void stopped(String reason) {
            monitor.stopped(reason);
        }
    }
}
