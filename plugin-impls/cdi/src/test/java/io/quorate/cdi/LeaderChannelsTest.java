package io.quorate.cdi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.leaderonly.LeaderOnly;
import io.quorate.testkit.Deadline;
import io.quorate.testkit.SimulatedCluster;
import io.quorate.testkit.SimulatedClusterExtension;
import io.smallrye.reactive.messaging.ChannelRegistry;
import io.smallrye.reactive.messaging.PausableChannel;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.eclipse.microprofile.reactive.messaging.Incoming;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A channel flows where the path of its leader-only method is led. */
class LeaderChannelsTest {

    private static final String PATH = "/app/orders";
    private static final String PREFIX = "mp.messaging.incoming.orders.";
    private static final Map<String, String> PAUSABLE = Map.of(
            PREFIX + "connector", "smallrye-kafka",
            PREFIX + "pausable", "true",
            PREFIX + "initially-paused", "true");

    @RegisterExtension
    final SimulatedCluster cluster = SimulatedClusterExtension.ofVoters(3);

    /** A channel of one node. */
    private static final class Channel implements PausableChannel {
        private volatile boolean isPaused = true;
        private volatile Runnable whenPaused = () -> {};
        private volatile Runnable beforeResumed = () -> {};
        private volatile Runnable whenResumed = () -> {};

        @Override
        public boolean isPaused() {
            return isPaused;
        }

        @Override
        public void pause() {
            whenPaused.run();
            isPaused = true;
        }

        @Override
        public void resume() {
            beforeResumed.run();
            isPaused = false;
            whenResumed.run();
        }
    }

    @Singleton
    static class Channels {
        final Channel orders = new Channel();
        final List<Thread> asked = new CopyOnWriteArrayList<>();

        @Produces
        @Singleton
        ChannelRegistry registry() {
            return (ChannelRegistry) Proxy.newProxyInstance(
                    ChannelRegistry.class.getClassLoader(),
                    new Class<?>[] {ChannelRegistry.class},
                    (proxy, method, arguments) -> {
                        assertThat(method.getName()).isEqualTo("getPausable");
                        asked.add(Thread.currentThread());
                        return arguments[0].equals("orders") ? orders : null;
                    });
        }
    }

    @Singleton
    static class Orders {
        final List<String> received = new CopyOnWriteArrayList<>();
        final CountDownLatch begun = new CountDownLatch(1);
        volatile CountDownLatch goesOn = new CountDownLatch(0);

        @Incoming("orders")
        @LeaderOnly(PATH)
        void receive(String order) throws InterruptedException {
            begun.countDown();
            assertThat(goesOn.await(10, TimeUnit.MINUTES)).isTrue();
            received.add(order);
        }
    }

    private Application on(String node) {
        return Application.with(cluster.client(node), PAUSABLE, Orders.class, Channels.class);
    }

    private static Channel channel(Application application) {
        return application.get(Channels.class).orders;
    }

    private void await(BooleanSupplier condition) {
        Deadline.repeat(() -> cluster.advance(Duration.ofNanos(500_000)), condition, () -> "");
    }

    @Test
    void channelFlowsOnTheLeaderAlone() {
        try (Application first = on("n1")) {
            await(() -> !channel(first).isPaused());
            try (Application second = on("n2")) {
                cluster.advance(Duration.ofSeconds(5));
                assertThat(channel(second).isPaused()).isTrue();
                cluster.isolate("n1");
                await(() -> channel(first).isPaused() && !channel(second).isPaused());
                cluster.heal();
                cluster.client("n2").standby(true);
                await(() -> !channel(first).isPaused() && channel(second).isPaused());
            }
        }
    }

    // A channel delivers what it has buffered before its resume() returns.
    @Test
    void channelThatDeliversMessagesWhileItResumesIsPaused() {
        try (Application first = on("n1")) {
            Channel orders = channel(first);
            orders.whenResumed = () -> {
                while (!orders.isPaused()) {
                    // Justification: looks again soon.
                    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
                }
            };
            await(() -> !orders.isPaused());
            cluster.isolate("n1");
            await(orders::isPaused);
        }
    }

    // The thread that resumes it may stand still between the question and the call.
    @Test
    void channelThatIsResumedAfterTheLossIsPausedByTheSameThread() {
        try (Application first = on("n1")) {
            Channel orders = channel(first);
            AtomicReference<Thread> resuming = new AtomicReference<>();
            CountDownLatch lost = new CountDownLatch(1);
            List<Thread> pausing = new CopyOnWriteArrayList<>();
            orders.beforeResumed = () -> {
                resuming.set(Thread.currentThread());
                awaitQuietly(lost);
            };
            orders.whenPaused = () -> pausing.add(Thread.currentThread());
            await(() -> resuming.get() != null);
            cluster.isolate("n1");
            await(() -> !first.get(LeaderLatches.class).mayBegin(PATH));
            lost.countDown();
            // The thread that looks may have seen it flow, and paused it too.
            await(() -> pausing.contains(resuming.get()));
        }
    }

