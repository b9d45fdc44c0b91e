package io.quorate.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.engine.Clock;
import io.quorate.spi.EventLoop;
import io.quorate.spi.Transport;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * In which order the node's thread does what it is given, whether it is its own or the transport's; an earlier turn
 * holds it up until all is posted.
 */
@ParameterizedClass
@ValueSource(booleans = {false, true})
class NodeMailboxTest {

    private static final class TestLoop implements EventLoop {
        private final ScheduledThreadPoolExecutor executor =
                new ScheduledThreadPoolExecutor(1, task -> new Thread(task, "loop"));
        private final Map<Object, Runnable> waiting = new ConcurrentHashMap<>();
        private volatile boolean hasEnded;

        @Override
        public void execute(Runnable task) {
            schedule(task, 0);
        }

        @Override
        public void schedule(Runnable task, long nanos) {
            if (hasEnded) {
                throw new RejectedExecutionException("the loop has ended");
            }
            Object key = new Object();
            waiting.put(key, task);
            executor.schedule(() -> runOnce(key), nanos, TimeUnit.NANOSECONDS);
        }

        private void runOnce(Object key) {
            Runnable task = waiting.remove(key);
            if (task != null) {
                task.run();
            }
        }

        /** As the contract says of a thread that ends for a reason of its own. */
        private void end() throws Exception {
            executor.submit(() -> {
                        hasEnded = true;
                        waiting.keySet().forEach(this::runOnce);
                    })
                    .get();
        }
    }

    private static final int MANY = 1000;

    @Parameter
    private boolean isOnLoop;

    private final TestLoop loop = new TestLoop();
    private final List<Throwable> bugs = new CopyOnWriteArrayList<>();
    private final NodeMailbox mailbox = new NodeMailbox("test", Clock.SYSTEM, this::loop, bugs::add);
    private final CountDownLatch mayBegin = new CountDownLatch(1);
    private final CountDownLatch isDone = new CountDownLatch(1);
    private final List<String> done = new ArrayList<>();

    private Optional<EventLoop> loop() {
        return isOnLoop ? Optional.of(loop) : Optional.empty();
    }

    private void start() {
        mailbox.start(() -> {}, () -> System.nanoTime() + TimeUnit.HOURS.toNanos(1), () -> {});
        CountDownLatch isHeldUp = new CountDownLatch(1);
        mailbox.post(() -> {
            isHeldUp.countDown();
            await(mayBegin);
        });
        await(isHeldUp);
    }

    @AfterEach
    void stop() {
        mayBegin.countDown();
        mailbox.stop(() -> {});
        loop.executor.shutdownNow();
        assertThat(bugs).isEmpty();
    }

