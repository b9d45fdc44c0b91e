package io.quorate.cdi;

import io.quorate.ElectionClient;
import io.quorate.FencedLeaderLatchListener;
import io.quorate.LeaderLatch;
import io.quorate.LeaderLatch.CloseMode;
import io.quorate.LeaderObserver;
import io.quorate.leaderonly.LeaderOnly;
import io.quorate.leaderonly.work.RunningWork;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.lang.reflect.Method;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The latches behind {@link LeaderPath} and {@link LeaderOnly}, one for each path; a bean of the application. A method
 * that writes asks it for the fencing token, before its work:
 *
 * <pre>{@code
 * long token = latches.latch("/app/reports").fencingToken();
 * }</pre>
 *
 * <p>The id of each latch is the id of the node. Before a planned end, a latch waits for the running leader-only
 * methods of its path, by its {@link LeaderLatch#drain}. The latches are closed with the client. All threads may use
 * it.
 */
@Singleton
public final class LeaderLatches {

    private final Instance<ElectionClient> client;
    private final LeaderEvents events;
    private final ConfigSettings settings;

    // Guarded by this.
    private final Map<String, LedPath> paths = new TreeMap<>();
    /** So that each change of a path is told once. */
    private final Set<String> watched = new HashSet<>();

    private boolean isOpen;

    /** Paths by what a bean has written, so that a call reads no settings. */
    private final Map<String, String> resolved = new ConcurrentHashMap<>();

    @Inject
    LeaderLatches(Instance<ElectionClient> client, LeaderEvents events, ConfigSettings settings) {
        this.client = client;
        this.events = events;
        this.settings = settings;
    }

    /**
     * Answers the latch of a path, which is made and started at the first question. It must not be closed, and is kept
     * until the application stops: a path that is made at run time, as one per order, takes a latch of its own instead.
     *
     * @param path in the form of a ZooKeeper path; relative to the client's namespace
     * @return the same latch each time
     * @throws IllegalArgumentException if the path is not legal; the message names the rule
     * @throws IllegalStateException    if there is no client, because {@code quorate.enabled=false}
     */
    public LeaderLatch latch(String path) {
        // Before the lock: it may be made now, by the container, which has locks of its own.
        ElectionClient found = client();
        synchronized (this) {
            LedPath known = paths.get(path);
            if (known != null) {
                return known.latch();
            }
            LeaderLatch latch = new LeaderLatch(found, path, found.nodeId(), CloseMode.NOTIFY_LEADER);
            LedPath led = new LedPath(latch, new RunningWork(), new AtomicReference<>());
            latch.drain(leadership -> led.finish());
            latch.addListener(new Teller(path));
            watch(found, path);
            start(latch);
            paths.put(path, led);
            return latch;
        }
    }

    private ElectionClient client() {
        if (!settings.isEnabled()) {
            throw new IllegalStateException("quorate.enabled=false: there is no client, and no latch");
        }
        return client.get();
    }

    /** Tells the observers of a path, on a callback thread of the library. */
    private final class Teller implements FencedLeaderLatchListener {

        private final String path;

        private Teller(String path) {
            this.path = path;
        }

        @Override
        public void isLeader(long fencingToken) {
            events.fire(path, new LeadershipGained(path, fencingToken));
        }

        @Override
        public void notLeader() {
            events.fire(path, new LeadershipLost(path));
        }
    }

    /** Under the lock. */
    private void watch(ElectionClient found, String path) {
        if (watched.contains(path)) {
            return;
        }
        LeaderObserver observer = new LeaderObserver(found, path);
        observer.getListenable()
                .addListener((leader, token) -> events.fire(
                        path,
                        token == 0
                                ? new LeaderChanged(path, Optional.empty(), OptionalLong.empty())
                                : new LeaderChanged(path, Optional.of(leader.getId()), OptionalLong.of(token))));
        observer.start();
        watched.add(path);
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

    /** Contends for the paths that beans name, watches the others, and lets leader-only methods begin. */
    void start(DeclaredPaths declared) {
        synchronized (this) {
            isOpen = true;
        }
        for (String text : declared.led()) {
            legally(text, () -> latch(path(text)));
        }
        for (String path : declared.watched()) {
            legally(path, () -> watch(path));
        }
    }

    private void watch(String path) {
        ElectionClient found = client();
        synchronized (this) {
            watch(found, path);
        }
    }

    private static void legally(String text, Runnable action) {
        try {
            action.run();
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("path '" + text + "' of a bean: " + e.getMessage(), e);
        }
    }

    /** Lets no further method begin. The client, which closes next, waits for those that run. */
    synchronized void stop() {
        isOpen = false;
    }

    String path(String text) {
        return resolved.computeIfAbsent(text, settings::resolved);
    }

    /** The path of a method that may begin on this thread, which is to leave it then; null if it may not. */
    @Nullable
    LedPath enter(String text) {
        String path = path(text);
        LedPath led;
        boolean beginsWork;
        synchronized (this) {
            led = paths.get(path);
            beginsWork = isOpen;
        }
        return led != null && led.enter(beginsWork) ? led : null;
    }

    /** Whether a method takes the messages of a channel, none of which may be skipped. */
    static boolean receives(Method method) {
        return Stream.of(method.getAnnotations())
                .anyMatch(annotation -> annotation.annotationType().getName().equals(LeaderOnlyMethods.INCOMING));
    }

    /**
     * The path of a method that takes a message on this thread, which must leave it then. The message was taken before
     * the channel was paused, so the method runs in any case; where the path is lost, it does not get a token.
     */
    @Nullable
    LedPath receive(String text) {
        LedPath led = led(text);
        return led != null && led.receive() ? led : null;
    }

    /** Before it waits for the methods of this path, its leader does that too. */
    void beforeEnd(String text, Supplier<CompletionStage<Void>> first) {
        Objects.requireNonNull(led(text), text).first().set(first);
    }

    private synchronized @Nullable LedPath led(String text) {
        return paths.get(path(text));
    }

    /** Whether a method of this path would begin now. */
    boolean mayBegin(String text) {
        String path = path(text);
        LedPath led;
        synchronized (this) {
            led = isOpen ? paths.get(path) : null;
        }
        return led != null && led.mayBegin();
    }
}
