package io.quorate.runtime;

import io.quorate.spi.Clock;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A thread of its own, and what it is to do: frames first, because heartbeats are among them, and ten thousand calls of
 * the application must not cost the node its lease.
 */
final class ThreadMailbox implements Mailbox {

    /** What is done before frames leave: enough to share frames, and little enough not to delay heartbeats. */
    private static final int TURNS_PER_FLUSH = 64;

    private static final long NANOS_PER_FLUSH = 1_000_000;

    /** How long {@link #stop} and {@link #ask} wait for the thread. */
    private static final long PATIENCE_SECONDS = 5;

    /** After an error outside of all turns: if it comes again at once, a full heap shall not keep a processor busy. */
    private static final long REST_NANOS = 100_000_000;

    /** After so many frames a call has its turn, if one waits. */
    private static final int FRAMES_PER_CALL = 16;

    /** Stands in the queue of calls for the frames that have arrived, so that the thread has one queue to wait at. */
    private static final Runnable FRAMES_ARRIVED = () -> {};

    private final BlockingQueue<Runnable> queue = new LinkedBlockingQueue<>();
    private final Queue<Frame> arrived = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean isAnnounced = new AtomicBoolean();
    private final AtomicInteger frames = new AtomicInteger();
    private final AtomicInteger bytes = new AtomicInteger();
    private final AtomicLong dropped = new AtomicLong();
    private final Clock clock;
    private final Consumer<Throwable> onBug;
    private final Thread thread;

    @SuppressWarnings("NullAway.Init")
    private Runnable first;

    @SuppressWarnings("NullAway.Init")
    private LongSupplier onTurn;

    @SuppressWarnings("NullAway.Init")
    private Runnable onTurnsOver;

    private volatile boolean isOpen = true;
    private volatile boolean isOver;
    private boolean isBroken;
    private boolean isStopping;
    private int framesInARow;

    /** What is to be done about a frame of so many bytes. */
    private record Frame(int length, Runnable turn) {}

    /** @param onBug called once, on the thread, with what it threw; what this throws is ignored */
    ThreadMailbox(String name, Clock clock, Consumer<Throwable> onBug) {
        this.clock = clock;
        this.onBug = onBug;
        thread = new Thread(this::run, name);
        thread.setDaemon(true);
    }

    @Override
    public void start(Runnable firstTurn, LongSupplier betweenTurns, Runnable afterTurns) {
        first = firstTurn;
        onTurn = betweenTurns;
        onTurnsOver = afterTurns;
        thread.start();
    }

    @Override
    public boolean post(Runnable turn) {
        if (!isOpen) {
            return false;
        }
        queue.add(turn);
        // The thread may have ended between the question and the answer, and then has looked into the queue before.
        return !isOver || !queue.remove(turn);
    }

    @Override
    public void postFrame(int length, Runnable turn) {
        if (!isOpen) {
            return;
        }
        int bytesNow = bytes.addAndGet(length);
        if (frames.incrementAndGet() > FRAMES_MAX || bytesNow > BYTES_MAX) {
            settle(length);
            dropped.incrementAndGet();
            return;
        }
        arrived.add(new Frame(length, turn));
        if (isAnnounced.compareAndSet(false, true)) {
            queue.add(FRAMES_ARRIVED);
        }
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
        if (Thread.currentThread() == thread) {
            return Optional.of(question.get());
        }
        CompletableFuture<T> answer = new CompletableFuture<>();
        Runnable turn = () -> {
            try {
                answer.complete(question.get());
            } catch (RuntimeException | Error e) {
                // Justification: whoever asks gets no answer, and that is all: a question changes nothing.
                answer.completeExceptionally(e);
            }
        };
        if (!thread.isAlive() || !post(turn)) {
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
        if (Thread.currentThread() == thread || !thread.isAlive()) {
            return;
        }
        try {
            done.get(nanosMax, TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            // Whoever waits sees what was done by then.
        }
    }

    @Override
    public void stop(Runnable last) {
        if (thread.getState() == Thread.State.NEW) {
            last.run();
            end();
            return;
        }
        if (Thread.currentThread() == thread) {
            try {
                last.run();
                onTurnsOver.run();
            } finally {
                isStopping = true;
                isOpen = false;
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
        boolean wasInterrupted = false;
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (thread.isAlive() && System.nanoTime() - deadline < 0) {
            try {
                thread.join(TimeUnit.SECONDS.toMillis(PATIENCE_SECONDS));
            } catch (InterruptedException e) {
                // Closing goes on: half a close would leave the voters to wait for the support to run out.
                wasInterrupted = true;
            }
        }
        if (wasInterrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        try {
            turn(first);
            while (!isStopping) {
                try {
                    takeTurns();
                } catch (RuntimeException | Error bug) {
                    // Justification: outside of all turns nobody else notices. The thread lives on: it has to answer.
                    broken(bug);
                    LockSupport.parkNanos(REST_NANOS);
                }
            }
            flush();
        } finally {
            end();
        }
    }

    /** Waits for something to do, and does it and what follows, up to a bound. */
    private void takeTurns() {
        flush();
        Runnable next = await();
        long begun = clock.nanoTime();
        for (int turns = 0; next != null; turns++) {
            turn(next);
            boolean isEnough = turns >= TURNS_PER_FLUSH || clock.nanoTime() - begun >= NANOS_PER_FLUSH;
            next = isEnough || isStopping ? null : poll();
        }
    }

    /** What was posted behind the end is done too: somebody may wait for it, and learn then that all is over. */
    private void end() {
        isOpen = false;
        isOver = true;
        for (Runnable late = queue.poll(); late != null; late = queue.poll()) {
            turn(late);
        }
    }

    private @Nullable Runnable await() {
        long[] until = {clock.nanoTime() + TimeUnit.SECONDS.toNanos(1)};
        turn(() -> until[0] = onTurn.getAsLong());
        flush();
        Runnable next = poll();
        if (next != null) {
            return next;
        }
        try {
            next = queue.poll(Math.max(0, until[0] - clock.nanoTime()), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            // Nobody but a stray caller interrupts this thread, and it has nothing to give up.
            return null;
        }
        if (next == FRAMES_ARRIVED) {
            // From here on the next frame is announced anew; those that came before are found below.
            isAnnounced.set(false);
            return pollFrame();
        }
        return next;
    }

    /** What is to be done next, if something is. */
    private @Nullable Runnable poll() {
        if (framesInARow < FRAMES_PER_CALL) {
            Runnable frame = pollFrame();
            if (frame != null) {
                return frame;
            }
        }
        framesInARow = 0;
        Runnable call = queue.poll();
        while (call == FRAMES_ARRIVED) {
            isAnnounced.set(false);
            call = queue.poll();
        }
        return call == null ? pollFrame() : call;
    }

    private @Nullable Runnable pollFrame() {
        Frame frame = arrived.poll();
        if (frame == null) {
            return null;
        }
        settle(frame.length());
        framesInARow++;
        return frame.turn();
    }

    private void flush() {
        turn(onTurnsOver);
    }

    /** After a bug, only what ends the thread is still done: {@link #stop}, and questions. */
    private void turn(Runnable work) {
        if (isBroken && (work == onTurnsOver || work == first)) {
            return;
        }
        try {
            work.run();
        } catch (RuntimeException | Error bug) {
            // Justification: the last line of defence; the application must not be left in a belief that is not true.
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
        } catch (RuntimeException | Error e) {
            // Justification: whoever would be told is the one that throws. It was told, and has begun with what
            // matters.
        }
    }

    @Override
    public long dropped() {
        return dropped.get();
    }
}
