package io.quorate.runtime;

import io.quorate.core.Node;
import io.quorate.core.step.NodeEvent;
import io.quorate.core.vote.DurableTerms;
import io.quorate.core.voters.Seat;
import io.quorate.spi.Clock;
import io.quorate.spi.MalformedInputException;
import io.quorate.spi.NodeId;
import io.quorate.spi.NodeLog;
import io.quorate.spi.TermStore;
import io.quorate.spi.TermStore.Stored;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Predicate;
import org.slf4j.Logger;

/** Keeps the durable numbers of a node, on a thread of its own: a slow disk must not hold up heartbeats. */
final class TermKeeper implements AutoCloseable {

    /** Without a disk, terms are taken from the wall clock: so many bits are left for those of one millisecond. */
    private static final int TERM_BITS_PER_MILLI = 18;

    /** The wall clock counts up to the year 2109: a clock that is further ahead uses up no more terms. */
    private static final long WALL_MILLIS_MAX = DurableTerms.CLOCK_MAX >> TERM_BITS_PER_MILLI;

    private static final long CLOSE_NANOS = TimeUnit.SECONDS.toNanos(5);

    private static final Logger LOG = NodeLog.of(TermKeeper.class);

    private final NodeId self;
    private final TermStore store;
    private final Clock clock;
    private final Surroundings surroundings;
    private final Predicate<Runnable> driver;
    private final Events events;
    private final ExecutorService thread;
    private final long closeNanos;
    private Stored stored = Stored.NOTHING;

    /** Takes the answers, on the driver's thread. */
    @FunctionalInterface
    interface Events {
        void accept(NodeEvent event);
    }

    TermKeeper(
            NodeId self,
            TermStore store,
            Clock clock,
            Surroundings surroundings,
            Predicate<Runnable> driver,
            Events events) {
        this(self, store, clock, surroundings, driver, events, CLOSE_NANOS);
    }

    /** @param closeNanos how long {@link #close} waits for the disk */
    TermKeeper(
            NodeId self,
            TermStore store,
            Clock clock,
            Surroundings surroundings,
            Predicate<Runnable> driver,
            Events events,
            long closeNanos) {
        this.self = self;
        this.closeNanos = closeNanos;
        this.store = store;
        this.clock = clock;
        this.surroundings = surroundings;
        this.driver = driver;
        this.events = events;
        this.thread = surroundings.diskThread();
    }

    /** Locks the store and begins a new life of the node: its name is random, so that it needs neither disk nor clock. */
    Node.Birth open() throws IOException {
        stored = store.open();
        long life = surroundings.name();
        if (!store.isDurable()) {
            long wall = Math.max(0, Math.min(clock.wallMillis(), WALL_MILLIS_MAX));
            return new Node.Birth(life, wall << TERM_BITS_PER_MILLI, false);
        }
        // A disk that takes no write ends the start, not the first vote.
        store.store(stored);
        // An identity of this life, which is stored when somebody asks for it.
        long identity = stored.identity() == 0 ? surroundings.name() : stored.identity();
        return new Node.Birth(life, stored.termCeiling(), true, identity, seat(stored));
    }

    private static Optional<Seat> seat(Stored former) throws IOException {
        if (!former.voters().hasRemaining()) {
            return Optional.empty();
        }
        try {
            return Optional.of(SeatCodec.read(former.voters()));
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

    /** Makes it durable who votes, and answers with an event. */
    void seat(long identity, Seat seat) {
        write(
                new Stored(stored.termCeiling(), identity, SeatCodec.write(seat)),
                new NodeEvent.SeatStored(seat),
                NodeEvent.SeatFailed::new);
    }

    // A driver that takes no more has ended, and nobody waits for the answer.
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
     * Closes the store behind the last write, and waits a bounded time for that. A write that hangs keeps the store
     * locked: what it wrote later could otherwise replace what the next life of the node has stored.
     */
    @Override
    public void close() {
        thread.execute(store::close);
        thread.shutdown();
        boolean isClosed = false;
        try {
            isClosed = thread.awaitTermination(closeNanos, TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (!isClosed) {
            LOG.warn(
                    "node {}: its disk has not ended a write yet; the directory stays locked until it has, and a start"
                            + " before that fails",
                    self);
        }
    }
}
