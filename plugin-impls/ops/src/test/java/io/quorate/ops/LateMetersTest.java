package io.quorate.ops;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.quorate.testkit.Deadline;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

/** Meters that come and go while a node runs: whose thread does the work, and what it survives. */
class LateMetersTest {

    private static final AtomicInteger TESTS = new AtomicInteger();

    /** Another one for each test: a thread ends a moment after its meters are closed. */
    private final String threadName = "quorate-meters-of-test-" + TESTS.incrementAndGet();

    private final MeterRegistry registry = new SimpleMeterRegistry();

    private List<Thread> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals(threadName))
                .toList();
    }

    private List<Meter> counter(String name) {
        return List.of(Counter.builder(name).register(registry));
    }

    private static void await(BooleanSupplier condition) {
        Deadline.await(condition, () -> "the thread that registers meters");
    }

    private void await(String name) {
        await(() -> registry.find(name).counter() != null);
    }

    // At the limit of threads a start throws OutOfMemoryError, and on the node's thread that ends all leadership.
    @Test
    void noThreadIsStartedForAChange() throws InterruptedException {
        LateMeters late = new LateMeters(threadName, registry);
        List<Thread> before = threads();
        assertThat(before).hasSize(1).allMatch(Thread::isDaemon);
        CompletableFuture<Thread> worker = new CompletableFuture<>();
        late.put("one", () -> {
            worker.complete(Thread.currentThread());
            return counter("one");
        });
        assertThat(worker.join()).isSameAs(before.get(0));
        await("one");
        late.close();
        assertThat(registry.getMeters()).isEmpty();
        before.get(0).join();
    }

    // Such as that of a class which the application's registry lacks.
    @Test
    void anErrorOfARegistryEndsNoOtherMeters() {
        try (LateMeters late = new LateMeters(threadName, registry)) {
            CompletableFuture<Void> thrown = new CompletableFuture<>();
            late.put("bad", () -> {
                thrown.complete(null);
                throw new NoClassDefFoundError("of the test");
            });
            thrown.join();
            late.put("good", () -> counter("good"));
            await("good");
            registry.config().onMeterRemoved(meter -> {
                throw new NoClassDefFoundError("of the test");
            });
            late.remove("good");
            await(() -> registry.find("good").counter() == null);
            late.put("next", () -> counter("next"));
            await("next");
        }
    }

    // An interruption is no reason to run in circles, and none to end.
    @Test
    void anInterruptedThreadGoesOn() {
        try (LateMeters late = new LateMeters(threadName, registry)) {
            Thread worker = threads().get(0);
            worker.interrupt();
            await(() -> !worker.isInterrupted() && worker.getState() == Thread.State.WAITING);
            late.put("one", () -> counter("one"));
            await("one");
        }
    }
}
