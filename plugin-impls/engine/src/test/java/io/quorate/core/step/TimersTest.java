package io.quorate.core.step;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TimersTest {

    private final Timers timers = new Timers();
    private final List<String> ran = new ArrayList<>();

    @Test
    void dueTimersRunInOrderOfDeadlineThenOfSetting() {
        timers.set(20, () -> ran.add("c"));
        timers.set(10, () -> ran.add("a"));
        timers.set(10, () -> ran.add("b"));
        timers.run(9);
        assertThat(ran).isEmpty();
        timers.run(10);
        assertThat(ran).containsExactly("a", "b");
        assertThat(timers.next(99)).isEqualTo(20);
    }

    @Test
    void cancelledTimerNeverRunsAndIsNotWaitedFor() {
        Timers.Handle handle = timers.set(10, () -> ran.add("a"));
        handle.cancel();
        handle.cancel();
        timers.run(50);
        assertThat(ran).isEmpty();
        assertThat(timers.next(99)).isEqualTo(99);
        assertThat(timers.size()).isZero();
    }

    // A heartbeat timer that is replaced a million times must not leave a million behind.
    @Test
    void cancelledTimersDoNotPileUp() {
        timers.set(1_000_000, () -> ran.add("last"));
        for (int i = 0; i < 10_000; i++) {
            timers.set(2_000_000, () -> ran.add("never")).cancel();
        }
        assertThat(timers.queueLength()).isLessThan(200);
        timers.run(3_000_000);
        assertThat(ran).containsExactly("last");
    }

    @Test
    void timesMayWrap() {
        timers.set(Long.MIN_VALUE + 5, () -> ran.add("later"));
        timers.set(Long.MAX_VALUE, () -> ran.add("sooner"));
        timers.run(Long.MAX_VALUE);
        assertThat(ran).containsExactly("sooner");
        timers.run(Long.MIN_VALUE + 5);
        assertThat(ran).containsExactly("sooner", "later");
    }
}
