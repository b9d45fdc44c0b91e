package io.quorate.shedlock;

import io.quorate.ElectionClient;
import io.quorate.LeaderLatch;
import io.quorate.jvm.Daemons;
import java.io.Closeable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import net.javacrumbs.shedlock.core.ExtensibleLockProvider;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.support.LockException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives a lock on the node that leads the path of its name, and on no other. A process that dies frees its locks after
 * one lease, and not after {@code lockAtMostFor}. There is no table, and no clock is compared with that of another
 * process: both durations of a lock count from the moment at which it is given, by the elapsed time of this node.
 *
 * <p><b>What a caller can get wrong.</b> {@code lockAtLeastFor} is kept by the node that holds the lock. It does not
 * survive the crash of that node, nor the end of its leadership. A job runs where its path is led, and that node keeps
 * leading when the lock is free: so all nodes must schedule the job. A name that nobody has asked for on this node for
 * 2 days is left: another node leads it then, which may have asked before and not ask again soon. So what runs less
 * often is scheduled at one time on all nodes.
 *
 * <p>A planned end of leadership, such as a close or a transfer, waits until the name is free, for the client's {@code
 * drainTimeout} at most, which is 30 s by default, and no lock is given meanwhile. If the client has a {@code
 * drainTimeout} of 0, another node may run a job while it still runs here.
 *
 * <p>All methods may be called from any thread.
 */
public final class QuorateLockProvider implements ExtensibleLockProvider, Closeable {

    /** The namespace of a provider that is given none. */
    public static final String DEFAULT_NAMESPACE = "/shedlock";

    private static final Logger LOG = LoggerFactory.getLogger(QuorateLockProvider.class);

    /**
     * How long it waits, and how much it keeps.
     *
     * @param firstElection how long {@link #lock} waits for the first leader of a name that is new here
     * @param idle          after which a name is left
     * @param look          between two searches for idle names, in real time whatever clock the provider has
     * @param namesMax      how many names there may be at one time
     */
    record Limits(Duration firstElection, Duration idle, Duration look, int namesMax) {

        /**
         * An election takes milliseconds. Two days leave alone what is locked each day: were it shorter than the period
         * of a job, each node would leave the path before it asks again, to one that does the same. A node carries ten
         * times as many paths.
         */
        static final Limits DEFAULT =
                new Limits(Duration.ofSeconds(1), Duration.ofDays(2), Duration.ofHours(5), 10_000);
    }

    private final ElectionClient client;
    private final String prefix;
    private final Limits limits;
    private final LongSupplier clock;
    private final ScheduledThreadPoolExecutor timer =
            new ScheduledThreadPoolExecutor(1, Daemons.named("quorate-shedlock"));

    // All are guarded by the first; the name that was asked for last comes last.
    private final Map<String, NamedPath> names = new LinkedHashMap<>(16, 0.75f, true);
    private boolean isClosed;
    /** At names that are idle; null if there is none to come. */
    private @Nullable ScheduledFuture<?> look;

    /**
     * A provider with the namespace {@link #DEFAULT_NAMESPACE}.
     *
     * @param client contends for the paths; the application starts and closes it
     * @throws NullPointerException if {@code client} is null
     */
    public QuorateLockProvider(ElectionClient client) {
        this(client, DEFAULT_NAMESPACE);
    }

    /**
     * A provider whose locks have the paths {@code <namespace>/<encoded name>}. Providers of one client need different
     * namespaces.
     *
     * @param client    contends for the paths; the application starts and closes it
     * @param namespace in the form of a ZooKeeper path; equal on all nodes; relative to the client's namespace
     * @throws NullPointerException     if {@code client} is null
     * @throws IllegalArgumentException if the namespace is null or not legal; the message names the rule
     */
    public QuorateLockProvider(ElectionClient client, String namespace) {
        this(client, namespace, Limits.DEFAULT, System::nanoTime);
    }

    QuorateLockProvider(ElectionClient client, String namespace, Limits limits, LongSupplier clock) {
        this.client = Objects.requireNonNull(client, "client cannot be null");
        checkLegal(client, namespace);
        this.prefix = namespace.equals("/") ? "/" : namespace + "/";
        this.limits = limits;
        this.clock = clock;
        // Its thread ends while there is no name to look at.
        timer.setKeepAliveTime(1, TimeUnit.SECONDS);
        timer.allowCoreThreadTimeOut(true);
        timer.setRemoveOnCancelPolicy(true);
    }

    /** A latch checks its path when it is made, and does nothing before it is started. */
    private static void checkLegal(ElectionClient client, String namespace) {
        new LeaderLatch(client, namespace);
    }

