package io.quorate.jvm;

import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.Marker;
import org.slf4j.event.Level;
import org.slf4j.helpers.LegacyAbstractLogger;
import org.slf4j.helpers.MessageFormatter;

/**
 * Loggers for threads on which leases depend: another thread writes the lines, in their order. An appender that blocks
 * holds up nobody, and one that throws harms nobody: a line is lost then. At most {@value #LINES_MAX} lines wait; those
 * beyond are lost too, and a line says how many, as soon as one can be written.
 *
 * <p>For the engine and for transports. Whether a level is on is asked on the thread of the caller.
 */
public final class NodeLog {

    /** How many lines wait for the writer at most. */
    static final int LINES_MAX = 1_024;

    /** As the callback threads: long enough for the waits of one fail-over. */
    private static final long IDLE_SECONDS = 10;

    /** The name of the one that writes. */
    private static final String THREAD = "quorate-log";

    private static final AtomicLong LOST = new AtomicLong();
    private static final ThreadPoolExecutor WRITER = writer();

    private NodeLog() {}

    private static ThreadPoolExecutor writer() {
        ThreadPoolExecutor writer = new ThreadPoolExecutor(
                1, 1, IDLE_SECONDS, TimeUnit.SECONDS, new ArrayBlockingQueue<>(LINES_MAX), Daemons.named(THREAD));
        writer.allowCoreThreadTimeOut(true);
        return writer;
    }

    /**
     * {@return a logger whose calls return at once and throw nothing}
     *
     * @param type gives it its name
     */
    public static Logger of(Class<?> type) {
        return over(LoggerFactory.getLogger(type));
    }

    static Logger over(Logger target) {
        return new Lines(target);
    }

    /**
     * Writes a line at ERROR for the handler of a fault, which must do the rest of its work even if there is no memory
     * to call the logger. The line is lost then. Throws nothing.
     *
     * @param log     takes the line
     * @param pattern with one place, for {@code subject}
     * @param subject whose fault it is
     * @param fault   what was thrown
     */
    public static void lastWords(Logger log, String pattern, Object subject, Throwable fault) {
        try {
            log.error(pattern, subject, fault);
        } catch (Throwable e) {
            // Justification: catches everything. The caller handles a fault already, which is all that can be said.
            LOST.incrementAndGet();
        }
    }

    /**
     * Waits until all lines that wait are written, and on if the thread is interrupted, which keeps its flag.
     *
     * @param limit how long at most
     * @return whether they are; false at once for an appender, which would wait for itself
     */
    public static boolean flush(Duration limit) {
        if (Thread.currentThread().getName().equals(THREAD)) {
            return false;
        }
        CountDownLatch written = new CountDownLatch(1);
        long deadline = System.nanoTime() + limit.toNanos();
        try {
            WRITER.execute(written::countDown);
        } catch (RejectedExecutionException e) {
            // As many lines wait as may: one that is written makes room.
            if (!BoundedWait.isOver(deadline - System.nanoTime(), nanos -> WRITER.getQueue()
                    .offer(written::countDown, nanos, TimeUnit.NANOSECONDS))) {
                return false;
            }
        } catch (OutOfMemoryError e) {
            // Justification: the system has no thread left to write them.
            return false;
        }
        return BoundedWait.isOver(deadline - System.nanoTime(), nanos -> written.await(nanos, TimeUnit.NANOSECONDS));
    }

    /** Has its lines written by the other thread. */
    private static final class Lines extends LegacyAbstractLogger {
        private static final long serialVersionUID = 1;

        private final transient Logger target;

        private Lines(Logger target) {
            this.target = target;
            name = target.getName();
        }

        @Override
        protected void handleNormalizedLoggingCall(
                Level level,
                @Nullable Marker marker,
                String pattern,
                Object @Nullable [] values,
                @Nullable Throwable thrown) {
            try {
                // Now, on this thread: what a value says may change.
                String text = MessageFormatter.basicArrayFormat(pattern, values);
                WRITER.execute(() -> write(level, text, thrown));
            } catch (Throwable e) {
                // Justification: catches everything, because the logging thread must go on. Too many lines wait, or the
                // system has no memory or no thread left.
                LOST.incrementAndGet();
            }
        }

        // Justification: catches everything and tells nobody. The receiver of an error is the one that throws.
        private void write(Level level, String text, @Nullable Throwable thrown) {
            try {
                long lost = LOST.get();
                if (lost > 0) {
                    // At a level that is on, and forgotten only when it is said.
                    target.atLevel(level == Level.ERROR ? level : Level.WARN)
                            .log("{} lines were lost here, because the log did not take them in time", lost);
                    LOST.addAndGet(-lost);
                }
                target.atLevel(level).setCause(thrown).log(text);
            } catch (Throwable e) {
                // Only a line of the log is lost.
            }
        }

        // Justification: catches everything. A logger that cannot tell takes no line. Nothing is allocated for the
        // question, so that a full heap does not throw either.
        private boolean isOn(Level level) {
            try {
                return target.isEnabledForLevel(level);
            } catch (Throwable e) {
                return false;
            }
        }

        @Override
        protected @Nullable String getFullyQualifiedCallerName() {
            return null;
        }

        @Override
        public boolean isTraceEnabled() {
            return isOn(Level.TRACE);
        }

        @Override
        public boolean isDebugEnabled() {
            return isOn(Level.DEBUG);
        }

        @Override
        public boolean isInfoEnabled() {
            return isOn(Level.INFO);
        }

        @Override
        public boolean isWarnEnabled() {
            return isOn(Level.WARN);
        }

        @Override
        public boolean isErrorEnabled() {
            return isOn(Level.ERROR);
        }
    }
}
