package io.quorate.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.ElectionClient;
import io.quorate.LeaderLatch;
import io.quorate.testkit.SimulatedCluster;
import io.quorate.testkit.SimulatedClusterExtension;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.boot.actuate.autoconfigure.endpoint.EndpointAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.endpoint.jmx.JmxEndpointAutoConfiguration;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.jmx.JmxEndpointsSupplier;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.jmx.JmxAutoConfiguration;
import org.springframework.boot.convert.ApplicationConversionService;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** What the endpoint answers, and which of its operations there are. */
class QuorateEndpointTest {

    private static final String PATH = "/app/leader";

    @RegisterExtension
    final SimulatedCluster cluster = SimulatedClusterExtension.ofVoters(3);

    private final List<LeaderLatch> latches = new ArrayList<>();
    private QuorateEndpoint endpoint;

    @BeforeEach
    void contend() throws Exception {
        for (String node : List.of("n1", "n2")) {
            LeaderLatch latch = new LeaderLatch(cluster.client(node), PATH, node);
            latch.start();
            latches.add(latch);
            cluster.awaitLeader(PATH);
        }
        cluster.advance(Duration.ofSeconds(2));
        endpoint = new QuorateEndpoint(cluster.client("n1"), Duration.ofMillis(50));
    }

    private long token() {
        return cluster.client("n1").health().leads().get(PATH);
    }

    @Test
    void theClientIsTold() {
        assertThat(endpoint.client())
                .containsEntry("node", "n1")
                .containsEntry("cluster", cluster.client("n1").clusterId())
                .containsEntry("state", "UP")
                .containsEntry("voters", List.of("n1", "n2", "n3"))
                .containsEntry("leads", Map.of(PATH, token()))
                .containsEntry("leaving", Map.of());
    }

    @Test
    void aPathIsExplained() {
        assertThat(endpoint.path("app", "leader"))
                .containsEntry("leader", "n1")
                .containsEntry("token", token())
                .containsEntry(
                        "contenders",
                        List.of(
                                Map.of("id", "n1", "node", "n1", "leads", true, "rank", 1),
                                Map.of("id", "n2", "node", "n2", "leads", false, "rank", 2)))
                .containsKeys("reason", "leaseLeftMillis", "supporters", "voters")
                .doesNotContainKey("leaving");
        assertThat(endpoint.path("unknown")).isNull();
    }

    @Test
    void standbyRanksLast() {
        assertThat(endpoint.rank(true, null)).isEqualTo(Map.of("standby", true));
        assertThat(cluster.awaitLeaderOtherThan("n1", PATH)).isEqualTo("n2");
        assertThat(endpoint.client()).containsEntry("state", "STANDBY");
        endpoint.rank(false, null);
        cluster.advance(Duration.ofSeconds(1));
        assertThat(endpoint.client()).containsEntry("state", "UP");
    }

    @Test
    void aPriorityIsGivenAloneOrWithStandby() {
        assertThat(endpoint.rank(null, -3)).isEqualTo(Map.of("priority", -3));
        assertThat(endpoint.rank(false, 4)).isEqualTo(Map.of("standby", false, "priority", 4));
        assertThatThrownBy(() -> endpoint.rank(null, null))
                .isInstanceOf(InvalidEndpointRequestException.class)
                .hasMessage("standby or priority is required");
    }

    // The transfer goes on: in virtual time nothing happens while the caller waits.
    @Test
    void aTransferIsBegun() {
        assertThatThrownBy(() -> endpoint.transfer(new String[] {"app", "leader"}, "n2"))
                .isInstanceOf(InvalidEndpointRequestException.class)
                .hasMessageContaining("'n2' does not lead /app/leader after");
        assertThat(cluster.awaitLeaderOtherThan("n1", PATH)).isEqualTo("n2");
    }

    @Test
    void aLeaderThatLeavesSaysSo() {
        latches.get(0).drain(leadership -> new CompletableFuture<Void>(), Duration.ofSeconds(40));
        endpoint.rank(true, null);
        cluster.advance(Duration.ofSeconds(1));
        String why = endpoint.path("app", "leader").get("leaving").toString();
        assertThat(why).startsWith("its work is being finished, for PT40S at most: ");
        assertThat(endpoint.client()).containsEntry("leaving", Map.of(PATH, why));
        assertThatThrownBy(() -> endpoint.transfer(new String[] {"app", "leader"}, "n2"))
                .hasMessageEndingWith("the transfer goes on: " + why);
    }

    @Test
    void impossibleTransferIsABadRequest() {
        assertThatThrownBy(() -> endpoint.transfer(new String[] {"unknown"}, "n2"))
                .isInstanceOf(InvalidEndpointRequestException.class)
                .hasMessageContaining("Not contending on /unknown");
    }

    // ---------------------------------------------------------------- access

    private Set<String> operations(String... properties) {
        Set<String> operations = new TreeSet<>();
        new ApplicationContextRunner()
                // As SpringApplication does.
                .withInitializer(
                        context -> context.getEnvironment().setConversionService(new ApplicationConversionService()))
                .withConfiguration(AutoConfigurations.of(
                        JmxAutoConfiguration.class,
                        EndpointAutoConfiguration.class,
                        JmxEndpointAutoConfiguration.class,
                        QuorateAutoConfiguration.class,
                        QuorateEndpointAutoConfiguration.class))
                .withBean(ElectionClient.class, () -> cluster.client("n3"))
                .withPropertyValues("spring.jmx.enabled=true", "management.endpoints.jmx.exposure.include=quorate")
                .withPropertyValues(properties)
                .run(context -> context.getBean(JmxEndpointsSupplier.class).getEndpoints().stream()
                        .flatMap(found -> found.getOperations().stream())
                        .forEach(operation -> operations.add(operation.getName())));
        return operations;
    }

    // Over HTTP too, as integration-tests/platforms shows.
    @Test
    void nothingCanBeChangedUnlessThatIsAllowed() {
        assertThat(operations()).containsExactly("client", "path");
    }

    @Test
    void changesAreAllowedByTheAccessOfTheEndpoint() {
        assertThat(operations("management.endpoint.quorate.access=unrestricted"))
                .containsExactly("client", "path", "rank", "transfer");
    }
}
