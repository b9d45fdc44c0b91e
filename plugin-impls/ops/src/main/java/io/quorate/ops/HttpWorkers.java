package io.quorate.ops;

import java.time.Duration;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The threads of an {@link OpsServer}: a few daemons, none of which is held by one request for longer than a limit.
 *
 * <p>The server of the JDK reads a request on the thread that answers it, and waits for bytes there. So a client that
 * sends half a request takes a thread. After the limit that thread is interrupted, which closes its connection.
 */
final class HttpWorkers implements AutoCloseable {

    /** So many requests are answered at one time: each slow client takes a thread until its time is over. */
    static final int THREADS = 8;

    /** So many requests wait for a thread. The connections of those beyond are closed. */
    private static final int WAITING_MAX = 256;

    private static final long IDLE_SECONDS = 10;

    private final Duration limit;
    private final ThreadPoolExecutor threads;
    private final ScheduledThreadPoolExecutor alarms;

    /** One request on a thread. */
    private static final class Turn {
        private final Thread thread;
        private boolean isOver;

        private Turn(Thread thread) {
            this.thread = thread;
        }

        private synchronized void interrupt() {
            if (!isOver) {
                thread.interrupt();
            }
        }

        /** From here on nobody interrupts the thread: what was meant for this request must not hit the next. */
        private synchronized void end() {
            isOver = true;
            Thread.interrupted();
        }
    }

    /**
     * No thread before the first request.
     *
     * @param name  of the threads
     * @param limit for one request, more than 0
     */
    HttpWorkers(String name, Duration limit) {
        this.limit = limit;
        ThreadFactory daemons = work -> {
            Thread thread = new Thread(work, name);
            thread.setDaemon(true);
            return thread;
        };
        threads = new ThreadPoolExecutor(
                THREADS, THREADS, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(WAITING_MAX), daemons);
        threads.allowCoreThreadTimeOut(true);
        // Once it is closed, a request that still comes to its end needs no alarm.
        alarms = new ScheduledThreadPoolExecutor(1, daemons, new ThreadPoolExecutor.DiscardPolicy());
        alarms.setRemoveOnCancelPolicy(true);
    }

    /**
     * Runs a request on one of the threads, within the limit.
     *
     * @throws RejectedExecutionException if too many requests wait; the server of the JDK then closes the connection
     */
    void run(Runnable request) {
        threads.execute(() -> runInTime(request));
    }

    private void runInTime(Runnable request) {
        Turn turn = new Turn(Thread.currentThread());
        ScheduledFuture<?> alarm = alarms.schedule(turn::interrupt, limit.toNanos(), TimeUnit.NANOSECONDS);
        try {
            request.run();
        } finally {
            turn.end();
            alarm.cancel(false);
        }
    }

    /** Interrupts what runs, and drops what waits. */
    @Override
    public void close() {
        threads.shutdownNow();
        alarms.shutdownNow();
    }
}
