package io.quorate.runtime;

import io.quorate.engine.Clock;
import io.quorate.jvm.BoundedWait;
import io.quorate.spi.EventLoop;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The work of a node: frames come first, because heartbeats are among them, and ten thousand calls of the application
 * must not cost the node its lease. It is done on the thread of the transport, if that offers one, else on one of its
 * own: see {@link TurnTaker}.
 */
final class NodeMailbox implements Mailbox {

    /** The turns that are taken before frames leave: enough to share frames, and few enough not to delay heartbeats. */
    private static final int TURNS_PER_FLUSH = 64;

    private static final long NANOS_PER_FLUSH = 1_000_000;

    /** How long {@link #stop} and {@link #ask} wait for the thread. */
    private static final long PATIENCE_SECONDS = 5;

    /**
     * The pause after an error outside of all turns: if it recurs at once, a full heap must not keep a processor busy.
     */
    private static final long REST_NANOS = 100_000_000;

    /** After so many frames a call has its turn, if one waits. */
    private static final int FRAMES_PER_CALL = 16;

    /** The number of arrived frames that are opened before one of them, or a call, has its turn. */
    private static final int ARRIVALS_PER_TURN = 64;

    private final Queue<Runnable> calls = new ConcurrentLinkedQueue<>();
    private final Queue<Frame> arrived = new ConcurrentLinkedQueue<>();
    private final AtomicInteger frames = new AtomicInteger();
    private final AtomicInteger bytes = new AtomicInteger();
    private final AtomicLong dropped = new AtomicLong();
    private final String name;
    private final Clock clock;
    private final Supplier<Optional<EventLoop>> loop;
    private final Consumer<Throwable> onBug;
    private final CountDownLatch ended = new CountDownLatch(1);
    private final Runnable passTime = this::passTime;

    @SuppressWarnings("NullAway.Init")
    private LongSupplier onTurn;

    @SuppressWarnings("NullAway.Init")
    private Runnable onTurnsOver;

    /** Null before the start. */
    private volatile @Nullable TurnTaker taker;

    private volatile boolean isOpen = true;
    private volatile boolean isOver;
    /** Whether the thread of the transport has ended. */
    private volatile boolean isLoopGone;
    /** Free but for the moment at which one thread takes over from another. */
    private final ReentrantLock turnLock = new ReentrantLock();

    // Confined to the thread that takes the turns.
    private @Nullable Runnable first;
    private boolean isBroken;
    private boolean isStopping;
    /** Arrived and opened frames, oldest first. */
    private final Deque<Frame> opened = new ArrayDeque<>();

    private int arrivalsInARow;
    private int framesInARow;
    private long until;

    /** The two tasks of a frame of {@code length} bytes. */
    private record Frame(int length, Runnable first, Runnable rest) {}

    /**
     * A mailbox that does nothing before {@link #start}.
     *
     * @param name  of the thread, if it has one of its own
     * @param loop  asked once, at the start
     * @param onBug called once, on the thread, with what it threw; what this throws is ignored
     */
    NodeMailbox(String name, Clock clock, Supplier<Optional<EventLoop>> loop, Consumer<Throwable> onBug) {
        this.name = name;
        this.clock = clock;
        this.loop = loop;
        this.onBug = onBug;
    }

    @Override
    public void start(Runnable firstTurn, LongSupplier betweenTurns, Runnable afterTurns) {
        first = firstTurn;
        onTurn = betweenTurns;
        onTurnsOver = afterTurns;
        TurnTaker fresh = loop.get()
                .<TurnTaker>map(
                        offered -> new LoopTurns(offered, this::takeTurns, () -> isLoopGone = true, Watch.SHARED))
                .orElseGet(() -> new ThreadTurns(name, this::takeTurns));
        // From now on it is woken for what is posted, and finds everything that was posted before.
        boolean hasBegun = false;
        try {
            taker = fresh;
            fresh.start();
            hasBegun = true;
        } finally {
            if (!hasBegun) {
                taker = null;
            }
        }
    }

    private void wake() {
        TurnTaker present = taker;
        if (present != null) {
            present.wake();
        }
    }

    private boolean isCurrent() {
        TurnTaker present = taker;
        return present != null && present.isCurrent();
    }

    @Override
    public boolean post(Runnable turn) {
        if (!isOpen) {
            return false;
        }
        calls.add(turn);
        wake();
        // The thread may have ended after the check, and looked into the queue before it ended.
        return !isOver || !calls.remove(turn);
    }

    @Override
    public void postFrame(int length, Runnable first, Runnable rest) {
        if (!isOpen) {
            return;
        }
        int bytesNow = bytes.addAndGet(length);
        if (frames.incrementAndGet() > FRAMES_MAX || bytesNow > BYTES_MAX) {
            settle(length);
            dropped.incrementAndGet();
            return;
        }
        arrived.add(new Frame(length, first, rest));
        wake();
    }

    private void settle(int length) {
        frames.decrementAndGet();
        bytes.addAndGet(-length);
    }

    @Override
    public boolean isBehind() {
        return frames.get() >= FRAMES_BEHIND || bytes.get() >= BYTES_BEHIND;
    }

