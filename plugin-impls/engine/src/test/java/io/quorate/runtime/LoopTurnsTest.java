package io.quorate.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.quorate.jvm.Daemons;
import io.quorate.spi.EventLoop;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Turns on a loop that the test runs by hand, and that loses or refuses what it is given. */
class LoopTurnsTest {

    private static final long HOUR_NANOS = TimeUnit.HOURS.toNanos(1);
    private static final long ROUND_NANOS = 1_000_000;
    /** More would take a minute. */
    private static final int ROUNDS_MAX = 10_000;

    /** What somebody wants to be run later. */
    private record Scheduled(Runnable task, long nanos) {}

    private static final class ByHand implements EventLoop {
        private final Queue<Runnable> tasks = new ArrayDeque<>();
        private final List<Scheduled> scheduled = new ArrayList<>();
        /** What the next call throws. */
        private Throwable fault;
        /** Whether a task has run when the call that gives it returns. */
        private boolean isImmediate;

        @Override
        public void execute(Runnable task) {
            throwFault();
            if (isImmediate) {
                task.run();
            } else {
                tasks.add(task);
            }
        }

        @Override
        public void schedule(Runnable task, long nanos) {
            throwFault();
            scheduled.add(new Scheduled(task, nanos));
        }

        private void throwFault() {
            Throwable thrown = fault;
            fault = null;
            if (thrown != null) {
                sneak(thrown);
            }
        }

        @SuppressWarnings("unchecked")
        private static <T extends Throwable> void sneak(Throwable thrown) throws T {
            throw (T) thrown;
        }

        /** As Netty's: all that there is, and what comes meanwhile. Answers how much that was. */
        private int runTasks() {
            int count = 0;
            for (Runnable task = tasks.poll(); task != null && count < ROUNDS_MAX; task = tasks.poll()) {
                task.run();
                count++;
            }
            return count;
        }

        private Scheduled first() {
            return scheduled.remove(0);
        }
    }

    private final ByHand loop = new ByHand();
    private final AtomicInteger rounds = new AtomicInteger();
    private final AtomicInteger gone = new AtomicInteger();
    private long pause = HOUR_NANOS;
    private long takesNanos;
    private Runnable duringTurn = () -> {};

    /** Looks only when the test does. */
    private final Watch watch = new Watch(work -> new Thread(() -> {}));

    private final LoopTurns turns = new LoopTurns(loop, this::take, gone::incrementAndGet, watch);

    private long take() {
        rounds.incrementAndGet();
        // Justification: a lower bound of a turn. The tests hold for longer ones.
        long begin = System.nanoTime();
        while (System.nanoTime() - begin < takesNanos) {
            Thread.onSpinWait();
        }
        duringTurn.run();
        return pause;
    }

    // Netty's loop would look at its sockets after a second only.
    @Test
    void turnsThatNeverEndRestForTheTransport() {
        pause = 0;
        takesNanos = ROUND_NANOS;
        turns.start();
        assertThat(loop.runTasks()).isLessThan(ROUNDS_MAX);
        Scheduled rest = loop.first();
        assertThat(rest.nanos).isZero();
        assertThat(loop.scheduled).isEmpty();

        // Whoever posts meanwhile gives the loop nothing to run.
        turns.wake();
        assertThat(loop.tasks).isEmpty();
        int before = rounds.get();
        pause = HOUR_NANOS;
        takesNanos = 0;
        rest.task.run();
        assertThat(rounds).hasValue(before + 1);
        pause = 0;
        turns.wake();
        assertThat(loop.tasks).hasSize(1);
    }

    // Somebody woke it just before it rests.
    @Test
    void wakeUpInTheLastTurnDoesNotEndTheRest() {
        pause = 0;
        takesNanos = 100 * ROUND_NANOS;
        duringTurn = turns::wake;
        turns.start();
        assertThat(loop.runTasks()).isEqualTo(2);
        assertThat(rounds).hasValue(1);
        loop.first().task.run();
        assertThat(rounds).hasValue(2);
    }

    @Test
    void alarmsThatAnEarlierOneHasReplacedCostNoTurns() {
        for (int i = 0; i < 10; i++) {
            pause = HOUR_NANOS / (i + 1);
            turns.wake();
            loop.runTasks();
        }
        assertThat(rounds).hasValue(10);
        Scheduled last = loop.scheduled.remove(loop.scheduled.size() - 1);
        assertThat(last.nanos).isEqualTo(HOUR_NANOS / 10);
        assertThat(loop.scheduled).hasSize(9);
        loop.scheduled.forEach(earlier -> earlier.task.run());
        assertThat(rounds).hasValue(10);
        last.task.run();
        assertThat(rounds).hasValue(11);
    }

