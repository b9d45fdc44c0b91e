package io.quorate.testkit.simulation;

import io.quorate.core.message.NodeMessage;
import io.quorate.core.settings.NodeSettings;
import io.quorate.core.step.Jitter;
import io.quorate.engine.Clock;
import io.quorate.runtime.ElectionDriver;
import io.quorate.runtime.Mailbox;
import io.quorate.runtime.NodeEnvironment;
import io.quorate.runtime.TermStore;
import io.quorate.spi.ElectionAlgorithm;
import io.quorate.spi.EventLoop;
import io.quorate.spi.Transport;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Runs the production driver in virtual time: its thread and that of its disk are what {@link Host} makes of them. */
public final class VirtualThreads implements NodeEnvironment {

    /** One process in virtual time. */
    public interface Host {

        /** Does it on the process's thread: at once, unless that is paused or busy. */
        void handle(Runnable turn);

        /** Does it when the process's clock shows this, if the process lives on until then. */
        void wakeAt(long instant, Runnable wake);

        /** Does it when the disk is ready, if the process lives on until then. */
        void onDisk(Runnable write);

        /** Time passes, for so long at most, or until it is so. */
        void letTimePass(long nanosMax, BooleanSupplier isOver);

        /** A random number from {@code min} to {@code max}, both included. */
        long draw(long min, long max);
    }

    private final Host host;

    private VirtualThreads(Host host) {
        this.host = host;
    }

    /** A driver that runs on this process. */
    public static ElectionDriver driver(
            NodeSettings settings,
            ElectionAlgorithm algorithm,
            Transport transport,
            TermStore store,
            Clock clock,
            Host host) {
        return new ElectionDriver(
                settings, Optional.empty(), algorithm, transport, store, clock, new VirtualThreads(host));
    }

    @Override
    public Mailbox mailbox(String name, Clock clock, Supplier<Optional<EventLoop>> loop, Consumer<Throwable> onBug) {
        return new VirtualMailbox(host);
    }

    @Override
    public ExecutorService diskThread() {
        return new VirtualDiskThread(host);
    }

    @Override
    public Jitter jitter() {
        return host::draw;
    }

    @Override
    public long name() {
        return host.draw(1, NodeMessage.NUMBER_MAX);
    }

    /** In a simulation that is a finding. */
    @Override
    public void onHarmfulFrame(Throwable thrown) {
        if (thrown instanceof RuntimeException exception) {
            throw exception;
        }
        throw (Error) thrown;
    }

    /** Exceptions of a turn are not caught, because they are findings in a simulation. */
    private static final class VirtualMailbox implements Mailbox {
        private final Host host;
        private final Deque<Runnable> queue = new ArrayDeque<>();
        /** What comes before the queue: the first turn, and the first parts of frames. */
        private final Deque<Runnable> ahead = new ArrayDeque<>();

        private LongSupplier onTurn;
        private Runnable onTurnsOver;
        private boolean isInTurn;
        private boolean isOver;
        private boolean isWaiting;
        private long waitsUntil;

        private VirtualMailbox(Host host) {
            this.host = host;
        }

        @Override
        public void start(Runnable firstTurn, LongSupplier betweenTurns, Runnable afterTurns) {
            onTurn = betweenTurns;
            onTurnsOver = afterTurns;
            ahead.addFirst(firstTurn);
            host.handle(this::runAll);
        }

        @Override
        public boolean post(Runnable turn) {
            if (isOver) {
                return false;
            }
            queue.add(turn);
            if (!isInTurn && onTurn != null) {
                host.handle(this::runAll);
            }
            return true;
        }

        @Override
        public void postFrame(int length, Runnable first, Runnable rest) {
            if (!isOver) {
                ahead.add(first);
                post(rest);
            }
        }

        @Override
        public boolean isBehind() {
            return false;
        }

        private void runAll() {
            if (isInTurn || isOver) {
                return;
            }
            isInTurn = true;
            long until = 0;
            do {
                runQueue();
                onTurnsOver.run();
                if (!isOver) {
                    until = onTurn.getAsLong();
                    onTurnsOver.run();
                }
            } while (!queue.isEmpty());
            isInTurn = false;
            if (!isOver) {
                waitUntil(until);
            }
        }

        private void runQueue() {
            for (Runnable turn = poll(); turn != null; turn = poll()) {
                turn.run();
            }
        }

        private @Nullable Runnable poll() {
            return ahead.isEmpty() ? queue.poll() : ahead.poll();
        }

        private void waitUntil(long until) {
            if (isWaiting && waitsUntil - until <= 0) {
                return;
            }
            isWaiting = true;
            waitsUntil = until;
            host.wakeAt(until, () -> {
                if (isWaiting && waitsUntil == until) {
                    isWaiting = false;
                    host.handle(this::runAll);
                }
            });
        }

        @Override
        public <T> Optional<T> ask(Supplier<T> question) {
            return onTurn == null || isOver ? Optional.empty() : Optional.of(question.get());
        }

        @Override
        public void await(CompletableFuture<?> done, long nanosMax) {
            if (onTurn != null && !isInTurn && !done.isDone()) {
                host.letTimePass(nanosMax, done::isDone);
            }
        }

        @Override
        public void stop(Runnable last) {
            if (onTurn != null) {
                runQueue();
            }
            last.run();
            if (onTurn != null) {
                onTurnsOver.run();
            }
            isOver = true;
        }

        @Override
        public long dropped() {
            return 0;
        }
    }

    /** Writes one after the other; what is under way when the driver closes is done before it has closed. */
    private static final class VirtualDiskThread extends AbstractExecutorService {
        private final Host host;
        private final List<Runnable> waiting = new ArrayList<>();
        private boolean isShutdown;

        private VirtualDiskThread(Host host) {
            this.host = host;
        }

        /** The opening, for which the start waits: no time passes meanwhile. */
        @Override
        public Future<?> submit(Runnable opening) {
            FutureTask<?> done = new FutureTask<>(opening, null);
            done.run();
            return done;
        }

        @Override
        public void execute(Runnable write) {
            if (!isShutdown) {
                waiting.add(write);
                host.onDisk(() -> {
                    if (waiting.remove(write)) {
                        write.run();
                    }
                });
            }
        }

        @Override
        public void shutdown() {
            isShutdown = true;
        }

        @Override
        public List<Runnable> shutdownNow() {
            shutdown();
            List<Runnable> never = List.copyOf(waiting);
            waiting.clear();
            return never;
        }

        @Override
        public boolean isShutdown() {
            return isShutdown;
        }

        @Override
        public boolean isTerminated() {
            return isShutdown && waiting.isEmpty();
        }

        @Override
        public boolean awaitTermination(long timeout, TimeUnit unit) {
            waiting.forEach(Runnable::run);
            waiting.clear();
            return true;
        }
    }
}
