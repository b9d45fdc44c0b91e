package io.quorate.camel;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.ElectionClient;
import io.quorate.testkit.SimulatedCluster;
import io.quorate.testkit.SimulatedClusterExtension;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.apache.camel.CamelContext;
import org.apache.camel.ServiceStatus;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.cluster.CamelClusterService;
import org.apache.camel.impl.cluster.ClusteredRoutePolicy;
import org.apache.camel.spring.boot.CamelAutoConfiguration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;

/** The service as a bean of Spring Boot, with the auto-configuration of Camel. */
class QuorateClusterAutoConfigurationTest {

    private static final String ENABLED = "camel.cluster.quorate.enabled=true";
    private static final String ROUTE = "clustered";

    @RegisterExtension
    final SimulatedCluster cluster = SimulatedClusterExtension.ofVoters(1);

    private ApplicationContextRunner runner() {
        return new ApplicationContextRunner()
                .withConfiguration(
                        AutoConfigurations.of(QuorateClusterAutoConfiguration.class, CamelAutoConfiguration.class))
                .withPropertyValues("camel.main.name=camel", "camel.main.jmx-enabled=false");
    }

    private ApplicationContextRunner withClient() {
        return runner().withBean(ElectionClient.class, () -> cluster.client("n1"));
    }

    static class Routes {
        @Bean
        RouteBuilder route() {
            return new RouteBuilder() {
                @Override
                public void configure() throws Exception {
                    from("direct:in")
                            .routeId(ROUTE)
                            .routePolicy(ClusteredRoutePolicy.forNamespace("ns"))
                            .to("log:out?level=OFF");
                }
            };
        }
    }

    private static ServiceStatus status(CamelContext camel) {
        return camel.getRouteController().getRouteStatus(ROUTE);
    }

    @Test
    void aClusteredRouteStartsWhereItsNamespaceIsLed() {
        withClient()
                .withUserConfiguration(Routes.class)
                .withPropertyValues(ENABLED)
                .run(context -> {
                    CamelContext camel = context.getBean(CamelContext.class);
                    QuorateClusterService service = camel.hasService(QuorateClusterService.class);
                    assertThat(service).isSameAs(context.getBean(CamelClusterService.class));
                    assertThat(status(camel)).isEqualTo(ServiceStatus.Stopped);
                    assertThat(cluster.awaitLeader("/camel/ns")).isEqualTo("n1");
                    cluster.advance(Duration.ofSeconds(1));
                    assertThat(status(camel)).isEqualTo(ServiceStatus.Started);
                });
        cluster.awaitUntil("it has left", () -> cluster.leader("/camel/ns").isEmpty());
    }

    @Test
    void itsSettingsAreThoseOfTheService() {
        withClient()
                .withUserConfiguration(Routes.class)
                .withPropertyValues(
                        ENABLED,
                        "camel.cluster.quorate.id=elections",
                        "camel.cluster.quorate.order=7",
                        "camel.cluster.quorate.base-path=/app",
                        "camel.cluster.quorate.attributes.site=eu")
                .run(context -> {
                    QuorateClusterService service = context.getBean(QuorateClusterService.class);
                    assertThat(service.getId()).isEqualTo("elections");
                    assertThat(service.getOrder()).isEqualTo(7);
                    assertThat(service.getAttributes()).containsEntry("site", "eu");
                    assertThat(cluster.awaitLeader("/app/ns")).isEqualTo("n1");
                });
    }

    @Test
    void aBadSettingIsNamed() {
        withClient()
                .withPropertyValues(ENABLED, "camel.cluster.quorate.order=first")
                .run(context -> assertThat(context.getStartupFailure())
                        .rootCause()
                        .hasMessageContaining("first")
                        .satisfies(cause -> assertThat(context.getStartupFailure())
                                .hasMessageContaining("camel.cluster.quorate.order")));
    }

    static class View {
        @Bean
        String user(QuorateClusterService service) {
            return service.getId() + "";
        }
    }

    // Also by a bean that is made before it.
    @Test
    void itIsInjectedByItsType() {
        new ApplicationContextRunner()
                .withBean(ElectionClient.class, () -> cluster.client("n1"))
                .withUserConfiguration(View.class)
                .withConfiguration(AutoConfigurations.of(QuorateClusterAutoConfiguration.class))
                .withPropertyValues(ENABLED)
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void thereIsNoneUnlessItIsAskedFor() {
        withClient().run(context -> assertThat(context).doesNotHaveBean(CamelClusterService.class));
        runner().withPropertyValues(ENABLED)
                .run(context -> assertThat(context).doesNotHaveBean(CamelClusterService.class));
    }

    @Test
    void applicationsOwnBeanStays() {
        withClient()
                .withBean(QuorateClusterService.class, () -> new QuorateClusterService(cluster.client("n1"), "/own"))
                .withPropertyValues(ENABLED)
                .run(context -> assertThat(context).hasSingleBean(CamelClusterService.class));
    }

    @Test
    void theJarNamesItAndItsSettings() throws IOException {
        Path resources = Path.of("src", "main", "resources", "META-INF");
        assertThat(Files.readString(
                        resources.resolve("spring/org.springframework.boot.autoconfigure.AutoConfiguration.imports")))
                .isEqualToIgnoringWhitespace(QuorateClusterAutoConfiguration.class.getName());
        assertThat(Files.readString(resources.resolve("spring-configuration-metadata.json")))
                .contains("enabled", "base-path", "\"camel.cluster.quorate.id\"", "order", "attributes");
    }
}
