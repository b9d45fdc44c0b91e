package io.quorate.jvm;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.Marker;
import org.slf4j.event.Level;
import org.slf4j.helpers.LegacyAbstractLogger;
import org.slf4j.helpers.MessageFormatter;

/** docs/architecture.md#log: no thread of a node waits for the log. */
class NodeLogTest {

    private static final Duration LIMIT = Duration.ofMinutes(10);

    private final Target target = new Target();
    private final Logger log = NodeLog.over(target);

    /** Keeps lines, and does at each what the test wants. */
    private static final class Target extends LegacyAbstractLogger {
        private static final long serialVersionUID = 1;

        private final transient List<String> lines = Collections.synchronizedList(new ArrayList<>());
        private final transient List<Thread> threads = Collections.synchronizedList(new ArrayList<>());
        private transient volatile Runnable before = () -> {};
        private transient volatile boolean isBroken;
        private transient volatile boolean isWarnOff;

        private Target() {
            name = "target";
        }

        @Override
        protected void handleNormalizedLoggingCall(
                Level level, Marker marker, String pattern, Object[] values, Throwable thrown) {
            before.run();
            threads.add(Thread.currentThread());
            lines.add(level + " " + MessageFormatter.basicArrayFormat(pattern, values)
                    + (thrown == null ? "" : " " + thrown.getMessage()));
        }

        private boolean isOn() {
            if (isBroken) {
                throw new IllegalStateException("meant to be thrown, by the test");
            }
            return true;
        }

        @Override
        protected String getFullyQualifiedCallerName() {
            return null;
        }

        @Override
        public boolean isTraceEnabled() {
            return false;
        }

        @Override
        public boolean isDebugEnabled() {
            return false;
        }

        @Override
        public boolean isInfoEnabled() {
            return isOn();
        }

        @Override
        public boolean isWarnEnabled() {
            return isOn() && !isWarnOff;
        }

        @Override
        public boolean isErrorEnabled() {
            return isOn();
        }
    }

    @Test
    void linesKeepLevelOrderAndWhatWasThrown() {
        log.info("first {} of {}", 1, 3);
        log.debug("nobody wants it");
        log.atLevel(Level.WARN).log("second {}", 2);
        log.error("third", new IllegalStateException("by the test"));
        assertThat(NodeLog.flush(LIMIT)).isTrue();
        assertThat(target.lines).containsExactly("INFO first 1 of 3", "WARN second 2", "ERROR third by the test");
        assertThat(target.threads).doesNotContain(Thread.currentThread());
    }

    // There may be too little memory for the call, and the handler of a fault has more to do than to log it.
    @Test
    void lastWordsThatCannotBeWrittenHarmNothing() {
        IllegalStateException fault = new IllegalStateException("the fault");
        NodeLog.lastWords(log, "{} failed", "n1", fault);
        assertThat(NodeLog.flush(LIMIT)).isTrue();
        target.isBroken = true;
        NodeLog.lastWords(target, "{} failed again", "n1", fault);
        log.warn("nor does a level that cannot be asked for");
        target.isBroken = false;
        log.info("then");
        assertThat(NodeLog.flush(LIMIT)).isTrue();
        assertThat(target.lines).startsWith("ERROR n1 failed the fault").endsWith("INFO then");
    }

    // What a value says may change before the line is written.
    @Test
    void theTextIsThatOfTheMomentOfTheCall() {
        StringBuilder value = new StringBuilder("now");
        CountDownLatch gate = new CountDownLatch(1);
        target.before = () -> await(gate);
        log.info("it is {}", value);
        value.replace(0, 3, "later");
        gate.countDown();
        assertThat(NodeLog.flush(LIMIT)).isTrue();
        assertThat(target.lines).containsExactly("INFO it is now");
    }

    @Test
    void loggingDoesNotWaitForAnAppenderAndCountsLostLines() {
        CountDownLatch gate = new CountDownLatch(1);
        Semaphore isThere = new Semaphore(0);
        target.before = () -> {
            isThere.release();
            await(gate);
        };
        log.info("it blocks");
        isThere.acquireUninterruptibly();
        for (int line = 0; line < NodeLog.LINES_MAX + 7; line++) {
            log.info("line {}", line);
        }
        assertThat(NodeLog.flush(Duration.ofMillis(1)))
                .as("nothing was written")
                .isFalse();
        gate.countDown();
        // One that is written makes room.
        isThere.acquireUninterruptibly();
        assertThat(NodeLog.flush(LIMIT)).isTrue();
        assertThat(target.lines).hasSize(NodeLog.LINES_MAX + 2).contains("INFO line 0", "INFO line 1023");
        assertThat(target.lines.get(1))
                .isEqualTo("WARN 7 lines were lost here, because the log did not take them in time");
    }

