package io.quorate.spring;

import io.quorate.LeaderLatch;
import io.quorate.LeaderLatchListener;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.Lifecycle;
import org.springframework.context.SmartLifecycle;

/**
 * Runs a {@link Lifecycle} in the process that leads a path, and in no other: the container of a message listener, for
 * example, so that one process takes the messages. A bean that names the path and what runs:
 *
 * <pre>{@code
 * @KafkaListener(id = "orders", topics = "orders", autoStartup = "false")
 * void receive(Order order) { ... }
 *
 * @Bean
 * LeaderLifecycle leadsOrders(LeaderLatches latches, KafkaListenerEndpointRegistry registry) {
 *     return new LeaderLifecycle(latches, "/app/orders", () -> registry.getListenerContainer("orders"));
 * }
 * }</pre>
 *
 * <p>It is started when this process leads. Before a planned end of the leadership it is stopped, and the next process
 * leads when it has stopped, or after the client's {@linkplain io.quorate.ElectionSettings#drainTimeout drain
 * time-out}; a message that it has taken is processed by then. If the lease is lost, it is stopped while another
 * process may lead already, so what it writes carries the {@linkplain LeaderLatch#fencingToken() fencing token}.
 *
 * <p>If it does not start, this process stops what has started of it, gives leadership up, and contends again after a
 * pause: 50 ms, then twice as long each time, up to 10 s. If it throws when it is stopped, it is told to stop again
 * each second. A separate thread starts and stops it. All methods may be called from any thread.
 *
 * <p>The context starts and stops this bean. When the context closes, this bean stops before the beans that it depends
 * on, such as the registry above, so the leader waits for the last message even if the registry waits no longer.
 */
public final class LeaderLifecycle implements SmartLifecycle {

    private static final Logger LOG = LoggerFactory.getLogger(LeaderLifecycle.class);

    private static final long PAUSE_MILLIS_MIN = 50;
    private static final long PAUSE_MILLIS_MAX = 10_000;
    /** How long a look at the latch is put off that no callback asks for. */
    private static final long LOOK_SECONDS = 1;

    /** As long as Spring waits for a phase. */
    private static final long PATIENCE_SECONDS = 30;

    private final String path;
    private final Supplier<? extends Lifecycle> target;
    private final ScheduledThreadPoolExecutor thread = new ScheduledThreadPoolExecutor(1, LeaderLifecycle::daemon);
    private volatile CountDownLatch isClosing = new CountDownLatch(1);

    // Confined to the thread.
    /** Null when it has been told to stop. */
    private @Nullable Lifecycle running;

    private @Nullable ScheduledFuture<?> look;
    private boolean threwAtStop;

    /** Completes when what was started last has stopped. */
    private CompletableFuture<Void> stopped = CompletableFuture.completedFuture(null);

    // Written on the thread; a callback reads it when it has waited for the thread.
    private volatile long pauseMillis;

    /** Null before the context starts. */
    private volatile @Nullable LeaderLatch latch;

    private volatile boolean isOpen;

    /**
     * Lets this process contend for the path when the context starts.
     *
     * @param latches a bean of the starter
     * @param path    in the form of a ZooKeeper path; relative to the client's namespace
     * @param target  returns what is started and stopped, the same object each time; asked when the context starts, and
     *                then at each start. It must not start by itself
     * @throws NullPointerException if an argument is null
     */
    public LeaderLifecycle(LeaderLatches latches, String path, Supplier<? extends Lifecycle> target) {
        this.path = Objects.requireNonNull(path, "path");
        this.target = Objects.requireNonNull(target, "target");
        // Its thread is there only while there is something to do.
        thread.setKeepAliveTime(1, TimeUnit.SECONDS);
        thread.allowCoreThreadTimeOut(true);
        thread.setRemoveOnCancelPolicy(true);
        Objects.requireNonNull(latches, "latches").add(this);
    }

    private static Thread daemon(Runnable work) {
        Thread made = new Thread(work, "quorate-lifecycle");
        made.setDaemon(true);
        return made;
    }

    String path() {
        return path;
    }

    /**
     * Checks what it runs, before anything contends. A container of an earlier life of the context may still be
     * stopping.
     *
     * @throws IllegalStateException if there is none, or it starts by itself
     */
    void check() {
        if (latch != null) {
            return;
        }
        Lifecycle found = found();
        boolean startsByItself = found instanceof SmartLifecycle smart && smart.isAutoStartup();
        if (startsByItself || found.isRunning()) {
            throw new IllegalStateException("LeaderLifecycle of " + path + ": " + found + " must not start by itself, "
                    + "because only the leader runs it. Set autoStartup to false");
        }
    }

    private Lifecycle found() {
        // A registry answers null for an id that it does not know.
        Lifecycle found = target.get();
        if (found == null) {
            throw new IllegalStateException("LeaderLifecycle of " + path + ": there is nothing to start. If it is the "
                    + "container of a listener, is its id right?");
        }
        return found;
    }

