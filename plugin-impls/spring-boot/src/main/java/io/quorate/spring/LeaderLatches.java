package io.quorate.spring;

import io.quorate.ElectionClient;
import io.quorate.LeaderLatch;
import io.quorate.LeaderLatch.CloseMode;
import io.quorate.leaderonly.LeaderOnly;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/**
 * The latches behind {@link LeaderOnly}, one for each path; a bean that the starter makes. A method that writes asks it
 * for the fencing token, before its work:
 *
 * <pre>{@code
 * long token = latches.latch("/app/reports").fencingToken();
 * }</pre>
 *
 * <p>The id of each latch is the id of the node. Before a planned end, a latch waits for the running methods of its
 * path and for each {@link LeaderLifecycle}, by its {@link LeaderLatch#drain}. The latches are closed with the client.
 * All threads may use it.
 */
public final class LeaderLatches implements SmartLifecycle {

    /** That of Spring Integration's initiators: what leads starts last and stops first. */
    static final int PHASE = DEFAULT_PHASE - 1000;

    private static final Logger LOG = LoggerFactory.getLogger(LeaderLatches.class);

    private final Supplier<@Nullable ElectionClient> client;

    // Guarded by this.
    private final Map<String, LedPath> paths = new TreeMap<>();

    private final List<LeaderLifecycle> lifecycles = new ArrayList<>();
    /** Paths of beans that were made before the start. */
    private final Set<String> required = new TreeSet<>();

    private boolean isOpen;

    /** @param client null if there is none */
    LeaderLatches(Supplier<@Nullable ElectionClient> client) {
        this.client = client;
    }

    /**
     * Answers the latch of a path, which is made and started at the first question. It must not be closed.
     *
     * @param path in the form of a ZooKeeper path; relative to the client's namespace
     * @return the same latch each time
     * @throws IllegalArgumentException if the path is not legal; the message names the rule
     * @throws IllegalStateException    if there is no client, because {@code quorate.enabled=false}
     */
    public LeaderLatch latch(String path) {
        // Before the lock: it may be made now, by the bean factory, which has locks of its own.
        ElectionClient found = client.get();
        if (found == null) {
            throw new IllegalStateException(
                    "No latch of " + path + ": quorate.enabled=false, and the application has no ElectionClient");
        }
        synchronized (this) {
            LedPath known = paths.get(path);
            if (known != null) {
                return known.latch();
            }
            // So that lifecycles stop if the client is closed without leading them to their end.
            LeaderLatch latch = new LeaderLatch(found, path, found.nodeId(), CloseMode.NOTIFY_LEADER);
            LedPath led = new LedPath(latch);
            latch.drain(leadership -> led.finish());
            start(latch);
            paths.put(path, led);
            return latch;
        }
    }

    private static void start(LeaderLatch latch) {
        try {
            latch.start();
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException(latch + " does not start", e);
        }
    }

    /** Lets the path be contended for, now or from the start on. */
    void require(String path) {
        synchronized (this) {
            if (!isOpen) {
                required.add(path);
                return;
            }
        }
        contend(Set.of(path));
    }

    /** Lets a lifecycle run while this process leads its path, from the start on. */
    synchronized void add(LeaderLifecycle lifecycle) {
        if (isOpen) {
            throw new IllegalStateException(lifecycle + " must be made before the context has started");
        }
        lifecycles.add(lifecycle);
        required.add(lifecycle.path());
    }

    private void contend(Set<String> wanted) {
        if (wanted.isEmpty()) {
            return;
        }
        if (client.get() == null) {
            LOG.warn(
                    "quorate.enabled=false: this process leads none of {}, and neither their methods nor their lifecycles run",
                    wanted);
            return;
        }
        for (String path : wanted) {
            try {
                latch(path);
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException("path '" + path + "' of a bean: " + e.getMessage(), e);
            }
        }
    }

    /** The path of a method that may begin on this thread, which is to leave it then; null if it may not. */
    @Nullable
    LedPath enter(String path) {
        LedPath led;
        boolean beginsWork;
        synchronized (this) {
            led = paths.get(path);
            beginsWork = isOpen;
        }
        return led != null && led.enter(beginsWork) ? led : null;
    }

    /** Contends for the paths of all methods, and lets these begin. */
    @Override
    public void start() {
        Set<String> known;
        List<LeaderLifecycle> led;
        synchronized (this) {
            isOpen = true;
            known = new TreeSet<>(required);
            required.clear();
            led = List.copyOf(lifecycles);
        }
        led.forEach(LeaderLifecycle::check);
        contend(known);
        led.forEach(this::run);
    }

    private void run(LeaderLifecycle lifecycle) {
        LedPath led;
        synchronized (this) {
            led = paths.get(lifecycle.path());
        }
        if (led != null) {
            if (!led.lifecycles().contains(lifecycle)) {
                led.lifecycles().add(lifecycle);
            }
            lifecycle.contend(led.latch());
        }
    }

    /** Lets no further method begin, and stops lifecycles. The client, which closes next, waits for both. */
    @Override
    public void stop() {
        List<LeaderLifecycle> led;
        synchronized (this) {
            isOpen = false;
            led = List.copyOf(lifecycles);
        }
        led.stream().filter(LeaderLifecycle::isRunning).forEach(LeaderLifecycle::stop);
    }

    @Override
    public synchronized boolean isRunning() {
        return isOpen;
    }

    @Override
    public int getPhase() {
        return PHASE;
    }
}
