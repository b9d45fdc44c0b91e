package io.quorate.ops;

import io.quorate.jvm.Daemons;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.eclipse.jetty.util.thread.Scheduler;
import org.jspecify.annotations.Nullable;

/**
 * A few daemon threads for requests of one kind, which may have to wait: what one kind waits for holds up no other
 * kind. Requests beyond the threads wait for a moment, and are refused then if all threads answer others. Thread-safe.
 */
final class Lane implements AutoCloseable {

    /**
     * Requests that wait for a thread, of one lane: more than the probes and pages of a cluster ask at one moment, and
     * with those of all lanes fewer than there may be {@link Callers}.
     */
    private static final int WAITING_MAX = 32;

    /** Most answers take microseconds, so a request that waits so long waits behind some that are stuck. */
    private static final Duration TURN_WAIT = Duration.ofMillis(500);

    private static final long IDLE_SECONDS = 10;

    private final ThreadPoolExecutor threads;
    /** Counts works that run. A thread that begins late, or still tells an outcome, does not count. */
    private final AtomicInteger answering = new AtomicInteger();

    private final Scheduler scheduler;
    private final String crowd;

    @FunctionalInterface
    interface Work {
        Answer answer() throws Refused, IOException, InterruptedException;
    }

    /** The outcome of a {@link Work}: an answer, or the exception that it throws. */
    interface Outcome {
        void answered(Answer answer);

        void failed(Throwable cause);
    }

    /** One request. Its outcome is told once: by the thread that has its turn, or because it has waited too long. */
    private final class Turn implements Runnable {
        private final Work work;
        private final Outcome outcome;
        private volatile Scheduler.@Nullable Task patience;

        // Both are guarded by this.
        private boolean isTaken;
        private @Nullable Thread thread;

        private Turn(Work work, Outcome outcome) {
            this.work = work;
            this.outcome = outcome;
        }

        private synchronized boolean take() {
            boolean isMine = !isTaken;
            isTaken = true;
            return isMine;
        }

        private synchronized void holds(@Nullable Thread holder) {
            thread = holder;
            if (holder == null) {
                // An interrupt for this request must not hit the next one.
                Thread.interrupted();
            }
        }

        /** Its time is over, and nobody reads the answer any more. */
        private synchronized void interrupt() {
            isTaken = true;
            if (thread != null) {
                thread.interrupt();
            }
        }

        private synchronized boolean isWaiting() {
            return !isTaken;
        }

        private void startWaiting() {
            patience = scheduler.schedule(this::onWaitOver, TURN_WAIT.toMillis(), TimeUnit.MILLISECONDS);
        }

        /** On a starved machine a thread may begin later than that, although all are free. */
        private void onWaitOver() {
            if (answering.get() >= threads.getMaximumPoolSize()) {
                refuse();
            } else if (isWaiting() && !threads.isShutdown()) {
                startWaiting();
            }
        }

        private void refuse() {
            if (take()) {
                outcome.failed(new Refused(503, crowd));
            }
        }

        @Override
        public void run() {
            Scheduler.Task waiting = patience;
            if (waiting != null) {
                waiting.cancel();
            }
            if (!take()) {
                return;
            }
            holds(Thread.currentThread());
            answering.incrementAndGet();
            Answer answer;
            try {
                answer = work.answer();
            } catch (Throwable e) {
                // Justification: work is code of others too, and each request gets an answer.
                answering.decrementAndGet();
                holds(null);
                outcome.failed(e);
                return;
            }
            answering.decrementAndGet();
            holds(null);
            outcome.answered(answer);
        }
    }

    /**
     * No thread before the first request.
     *
     * @param name    of the threads
     * @param threads how many requests are answered at one time
     * @param crowd   the reason that those are told who get no turn
     */
    Lane(String name, int threads, String crowd, Scheduler scheduler) {
        this.crowd = crowd;
        this.scheduler = scheduler;
        this.threads = new ThreadPoolExecutor(
                threads,
                threads,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(WAITING_MAX),
                Daemons.named(name));
        this.threads.allowCoreThreadTimeOut(true);
    }

    /**
     * Has a request answered on one of the threads, or refuses it.
     *
     * @param begun is given what ends the request if its time is over, and returns whether the request may wait
     */
    void run(Work work, Outcome outcome, Predicate<Runnable> begun) {
        Turn turn = new Turn(work, outcome);
        if (!begun.test(turn::interrupt)) {
            outcome.failed(new Refused(
                    429,
                    Callers.REQUESTS_MAX + " requests from your address are being answered already: ask again later"));
            return;
        }
        try {
            turn.startWaiting();
            threads.execute(turn);
        } catch (RejectedExecutionException | OutOfMemoryError e) {
            // Without memory for a thread, too, no thread begins with it.
            turn.refuse();
        }
    }

    /** Interrupts what runs, and drops what waits. */
    @Override
    public void close() {
        threads.shutdownNow();
    }
}
