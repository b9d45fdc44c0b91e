package io.quorate.runtime;

import io.quorate.core.Birth;
import io.quorate.core.step.NodeEvent;
import io.quorate.core.vote.DurableTerms;
import io.quorate.core.voters.PaxosState;
import io.quorate.engine.Clock;
import io.quorate.jvm.BoundedWait;
import io.quorate.jvm.NodeLog;
import io.quorate.runtime.TermStore.Stored;
import io.quorate.spi.MalformedInputException;
import io.quorate.spi.NodeId;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/** Keeps the durable numbers of a node, on a thread of its own, because a slow disk must not hold up heartbeats. */
final class TermKeeper implements AutoCloseable {

    /** Without a disk, terms are taken from the wall clock; so many bits are left for the terms of one millisecond. */
    private static final int TERM_BITS_PER_MILLI = 18;

    /** The highest wall clock that counts, in the year 2109: a clock further ahead uses up no more terms. */
    private static final long WALL_MILLIS_MAX = DurableTerms.CLOCK_MAX >> TERM_BITS_PER_MILLI;

    /** A working disk may be this slow when a machine begins; a disk that hangs fails the start. */
    private static final long OPEN_NANOS = TimeUnit.SECONDS.toNanos(30);

    private static final long CLOSE_NANOS = TimeUnit.SECONDS.toNanos(5);

    private static final Logger LOG = NodeLog.of(TermKeeper.class);

    private final NodeId self;
    private final TermStore store;
    private final Clock clock;
    private final NodeEnvironment environment;
    private final Predicate<Runnable> driver;
    /** Takes the answers, on the driver's thread. */
    private final Consumer<NodeEvent> events;

    private final ExecutorService thread;
    private final long openNanos;
    private final long closeNanos;
    private Stored stored = Stored.NOTHING;

    TermKeeper(
            NodeId self,
            TermStore store,
            Clock clock,
            NodeEnvironment environment,
            Predicate<Runnable> driver,
            Consumer<NodeEvent> events) {
        this(self, store, clock, environment, driver, events, OPEN_NANOS, CLOSE_NANOS);
    }

    /**
     * The same, with another patience.
     *
     * @param openNanos  how long {@link #open} waits for the disk
     * @param closeNanos how long {@link #close} does
     */
    TermKeeper(
            NodeId self,
            TermStore store,
            Clock clock,
            NodeEnvironment environment,
            Predicate<Runnable> driver,
            Consumer<NodeEvent> events,
            long openNanos,
            long closeNanos) {
        this.self = self;
        this.openNanos = openNanos;
        this.closeNanos = closeNanos;
        this.store = store;
        this.clock = clock;
        this.environment = environment;
        this.driver = driver;
        this.events = events;
        this.thread = environment.diskThread();
    }

    /**
     * Locks the store and begins a new life of the node. The disk works on the store's thread: a disk that hangs must
     * not take the caller with it.
     *
     * @param birth completed with the new life; another thread that completes it before ends the wait, and a store that
     *              opens later is closed then
     * @throws IOException if the store cannot be opened, or has not answered, or the caller is interrupted
     */
    // The birth tells how the task has ended.
    @SuppressWarnings("FutureReturnValueIgnored")
    Birth open(CompletableFuture<Birth> birth) throws IOException {
        Runnable opening = () -> begin(birth);
        if (store.isDurable()) {
            thread.submit(opening);
        } else {
            opening.run();
        }
        try {
            return birth.get(openNanos, TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            throw thrown(e.getCause());
        } catch (TimeoutException e) {
            throw new IOException(
                    "the disk has not opened the term store of node " + self + " within "
                            + TimeUnit.NANOSECONDS.toSeconds(openNanos)
                            + " s. Repair the disk, then start the node again",
                    e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while the term store of node " + self + " was opened");
        }
    }

    private static IOException thrown(@Nullable Throwable cause) throws IOException {
        if (cause instanceof RuntimeException exception) {
            throw exception;
        }
        if (cause instanceof Error error) {
            throw error;
        }
        return cause instanceof IOException exception ? exception : new IOException(String.valueOf(cause), cause);
    }

    private void begin(CompletableFuture<Birth> birth) {
        try {
            birth.complete(begin());
        } catch (Throwable e) {
            // Justification: catches everything. The caller waits, and throws it.
            birth.completeExceptionally(e);
        }
    }

    /** The name of a life is random, so that it needs neither disk nor clock. */
    private Birth begin() throws IOException {
        stored = store.open();
        long life = environment.name();
        if (!store.isDurable()) {
            long wall = Math.max(0, Math.min(clock.wallMillis(), WALL_MILLIS_MAX));
            return new Birth(life, wall << TERM_BITS_PER_MILLI, false);
        }
        // A disk that takes no write ends the start, not the first vote.
        store.store(stored);
        // The store id of a new directory, which is stored when a coordinator asks for it.
        long identity = stored.identity() == 0 ? environment.name() : stored.identity();
        return new Birth(life, stored.termCeiling(), true, identity, paxos(stored));
    }

    private static Optional<PaxosState> paxos(Stored former) throws IOException {
        if (!former.voters().hasRemaining()) {
            return Optional.empty();
        }
        try {
            return Optional.of(PaxosStateCodec.read(former.voters()));
        } catch (MalformedInputException e) {
            throw new IOException("the term file cannot be used: " + e.getMessage(), e);
        }
    }

    /** Makes terms up to this one durable, and answers with an event. */
    void reserve(long upTo) {
        write(
                new Stored(Math.max(upTo, stored.termCeiling()), stored.identity(), stored.voters()),
                new NodeEvent.TermsReserved(upTo),
                NodeEvent.ReserveFailed::new);
    }

    void paxos(long identity, PaxosState paxos) {
        write(
                new Stored(stored.termCeiling(), identity, PaxosStateCodec.write(paxos)),
                new NodeEvent.PaxosStateStored(paxos),
                NodeEvent.PaxosStateFailed::new);
    }

    // A driver that accepts nothing has ended, and nobody waits for the answer.
    @SuppressWarnings("ReturnValueIgnored")
    private void write(Stored next, NodeEvent answer, Function<String, NodeEvent> onFailure) {
        stored = next;
        thread.execute(() -> {
            NodeEvent event = answer;
            try {
                store.store(next);
            } catch (Throwable e) {
                // Justification for the others: without an answer the voter would never ask again.
                String reason = e.getMessage() == null ? e.toString() : e.getMessage();
                event = onFailure.apply(reason);
            }
            NodeEvent result = event;
            driver.test(() -> events.accept(result));
        });
    }

    /**
     * Closes the store behind the last write, or behind the opening, and waits a bounded time for that. A write that
     * hangs keeps the store locked: otherwise it could later replace what the next life of the node has stored.
     */
    @Override
    public void close() {
        thread.execute(store::close);
        thread.shutdown();
        if (!BoundedWait.isOver(closeNanos, nanos -> thread.awaitTermination(nanos, TimeUnit.NANOSECONDS))) {
            LOG.warn(
                    "node {}: its disk has not ended a read or a write yet; the directory stays locked until it has, and a start"
                            + " before that fails",
                    self);
        }
    }
}
