package io.quorate;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.testkit.Deadline;
import io.quorate.testkit.simulation.FakeEngine;
import io.quorate.testkit.simulation.FakeEngine.FakeCandidacy;
import java.lang.reflect.Field;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the contract cannot show of a selector: a tenure that ends by itself, and the thread in the pause. */
@Timeout(60)
class LeaderSelectorTest {

    private final FakeEngine engine = new FakeEngine();
    private final ElectionClient client = ElectionClient.over(engine);
    private final AtomicReference<Thread> thread = new AtomicReference<>();
    private final ExecutorService executor = Executors.newSingleThreadExecutor(task -> {
        thread.set(new Thread(task));
        return thread.get();
    });

    @BeforeEach
    void startClient() {
        client.start();
    }

    @AfterEach
    void closeClient() {
        client.close();
        executor.shutdownNow();
    }

    private LeaderSelector selector(Callable<?> turn) {
        return new LeaderSelector(client, "/p", executor, new LeaderSelectorListenerAdapter() {
            @Override
            public void takeLeadership(ElectionClient source) throws Exception {
                turn.call();
            }
        });
    }

    private FakeCandidacy started(LeaderSelector selector) {
        selector.start();
        Deadline.until(() -> !engine.candidacies().isEmpty(), selector);
        return engine.last();
    }

    // The connection is as before: it is not the connection listener that ends the turn.
    @Test
    void theEndOfItsTenureInterruptsTheListener() {
        CountDownLatch isLeading = new CountDownLatch(1);
        CountDownLatch isInterrupted = new CountDownLatch(1);
        LeaderSelector selector = selector(() -> {
            isLeading.countDown();
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                isInterrupted.countDown();
            }
            return null;
        });
        FakeCandidacy candidacy = started(selector);
        candidacy.grant(1);
        Deadline.await(isLeading, selector);
        assertThat(selector.hasLeadership()).isTrue();
        candidacy.end();
        Deadline.await(isInterrupted, selector);
        assertThat(selector.hasLeadership()).isFalse();
        Deadline.until(() -> candidacy.leaves() == 1, selector);
        selector.close();
    }

    // The thread belongs to the application, which may need it for something else, or wait for its end.
    @Test
    void closingEndsThePauseAfterAListenerThatThrew() throws Exception {
        LeaderSelector selector = selector(() -> {
            throw new IllegalStateException("the listener's failure");
        });
        longestPause(selector);
        selector.autoRequeue();
        FakeCandidacy candidacy = started(selector);
        candidacy.grant(1);
        Deadline.until(
                () -> candidacy.leaves() == 1 && thread.get().getState() == Thread.State.TIMED_WAITING, selector);
        Future<?> next = executor.submit(() -> {});
        assertThat(next.isDone()).as("it pauses").isFalse();
        selector.close();
        // Half of the pause, which is that much longer than any machine takes for nothing.
        next.get(5, TimeUnit.SECONDS);
        assertThat(engine.candidacies()).hasSize(1);
    }

    // Doubled with each listener that throws, it takes twenty seconds to get there.
    private static void longestPause(LeaderSelector selector) throws ReflectiveOperationException {
        Field pause = LeaderSelector.class.getDeclaredField("pauseMillis");
        pause.setAccessible(true);
        pause.set(selector, 10_000L);
    }
}