    @Test
    void onePauseHasOneAlarm() {
        turns.wake();
        loop.runTasks();
        turns.wake();
        loop.runTasks();
        assertThat(rounds).hasValue(2);
        assertThat(loop.scheduled).hasSize(1);
    }

    // A node whose heartbeats wait for an alarm that never comes would be heard only when it is asked.
    @Test
    void anAlarmThatIsLostIsSetAgain() {
        pause = 1;
        turns.wake();
        loop.runTasks();
        loop.scheduled.clear();
        turns.wake();
        loop.runTasks();
        assertThat(loop.scheduled).hasSize(1);
    }

    static List<Throwable> faults() {
        return List.of(
                new OutOfMemoryError("thrown by the test"),
                new IllegalStateException("thrown by the test"),
                new IOException("thrown by the test, undeclared"));
    }

    /** The watch asks for turns that do not come by themselves, and the loop takes them. */
    private void assertThatTheWatchAsks() {
        int before = rounds.get();
        assertThat(turns.look()).isTrue();
        assertThat(turns.look()).isTrue();
        assertThat(loop.runTasks()).isEqualTo(1);
        assertThat(rounds).hasValue(before + 1);
        assertThat(gone).hasValue(0);
    }

    // Another thread may never wake it: a node alone, for example, has nothing but its alarms.
    @ParameterizedTest
    @MethodSource("faults")
    void watchAsksALoopThatCouldNotBeToldWhenItIsDue(Throwable fault) {
        turns.wake();
        Runnable run = loop.tasks.poll();
        loop.fault = fault;
        assertThat(catchThrowable(run::run)).as("the loop learns it").isSameAs(fault);
        assertThat(loop.scheduled).isEmpty();
        assertThatTheWatchAsks();
        assertThat(loop.scheduled).hasSize(1);
    }

    @ParameterizedTest
    @MethodSource("faults")
    void watchAsksALoopThatCouldNotRest(Throwable fault) {
        pause = 0;
        takesNanos = 100 * ROUND_NANOS;
        turns.wake();
        Runnable run = loop.tasks.poll();
        loop.fault = fault;
        assertThat(catchThrowable(run::run)).isSameAs(fault);
        pause = HOUR_NANOS;
        takesNanos = 0;
        assertThatTheWatchAsks();
    }

    // A rest that never ends counts as awake, so wake-ups do nothing.
    @Test
    void watchAsksALoopThatHasLostTheRest() {
        pause = 0;
        takesNanos = 100 * ROUND_NANOS;
        turns.start();
        loop.runTasks();
        loop.scheduled.clear();
        turns.wake();
        assertThat(loop.tasks).isEmpty();
        pause = HOUR_NANOS;
        takesNanos = 0;
        assertThatTheWatchAsks();
    }

    // A loop that is held up must not gather tasks, so they become rarer.
    @Test
    void watchAsksALoopThatIsHeldUpMoreAndMoreRarely() {
        turns.wake();
        loop.runTasks();
        for (int i = 0; i < 1_000; i++) {
            turns.look();
        }
        assertThat(loop.tasks).hasSize(10);
        loop.fault = new OutOfMemoryError("thrown by the test");
        loop.runTasks();
        assertThat(catchThrowable(turns::look)).isNull();
        assertThat(loop.tasks).as("there were turns").isEmpty();
    }

    @Test
    void watchAsksAgainIfThereWasNoMemoryForIt() {
        turns.wake();
        loop.runTasks();
        turns.look();
        // The watch has others to look after.
        loop.fault = new OutOfMemoryError("thrown by the test");
        assertThat(catchThrowable(turns::look)).isNull();
        assertThat(turns.look()).isTrue();
        assertThat(loop.runTasks()).isEqualTo(1);
        assertThat(rounds).hasValue(2);
        assertThat(gone).hasValue(0);
    }

    // The loop may have taken it, and lack the memory to run it.
    @Test
    void watchAsksAgainIfTheLoopHasLostTheTask() {
        turns.wake();
        loop.runTasks();
        turns.look();
        turns.look();
        loop.tasks.clear();
        assertThatTheWatchAsks();
    }

