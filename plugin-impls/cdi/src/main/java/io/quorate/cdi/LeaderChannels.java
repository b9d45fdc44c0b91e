package io.quorate.cdi;

import io.quorate.LeaderLatch;
import io.quorate.LeaderLatchListener;
import io.smallrye.reactive.messaging.ChannelRegistry;
import io.smallrye.reactive.messaging.PausableChannel;
import jakarta.annotation.PreDestroy;
import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.event.Startup;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import jakarta.interceptor.Interceptor;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets the channels of leader-only methods flow in the process that leads their path, and pauses them in all others.
 * Before a planned end of leadership they are paused, and the next process leads when the methods have returned that
 * have a message. One thread looks each second, and whenever leadership changes, because a leader that begins to leave
 * may stay after all, and a channel may come later than the leadership.
 */
@Singleton
class LeaderChannels {

    private static final Logger LOG = LoggerFactory.getLogger(LeaderChannels.class);

    private static final String WARNING = "{}: cannot pause or resume channel '{}'; this is tried again each second. "
            + "Does a method take its messages?";

    private static final long LOOK_SECONDS = 1;
    /** For a message that was on its way to its method when its channel was paused. */
    private static final long SETTLE_MILLIS = 100;

    private static final Executor ATTEMPTS = attempt -> daemon(attempt).start();

    private final LeaderLatches latches;
    private final DeclaredPaths declared;
    private final ConfigSettings settings;
    private final Instance<ChannelRegistry> registry;
    private final ScheduledThreadPoolExecutor thread = new ScheduledThreadPoolExecutor(1, LeaderChannels::daemon);

    /** The last attempt to resume each channel, on a separate thread. Confined to the thread that looks. */
    private final Map<String, CompletableFuture<Void>> resuming = new HashMap<>();

    /** Those that the log has named. */
    private final Set<String> missing = ConcurrentHashMap.newKeySet();

    @Inject
    LeaderChannels(
            LeaderLatches latches,
            DeclaredPaths declared,
            ConfigSettings settings,
            Instance<ChannelRegistry> registry) {
        this.latches = latches;
        this.declared = declared;
        this.settings = settings;
        this.registry = registry;
    }

    private static Thread daemon(Runnable work) {
        Thread made = new Thread(work, "quorate-channels");
        made.setDaemon(true);
        return made;
    }

    /** After the client, which makes the latches. */
    void start(@Observes @Priority(Interceptor.Priority.LIBRARY_AFTER + 1) Startup event) {
        // Without a client the channels stay as their settings make them.
        if (!settings.isEnabled() || declared.channels().isEmpty()) {
            return;
        }
        declared.channels().forEach((channel, path) -> {
            LeaderLatch latch = latches.latch(latches.path(path));
            latches.beforeEnd(path, () -> pause(path));
            latch.addListener(new LeaderLatchListener() {
                @Override
                public void isLeader() {
                    thread.execute(LeaderChannels.this::look);
                }

                @Override
                public void notLeader() {
                    thread.execute(LeaderChannels.this::look);
                }
            });
        });
        thread.scheduleWithFixedDelay(this::look, 0, LOOK_SECONDS, TimeUnit.SECONDS);
    }

    /** After the client, whose end pauses the channels, and also if the application has not started. */
    @PreDestroy
    void stop() {
        thread.shutdown();
    }

    private CompletionStage<Void> pause(String path) {
        CompletableFuture<Void> paused = new CompletableFuture<>();
        thread.execute(() -> {
            look();
            // An attempt to resume that has stood still meanwhile ends with a pause.
            CompletableFuture.allOf(resuming.entrySet().stream()
                            .filter(attempt -> path.equals(declared.channels().get(attempt.getKey())))
                            .map(Map.Entry::getValue)
                            .toArray(CompletableFuture[]::new))
                    .thenRun(() -> thread.schedule(() -> paused.complete(null), SETTLE_MILLIS, TimeUnit.MILLISECONDS));
        });
        return paused;
    }

    // ---------------------------------------------------------------- on the thread

    private void look() {
        declared.channels().forEach(this::look);
    }

    // Justification: catches everything, because this calls the library of the channels.
    private void look(String channel, String path) {
        try {
            PausableChannel found = registry.get().getPausable(channel);
            boolean mayFlow = latches.mayBegin(path);
            CompletableFuture<Void> last = resuming.get(channel);
            if (found == null) {
                warn(channel, path, mayFlow, null);
            } else if (mayFlow && found.isPaused() && (last == null || last.isDone())) {
                resuming.put(channel, CompletableFuture.runAsync(() -> resume(found, channel, path), ATTEMPTS));
            } else if (!mayFlow && !found.isPaused()) {
                found.pause();
            }
        } catch (Throwable e) {
            warn(channel, path, true, e);
        }
    }

    /**
     * Resumes the channel, on another thread. A channel may deliver messages before its resume returns, and can be paused
     * meanwhile.
     */
    // Justification: catches everything, because this calls the library of the channels.
    private void resume(PausableChannel found, String channel, String path) {
        try {
            found.resume();
            // The process may have lost the leadership before the channel flowed. If it could not be resumed, the next
            // look tries again, and not this thread, which would try without a pause.
            if (!latches.mayBegin(path)) {
                found.pause();
            }
        } catch (Throwable e) {
            warn(channel, path, true, e);
        }
    }

    private void warn(String channel, String path, boolean isNeeded, @Nullable Throwable failure) {
        if (isNeeded && missing.add(channel)) {
            LOG.warn(WARNING, path, channel, failure);
        }
    }
}
