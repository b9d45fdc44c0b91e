package io.quorate.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.ElectionClient;
import io.quorate.LeaderLatch;
import io.quorate.Leadership;
import io.quorate.testkit.Deadline;
import io.quorate.testkit.SimulatedCluster;
import io.quorate.testkit.SimulatedClusterExtension;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.ContextConsumer;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;

/** A lifecycle, such as the container of a listener, runs on the leader only; in virtual time. */
class LeaderLifecycleTest {

    private static final String PATH = "/app/orders";

    @RegisterExtension
    final SimulatedCluster cluster = SimulatedClusterExtension.ofVoters(3);

    /** It has stopped when its last message is processed, like the container of a listener. */
    private static class Container implements SmartLifecycle {
        final List<String> calls = new CopyOnWriteArrayList<>();
        private volatile boolean isRunning;
        private boolean isStopping;
        volatile boolean startsByItself;
        volatile int failures;
        volatile boolean startsHalf;
        volatile int failuresToStop;
        volatile boolean isBusy;
        private volatile Runnable whenIdle = () -> {};

        @Override
        public void start() {
            calls.add("start");
            // A container of several consumers may run when the second one fails.
            isRunning = startsHalf;
            if (failures-- > 0) {
                throw new IllegalStateException("thrown by the test");
            }
            isRunning = true;
        }

        @Override
        public void stop() {
            throw new IllegalStateException("its last message would not be waited for");
        }

        @Override
        public synchronized void stop(Runnable callback) {
            calls.add("stop");
            if (failuresToStop-- > 0) {
                throw new IllegalStateException("thrown by the test");
            }
            // Like those of JMS and Kafka, it does not wait at a second call.
            if (isStopping) {
                callback.run();
                return;
            }
            isStopping = true;
            whenIdle = () -> {
                isStopping = false;
                isRunning = false;
                callback.run();
            };
            if (!isBusy) {
                whenIdle.run();
            }
        }

        synchronized void becomesIdle() {
            isBusy = false;
            whenIdle.run();
        }

        @Override
        public boolean isRunning() {
            return isRunning;
        }

        @Override
        public boolean isAutoStartup() {
            return startsByItself;
        }
    }

    private final Container first = new Container();
    private final Container second = new Container();

    /** Makes the lifecycle of its container. */
    record Leads(Container container) {}

    private void both(ContextConsumer<AssertableApplicationContext> check) {
        with("n1", first).run(one -> {
            assertThat(cluster.awaitLeader(PATH)).isEqualTo("n1");
            with("n2", second).run(two -> {
                passTimeUntil(first::isRunning);
                cluster.advance(Duration.ofSeconds(2));
                check.accept(one);
            });
        });
    }