    // A loop on another thread may be faster than the one that asks it.
    @Test
    void watchAsksAgainAfterALoopThatAnswersImmediately() {
        turns.wake();
        loop.runTasks();
        loop.isImmediate = true;
        turns.look();
        turns.look();
        assertThat(rounds).hasValue(2);
        turns.look();
        turns.look();
        assertThat(rounds).hasValue(3);
    }

    // Its node would be silent for ever, and keep the watch from the others.
    @Test
    void aLoopThatThrowsWheneverItIsAskedIsGone() {
        turns.wake();
        loop.runTasks();
        turns.look();
        loop.fault = new IllegalStateException("thrown by the test");
        assertThat(catchThrowable(turns::look)).isNull();
        assertThat(gone).hasValue(1);
        assertThat(rounds).hasValue(2);
    }

    // Ten thousand latches that close after the end would take minutes, one round each second.
    @Test
    void watchTakesTheNextTurnsImmediatelyIfThereIsMoreWork() throws Exception {
        CountDownLatch many = new CountDownLatch(ROUNDS_MAX);
        Watch own = new Watch(Daemons.named("watch"));
        LoopTurns busy = new LoopTurns(
                loop,
                () -> {
                    many.countDown();
                    return many.getCount() == 0 ? TurnTaker.OVER : 0;
                },
                gone::incrementAndGet,
                own);
        loop.fault = new RejectedExecutionException("closed, by the test");
        busy.start();
        assertThat(many.await(10, TimeUnit.MINUTES)).isTrue();
        assertThat(gone).hasValue(ROUNDS_MAX);
    }

    // Netty's does when an error comes between its tasks, and runs none of those that wait.
    @Test
    void watchTakesTheTurnsOfALoopWhoseThreadHasDied() throws Exception {
        turns.start();
        Thread dies = new Thread(loop::runTasks);
        dies.start();
        dies.join();
        assertThat(turns.isCurrent()).isFalse();
        loop.scheduled.clear();
        assertThat(turns.look()).isTrue();
        assertThat(gone).hasValue(1);
        assertThat(rounds).hasValue(2);
        assertThat(turns.isCurrent()).isTrue();
        turns.wake();
        assertThat(loop.tasks).as("the watch is woken").isEmpty();
        pause = TurnTaker.OVER;
        assertThat(turns.look()).isFalse();
        assertThat(turns.isOver()).isTrue();
    }

    @Test
    void aWakeUpThatFailsIsTriedAgain() {
        loop.fault = new OutOfMemoryError("thrown by the test");
        assertThatExceptionOfType(OutOfMemoryError.class).isThrownBy(turns::wake);
        turns.wake();
        assertThat(loop.runTasks()).isEqualTo(1);
        assertThat(rounds).hasValue(1);
    }

    @Test
    void watchTakesTheTurnsOfALoopThatRefuses() {
        loop.fault = new RejectedExecutionException("closed, by the test");
        turns.wake();
        assertThat(gone).hasValue(0);
        assertThat(turns.look()).isTrue();
        assertThat(gone).hasValue(1);
        assertThat(rounds).hasValue(1);
    }

    // To tell of the end takes memory, which may be lacking.
    @Test
    void watchTriesAgainToTellThatALoopIsGone() {
        AtomicInteger asked = new AtomicInteger();
        LoopTurns left = new LoopTurns(
                loop,
                this::take,
                () -> {
                    if (asked.incrementAndGet() == 1) {
                        throw new OutOfMemoryError("thrown by the test");
                    }
                },
                watch);
        loop.fault = new RejectedExecutionException("closed, by the test");
        left.wake();
        assertThatExceptionOfType(OutOfMemoryError.class).isThrownBy(left::look);
        assertThat(left.look()).isTrue();
        assertThat(asked).hasValue(2);
        assertThat(rounds).hasValue(1);
    }

    // A node that could not be told of the end of its transport does not begin.
    @Test
    void turnsDoNotBeginWithoutAThreadForTheWatch() {
        LoopTurns alone = new LoopTurns(loop, this::take, gone::incrementAndGet, new Watch(work -> {
            throw new OutOfMemoryError("unable to create native thread, by the test");
        }));
        assertThatExceptionOfType(OutOfMemoryError.class).isThrownBy(alone::start);
        assertThat(loop.tasks).isEmpty();
    }

    @Test
    void turnsThatAreOverSetNothing() {
        pause = TurnTaker.OVER;
        turns.start();
        assertThat(loop.runTasks()).isEqualTo(1);
        assertThat(loop.scheduled).isEmpty();
    }
}
