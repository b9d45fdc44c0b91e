package io.quorate.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.quorate.ElectionClient;
import io.quorate.LeaderLatch;
import io.quorate.engine.Connection;
import io.quorate.testkit.FreePorts;
import io.quorate.testkit.SimulatedCluster;
import io.quorate.testkit.SimulatedClusterExtension;
import io.quorate.testkit.simulation.Clients;
import io.quorate.testkit.simulation.FakeEngine;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.actuate.health.HealthIndicator;
import org.springframework.boot.actuate.health.Status;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.availability.ApplicationAvailabilityAutoConfiguration;
import org.springframework.boot.availability.ApplicationAvailability;
import org.springframework.boot.availability.AvailabilityChangeEvent;
import org.springframework.boot.availability.LivenessState;
import org.springframework.boot.availability.ReadinessState;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.io.support.SpringFactoriesLoader;
import org.springframework.core.io.support.SpringFactoriesLoader.FailureHandler;

/** What an application gets by the dependency alone, and how it takes a part of that into its own hands. */
class QuorateAutoConfigurationTest {

    /** Where Boot's web server begins to wait for its last requests. */
    private static final int GRACEFUL_SHUTDOWN_PHASE = SmartLifecycle.DEFAULT_PHASE - 1024;

    @RegisterExtension
    final SimulatedCluster cluster = SimulatedClusterExtension.ofVoters(3);

    /** As Boot finds them. */
    private static final List<Class<?>> ALL = all();

    private static List<Class<?>> all() {
        List<Class<?>> classes = new ArrayList<>(List.of(ApplicationAvailabilityAutoConfiguration.class));
        ClassLoader loader = QuorateAutoConfigurationTest.class.getClassLoader();
        ImportCandidates.load(org.springframework.boot.autoconfigure.AutoConfiguration.class, loader)
                .forEach(name -> {
                    // That of Boot 4 cannot be loaded here; Boot knows that without loading it.
                    if (name.startsWith("io.quorate.") && !name.contains("Boot4")) {
                        classes.add(org.springframework.util.ClassUtils.resolveClassName(name, loader));
                    }
                });
        return classes;
    }

