package io.quorate.ops;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Meters that come and go while a node runs. A registry has locks and listeners of others, on which the node's thread
 * must not wait: it says only which meters are wanted, and a thread of this class registers and removes them. Several
 * changes are one piece of work, so nothing queues up however long a registry takes.
 */
final class LateMeters implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(LateMeters.class);

    private static final long IDLE_SECONDS = 10;

    private final MeterRegistry registry;
    private final ThreadPoolExecutor thread;
    private final AtomicBoolean isDue = new AtomicBoolean();
    private final Map<String, Supplier<List<Meter>>> wanted = new ConcurrentHashMap<>();
    // Guarded by this.
    private final Map<String, Registered> registered = new HashMap<>();
    private boolean isClosed;

    /** The meters that a supplier has registered. */
    private record Registered(Supplier<List<Meter>> by, List<Meter> meters) {}

    /** @param name of the thread, which is there while there is something to do */
    LateMeters(String name, MeterRegistry registry) {
        this.registry = registry;
        thread = new ThreadPoolExecutor(
                1,
                1,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                work -> {
                    Thread daemon = new Thread(work, name);
                    daemon.setDaemon(true);
                    return daemon;
                },
                // After the end, a call that was under way changes nothing.
                new ThreadPoolExecutor.DiscardPolicy());
        thread.allowCoreThreadTimeOut(true);
    }

    /**
     * Has meters registered soon. Returns at once.
     *
     * @param name   of these meters; others of the same name are removed before
     * @param meters registers them, and answers them
     */
    void put(String name, Supplier<List<Meter>> meters) {
        wanted.put(name, meters);
        wake();
    }

    /** Has the meters of this name removed soon. Returns at once. */
    void remove(String name) {
        wanted.remove(name);
        wake();
    }

    private void wake() {
        if (isDue.compareAndSet(false, true)) {
            thread.execute(this::settle);
        }
    }

    private synchronized void settle() {
        isDue.set(false);
        // What is wanted may change meanwhile: only of one moment it is sure that each name is there once.
        Map<String, Supplier<List<Meter>>> now = isClosed ? Map.of() : new HashMap<>(wanted);
        registered.entrySet().removeIf(entry -> {
            boolean isOver = now.get(entry.getKey()) != entry.getValue().by;
            if (isOver) {
                remove(entry.getKey(), entry.getValue().meters);
            }
            return isOver;
        });
        now.forEach((name, meters) -> registered.computeIfAbsent(name, added -> register(added, meters)));
    }

    // Justification, here and below: registries and their listeners are code of others. The other meters must not
    // suffer.

    private Registered register(String name, Supplier<List<Meter>> meters) {
        try {
            return new Registered(meters, meters.get());
        } catch (RuntimeException e) {
            LOG.error("Cannot register the meters of {}", name, e);
            return new Registered(meters, List.of());
        }
    }

    private void remove(String name, List<Meter> meters) {
        try {
            meters.forEach(registry::remove);
        } catch (RuntimeException e) {
            LOG.error("Cannot remove the meters of {}", name, e);
        }
    }

    /** Removes all meters. Waits for the thread to return from the registry. */
    @Override
    public void close() {
        thread.shutdown();
        synchronized (this) {
            isClosed = true;
            settle();
        }
    }
}
