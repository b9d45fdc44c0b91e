package io.quorate.runtime;

import io.quorate.engine.Guard;
import io.quorate.jvm.Daemons;
import io.quorate.jvm.NodeLog;
import java.util.ArrayDeque;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * The daemon threads on which callbacks run; shared by all clients of the process.
 *
 * <p>A few threads serve any number of quick callbacks, so ten thousand latches that gain leadership at one moment do
 * not start ten thousand threads. Blocked callbacks do not starve the others: when tasks wait and none has finished for
 * {@value #PATIENCE_MILLIS} ms, the number of threads is doubled, up to {@value #THREADS_MAX}. So a blocked callback
 * delays only its own latch, until {@value #THREADS_MAX} are blocked at one time; from then on the others wait for one
 * of those, which is logged and can be {@linkplain #backlog read}. Idle threads end.
 *
 * <p>No task is lost for want of a thread: if one cannot be started, the task waits, and the start is tried again.
 */
public final class CallbackPool implements Executor {

    /** How many threads are kept busy before tasks wait: a few, because most callbacks are quick. */
    static final int THREADS_MIN = 4;

    /**
     * The most threads. Too small: blocked callbacks hold up those of other latches; too large: a fail-over of
     * thousands of latches with slow callbacks takes the threads that the system allows a process (some hundred in a
     * small container), and 256 stacks of 1 MB are what an application can be expected to have room for.
     */
    static final int THREADS_MAX = 256;

    /**
     * How long waiting tasks see no task finish before threads are added, in milliseconds. Too small: a burst of quick
     * callbacks starts many threads; too large: blocked callbacks delay those of other latches.
     */
    static final long PATIENCE_MILLIS = 10;

    /** The pause after a thread could not be started: a shortage ends within seconds, if it ends. */
    static final long RETRY_MILLIS = 100;

    /**
     * The number of tasks for which there is always room, because those that tell of an end may come when the heap is
     * full.
     */
    private static final int ROOM = 1_000;

    // Long enough for the callbacks of one fail-over, short enough that a quiet process keeps no threads.
    private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(10);

    private static final long LOG_NANOS = TimeUnit.MINUTES.toNanos(1);

    private static final Logger LOG = NodeLog.of(CallbackPool.class);

    public static final CallbackPool SHARED = new CallbackPool();

    private final ThreadFactory factory;
    private final Lock lock = new ReentrantLock();
    private final Condition taskWaits = lock.newCondition();
    private final Condition taskFindsNoThread = lock.newCondition();

    // Guarded by the lock.
    private final Queue<Runnable> tasks = new ArrayDeque<>(ROOM);
    private int threads;
    /** The threads that look for a task or wait for one. */
    private int free;

    private long finished;
    private boolean isWatched;
    private @Nullable Throwable startFailure;
    private boolean isFull;
    private long failureLoggedAt = System.nanoTime() - LOG_NANOS;
    private long limitLoggedAt = failureLoggedAt;

    /** Tasks wait, and no thread is on its way to them. */
    private volatile boolean isStalled;

    CallbackPool() {
        this(numbered("quorate-callback-"));
    }

    private static ThreadFactory numbered(String name) {
        AtomicInteger number = new AtomicInteger();
        return work -> Daemons.thread(name + number.incrementAndGet(), work);
    }

    CallbackPool(ThreadFactory factory) {
        this.factory = factory;
    }

    /** Runs the task soon, on a daemon thread; returns at once, and throws nothing for want of a thread. */
    @Override
    public void execute(Runnable task) {
        Objects.requireNonNull(task, "task");
        lock.lock();
        try {
            tasks.add(task);
            taskWaits.signal();
            findThread();
        } finally {
            lock.unlock();
        }
        logStalled();
    }

    /**
     * Tries again to start a thread, if tasks wait and not even the thread that does this could be started. Each node's
     * thread calls it now and then; it costs next to nothing when nothing waits.
     */
    void lookAfter() {
        if (!isStalled) {
            return;
        }
        lock.lock();
        try {
            findThread();
        } finally {
            lock.unlock();
        }
        logStalled();
    }

    int size() {
        lock.lock();
        try {
            return threads;
        } finally {
            lock.unlock();
        }
    }

    /** A sentence on the callbacks that wait for a thread; empty if none does. */
    String backlog() {
        lock.lock();
        try {
            int waiting = tasks.size() - free;
            return waiting <= 0
                    ? ""
                    : waiting + " callbacks wait: " + (threads - free) + " threads of at most " + THREADS_MAX
                            + " are busy with others";
        } finally {
            lock.unlock();
        }
    }

    // ---------------------------------------------------------------- under the lock

    /** Whether a task waits that no thread is about to take. */
    private boolean isShort() {
        return tasks.size() > free;
    }

    private void findThread() {
        if (isShort() && threads < THREADS_MIN) {
            addThread();
        }
        watchIfShort();
    }

    // Justification for catching everything: a system without a thread to spare says so with an error, here on the
    // thread of a node or of the application, and neither is to blame.
    private boolean addThread() {
        try {
            factory.newThread(this::work).start();
        } catch (Throwable e) {
            startFailure = e;
            return false;
        }
        threads++;
        free++;
        return true;
    }

    private void watchIfShort() {
        if (!isShort()) {
            isStalled = false;
            return;
        }
        if (isWatched) {
            taskFindsNoThread.signal();
            return;
        }
        try {
            Thread watch = factory.newThread(this::watch);
            watch.setName("quorate-callback-watch");
            watch.start();
            isWatched = true;
            isStalled = false;
        } catch (Throwable e) {
            // As above.
            startFailure = e;
            isStalled = true;
        }
    }

    // ---------------------------------------------------------------- the threads

    private void work() {
        lock.lock();
        try {
            while (awaitTask()) {
                Runnable task = tasks.poll();
                free--;
                lock.unlock();
                try {
                    Guard.callback(task);
                } finally {
                    lock.lock();
                    free++;
                    finished++;
                }
            }
        } finally {
            threads--;
            free--;
            watchIfShort();
            lock.unlock();
        }
    }

    /** Answers false after an idle time. */
    private boolean awaitTask() {
        long deadline = System.nanoTime() + IDLE_NANOS;
        while (tasks.isEmpty()) {
            if (deadline - System.nanoTime() <= 0) {
                return false;
            }
            awaitUntil(taskWaits, deadline);
        }
        return true;
    }

    // Each waiting thread checks its own condition again.
    @SuppressWarnings("WaitNotInLoop")
    private static void awaitUntil(Condition condition, long deadline) {
        try {
            condition.awaitNanos(deadline - System.nanoTime());
        } catch (InterruptedException e) {
            // An interrupt that a callback left behind, or a stray one: these threads have nothing to give up.
        }
    }

    /** Adds threads while tasks wait and none finishes; ends after an idle time. */
    private void watch() {
        lock.lock();
        try {
            for (long quietSince = System.nanoTime(); System.nanoTime() - quietSince < IDLE_NANOS; ) {
                if (isShort()) {
                    watchOnce();
                    quietSince = System.nanoTime();
                } else {
                    isFull = false;
                    awaitUntil(taskFindsNoThread, quietSince + IDLE_NANOS);
                }
            }
        } finally {
            isWatched = false;
            // A task that came meanwhile took this thread for one that watches.
            watchIfShort();
            lock.unlock();
        }
    }

    private void watchOnce() {
        long before = finished;
        long millis = startFailure == null ? PATIENCE_MILLIS : RETRY_MILLIS;
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        while (isShort() && deadline - System.nanoTime() > 0) {
            awaitUntil(taskFindsNoThread, deadline);
        }
        if (isShort() && (finished == before || threads < THREADS_MIN)) {
            grow();
            String warning = warning();
            lock.unlock();
            try {
                log(warning);
            } finally {
                lock.lock();
            }
        }
    }

    private void grow() {
        int wanted = Math.min(THREADS_MAX, Math.max(THREADS_MIN, 2 * threads));
        startFailure = null;
        boolean isStarted = true;
        while (isStarted && threads < wanted && isShort()) {
            isStarted = addThread();
        }
        isFull = threads == THREADS_MAX && isShort();
    }

    // ---------------------------------------------------------------- what is said of it

    private void logStalled() {
        if (!isStalled) {
            return;
        }
        String warning;
        lock.lock();
        try {
            warning = warning();
        } finally {
            lock.unlock();
        }
        log(warning);
    }

    private static void log(String warning) {
        if (!warning.isEmpty()) {
            LOG.warn(warning);
        }
    }

    /** The warning for the log, each kind once a minute; may be empty. Under the lock. */
    private String warning() {
        long now = System.nanoTime();
        if (startFailure != null && now - failureLoggedAt >= LOG_NANOS) {
            failureLoggedAt = now;
            return "No thread can be started for callbacks (" + startFailure + "): " + (tasks.size() - free) + " wait,"
                    + " and it is tried again. Let the system allow this process more threads";
        }
        if (isFull && now - limitLoggedAt >= LOG_NANOS) {
            limitLoggedAt = now;
            return "All " + THREADS_MAX + " threads for callbacks are busy, and " + (tasks.size() - free) + " callbacks"
                    + " wait for one: no more are started. Let listeners return soon, or register them with their own"
                    + " executor";
        }
        return "";
    }
}
