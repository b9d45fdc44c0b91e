package io.quorate.runtime;

import io.quorate.core.settings.NodeSettings;
import io.quorate.core.step.Jitter;
import io.quorate.spi.Clock;
import io.quorate.spi.ElectionAlgorithm;
import io.quorate.spi.EventLoop;
import io.quorate.spi.NodeId;
import io.quorate.spi.Transport;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.helpers.NOPLogger;

/**
 * A cluster of the production driver in memory, in a time of its own, on the caller's thread: frames are sealed, opened
 * and read as between processes. Nothing of it leaves the process or appears in the log. Confined to one thread.
 */
public final class Stage {

    private static final String CLUSTER = "rehearsal";

    private final Map<NodeId, Place> places = new LinkedHashMap<>();
    private final List<Engine> engines = new ArrayList<>();
    /** Callbacks may read the clock, on threads of their own. */
    private volatile long now;

    private long draws;

    /**
     * Makes a cluster whose nodes are not started.
     *
     * @param like   of its times and its ranks
     * @param secret under which frames carry a MAC; empty if they carry none
     */
    public Stage(List<NodeId> nodes, NodeSettings like, Optional<ClusterSecret> secret, ElectionAlgorithm algorithm) {
        for (NodeId node : nodes) {
            Place place = new Place();
            places.put(node, place);
            NodeSettings settings =
                    new NodeSettings(CLUSTER, node, nodes, like.lease(), like.timing(), like.rankOrder(), 0, false);
            engines.add(new ElectionDriver(
                    settings, secret, algorithm, place, new MemoryTermStore(), new StageClock(), place));
        }
    }

    /** The drivers, in the order of the nodes. */
    public List<Engine> engines() {
        return List.copyOf(engines);
    }

    /** Cuts the node off, or ends that: nothing that it sends arrives, and nothing reaches it. */
    public void cutOff(NodeId node, boolean isCutOff) {
        place(node).isCutOff = isCutOff;
    }

    /** Lets time pass, for so long at most, or until it is so. Answers whether it is so. */
    public boolean play(long nanosMax, BooleanSupplier isOver) {
        long end = now + nanosMax;
        while (!isOver.getAsBoolean()) {
            boolean isIdle = true;
            for (Place place : places.values()) {
                isIdle &= !place.takeTurns();
            }
            if (isIdle && !passTime(end)) {
                return isOver.getAsBoolean();
            }
        }
        return true;
    }

    /** Moves time to the next instant at which something happens. Answers false if that is behind the end. */
    private boolean passTime(long end) {
        long next = end;
        for (Place place : places.values()) {
            next = place.isOpen() && place.until - next < 0 ? place.until : next;
        }
        now = next;
        return now - end < 0;
    }

    private Place place(NodeId node) {
        Place place = places.get(node);
        if (place == null) {
            throw new IllegalArgumentException("node " + node + ": is none of " + places.keySet());
        }
        return place;
    }

    private final class StageClock implements Clock {

        @Override
        public long nanoTime() {
            return now;
        }

        @Override
        public long wallMillis() {
            return 1 + now / 1_000_000;
        }
    }

    /** What one node lives on. */
    private final class Place implements Surroundings, Transport, Mailbox {
        private final Queue<Runnable> turns = new ConcurrentLinkedQueue<>();
        private Transport.@Nullable Receiver receiver;
        private @Nullable LongSupplier onTurn;
        private @Nullable Runnable onTurnsOver;
        private boolean isCutOff;
        private long until;

        private boolean isOpen() {
            return onTurn != null;
        }

        /** Answers whether there was something to do. */
        private boolean takeTurns() {
            LongSupplier between = onTurn;
            Runnable after = onTurnsOver;
            if (between == null || after == null || turns.isEmpty() && until - now > 0) {
                return false;
            }
            for (Runnable turn = turns.poll(); turn != null; turn = turns.poll()) {
                turn.run();
            }
            after.run();
            until = between.getAsLong();
            after.run();
            return true;
        }

        // ------------------------------------------------------------ as surroundings

        @Override
        public Mailbox mailbox(
                String name, Clock clock, Supplier<Optional<EventLoop>> loop, Consumer<Throwable> onBug) {
            return this;
        }

        @Override
        public ExecutorService diskThread() {
            return new DiskThread();
        }

        @Override
        public Jitter jitter() {
            return (min, max) -> min + Math.floorMod(draws++ * 7919, max - min + 1);
        }

        @Override
        public long name() {
            return ++draws;
        }

        @Override
        public Logger log(Class<?> writer) {
            return NOPLogger.NOP_LOGGER;
        }

        // ------------------------------------------------------------ as transport

        @Override
        public void start(Transport.Receiver to) {
            receiver = to;
        }

        @Override
        public void send(NodeId to, byte[] frame) {
            Place other = place(to);
            Transport.Receiver reader = other.receiver;
            if (reader != null && !isCutOff && !other.isCutOff) {
                reader.received(Optional.empty(), frame);
            }
        }

        @Override
        public void close() {
            receiver = null;
        }

        // ------------------------------------------------------------ as mailbox

        @Override
        public void start(Runnable firstTurn, LongSupplier betweenTurns, Runnable afterTurns) {
            turns.add(firstTurn);
            until = now;
            onTurn = betweenTurns;
            onTurnsOver = afterTurns;
        }

        @Override
        public boolean post(Runnable turn) {
            return turns.add(turn);
        }

        @Override
        public void postFrame(int length, Runnable first, Runnable rest) {
            turns.add(first);
            turns.add(rest);
        }

        @Override
        public boolean isBehind() {
            return false;
        }

        @Override
        public <T> Optional<T> ask(Supplier<T> question) {
            return Optional.of(question.get());
        }

        @Override
        public void await(CompletableFuture<?> done, long nanosMax) {
            play(nanosMax, done::isDone);
        }

        @Override
        public void stop(Runnable last) {
            takeTurns();
            last.run();
            onTurn = null;
        }

        @Override
        public long dropped() {
            return 0;
        }
    }

    /** There is no disk, so each write is done at once. */
    private static final class DiskThread extends AbstractExecutorService {
        private boolean isShutdown;

        @Override
        public void execute(Runnable write) {
            write.run();
        }

        @Override
        public void shutdown() {
            isShutdown = true;
        }

        @Override
        public List<Runnable> shutdownNow() {
            shutdown();
            return List.of();
        }

        @Override
        public boolean isShutdown() {
            return isShutdown;
        }

        @Override
        public boolean isTerminated() {
            return isShutdown;
        }

        @Override
        public boolean awaitTermination(long timeout, TimeUnit unit) {
            return isShutdown;
        }
    }
}
