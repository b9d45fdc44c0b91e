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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.eclipse.microprofile.reactive.messaging.Incoming;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A channel flows where the path of its leader-only method is led. SmallRye's channels are in integration-tests. */
class LeaderChannelsTest {

    private static final String PATH = "/app/orders";
    private static final Map<String, String> PAUSABLE = Map.of(
            "mp.messaging.incoming.orders.pausable", "true",
            "mp.messaging.incoming.orders.initially-paused", "true");

    @RegisterExtension
    final SimulatedCluster cluster = SimulatedClusterExtension.ofVoters(3);

    /** A channel of one node. */
    private static final class Channel implements PausableChannel {
        private volatile boolean isPaused = true;

        @Override
        public boolean isPaused() {
            return isPaused;
        }

        @Override
        public void pause() {
            isPaused = true;
        }

        @Override
        public void resume() {
            isPaused = false;
        }
    }

    @Singleton
    static class Channels {
        final Channel orders = new Channel();

        @Produces
        @Singleton
        ChannelRegistry registry() {
            return (ChannelRegistry) Proxy.newProxyInstance(
                    ChannelRegistry.class.getClassLoader(),
                    new Class<?>[] {ChannelRegistry.class},
                    (proxy, method, arguments) -> {
                        assertThat(method.getName()).isEqualTo("getPausable");
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

    // The channel is paused first: otherwise the message after this one would be taken.
    @Test
    void nextProcessWaitsForTheMessageThatIsProcessed() throws Exception {
        try (Application first = on("n1");
                Application second = on("n2")) {
            await(() -> !channel(first).isPaused() || !channel(second).isPaused());
            boolean isFirst = !channel(first).isPaused();
            Application leads = isFirst ? first : second;
            Application follows = isFirst ? second : first;
            Orders orders = leads.get(Orders.class);
            orders.goesOn = new CountDownLatch(1);
            CompletableFuture<Void> receiving = CompletableFuture.runAsync(() -> {
                try {
                    orders.receive("1");
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            });
            assertThat(orders.begun.await(10, TimeUnit.MINUTES)).isTrue();
            cluster.client(isFirst ? "n1" : "n2").standby(true);
            await(() -> channel(leads).isPaused());
            cluster.advance(Duration.ofSeconds(5));
            assertThat(channel(follows).isPaused()).isTrue();
            orders.goesOn.countDown();
            await(() -> !channel(follows).isPaused());
            receiving.get(10, TimeUnit.MINUTES);
            assertThat(orders.received).containsExactly("1");
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

    @Test
    void channelThatIsNotPausedAtItsBeginningIsRefused() {
        assertThatThrownBy(() -> Application.with(
                        cluster.client("n1"),
                        Map.of("mp.messaging.incoming.orders.pausable", "true"),
                        Orders.class,
                        Channels.class))
                .hasStackTraceContaining(
                        "channel 'orders' of a @LeaderOnly method: must be paused where this process does "
                                + "not lead: set mp.messaging.incoming.orders.initially-paused=true");
    }
}
