package io.quorate.ops;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.quorate.jvm.Daemons;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Meters that come and go while a node runs. A registry has locks and listeners of others, on which the node's thread
 * must not wait: it says only which meters are wanted, and a thread of this class registers and removes them. Several
 * changes are one piece of work, so nothing queues up however long a registry takes.
 *
 * <p>The thread lives from the constructor to {@link #close}. The start of a thread can fail, at the limit of the
 * system, and on the node's thread such a failure would end all leadership.
 */
final class LateMeters implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(LateMeters.class);

    private final MeterRegistry registry;
    private final Thread thread;
    private final Map<String, Supplier<List<Meter>>> wanted = new ConcurrentHashMap<>();
    // Guarded by this.
    private final Map<String, Registered> registered = new HashMap<>();
    private boolean isClosed;

    private record Registered(Supplier<List<Meter>> by, List<Meter> meters) {}

    /**
     * Starts the thread.
     *
     * @param name of the thread
     * @throws OutOfMemoryError if the system has no thread left
     */
    LateMeters(String name, MeterRegistry registry) {
        this.registry = registry;
        thread = Daemons.thread(name, this::run);
        thread.start();
    }

    private void run() {
        while (settle()) {
            LockSupport.park(this);
            // An interrupted thread would not park again. close() reports the end.
            Thread.interrupted();
        }
    }

    /**
     * Has meters registered soon. Returns at once.
     *
     * @param name   of these meters; others of the same name are removed before
     * @param meters registers them, and answers them
     */
    void put(String name, Supplier<List<Meter>> meters) {
        wanted.put(name, meters);
        LockSupport.unpark(thread);
    }

    /** Has the meters of this name removed soon. Returns at once. */
    void remove(String name) {
        wanted.remove(name);
        LockSupport.unpark(thread);
    }

    /** Registers and removes what is due; answers whether there may be more. */
    private synchronized boolean settle() {
        // The wanted meters may change meanwhile. Each name is there once only at a single moment.
        Map<String, Supplier<List<Meter>>> now = isClosed ? Map.of() : new HashMap<>(wanted);
        registered.entrySet().removeIf(entry -> {
            boolean isOver = now.get(entry.getKey()) != entry.getValue().by;
            if (isOver) {
                remove(entry.getKey(), entry.getValue().meters);
            }
            return isOver;
        });
        now.forEach((name, meters) -> registered.computeIfAbsent(name, added -> register(added, meters)));
        return !isClosed;
    }

    // Justification, here and below: registries and their listeners are code of others, with errors of
    // linkage too. The other meters must not suffer.

    private Registered register(String name, Supplier<List<Meter>> meters) {
        try {
            return new Registered(meters, meters.get());
        } catch (RuntimeException | Error e) {
            LOG.error("Cannot register the meters of {}", name, e);
            return new Registered(meters, List.of());
        }
    }

    private void remove(String name, List<Meter> meters) {
        try {
            meters.forEach(registry::remove);
        } catch (RuntimeException | Error e) {
            LOG.error("Cannot remove the meters of {}", name, e);
        }
    }

    /** Removes all meters. Waits for the thread to return from the registry. */
    @Override
    public void close() {
        synchronized (this) {
            isClosed = true;
            settle();
        }
        LockSupport.unpark(thread);
    }
}
