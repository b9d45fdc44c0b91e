package io.quorate.spring;

import io.quorate.LeaderLatch;
import io.quorate.LeaderLatchListener;
import io.quorate.spi.Daemons;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
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
 * <p>If it does not start, this process gives leadership up, and contends again after a pause: 50 ms, then twice as
 * long each time, up to 10 s. A separate thread starts and stops it. All methods may be called from any thread.
 */
public final class LeaderLifecycle {

    private static final Logger LOG = LoggerFactory.getLogger(LeaderLifecycle.class);

    private static final long PAUSE_MILLIS_MIN = 50;
    private static final long PAUSE_MILLIS_MAX = 10_000;
    private static final long PATIENCE_SECONDS = 30;

    private final String path;
    private final Supplier<? extends Lifecycle> target;
    private final ScheduledThreadPoolExecutor thread =
            new ScheduledThreadPoolExecutor(1, Daemons.named("quorate-lifecycle"));
    private volatile CountDownLatch isClosing = new CountDownLatch(1);

    // Confined to the thread.
    private @Nullable Lifecycle begun;
    private @Nullable ScheduledFuture<?> look;
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

    String path() {
        return path;
    }

    /**
     * Checks what it runs, before anything contends.
     *
     * @throws IllegalStateException if there is none, or it starts by itself
     */
    void check() {
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
        isClosing = new CountDownLatch(1);
        isOpen = true;
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
        thread.execute(this::settle);
    }

    /** The latch contends again when this has returned. */
    private void hasLost() {
        try {
            thread.submit(this::settle).get();
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
        CompletableFuture<Void> finished = new CompletableFuture<>();
        thread.execute(() -> {
            settle();
            finished.complete(null);
        });
        return finished;
    }

    /** Until the next start of the context nothing begins. */
    void close() {
        isOpen = false;
        isClosing.countDown();
        thread.execute(this::settle);
    }

    // ---------------------------------------------------------------- on the thread

    private void settle() {
        LeaderLatch known = latch;
        if (known == null) {
            return;
        }
        boolean mayRun = isOpen
                && known.leadership().filter(present -> !present.isLeaving()).isPresent();
        if (mayRun && begun == null) {
            begin(known);
        } else if (!mayRun && begun != null) {
            end(begun);
        }
        if (look != null) {
            look.cancel(false);
        }
        // A leader that begins to leave may stay after all, and no callback says so.
        boolean mayStay = isOpen && begun == null && known.hasLeadership();
        look = mayStay ? thread.schedule(this::settle, 1, TimeUnit.SECONDS) : null;
    }

    // Justification: catches everything, because this calls the application.
    private void begin(LeaderLatch leading) {
        try {
            Lifecycle found = found();
            found.start();
            begun = found;
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
        }
    }

    // Justification: catches everything, because this calls the application.
    private void end(Lifecycle running) {
        begun = null;
        CountDownLatch stopped = new CountDownLatch(1);
        try {
            if (running instanceof SmartLifecycle smart) {
                smart.stop(stopped::countDown);
            } else {
                running.stop();
                stopped.countDown();
            }
            while (!stopped.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                LOG.warn(
                        "{}: {} has not stopped for {} s. It may run beside that of the next leader; look what holds it"
                                + " up",
                        path,
                        running,
                        PATIENCE_SECONDS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (Throwable e) {
            LOG.warn("{}: {} threw when it was stopped, and may still run", path, running, e);
        }
    }

    @Override
    public String toString() {
        return "LeaderLifecycle of " + path;
    }
}
