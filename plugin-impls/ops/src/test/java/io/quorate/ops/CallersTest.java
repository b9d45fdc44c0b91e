package io.quorate.ops;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.eclipse.jetty.io.ByteArrayEndPoint;
import org.eclipse.jetty.util.thread.ScheduledExecutorScheduler;
import org.eclipse.jetty.util.thread.Scheduler;
import org.junit.jupiter.api.Test;

/** Who may stay, on a clock of the test. */
class CallersTest {

    private static final Duration LIMIT = Duration.ofSeconds(10);

    /** What is to be done, and when. */
    private record Task(Runnable work, long at) {}

    private final AtomicLong now = new AtomicLong();
    private final List<Task> tasks = new ArrayList<>();
    private final List<String> news = new ArrayList<>();
    private final Scheduler scheduler = new ScheduledExecutorScheduler() {
        @Override
        public Scheduler.Task schedule(Runnable work, long delay, TimeUnit unit) {
            tasks.add(new CallersTest.Task(work, now.get() + unit.toNanos(delay)));
            return () -> false;
        }
    };
    private final Callers callers = new Callers(LIMIT, scheduler, now::get, news::add);

    private ByteArrayEndPoint opened() {
        ByteArrayEndPoint endPoint = new ByteArrayEndPoint();
        callers.opened(endPoint);
        return endPoint;
    }

    private ByteArrayEndPoint opened(String from) {
        InetSocketAddress address = new InetSocketAddress(from, 1);
        ByteArrayEndPoint endPoint = new ByteArrayEndPoint() {
            @Override
            public SocketAddress getRemoteSocketAddress() {
                return address;
            }
        };
        callers.opened(endPoint);
        return endPoint;
    }

    private void pass(Duration time) {
        long end = now.get() + time.toNanos();
        while (true) {
            Task next =
                    tasks.stream().filter(task -> task.at() <= end).findFirst().orElse(null);
            if (next == null) {
                now.set(end);
                return;
            }
            tasks.remove(next);
            now.set(Math.max(now.get(), next.at()));
            next.work().run();
        }
    }

    @Test
    void eachPartHasTheWholeTime() {
        ByteArrayEndPoint caller = opened();
        pass(LIMIT.minusSeconds(1));
        callers.waits(caller, () -> {});
        pass(LIMIT.minusSeconds(1));
        assertThat(caller.isOpen()).isTrue();
        callers.enter(caller, Callers.Phase.READS, null);
        callers.asks(caller);
        pass(LIMIT.minusSeconds(1));
        // Its answer is known at once.
        callers.enter(caller, Callers.Phase.READS, null);
        pass(LIMIT.minusSeconds(1));
        assertThat(caller.isOpen()).isTrue();
        pass(Duration.ofSeconds(3));
        assertThat(caller.isOpen()).isFalse();
    }

    @Test
    void workAndItsAnswerShareOneTime() {
        ByteArrayEndPoint caller = opened();
        callers.waits(caller, () -> {});
        pass(LIMIT.minusSeconds(1));
        callers.enter(caller, Callers.Phase.READS, null);
        pass(Duration.ofSeconds(3));
        assertThat(caller.isOpen()).isFalse();
    }

    @Test
    void workingRequestIsToldOnceThatItsTimeIsOver() {
        List<String> late = new ArrayList<>();
        ByteArrayEndPoint caller = opened();
        callers.waits(caller, () -> late.add("late"));
        pass(LIMIT.multipliedBy(3));
        assertThat(caller.isOpen()).isFalse();
        assertThat(late).containsExactly("late");
    }

    @Test
    void pagesThatListenHaveNoEndHere() {
        ByteArrayEndPoint caller = opened();
        callers.enter(caller, Callers.Phase.LISTENS, null);
        pass(LIMIT.multipliedBy(10));
        assertThat(caller.isOpen()).isTrue();
    }