    private ApplicationContextRunner with(String node, Container container) {
        return new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(QuorateAutoConfiguration.class))
                .withBean("electionClient", ElectionClient.class, () -> cluster.client(node))
                .withBean(Leads.class, () -> new Leads(container))
                .withUserConfiguration(Configuration.class);
    }

    static class Configuration {
        @Bean
        LeaderLifecycle leadsOrders(LeaderLatches latches, Leads leads) {
            return new LeaderLifecycle(latches, PATH, leads::container);
        }
    }

    private void passTimeUntil(BooleanSupplier condition) {
        Deadline.repeat(() -> cluster.advance(Duration.ofMillis(1)), condition, cluster::describe);
    }

    private LeaderLatch latch(AssertableApplicationContext context) {
        return context.getBean(LeaderLatches.class).latch(PATH);
    }

    @Test
    void runsOnTheLeaderOnly() {
        both(context -> {
            assertThat(first.calls).containsExactly("start");
            assertThat(second.calls).isEmpty();
        });
        assertThat(first.isRunning()).isFalse();
        assertThat(first.calls).containsExactly("start", "stop");
    }

    @Test
    void theNextLeaderWaitsForTheLastMessage() {
        both(context -> {
            first.isBusy = true;
            cluster.client("n1").transferTo(PATH, "n2");
            passTimeUntil(() -> first.calls.contains("stop"));
            cluster.advance(Duration.ofSeconds(10));
            assertThat(cluster.leader(PATH)).contains("n1");
            assertThat(second.calls).isEmpty();

            first.becomesIdle();
            passTimeUntil(second::isRunning);
            assertThat(cluster.leader(PATH)).contains("n2");
            assertThat(first.isRunning()).isFalse();
        });
    }

    @Test
    void aLeaderThatStaysAfterAllStartsItAgain() {
        both(context -> {
            first.isBusy = true;
            cluster.client("n1").standby(true);
            passTimeUntil(() -> first.calls.contains("stop"));
            cluster.client("n1").standby(false);
            passTimeUntil(() ->
                    latch(context).leadership().filter(now -> !now.isLeaving()).isPresent());
            first.becomesIdle();
            passTimeUntil(first::isRunning);
            assertThat(first.calls).containsExactly("start", "stop", "start");
            assertThat(cluster.leader(PATH)).contains("n1");
        });
    }

    @Test
    void isStoppedWhenTheLeaseIsLost() {
        both(context -> {
            cluster.isolate("n1");
            passTimeUntil(() -> !first.isRunning());
            passTimeUntil(second::isRunning);
            assertThat(cluster.leader(PATH)).contains("n2");
            cluster.heal();
        });
    }

    @Test
    void leaderWhoseLifecycleDoesNotStartGivesLeadershipUp() {
        first.failures = 2;
        with("n1", first).run(one -> with("n2", second).run(two -> {
            passTimeUntil(() -> first.isRunning() || second.isRunning());
            assertThat(first.calls).startsWith("start");
        }));
    }

    @Test
    void lifecycleThatFailsIsStartedAgain() {
        first.failures = 2;
        with("n1", first).run(context -> {
            passTimeUntil(first::isRunning);
            assertThat(first.calls).containsExactly("start", "start", "start");
        });
    }

    @Test
    void theContextMayBeStartedAgain() {
        with("n1", first).run(context -> {
            passTimeUntil(first::isRunning);
            context.getBean(LeaderLatches.class).stop();
            passTimeUntil(() -> !first.isRunning());
            cluster.advance(Duration.ofSeconds(2));
            assertThat(first.calls).containsExactly("start", "stop");
            context.getBean(LeaderLatches.class).start();
            passTimeUntil(first::isRunning);
        });
    }

    @Test
    void lifecycleThatStartsHalfIsStoppedBeforeAnotherLeads() {
        first.failures = 1;
        first.startsHalf = true;
        with("n1", first).run(one -> with("n2", second).run(two -> {
            passTimeUntil(() -> first.calls.contains("stop"));
            passTimeUntil(() -> first.calls.lastIndexOf("start") > 0 || second.isRunning());
            assertThat(first.calls).startsWith("start", "stop");
        }));
    }

    @Test
    void stopThatThrowsIsTriedAgainBeforeTheNextLeads() {
        both(context -> {
            first.failuresToStop = 1;
            cluster.client("n1").transferTo(PATH, "n2");
            passTimeUntil(() -> first.calls.size() >= 3 || second.isRunning());
            passTimeUntil(second::isRunning);
            assertThat(first.calls).containsExactly("start", "stop", "stop");
            assertThat(first.isRunning()).isFalse();
        });
    }

    @Test
    void theContextMayBeStartedAgainWhileTheLastMessageIsProcessed() {
        with("n1", first).run(context -> {
            passTimeUntil(first::isRunning);
            first.isBusy = true;
            context.getBean(LeaderLatches.class).stop();
            passTimeUntil(() -> first.calls.contains("stop"));
            context.getBean(LeaderLatches.class).start();
            first.becomesIdle();
            passTimeUntil(() -> first.calls.size() == 3);
            assertThat(first.calls).containsExactly("start", "stop", "start");
        });
    }

    /** Like the registries of listeners, which stop all containers in an early phase. */
    record Registry(Container container) implements SmartLifecycle {
        @Override
        public void start() {}

        @Override
        public void stop() {
            container.stop(() -> {});
        }

        @Override
        public boolean isRunning() {
            return true;
        }
    }

    static class Registered {
        @Bean
        Registry registry(Leads leads) {
            return new Registry(leads.container());
        }

        @Bean
        LeaderLifecycle leadsOrders(LeaderLatches latches, Registry registry) {
            return new LeaderLifecycle(latches, PATH, registry::container);
        }
    }

    @Test
    void theEndOfTheContextWaitsForTheLastMessageThoughTheRegistryDoesNot() throws Exception {
        AnnotationConfigApplicationContext one = registered("n1", first);
        AnnotationConfigApplicationContext two = registered("n2", second);
        assertThat(cluster.awaitLeader(PATH)).isEqualTo("n1");
        passTimeUntil(first::isRunning);
        cluster.advance(Duration.ofSeconds(2));
        first.isBusy = true;
        Thread closing = new Thread(one::close);
        closing.start();
        passTimeUntil(() -> cluster.leader(PATH).isEmpty() || isLeaving(one));
        cluster.advance(Duration.ofSeconds(10));
        assertThat(second.calls).isEmpty();
        first.becomesIdle();
        passTimeUntil(second::isRunning);
        passTimeUntil(() -> !closing.isAlive());
        two.close();
    }

    private static boolean isLeaving(AnnotationConfigApplicationContext context) {
        return context.getBean(LeaderLatches.class)
                .latch(PATH)
                .leadership()
                .filter(Leadership::isLeaving)
                .isPresent();
    }

    private AnnotationConfigApplicationContext registered(String node, Container container) {
        AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
        context.registerBean("electionClient", ElectionClient.class, () -> cluster.client(node));
        context.registerBean(Leads.class, () -> new Leads(container));
        context.register(QuorateAutoConfiguration.class, Registered.class);
        context.refresh();
        return context;
    }

    @Test
    void lifecycleThatStartsByItselfIsRefused() {
        first.startsByItself = true;
        with("n1", first).run(context -> assertThat(context)
                .hasFailed()
                .getFailure()
                .rootCause()
                .hasMessageContaining("LeaderLifecycle of /app/orders: ")
                .hasMessageContaining("must not start by itself")
                .hasMessageContaining("Set autoStartup to false"));
        assertThat(first.calls).isEmpty();
    }

    @Test
    void anIdThatIsWrongIsNamed() {
        with("n1", null).run(context -> assertThat(context)
                .hasFailed()
                .getFailure()
                .rootCause()
                .hasMessageContaining("LeaderLifecycle of /app/orders: there is nothing to start")
                .hasMessageContaining("is its id right?"));
    }
}
