package io.quorate;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.runtime.SerialDispatcher;
import java.lang.reflect.Field;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.function.BooleanSupplier;

/** A listener that notes what it is told and by which thread, and the waits that the tests of latches need. */
final class Recorder implements LeaderLatchListener {

    /** How long anything may take before a test fails, in seconds. */
    static final long DEADLINE_SECONDS = 20;

    final List<String> events;
    final List<Thread> threads = new CopyOnWriteArrayList<>();
    private final String name;

    Recorder() {
        this("", new CopyOnWriteArrayList<>());
    }

    /** Writes into a list shared with others, each line with the name before it. */
    Recorder(String name, List<String> events) {
        this.name = name;
        this.events = events;
    }

    @Override
    public void isLeader() {
        threads.add(Thread.currentThread());
        events.add(name + "isLeader");
    }

    @Override
    public void notLeader() {
        threads.add(Thread.currentThread());
        events.add(name + "notLeader");
    }

    /** Waits until the latch's serial queue has run everything that was queued by now. */
    static void drain(LeaderLatch latch) {
        CountDownLatch isDrained = new CountDownLatch(1);
        queueOf(latch).execute(isDrained::countDown);
        await(isDrained, latch);
    }

    /** Waits with a deadline; the failure shows {@code state}. */
    static void await(CountDownLatch gate, Object state) {
        try {
            assertThat(gate.await(DEADLINE_SECONDS, SECONDS)).as("still waiting: %s", state).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError("interrupted: " + state, e);
        }
    }

    /**
     * Waits until the condition holds, with a deadline; for what has no event to wait for, such as a thread's state.
     */
    static void until(BooleanSupplier condition, Object state) {
        long deadline = System.nanoTime() + SECONDS.toNanos(DEADLINE_SECONDS);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime() - deadline).as("still waiting: %s", state).isNegative();
            Thread.onSpinWait();
        }
    }

    // The queue is private on purpose; a test has no other way to know that nothing more will come.
    private static SerialDispatcher queueOf(LeaderLatch latch) {
        try {
            Field contender = LeaderLatch.class.getDeclaredField("contender");
            contender.setAccessible(true);
            Field dispatcher = LatchContender.class.getDeclaredField("dispatcher");
            dispatcher.setAccessible(true);
            return (SerialDispatcher) dispatcher.get(contender.get(latch));
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }
}