    // A logger of its own level must not take the count with it.
    @Test
    void howManyLinesWereLostIsToldByALoggerThatTakesErrorsOnly() {
        target.isWarnOff = true;
        CountDownLatch gate = new CountDownLatch(1);
        Semaphore isThere = block(gate);
        for (int line = 0; line < NodeLog.LINES_MAX + 7; line++) {
            log.error("line {}", line);
        }
        gate.countDown();
        isThere.acquireUninterruptibly();
        assertThat(NodeLog.flush(LIMIT)).isTrue();
        assertThat(target.lines.get(1)).contains("7 lines were lost");
    }

    @Test
    void howManyLinesWereLostIsToldByTheNextIfAnAppenderThrows() {
        CountDownLatch gate = new CountDownLatch(1);
        Semaphore isThere = block(gate);
        for (int line = 0; line < NodeLog.LINES_MAX + 7; line++) {
            log.error("line {}", line);
        }
        Semaphore thrown = new Semaphore(1);
        target.before = () -> {
            if (thrown.tryAcquire()) {
                throw new IllegalStateException("meant to be thrown, by the test");
            }
        };
        gate.countDown();
        assertThat(isThere.availablePermits()).isZero();
        assertThat(NodeLog.flush(LIMIT)).isTrue();
        assertThat(target.lines).anyMatch(line -> line.contains("7 lines were lost"));
    }

    // A process that is about to end may have just logged a lot.
    @Test
    void flushWaitsThoughNoMoreLinesFit() throws Exception {
        CountDownLatch gate = new CountDownLatch(1);
        block(gate);
        for (int line = 0; line < NodeLog.LINES_MAX; line++) {
            log.error("line {}", line);
        }
        CompletableFuture<Boolean> flushed = new CompletableFuture<>();
        Thread waits = new Thread(() -> flushed.complete(NodeLog.flush(LIMIT)), "flush");
        waits.start();
        while (waits.getState() != Thread.State.TIMED_WAITING && waits.isAlive()) {
            Thread.onSpinWait();
        }
        gate.countDown();
        assertThat(flushed.get(600, TimeUnit.SECONDS)).isTrue();
        assertThat(target.lines).hasSize(NodeLog.LINES_MAX + 1);
    }

    // An appender that closes a client, such as one that ends the process at an ERROR.
    @Test
    void theThreadThatWritesDoesNotWaitForItself() throws Exception {
        CompletableFuture<Boolean> flushed = new CompletableFuture<>();
        target.before = () -> flushed.complete(NodeLog.flush(Duration.ofHours(1)));
        log.info("it flushes");
        assertThat(flushed.get(600, TimeUnit.SECONDS)).isFalse();
    }

    /** The next line blocks the thread that writes, and is there. */
    private Semaphore block(CountDownLatch gate) {
        Semaphore isThere = new Semaphore(0);
        target.before = () -> {
            isThere.release();
            await(gate);
        };
        log.error("it blocks");
        isThere.acquireUninterruptibly();
        return isThere;
    }

    @Test
    void throwingAppenderHarmsNothing() {
        target.before = () -> {
            throw new NoClassDefFoundError("meant to be thrown, by the test");
        };
        log.info("lost");
        assertThat(NodeLog.flush(LIMIT)).isTrue();
        target.before = () -> {};
        log.info("written");
        assertThat(NodeLog.flush(LIMIT)).isTrue();
        assertThat(target.lines).containsExactly("INFO written");
    }

    @Test
    void aLoggerThatThrowsWhenItIsAskedTakesNoLine() {
        target.isBroken = true;
        log.info("lost");
        target.isBroken = false;
        log.info("written");
        assertThat(NodeLog.flush(LIMIT)).isTrue();
        assertThat(target.lines).containsExactly("INFO written");
    }

    private static void await(CountDownLatch gate) {
        boolean isInterrupted = false;
        while (gate.getCount() > 0) {
            try {
                gate.await();
            } catch (InterruptedException e) {
                isInterrupted = true;
            }
        }
        if (isInterrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