    private static final ApplicationContextRunner APPLICATION =
            new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(ALL.toArray(Class<?>[]::new)));

    private ApplicationContextRunner with(String node) {
        return APPLICATION.withBean(ElectionClient.class, () -> cluster.client(node));
    }

    // ---------------------------------------------------------------- meters

    @Test
    void metersAreThereForWhoeverHasMicrometer() {
        with("n1").run(context -> {
            SimpleMeterRegistry registry = new SimpleMeterRegistry();
            // As Boot does with each such bean and each registry.
            context.getBeansOfType(MeterBinder.class).values().forEach(binder -> binder.bindTo(registry));
            assertThat(registry.get("quorate.supporters").gauge().value()).isZero();
            cluster.advance(Duration.ofSeconds(5));
            assertThat(registry.get("quorate.supporters").gauge().value()).isEqualTo(3);
        });
    }

    @Test
    void withoutMicrometerOrTheirArtifactThereAreNone() {
        with("n1")
                .withClassLoader(new FilteredClassLoader("io.quorate.ops"))
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean("quorateMeters"));
        with("n2")
                .withClassLoader(new FilteredClassLoader("io.micrometer"))
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean("quorateMeters"));
    }

    // ---------------------------------------------------------------- the client

    @Test
    void aClientIsMadeStartedAndClosed() {
        int port = FreePorts.take();
        List<ElectionClient> clients = new ArrayList<>();
        APPLICATION
                .withPropertyValues("quorate.node-id=n1", "quorate.peers=n1=127.0.0.1:" + port)
                .run(context -> {
                    ElectionClient client = context.getBean(ElectionClient.class);
                    clients.add(client);
                    assertThat(client.nodeId()).isEqualTo("n1");
                    assertThat(client.getState()).isEqualTo(ElectionClient.State.STARTED);
                });
        assertThat(clients.get(0).getState()).isEqualTo(ElectionClient.State.STOPPED);
    }

    @Test
    void wrongSettingsFailTheStart() {
        APPLICATION
                .withPropertyValues("quorate.node-id=n1", "quorate.peer=n1=127.0.0.1:7400")
                .run(context -> assertThat(context)
                        .hasFailed()
                        .getFailure()
                        .rootCause()
                        .hasMessageContaining(
                                "key quorate.peer: there is no such setting; the nearest is quorate.peers"));
    }

    /** What Boot writes in place of a stack trace. */
    private FailureAnalysis analysis(Class<? extends FailureAnalyzer> type, Throwable failure) {
        return SpringFactoriesLoader.forDefaultResourceLocation(getClass().getClassLoader())
                // Those of Boot need arguments.
                .load(FailureAnalyzer.class, FailureHandler.handleMessage((message, fault) -> {}))
                .stream()
                .filter(type::isInstance)
                .map(analyzer -> analyzer.analyze(failure))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void wrongSettingsAreToldWithoutAStackTrace() {
        APPLICATION.withPropertyValues("quorate.peer=n1=127.0.0.1:7400").run(context -> {
            FailureAnalysis analysis = analysis(SettingsFailureAnalyzer.class, context.getStartupFailure());
            assertThat(analysis.getDescription()).contains("key quorate.peer: there is no such setting", "nodeId");
            assertThat(analysis.getAction()).contains("quorate.enabled=false", "no @LeaderOnly method runs");
        });
    }

    @Test
    void aDataDirectoryThatIsMissingIsToldWithoutAStackTrace(@TempDir Path directory) {
        APPLICATION
                .withPropertyValues(
                        "quorate.node-id=n1",
                        "quorate.peers=n1=127.0.0.1:" + FreePorts.take(),
                        "quorate.data-directory=" + directory.resolve("missing").resolve("terms"))
                .run(context -> {
                    FailureAnalysis analysis = analysis(StartFailureAnalyzer.class, context.getStartupFailure());
                    assertThat(analysis.getDescription())
                            .contains("node n1: ", "its parent directory is missing. Make " + directory);
                    assertThat(analysis.getAction()).contains("quorate.data-directory", "no @LeaderOnly method runs");
                });
    }

    @Test
    void anAddressThatIsTakenIsToldWithoutAStackTrace() throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
            APPLICATION
                    .withPropertyValues("quorate.node-id=n1", "quorate.peers=n1=127.0.0.1:" + taken.getLocalPort())
                    .run(context -> {
                        FailureAnalysis analysis = analysis(StartFailureAnalyzer.class, context.getStartupFailure());
                        assertThat(analysis.getDescription())
                                .contains("node n1: cannot listen at 127.0.0.1", "ddress already in use");
                        assertThat(analysis.getAction()).contains("quorate.peers", "quorate.listen");
                    });
        }
    }

    @Test
    void theApplicationsClientIsTakenStartedAndClosed() {
        with("n1").run(context -> {
            assertThat(context).hasSingleBean(ElectionClient.class);
            assertThat(context.getBean(ElectionClient.class)).isSameAs(cluster.client("n1"));
        });
        assertThat(cluster.client("n1").getState()).isEqualTo(ElectionClient.State.STOPPED);
    }

    @Test
    void customizersHaveTheLastWord() {
        APPLICATION
                .withPropertyValues("quorate.node-id=n1", "quorate.peers=n1=127.0.0.1:" + FreePorts.take())
                .withBean(ElectionClientBuilderCustomizer.class, () -> builder -> builder.clusterId("shop"))
                .run(context -> assertThat(context.getBean(ElectionClient.class).clusterId())
                        .isEqualTo("shop"));
    }

    @Test
    void nothingIsMadeIfItIsNotEnabled() {
        APPLICATION.withPropertyValues("quorate.enabled=false").run(context -> assertThat(context)
                .hasNotFailed()
                .doesNotHaveBean(ElectionClient.class)
                .doesNotHaveBean(ElectionClientLifecycle.class)
                .doesNotHaveBean(HealthIndicator.class));
    }

    // The client closes before the web server waits for its last requests, and after all that leads with it.
    @Test
    void theClientClosesBetweenItsUsersAndTheWebServer() {
        with("n1").run(context -> {
            int client = context.getBean(ElectionClientLifecycle.class).getPhase();
            assertThat(client)
                    .isGreaterThan(GRACEFUL_SHUTDOWN_PHASE)
                    .isLessThan(context.getBean(LeaderLatches.class).getPhase())
                    .isLessThan(new QuorateLeaderInitiator(cluster.client("n1")).getPhase());
        });
    }

    @Test
    void aContextThatIsStoppedCannotStartItsClientAgain() {
        with("n1").run(context -> {
            ElectionClientLifecycle lifecycle = context.getBean(ElectionClientLifecycle.class);
            assertThat(lifecycle.isPauseable()).isFalse();
            lifecycle.stop();
            assertThat(lifecycle.isRunning()).isFalse();
            org.assertj.core.api.Assertions.assertThatIllegalStateException()
                    .isThrownBy(lifecycle::start)
                    .withMessageContaining("node 'n1' is closed and cannot be started again");
        });
    }

    // ---------------------------------------------------------------- health

    private static org.springframework.boot.actuate.health.Health health(ApplicationContext context) {
        return context.getBean("quorateHealthIndicator", HealthIndicator.class).health();
    }

    @Test
    void healthTellsTheStateOfTheClient() throws Exception {
        LeaderLatch latch = new LeaderLatch(cluster.client("n1"), "/app", "n1");
        with("n1").run(context -> {
            assertThat(health(context).getStatus()).isEqualTo(Status.OUT_OF_SERVICE);
            assertThat(health(context).getDetails()).containsEntry("state", "JOINING");

            latch.start();
            assertThat(cluster.awaitLeader("/app")).isEqualTo("n1");
            assertThat(health(context).getStatus()).isEqualTo(Status.UP);
            assertThat(health(context).getDetails())
                    .containsEntry("voters", List.of("n1", "n2", "n3"))
                    .doesNotContainKey("leads");

            context.getBean(ElectionClient.class).standby(true);
            assertThat(health(context).getStatus()).isEqualTo(Status.OUT_OF_SERVICE);

            cluster.isolate("n1");
            cluster.awaitUntil("lost", () -> !latch.hasLeadership());
            assertThat(health(context).getStatus()).isEqualTo(Status.OUT_OF_SERVICE);
            assertThat(health(context).getDetails()).containsEntry("state", "DISCONNECTED");
        });
    }

    @Test
    void theHealthIndicatorMayBeReplacedOrLeftOut() {
        with("n1").withPropertyValues("management.health.quorate.enabled=false").run(context -> assertThat(context)
                .doesNotHaveBean(HealthIndicator.class));
        with("n2")
                .withBean(
                        "quorateHealthIndicator",
                        HealthIndicator.class,
                        () -> () -> org.springframework.boot.actuate.health.Health.unknown()
                                .build())
                .run(context -> assertThat(health(context).getStatus()).isEqualTo(Status.UNKNOWN));
    }

    // ---------------------------------------------------------------- readiness and liveness

    private static ReadinessState readiness(ApplicationContext context) {
        return context.getBean(ApplicationAvailability.class).getReadinessState();
    }

    private void joined() {
        cluster.awaitUntil(
                "joined", () -> cluster.client("n1").connectionState().isPresent());
    }

    private void lost() {
        cluster.isolate("n1");
        cluster.advance(Duration.ofSeconds(10));
    }

    @Test
    void theProcessIsReadyWhenItsNodeHasJoinedOnce() {
        with("n1").run(context -> {
            AvailabilityChangeEvent.publish(context, ReadinessState.ACCEPTING_TRAFFIC);
            assertThat(readiness(context)).isEqualTo(ReadinessState.REFUSING_TRAFFIC);
            joined();
            assertThat(readiness(context)).isEqualTo(ReadinessState.ACCEPTING_TRAFFIC);
            lost();
            assertThat(readiness(context)).isEqualTo(ReadinessState.ACCEPTING_TRAFFIC);
            // The application's own word counts too.
            AvailabilityChangeEvent.publish(context, ReadinessState.REFUSING_TRAFFIC);
            assertThat(readiness(context)).isEqualTo(ReadinessState.REFUSING_TRAFFIC);
        });
    }

    @Test
    void readinessMayFollowTheConnection() {
        with("n1").withPropertyValues("quorate.readiness=connected").run(context -> {
            AvailabilityChangeEvent.publish(context, ReadinessState.ACCEPTING_TRAFFIC);
            joined();
            assertThat(readiness(context)).isEqualTo(ReadinessState.ACCEPTING_TRAFFIC);
            lost();
            assertThat(readiness(context)).isEqualTo(ReadinessState.REFUSING_TRAFFIC);
        });
    }

    @Test
    void readinessMayBeLeftAlone() {
        with("n1").withPropertyValues("quorate.readiness=none").run(context -> {
            AvailabilityChangeEvent.publish(context, ReadinessState.ACCEPTING_TRAFFIC);
            assertThat(readiness(context)).isEqualTo(ReadinessState.ACCEPTING_TRAFFIC);
        });
    }

    @Test
    void aWrongReadinessIsRefused() {
        with("n1").withPropertyValues("quorate.readiness=leader").run(context -> assertThat(context)
                .hasFailed()
                .getFailure()
                .rootCause()
                .hasMessage("quorate.readiness 'leader': must be one of joined, connected and none"));
    }

    @Test
    void aNodeThatHasStoppedByItselfBreaksLiveness() {
        FakeEngine engine = new FakeEngine();
        engine.callbacksOn(Runnable::run);
        APPLICATION.withBean(ElectionClient.class, () -> Clients.over(engine)).run(context -> {
            engine.connect(Connection.CONNECTED);
            AvailabilityChangeEvent.publish(context, ReadinessState.ACCEPTING_TRAFFIC);
            AvailabilityChangeEvent.publish(context, LivenessState.CORRECT);
            ApplicationAvailability availability = context.getBean(ApplicationAvailability.class);
            assertThat(availability.getReadinessState()).isEqualTo(ReadinessState.ACCEPTING_TRAFFIC);

            engine.fail(new IllegalStateException("two processes"));
            assertThat(availability.getLivenessState()).isEqualTo(LivenessState.BROKEN);
            assertThat(availability.getReadinessState()).isEqualTo(ReadinessState.REFUSING_TRAFFIC);
            assertThat(health(context).getStatus()).isEqualTo(Status.DOWN);
            assertThat(health(context).getDetails()).containsEntry("reason", "two processes");
        });
    }

    // Spring does not start what runs already; the application is told all the same.
    @Test
    void aClientThatTheApplicationHasStartedBreaksLivenessToo() {
        FakeEngine engine = new FakeEngine();
        engine.callbacksOn(Runnable::run);
        ElectionClient client = Clients.over(engine);
        client.start();
        APPLICATION.withBean(ElectionClient.class, () -> client).run(context -> {
            AvailabilityChangeEvent.publish(context, LivenessState.CORRECT);
            engine.fail(new IllegalStateException("two processes"));
            assertThat(context.getBean(ApplicationAvailability.class).getLivenessState())
                    .isEqualTo(LivenessState.BROKEN);
        });
        assertThat(engine.starts()).isEqualTo(1);
        assertThat(client.getState()).isEqualTo(ElectionClient.State.STOPPED);
    }

    // ---------------------------------------------------------------- several clients

    private static ApplicationContextRunner withTwo() {
        return APPLICATION
                .withPropertyValues("management.endpoints.web.exposure.include=quorate")
                .withBean("blue", ElectionClient.class, () -> Clients.over(new FakeEngine()));
    }

    @Test
    void ofSeveralClientsNoneIsTakenAndTheLogSaysSo() {
        withTwo()
                .withBean("green", ElectionClient.class, () -> Clients.over(new FakeEngine()))
                .run(context -> {
                    assertThat(context)
                            .hasNotFailed()
                            .doesNotHaveBean(ElectionClientLifecycle.class)
                            .doesNotHaveBean(JoinedAvailability.class)
                            .doesNotHaveBean("quorateHealthIndicator")
                            .doesNotHaveBean("quorateMeters")
                            .doesNotHaveBean(QuorateEndpoint.class)
                            .hasSingleBean(ApplicationAvailability.class);
                    assertThat(context.getBeansOfType(ElectionClient.class).values())
                            .extracting(ElectionClient::getState)
                            .containsOnly(ElectionClient.State.LATENT);
                    assertThat(context.getBean(SeveralClients.class).line())
                            .contains("[blue, green]", "none of them is primary");
                });
    }

    @Test
    void ofSeveralClientsThePrimaryOneIsTaken() {
        withTwo()
                .withBean(
                        "green",
                        ElectionClient.class,
                        () -> Clients.over(new FakeEngine()),
                        definition -> definition.setPrimary(true))
                .run(context -> {
                    assertThat(context)
                            .hasNotFailed()
                            .hasSingleBean(ElectionClientLifecycle.class)
                            .hasSingleBean(JoinedAvailability.class)
                            .hasBean("quorateHealthIndicator")
                            .hasBean("quorateMeters")
                            .hasSingleBean(QuorateEndpoint.class)
                            .doesNotHaveBean(SeveralClients.class);
                    assertThat(context.getBean("green", ElectionClient.class).getState())
                            .isEqualTo(ElectionClient.State.STARTED);
                    assertThat(context.getBean("blue", ElectionClient.class).getState())
                            .isEqualTo(ElectionClient.State.LATENT);
                });
    }

    // ---------------------------------------------------------------- the endpoint

    @Test
    void theEndpointIsThereIfItIsExposed() {
        with("n1").run(context -> assertThat(context).doesNotHaveBean(QuorateEndpoint.class));
        with("n2")
                .withPropertyValues("management.endpoints.web.exposure.include=quorate")
                .run(context -> assertThat(context).hasSingleBean(QuorateEndpoint.class));
    }

    // ---------------------------------------------------------------- beans of the application

    @Test
    void neitherActuatorNorSpringIntegrationIsNeeded() {
        with("n1")
                .withClassLoader(
                        new FilteredClassLoader("org.springframework.boot.actuate", "org.springframework.integration"))
                .withPropertyValues("management.endpoints.web.exposure.include=quorate")
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .hasSingleBean(ElectionClientLifecycle.class)
                        .hasSingleBean(JoinedAvailability.class)
                        .doesNotHaveBean("quorateHealthIndicator")
                        .doesNotHaveBean("quorateEndpoint"));
    }

    /** An application with a component that needs the client. */
    @Configuration(proxyBeanMethods = false)
    static class Application {
        @Bean
        LeaderLatch own(ElectionClient client) {
            return new LeaderLatch(client, "/own", client.nodeId());
        }
    }

    @Test
    void beansOfTheApplicationGetTheClient() {
        with("n1").withUserConfiguration(Application.class).run(context -> assertThat(context)
                .hasSingleBean(LeaderLatch.class));
    }
}