    // ---------------------------------------------------------------- the latch

    /** From the start of the context on. The latch must tell its listeners that it is closed. */
    void contend(LeaderLatch started) {
        if (latch == null) {
            latch = started;
            started.addListener(new LeaderLatchListener() {
                @Override
                public void isLeader() {
                    thread.execute(LeaderLifecycle.this::settle);
                }

                @Override
                public void notLeader() {
                    hasLost();
                }
            });
        }
        start();
    }

    /** The latch contends again when this has returned, or after 30 s. */
    private void hasLost() {
        try {
            finish().toCompletableFuture().get();
            if (pauseMillis > 0 && isClosing.await(pauseMillis, TimeUnit.MILLISECONDS)) {
                LOG.debug("{}: the context is closed while it pauses", path);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException e) {
            throw new IllegalStateException(path + ": an error in what the leader runs", e);
        }
    }

    /** Stops it; the stage completes when it has stopped. The leader may stay after all, which {@link #settle} sees. */
    CompletionStage<Void> finish() {
        return CompletableFuture.supplyAsync(this::settle, thread).thenCompose(stage -> stage);
    }

    // ---------------------------------------------------------------- the context

    /** The starter starts it, when this process begins to contend; before that a call has no effect. */
    @Override
    public void start() {
        if (latch != null) {
            isClosing = new CountDownLatch(1);
            isOpen = true;
            thread.execute(this::settle);
        }
    }

    /**
     * Stops what runs, and starts nothing until the next start of the context. When this returns, what runs has been
     * told to stop; it may have to process its last message yet.
     */
    @Override
    public void stop() {
        isOpen = false;
        isClosing.countDown();
        try {
            thread.submit(this::settle).get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            LOG.warn(
                    "{}: it is not known whether what the leader runs has been told to stop; it may still start",
                    path,
                    e);
        }
    }

    /** {@return whether the context has started it} It says nothing about leadership. */
    @Override
    public boolean isRunning() {
        return isOpen;
    }

    // ---------------------------------------------------------------- on the thread

    /** {@return what to wait for where it must not run: that it has stopped} */
    private CompletionStage<Void> settle() {
        LeaderLatch known = latch;
        if (known == null) {
            return stopped;
        }
        boolean mayRun = isOpen
                && known.leadership().filter(present -> !present.isLeaving()).isPresent();
        if (mayRun && stopped.isDone()) {
            begin(known);
        } else if (!mayRun && running != null) {
            end(running);
        }
        if (look != null) {
            look.cancel(false);
        }
        // A leader that begins to leave may stay after all, and no callback says so. A container that threw is told to
        // stop again.
        boolean isPending = running == null ? isOpen && known.hasLeadership() : !mayRun;
        look = isPending ? thread.schedule(this::settle, LOOK_SECONDS, TimeUnit.SECONDS) : null;
        return mayRun ? CompletableFuture.completedStage(null) : stopped;
    }

    // Justification: catches everything, because this calls the application.
    private void begin(LeaderLatch leading) {
        try {
            Lifecycle found = found();
            stopped = new CompletableFuture<>();
            running = found;
            found.start();
            pauseMillis = 0;
        } catch (Throwable e) {
            pauseMillis = Math.min(PAUSE_MILLIS_MAX, Math.max(PAUSE_MILLIS_MIN, 2 * pauseMillis));
            // Before the log, which may throw as well.
            leading.resign();
            LOG.warn(
                    "{}: what the leader runs has not started; leadership is given up, and contended for again after"
                            + " {} ms",
                    path,
                    pauseMillis,
                    e);
            // One of several consumers may run.
            if (running != null && running.isRunning()) {
                end(running);
            } else {
                running = null;
                stopped.complete(null);
            }
        }
    }

    // Justification: catches everything, because this calls the application.
    private void end(Lifecycle begun) {
        CompletableFuture<Void> ended = stopped;
        try {
            if (begun instanceof SmartLifecycle smart) {
                smart.stop(() -> ended.complete(null));
            } else {
                begun.stop();
                ended.complete(null);
            }
            running = null;
            threwAtStop = false;
            ScheduledFuture<?> late = thread.schedule(() -> warn(begun), PATIENCE_SECONDS, TimeUnit.SECONDS);
            ended.thenRun(() -> late.cancel(false));
        } catch (Throwable e) {
            if (!threwAtStop) {
                LOG.warn(
                        "{}: {} threw when it was stopped, and may still run; it is told to stop again each {} s",
                        path,
                        begun,
                        LOOK_SECONDS,
                        e);
            }
            threwAtStop = true;
        }
    }

    private void warn(Lifecycle begun) {
        LOG.warn(
                "{}: {} has not stopped for {} s. It may run beside that of the next leader, and does not start here"
                        + " before it has stopped; look what holds it up",
                path,
                begun,
                PATIENCE_SECONDS);
    }

    @Override
    public String toString() {
        return "LeaderLifecycle of " + path;
    }
}