    @Override
    public <T> Optional<T> ask(Supplier<T> question) {
        if (isCurrent()) {
            return Optional.of(question.get());
        }
        CompletableFuture<T> answer = new CompletableFuture<>();
        Runnable turn = () -> {
            try {
                answer.complete(question.get());
            } catch (Throwable e) {
                // Justification: the caller gets no answer, which does no harm: a question changes nothing.
                answer.completeExceptionally(e);
            }
        };
        if (taker == null || !post(turn)) {
            return Optional.empty();
        }
        try {
            return Optional.of(answer.get(PATIENCE_SECONDS, TimeUnit.SECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        } catch (ExecutionException | TimeoutException e) {
            return Optional.empty();
        }
    }

    @Override
    public void await(CompletableFuture<?> done, long nanosMax) {
        if (taker == null || isOver || isCurrent()) {
            return;
        }
        // The caller sees the work that was done by then.
        BoundedWait.isOver(nanosMax, done);
    }

    @Override
    public void stop(Runnable last) {
        if (taker == null) {
            last.run();
            end();
            return;
        }
        if (isCurrent()) {
            try {
                last.run();
                onTurnsOver.run();
            } finally {
                isStopping = true;
                isOpen = false;
                wake();
            }
            return;
        }
        post(() -> {
            try {
                last.run();
            } finally {
                isStopping = true;
            }
        });
        isOpen = false;
        BoundedWait.isOver(
                TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS), nanos -> ended.await(nanos, TimeUnit.NANOSECONDS));
    }

    /**
     * Does the work that waits, up to a bound, and what follows from it. Called by one thread at a time; throws
     * nothing. A thread that takes over does nothing, and comes again, while the former one has a turn.
     *
     * @return how long to wait for the next thing, in nanoseconds, if nothing wakes it; {@link TurnTaker#OVER} if
     *         there is nothing more to do
     */
    private long takeTurns() {
        if (!turnLock.tryLock()) {
            return REST_NANOS;
        }
        try {
            return isOver ? TurnTaker.OVER : takeTurnsAlone();
        } catch (Throwable bug) {
            // Justification: outside of all turns nobody else notices an error. The thread lives on, because it has to
            // answer.
            broken(bug);
            return REST_NANOS;
        } finally {
            turnLock.unlock();
        }
    }

    private long takeTurnsAlone() {
        if (isLoopGone && isOpen && !isBroken) {
            broken(new IllegalStateException("its transport has ended, and was not closed: nothing reaches it"));
        }
        takeSomeTurns();
        if (isStopping) {
            end();
            return TurnTaker.OVER;
        }
        turn(passTime);
        flush();
        return arrived.isEmpty() && opened.isEmpty() && calls.isEmpty() ? Math.max(0, until - clock.nanoTime()) : 0;
    }

    private void takeSomeTurns() {
        long begun = clock.nanoTime();
        Runnable next = first == null ? poll() : first;
        first = null;
        for (int turns = 0; next != null; turns++) {
            turn(next);
            boolean isEnough = turns >= TURNS_PER_FLUSH || clock.nanoTime() - begun >= NANOS_PER_FLUSH;
            next = isEnough || isStopping ? null : poll();
        }
        flush();
    }

    private void passTime() {
        // If this throws, it is repeated after a while.
        until = clock.nanoTime() + TimeUnit.SECONDS.toNanos(1);
        until = onTurn.getAsLong();
    }

    /** Work that was posted behind the end is done too: a caller may wait for it, and learns then that all is over. */
    private void end() {
        isOpen = false;
        isOver = true;
        for (Runnable late = calls.poll(); late != null; late = calls.poll()) {
            turn(late);
        }
        ended.countDown();
    }

    private @Nullable Runnable poll() {
        Frame arrival = arrivalsInARow < ARRIVALS_PER_TURN ? arrived.poll() : null;
        if (arrival != null) {
            arrivalsInARow++;
            opened.add(arrival);
            return arrival.first;
        }
        arrivalsInARow = 0;
        if (framesInARow < FRAMES_PER_CALL) {
            Runnable frame = pollFrame();
            if (frame != null) {
                return frame;
            }
        }
        framesInARow = 0;
        Runnable call = calls.poll();
        return call == null ? pollFrame() : call;
    }

    private @Nullable Runnable pollFrame() {
        Frame frame = opened.poll();
        if (frame == null) {
            return null;
        }
        settle(frame.length);
        framesInARow++;
        return frame.rest;
    }

    /** After a bug nothing leaves any more. */
    private void flush() {
        if (!isBroken) {
            turn(onTurnsOver);
        }
    }

    /** After a bug, only what ends the thread is still done: {@link #stop}, and questions. */
    private void turn(Runnable work) {
        try {
            work.run();
        } catch (Throwable bug) {
            // Justification: the last line of defence. The application must not go on believing that it leads.
            broken(bug);
        }
    }

    private void broken(Throwable bug) {
        if (isBroken) {
            return;
        }
        isBroken = true;
        try {
            onBug.accept(bug);
        } catch (Throwable e) {
            // Justification: the receiver of the error is the one that throws. It was told, and has begun with what
            // matters.
        }
    }

    @Override
    public long dropped() {
        return dropped.get();
    }
}