    /**
     * Takes a lock if this node leads the path of its name and nobody holds it here. The first call for a name lets
     * this node contend, and waits until somebody leads, for 1 s at most; so do calls that come meanwhile. Later ones
     * answer at once. An interrupt ends the wait, and the thread keeps its flag. An event loop must not call this.
     *
     * @param configuration the name and the two durations; when it was created does not matter
     * @return a {@link QuorateLock}; empty if this node does not lead the path, the lock is held here, or this provider
     *         or its client is closed
     * @throws IllegalArgumentException if the path with its namespaces is longer than 2048 bytes
     * @throws LockException            if 10,000 names are held at this moment
     * @throws NullPointerException     if {@code configuration} is null
     */
    @Override
    public Optional<SimpleLock> lock(LockConfiguration configuration) {
        String name = configuration.getName();
        NamedPath path;
        boolean isNew;
        List<NamedPath> left = List.of();
        synchronized (names) {
            if (isClosed) {
                return Optional.empty();
            }
            NamedPath known = names.get(name);
            isNew = known == null;
            if (known == null) {
                left = makeRoom();
                path = new NamedPath(client, name, prefix + LockNames.encoded(name), clock, timer);
                names.put(name, path);
                lookLater();
            } else {
                path = known;
            }
            path.use();
        }
        if (isNew) {
            start(path, left);
        }
        left.forEach(NamedPath::close);
        path.awaitElected(limits.firstElection());
        return path.lock(configuration);
    }

    /** @param left what has made room for it, which stays if this one is refused */
    private void start(NamedPath path, List<NamedPath> left) {
        try {
            path.start();
        } catch (RuntimeException e) {
            List<NamedPath> replaced;
            synchronized (names) {
                names.remove(path.name(), path);
                replaced = left.stream().filter(each -> !isTakenBack(each)).toList();
            }
            replaced.forEach(NamedPath::close);
            throw e;
        }
    }

    /** Answers false if its place is taken. Under the lock. */
    private boolean isTakenBack(NamedPath path) {
        boolean hasPlace =
                !isClosed && names.size() < limits.namesMax() && names.putIfAbsent(path.name(), path) == null;
        if (hasPlace) {
            path.stay();
        }
        return hasPlace;
    }

    /** Takes the free name that was asked for longest ago out of the names, if there are as many as there may be. */
    private List<NamedPath> makeRoom() {
        if (names.size() < limits.namesMax()) {
            return List.of();
        }
        List<NamedPath> left = takeOut(Duration.ZERO, 1);
        if (left.isEmpty()) {
            throw new LockException(
                    "All of " + limits.namesMax() + " names are locked on this node, and it keeps no more");
        }
        return left;
    }

    /** Takes names out that are free and have been idle for so long; somebody closes them outside of the lock. */
    private List<NamedPath> takeOut(Duration idle, int countMax) {
        List<NamedPath> left = new ArrayList<>();
        Iterator<NamedPath> paths = names.values().iterator();
        while (paths.hasNext() && left.size() < countMax) {
            NamedPath path = paths.next();
            if (path.leaveIfIdle(idle)) {
                left.add(path);
                paths.remove();
            }
        }
        return left;
    }

    private void lookLater() {
        if (look == null) {
            look = timer.schedule(this::leaveIdleNames, limits.look().toNanos(), TimeUnit.NANOSECONDS);
        }
    }

    /** Leaves the names that have been idle for long enough. */
    void leaveIdleNames() {
        List<NamedPath> left;
        synchronized (names) {
            look = null;
            if (isClosed) {
                return;
            }
            left = takeOut(limits.idle(), Integer.MAX_VALUE);
            if (!names.isEmpty()) {
                lookLater();
            }
        }
        left.forEach(NamedPath::close);
    }

    /** {@return how many names this node contends for} */
    int size() {
        synchronized (names) {
            return names.size();
        }
    }

    /**
     * Leaves all paths. When this returns, no lock is given any more. It never blocks. A lock that is held stays so
     * until its name is free, for the client's {@code drainTimeout} at most; closing the client waits for that. If that
     * is 0, no lock is held any more, and a line of the log at WARN names those that were. A second call has no effect.
     * The client stays open.
     */
    @Override
    public void close() {
        List<NamedPath> all;
        synchronized (names) {
            isClosed = true;
            all = List.copyOf(names.values());
            names.clear();
            // The timer goes on: leaders that leave need it, and its thread ends with them.
            if (look != null) {
                look.cancel(false);
            }
        }
        List<QuorateLock> held =
                all.stream().flatMap(path -> path.leave().stream()).toList();
        all.forEach(NamedPath::close);
        List<String> lost = held.stream()
                .filter(lock -> !lock.isHeld())
                .map(QuorateLock::name)
                .toList();
        if (!lost.isEmpty()) {
            LOG.warn("Closed while jobs hold the locks {}: other nodes may run them now", lost);
        }
    }
}
