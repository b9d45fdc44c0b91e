package io.quorate.spring;

import io.quorate.ElectionClient;
import io.quorate.LeaderLatch;
import java.util.Map;
import java.util.Optional;
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
 * <p>The id of each latch is the id of the node. The latches are closed with the client. All threads may use it.
 */
public final class LeaderLatches implements SmartLifecycle {

    /** That of Spring Integration's initiators: what leads starts last and stops first. */
    static final int PHASE = DEFAULT_PHASE - 1000;

    private static final Logger LOG = LoggerFactory.getLogger(LeaderLatches.class);

    private final Supplier<@Nullable ElectionClient> client;

    // Guarded by this.
    private final Map<String, LeaderLatch> latches = new TreeMap<>();
    /** Paths of beans that were made before the start. */
    private final Set<String> required = new TreeSet<>();

    private boolean isOpen;
    private int running;
    private Optional<Runnable> whenIdle = Optional.empty();

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
            LeaderLatch known = latches.get(path);
            if (known != null) {
                return known;
            }
            LeaderLatch latch = new LeaderLatch(found, path, found.nodeId());
            start(latch);
            latches.put(path, latch);
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

    private void contend(Set<String> paths) {
        if (paths.isEmpty()) {
            return;
        }
        if (client.get() == null) {
            LOG.warn("quorate.enabled=false: this process leads none of {}, and their methods do not run", paths);
            return;
        }
        for (String path : paths) {
            try {
                latch(path);
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException("@LeaderOnly(\"" + path + "\"): " + e.getMessage(), e);
            }
        }
    }

    /** Whether a method of the path may begin; if so, {@link #leave} must follow. */
    synchronized boolean enter(String path) {
        LeaderLatch latch = latches.get(path);
        if (!isOpen || latch == null || !latch.hasLeadership()) {
            return false;
        }
        running++;
        return true;
    }

    void leave() {
        Optional<Runnable> due = Optional.empty();
        synchronized (this) {
            running--;
            if (running == 0) {
                due = whenIdle;
                whenIdle = Optional.empty();
            }
        }
        due.ifPresent(Runnable::run);
    }

    /** Contends for the paths of all methods, and lets these begin. */
    @Override
    public void start() {
        Set<String> paths;
        synchronized (this) {
            isOpen = true;
            paths = new TreeSet<>(required);
            required.clear();
        }
        contend(paths);
    }

    /** Lets no further method begin; does not wait for those that run. */
    @Override
    public synchronized void stop() {
        isOpen = false;
    }

    /** As {@link #stop()}; the callback is called when the last method that runs has returned. */
    @Override
    public void stop(Runnable callback) {
        synchronized (this) {
            isOpen = false;
            if (running > 0) {
                whenIdle = Optional.of(callback);
                return;
            }
        }
        callback.run();
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
