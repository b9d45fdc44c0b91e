package io.quorate.client;

import io.quorate.ClientMonitor;
import io.quorate.engine.Clock;
import io.quorate.engine.Engine;
import io.quorate.jvm.NodeLog;
import java.time.Duration;
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
    /** An equal monitor finds the one that the engine was given. */
    private final ConcurrentMap<ClientMonitor, Added> monitors = new ConcurrentHashMap<>();

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
        if (monitors.putIfAbsent(monitor, new Added(monitor)) == null) {
            engine.addMonitor(monitor, path -> Paths.withoutNamespace(namespace, path));
        }
    }

    public synchronized void remove(ClientMonitor monitor, Engine engine) {
        Added added = monitors.remove(monitor);
        if (added != null) {
            engine.removeMonitor(added.monitor);
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
        for (Added added : monitors.values()) {
            try {
                if (!added.hasThrown) {
                    event.accept(added.monitor);
                }
            } catch (Throwable e) {
                // It stays here, so that it can be removed.
                added.hasThrown = true;
                LOG.error("A monitor threw, and hears no more of callbacks", e);
            }
        }
    }

    /** An added monitor. */
    private static final class Added {
        private final ClientMonitor monitor;
        /** At a callback. */
        private volatile boolean hasThrown;

        private Added(ClientMonitor monitor) {
            this.monitor = monitor;
        }
    }
}