    @Test
    void nextProcessWaitsForAnAttemptToResumeThatStandsStill() {
        try (Application first = on("n1")) {
            Channel orders = channel(first);
            CountDownLatch begun = new CountDownLatch(1);
            CountDownLatch goesOn = new CountDownLatch(1);
            orders.beforeResumed = () -> {
                begun.countDown();
                awaitQuietly(goesOn);
            };
            await(() -> begun.getCount() == 0);
            try (Application second = on("n2")) {
                cluster.client("n1").standby(true);
                long begin = System.nanoTime();
                // Justification: a lower bound. After it the next process would lead if nothing held it up.
                while (System.nanoTime() - begin < TimeUnit.SECONDS.toNanos(2)) {
                    cluster.advance(Duration.ofMillis(10));
                    // Justification: looks again soon.
                    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
                }
                assertThat(channel(second).isPaused()).isTrue();
                goesOn.countDown();
                await(() -> !channel(second).isPaused());
                assertThat(orders.isPaused()).isTrue();
            }
        }
    }

    @Test
    void channelThatCannotBeResumedIsTriedAgainByTheNextLook() {
        try (Application first = on("n1")) {
            Channel orders = channel(first);
            CountDownLatch tried = new CountDownLatch(2);
            orders.beforeResumed = () -> {
                tried.countDown();
                throw new IllegalStateException("cannot be resumed");
            };
            await(() -> tried.getCount() == 0);
            // A thread that has failed to resume it does not look, and so does not start the next one.
            assertThat(first.get(Channels.class).asked)
                    .containsOnly(first.get(Channels.class).asked.get(0));
        }
    }

    // Nothing is processed before the channel is paused. So the next process waits for the message only if the pause
    // comes before the question what is processed.
    @Test
    void nextProcessWaitsForTheMessageThatIsTakenAsTheChannelPauses() throws Exception {
        try (Application first = on("n1");
                Application second = on("n2")) {
            await(() -> !channel(first).isPaused() || !channel(second).isPaused());
            boolean isFirst = !channel(first).isPaused();
            Application leads = isFirst ? first : second;
            Application follows = isFirst ? second : first;
            Orders orders = leads.get(Orders.class);
            orders.goesOn = new CountDownLatch(1);
            CompletableFuture<Void> received = new CompletableFuture<>();
            channel(leads).whenPaused = () -> {
                CompletableFuture.runAsync(() -> receive(orders)).thenRun(() -> received.complete(null));
                awaitQuietly(orders.begun);
            };
            cluster.client(isFirst ? "n1" : "n2").standby(true);
            await(() -> channel(leads).isPaused());
            cluster.advance(Duration.ofSeconds(5));
            assertThat(channel(follows).isPaused()).isTrue();
            orders.goesOn.countDown();
            await(() -> !channel(follows).isPaused());
            received.get(10, TimeUnit.MINUTES);
            assertThat(orders.received).containsExactly("1");
        }
    }

    private static void receive(Orders orders) {
        try {
            orders.receive("1");
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            assertThat(latch.await(10, TimeUnit.MINUTES)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    // It was taken before the channel was paused: skipped, it would be lost.
    @Test
    void messageThatComesLateIsNotSkipped() throws Exception {
        try (Application first = on("n1")) {
            await(() -> !channel(first).isPaused());
            try (Application second = on("n2")) {
                Orders orders = second.get(Orders.class);
                orders.receive("late");
                assertThat(orders.received).containsExactly("late");
            }
        }
    }

    private void assertRefused(Map<String, String> settings, String message) {
        assertThatThrownBy(() -> Application.with(cluster.client("n1"), settings, Orders.class, Channels.class))
                .hasStackTraceContaining(message);
    }

    private static Map<String, String> with(String key, String value) {
        Map<String, String> settings = new TreeMap<>(PAUSABLE);
        settings.put(PREFIX + key, value);
        return settings;
    }

    @Test
    void channelThatIsNotPausedAtItsBeginningIsRefused() {
        assertRefused(
                with("initially-paused", "false"),
                "channel 'orders' of a @LeaderOnly method: must be paused where this process does not lead: set "
                        + PREFIX + "initially-paused=true");
        // Nothing of it goes on.
        cluster.advance(Duration.ofSeconds(5));
        assertThat(cluster.leader(PATH)).isEmpty();
        assertThat(threads()).isEmpty();
    }

    /** SmallRye pauses channels of connectors only. */
    @Test
    void channelInsideTheApplicationIsRefused() {
        Map<String, String> settings = new TreeMap<>(PAUSABLE);
        settings.remove(PREFIX + "connector");
        assertRefused(
                settings,
                "channel 'orders' of a @LeaderOnly method: must come from a connector, because no other channel can be paused: set "
                        + PREFIX + "connector");
    }

    /** SmallRye makes a channel of another name for each copy. */
    @Test
    void channelOfSeveralCopiesIsRefused() {
        assertRefused(with("concurrency", "3"), PREFIX + "concurrency '3': must be 1");
    }

    @Test
    void closedApplicationEndsItsThread() throws InterruptedException {
        try (Application first = on("n1")) {
            await(() -> !channel(first).isPaused());
        }
        Deadline.until(() -> threads().isEmpty(), threads());
    }

    private static List<Thread> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("quorate-channels"))
                .toList();
    }
}