    private static void await(CountDownLatch gate) {
        try {
            assertThat(gate.await(600, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private void run() {
        mailbox.post(isDone::countDown);
        mayBegin.countDown();
        await(isDone);
    }

    @Test
    void framesComeBeforeManyCalls() {
        start();
        for (int i = 0; i < MANY; i++) {
            mailbox.post(() -> done.add("call"));
        }
        mailbox.postFrame(1, () -> {}, () -> done.add("frame 1"));
        mailbox.postFrame(1, () -> {}, () -> done.add("frame 2"));
        run();
        assertThat(done).hasSize(MANY + 2).startsWith("frame 1", "frame 2", "call");
    }

    // Heartbeats are among what is done first.
    @Test
    void firstPartOfAFrameOvertakesTheRestOfEarlierOnes() {
        start();
        for (int i = 0; i < 20; i++) {
            mailbox.postFrame(1, () -> done.add("first"), () -> done.add("rest"));
        }
        run();
        assertThat(done.lastIndexOf("first")).isEqualTo(19);
    }

    // Somebody who may speak sends nothing but heartbeats, as fast as he can.
    @Test
    void manyFramesDoNotHoldUpTheRestOfThoseBefore() {
        start();
        for (int i = 0; i < MANY; i++) {
            mailbox.postFrame(1, () -> done.add("first"), () -> done.add("rest"));
        }
        mailbox.post(() -> done.add("call"));
        run();
        assertThat(done.indexOf("rest")).isBetween(1, 100);
        assertThat(done.indexOf("call")).isPositive();
    }

    @Test
    void callsAreNotHeldUpByManyFrames() {
        start();
        for (int i = 0; i < MANY; i++) {
            mailbox.postFrame(1, () -> {}, () -> done.add("frame"));
        }
        mailbox.post(() -> done.add("call"));
        run();
        assertThat(done.indexOf("call")).isBetween(1, 20);
    }

    @Test
    void eachKindKeepsItsOrder() {
        start();
        for (int i = 0; i < MANY; i++) {
            String number = " " + (MANY + i);
            mailbox.post(() -> done.add("call" + number));
            mailbox.postFrame(1, () -> {}, () -> done.add("frame" + number));
        }
        mailbox.postFrame(1, () -> {}, isDone::countDown);
        run();
        mailbox.ask(() -> true);
        assertThat(done.stream().filter(what -> what.startsWith("call")))
                .hasSize(MANY)
                .isSorted();
        assertThat(done.stream().filter(what -> what.startsWith("frame")))
                .hasSize(MANY)
                .isSorted();
    }

    // Each frame is posted when the thread may be about to wait; a wake-up that is lost would cost an hour, and the
    // test its deadline.
    @Test
    void aFrameWakesTheThread() throws InterruptedException {
        start();
        mayBegin.countDown();
        for (int i = 0; i < 20 * MANY; i++) {
            CountDownLatch isHandled = new CountDownLatch(1);
            mailbox.postFrame(1, () -> {}, isHandled::countDown);
            assertThat(isHandled.await(600, TimeUnit.SECONDS)).as("frame %d", i).isTrue();
        }
    }

    @Test
    void tooManyFramesAreDroppedAndCounted() {
        start();
        CountDownLatch areHandled = new CountDownLatch(Mailbox.FRAMES_MAX);
        for (int i = 0; i < Mailbox.FRAMES_MAX + 7; i++) {
            mailbox.postFrame(1, () -> {}, areHandled::countDown);
        }
        assertThat(mailbox.dropped()).isEqualTo(7);
        mayBegin.countDown();
        await(areHandled);
        mailbox.postFrame(1, () -> {}, isDone::countDown);
        await(isDone);
        assertThat(mailbox.dropped()).isEqualTo(7);
    }

    // Frames of 64 KiB would otherwise fill the heap long before there are too many.
    @Test
    void tooManyBytesAreDroppedAndCounted() {
        start();
        int fitting = Mailbox.BYTES_MAX / Transport.FRAME_LENGTH_MAX;
        CountDownLatch areHandled = new CountDownLatch(fitting);
        for (int i = 0; i < fitting + 7; i++) {
            mailbox.postFrame(Transport.FRAME_LENGTH_MAX, () -> {}, areHandled::countDown);
        }
        assertThat(mailbox.dropped()).isEqualTo(7);
        mayBegin.countDown();
        await(areHandled);
        mailbox.postFrame(Transport.FRAME_LENGTH_MAX, () -> {}, isDone::countDown);
        await(isDone);
        assertThat(mailbox.dropped()).isEqualTo(7);
    }

    // A transport that can hold frames back is asked to, long before any is dropped.
    @Test
    void aPauseIsAskedForWhileMuchWaits() {
        start();
        for (int i = 1; i < Mailbox.FRAMES_BEHIND; i++) {
            mailbox.postFrame(1, () -> {}, () -> {});
        }
        assertThat(mailbox.isBehind()).isFalse();
        mailbox.postFrame(1, () -> {}, () -> {});
        assertThat(mailbox.isBehind()).isTrue();
        mailbox.postFrame(1, () -> {}, isDone::countDown);
        mayBegin.countDown();
        await(isDone);
        assertThat(mailbox.isBehind()).isFalse();
        CountDownLatch mayGoOn = new CountDownLatch(1);
        mailbox.postFrame(1, () -> {}, () -> await(mayGoOn));
        mailbox.postFrame(Mailbox.BYTES_BEHIND, () -> {}, () -> {});
        assertThat(mailbox.isBehind()).isTrue();
        mayGoOn.countDown();
    }

    // A closed node drops what was posted too late; whoever waits for a call learns that all is over.
    @Test
    void aMailboxThatWasNeverStartedDoesTheRestOnTheCallersThread() {
        mailbox.post(() -> done.add("posted"));
        assertThat(mailbox.ask(() -> "answer")).as("nobody answers").isEmpty();
        mailbox.stop(() -> done.add("last"));
        assertThat(done.subList(0, 2)).containsExactly("last", "posted");
        assertThat(mailbox.post(() -> {})).isFalse();
        mailbox.postFrame(1, () -> {}, () -> done.add("late"));
        assertThat(done).doesNotContain("late");
    }

    @Test
    void theLastTurnComesAfterAllThatWasPostedAndIsFlushed() {
        NodeMailbox flushing = new NodeMailbox("test", Clock.SYSTEM, this::loop, bugs::add);
        List<String> turns = new CopyOnWriteArrayList<>();
        flushing.start(
                () -> turns.add("first"),
                () -> System.nanoTime() + TimeUnit.HOURS.toNanos(1),
                () -> turns.add("flush"));
        flushing.post(() -> turns.add("posted"));
        flushing.stop(() -> turns.add("last"));
        assertThat(turns).startsWith("first").endsWith("last", "flush").containsOnlyOnce("first", "posted", "last");
        int end = turns.size();
        flushing.stop(() -> turns.add("once more"));
        assertThat(turns).as("it has ended").hasSize(end);
    }

    // The listener of a tenure closes its node: nobody may wait for himself there.
    @Test
    void itsOwnThreadAsksAndStopsWithoutWaiting() {
        List<String> turns = new CopyOnWriteArrayList<>();
        NodeMailbox own = new NodeMailbox("test", Clock.SYSTEM, this::loop, bugs::add);
        own.start(() -> {}, () -> System.nanoTime() + TimeUnit.HOURS.toNanos(1), () -> turns.add("flush"));
        own.post(() -> {
            turns.add(own.ask(() -> "answer").orElseThrow());
            own.await(new CompletableFuture<>(), Long.MAX_VALUE);
            turns.clear();
            own.stop(() -> turns.add("last"));
            turns.add("returned");
            isDone.countDown();
        });
        await(isDone);
        own.stop(() -> {});
        assertThat(turns).startsWith("last", "flush", "returned");
        assertThat(own.post(() -> {})).isFalse();
    }

    @Test
    void waitKeepsTheInterrupt() {
        start();
        Thread.currentThread().interrupt();
        assertThat(mailbox.ask(() -> "answer")).isEmpty();
        assertThat(Thread.interrupted()).isTrue();
        CompletableFuture<Void> farewell = new CompletableFuture<>();
        mailbox.post(() -> farewell.complete(null));
        mayBegin.countDown();
        Thread.currentThread().interrupt();
        mailbox.await(farewell, Long.MAX_VALUE);
        assertThat(Thread.interrupted()).isTrue();
        assertThat(farewell).as("what is waited for when it closes").isDone();
        Thread.currentThread().interrupt();
        mailbox.stop(() -> done.add("last"));
        assertThat(Thread.interrupted()).isTrue();
        assertThat(done).containsExactly("last");
    }

    @Test
    void itsThreadIsADaemonThatFlushesWhenItHasNothingElseToDo() throws InterruptedException {
        CountDownLatch isFlushed = new CountDownLatch(1);
        List<Thread> threads = new CopyOnWriteArrayList<>();
        NodeMailbox idle = new NodeMailbox("idle", Clock.SYSTEM, this::loop, bugs::add);
        idle.start(
                () -> threads.add(Thread.currentThread()),
                () -> System.nanoTime() + TimeUnit.HOURS.toNanos(1),
                isFlushed::countDown);
        await(isFlushed);
        idle.stop(() -> {});
        if (isOnLoop) {
            assertThat(threads.get(0).getName()).isEqualTo("loop");
        } else {
            assertThat(threads.get(0).getName()).isEqualTo("idle");
            assertThat(threads.get(0).isDaemon()).isTrue();
            threads.get(0).join();
        }
    }

    // Heartbeats wait for nothing that takes longer.
    @Test
    void manyTurnsAreFlushedInBetween() {
        List<String> turns = new CopyOnWriteArrayList<>();
        NodeMailbox busy = new NodeMailbox("busy", Clock.SYSTEM, this::loop, bugs::add);
        busy.post(() -> await(mayBegin));
        for (int i = 0; i < MANY; i++) {
            busy.post(() -> turns.add("turn"));
        }
        busy.start(() -> {}, () -> System.nanoTime() + TimeUnit.HOURS.toNanos(1), () -> turns.add("flush"));
        mayBegin.countDown();
        busy.stop(() -> {});
        int turnsInARow = 0;
        int most = 0;
        for (String turn : turns) {
            turnsInARow = turn.equals("turn") ? turnsInARow + 1 : 0;
            most = Math.max(most, turnsInARow);
        }
        assertThat(turns).filteredOn("turn"::equals).hasSize(MANY);
        assertThat(most).isLessThanOrEqualTo(65);
    }

    @Test
    void turnsAreTakenOnTheThreadThatIsOffered() {
        start();
        mayBegin.countDown();
        assertThat(mailbox.ask(() -> Thread.currentThread().getName())).contains(isOnLoop ? "loop" : "test");
        assertThat(mailbox.ask(() -> mailbox.ask(() -> "answered at once"))).contains(Optional.of("answered at once"));
    }

    // Nothing is posted: it is the clock alone that goes on.
    @Test
    void timePassesWhenThePauseIsOver() {
        CountDownLatch areOver = new CountDownLatch(20);
        mailbox.start(
                () -> {},
                () -> {
                    areOver.countDown();
                    return System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(2);
                },
                () -> {});
        await(areOver);
    }

    // What was to happen late is to happen sooner now.
    @Test
    void aShorterPauseCountsAtOnce() {
        AtomicLong pauseMillis = new AtomicLong(3_600_000);
        AtomicInteger rounds = new AtomicInteger();
        CountDownLatch areOver = new CountDownLatch(10);
        mailbox.start(
                () -> {},
                () -> {
                    if (pauseMillis.get() == 1) {
                        areOver.countDown();
                    }
                    rounds.incrementAndGet();
                    return System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(pauseMillis.get());
                },
                () -> {});
        mailbox.ask(() -> true);
        assertThat(rounds.get()).as("rounds before").isLessThan(10);
        mailbox.post(() -> pauseMillis.set(1));
        await(areOver);
    }

    @Test
    void stopEndsItFromItsOwnThreadToo() {
        start();
        mayBegin.countDown();
        mailbox.ask(() -> {
            mailbox.stop(isDone::countDown);
            return true;
        });
        await(isDone);
        assertThat(mailbox.post(() -> {})).isFalse();
    }

    // The node would otherwise hear nothing any more, and its application would not learn that.
    @Test
    void aNodeWhoseLoopEndsHasFailedAndAnswersOnAnotherThread() throws Exception {
        List<Throwable> told = new CopyOnWriteArrayList<>();
        CountDownLatch isTold = new CountDownLatch(isOnLoop ? 1 : 0);
        NodeMailbox left = new NodeMailbox("test", Clock.SYSTEM, this::loop, bug -> {
            told.add(bug);
            isTold.countDown();
        });
        left.start(() -> {}, () -> System.nanoTime() + TimeUnit.HOURS.toNanos(1), () -> {});
        assertThat(left.ask(() -> true)).contains(true);
        loop.end();
        await(isTold);
        assertThat(left.ask(() -> Thread.currentThread().getName())).contains(isOnLoop ? "quorate-watch" : "test");
        left.stop(isDone::countDown);
        await(isDone);
        assertThat(told).hasSize(isOnLoop ? 1 : 0).allMatch(bug -> bug.getMessage()
                .contains("transport has ended"));
        assertThat(left.ask(() -> true)).as("it is over").isEmpty();
    }

    // ---------------------------------------------------------------- faults

    /** The clock of this machine; its next reading throws what it is given. */
    private static final class FaultyClock implements Clock {
        private final AtomicReference<Error> next = new AtomicReference<>();

        @Override
        public long nanoTime() {
            Error error = next.getAndSet(null);
            if (error != null) {
                throw error;
            }
            return System.nanoTime();
        }

        @Override
        public long wallMillis() {
            return System.currentTimeMillis();
        }
    }

    private static final OutOfMemoryError FULL_HEAP = new OutOfMemoryError("thrown by the test");

    // The thread reads the clock between turns too, and there nothing but the thread itself is left to notice.
    @Test
    void anErrorBetweenTurnsIsToldAndTheThreadGoesOnAnswering() {
        FaultyClock clock = new FaultyClock();
        CountDownLatch isTold = new CountDownLatch(1);
        List<Throwable> told = new CopyOnWriteArrayList<>();
        NodeMailbox faulty = new NodeMailbox("faulty", clock, this::loop, bug -> {
            told.add(bug);
            isTold.countDown();
        });
        faulty.start(() -> {}, () -> System.nanoTime() + TimeUnit.HOURS.toNanos(1), () -> {});
        clock.next.set(FULL_HEAP);
        faulty.post(() -> {});
        await(isTold);
        assertThat(told).containsExactly(FULL_HEAP);
        assertThat(faulty.ask(() -> "answer")).contains("answer");
        faulty.stop(isDone::countDown);
        await(isDone);
        assertThat(faulty.post(() -> {})).isFalse();
        assertThat(faulty.ask(() -> "answer")).isEmpty();
    }

    // To log an error takes memory, which is what there may be none of.
    @Test
    void anErrorInTellingOfAnErrorEndsNothing() {
        NodeMailbox faulty = new NodeMailbox("faulty", Clock.SYSTEM, this::loop, bug -> {
            throw FULL_HEAP;
        });
        faulty.start(() -> {}, () -> System.nanoTime() + TimeUnit.HOURS.toNanos(1), () -> {});
        faulty.post(() -> {
            throw FULL_HEAP;
        });
        assertThat(faulty.ask(() -> "answer")).contains("answer");
        faulty.stop(isDone::countDown);
        await(isDone);
    }

    @Test
    void anErrorInAQuestionIsTheAskersAlone() {
        start();
        mayBegin.countDown();
        assertThat(mailbox.ask(() -> {
                    throw FULL_HEAP;
                }))
                .isEmpty();
        assertThat(mailbox.ask(() -> "answer")).contains("answer");
    }
}