    /** A flood of connections is over sooner than the request of a probe on a busy machine is there. */
    @Test
    void crowdLosesItsOwnConnections() {
        ByteArrayEndPoint probe = opened("10.0.0.1");
        List<ByteArrayEndPoint> crowd = new ArrayList<>();
        for (int i = 0; i < 3 * Callers.MAX; i++) {
            crowd.add(opened("10.0.0.2"));
        }
        assertThat(probe.isOpen()).isTrue();
        assertThat(crowd).filteredOn(ByteArrayEndPoint::isOpen).hasSize(Callers.MAX - 1);
    }

    @Test
    void theLongestIdleGoesAndNoneThatWaits() {
        List<ByteArrayEndPoint> all = new ArrayList<>();
        for (int i = 0; i < Callers.MAX; i++) {
            all.add(opened());
        }
        callers.waits(all.get(0), () -> {});
        callers.enter(all.get(1), Callers.Phase.LISTENS, null);
        // It has just asked, and begins to wait for its next turn anew.
        callers.waits(all.get(2), () -> {});
        callers.enter(all.get(2), Callers.Phase.READS, null);
        callers.asks(all.get(2));
        opened();
        assertThat(all).filteredOn(caller -> !caller.isOpen()).containsExactly(all.get(3));
        callers.enter(all.get(4), Callers.Phase.READS, null);
        for (int i = 5; i < Callers.MAX; i++) {
            opened();
        }
        assertThat(all)
                .filteredOn(ByteArrayEndPoint::isOpen)
                .containsExactly(all.get(0), all.get(1), all.get(2), all.get(4));
        assertThat(news).hasSize(1);
        pass(Duration.ofMinutes(2));
        for (int i = 0; i <= Callers.MAX; i++) {
            opened();
        }
        assertThat(news).hasSize(2);
    }

    // Probes do not wait, and no address can take all places of the others.
    @Test
    void oneAddressHasAFewRequestsThatWait() {
        List<ByteArrayEndPoint> crowd = new ArrayList<>();
        for (int i = 0; i < Callers.REQUESTS_MAX; i++) {
            crowd.add(opened("10.0.0.2"));
            assertThat(callers.waits(crowd.get(i), () -> {})).isTrue();
        }
        ByteArrayEndPoint more = opened("10.0.0.2");
        assertThat(callers.waits(more, () -> {})).isFalse();
        assertThat(callers.waits(opened("10.0.0.1"), () -> {})).isTrue();
        callers.enter(crowd.get(0), Callers.Phase.READS, null);
        assertThat(callers.waits(more, () -> {}))
                .as("one has not read its answer")
                .isFalse();
        callers.asks(crowd.get(0));
        assertThat(callers.waits(more, () -> {})).isTrue();
        callers.closed(crowd.get(1));
        assertThat(callers.waits(opened("10.0.0.2"), () -> {})).isTrue();
        assertThat(callers.waits(opened("10.0.0.2"), () -> {})).isFalse();
    }

    @Test
    void nonReadingCallerIsClosed() {
        List<ByteArrayEndPoint> all = new ArrayList<>();
        for (int i = 0; i < Callers.MAX; i++) {
            all.add(opened("10.0.0." + i / Callers.REQUESTS_MAX));
            callers.waits(all.get(i), () -> {});
            callers.enter(all.get(i), Callers.Phase.READS, null);
        }
        assertThat(opened("10.0.0.0").isOpen()).isTrue();
        assertThat(all).filteredOn(caller -> !caller.isOpen()).containsExactly(all.get(0));
    }

    @Test
    void ifAllWaitTheNewOneGoes() {
        for (int i = 0; i < Callers.MAX; i++) {
            callers.waits(opened("10.0.0." + i / Callers.REQUESTS_MAX), () -> {});
        }
        assertThat(opened().isOpen()).isFalse();
    }

    @Test
    void closedCallerMakesRoom() {
        for (int i = 0; i < 2 * Callers.MAX; i++) {
            callers.closed(opened());
        }
        assertThat(news).isEmpty();
    }

    @Test
    void nothingStaysAndNothingComesAfterItsEnd() {
        ByteArrayEndPoint caller = opened();
        callers.close();
        assertThat(caller.isOpen()).isFalse();
        assertThat(opened().isOpen()).isFalse();
        assertThat(news).isEmpty();
    }
}
