package io.quorate.spring;

import static org.assertj.core.api.Assertions.as;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import io.quorate.ElectionClient;
import io.quorate.ElectionConfig;
import io.quorate.ElectionSettings;
import io.quorate.Profile;
import io.quorate.SettingsWriter;
import io.quorate.settings.NamedSettings;
import io.quorate.testkit.simulation.Clients;
import io.quorate.testkit.simulation.FakeEngine;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.boot.actuate.autoconfigure.context.properties.ConfigurationPropertiesReportEndpointAutoConfiguration;
import org.springframework.boot.actuate.context.properties.ConfigurationPropertiesReportEndpoint;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.handler.IgnoreErrorsBindHandler;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.MutablePropertySources;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/** The settings of Spring's environment reach the library, whatever form Boot allows for them. */
class EnvironmentSettingsTest {

    private static final Map<String, Object> NODE =
            Map.of("quorate.node-id", "n1", "quorate.peers", "n1=localhost:7401,n2=localhost:7402");

    private static StandardEnvironment environment(PropertySource<?>... sources) {
        StandardEnvironment environment = new StandardEnvironment();
        MutablePropertySources all = environment.getPropertySources();
        // The process that runs the tests has its own.
        List.copyOf(all.stream().toList()).forEach(source -> all.remove(source.getName()));
        Stream.of(sources).forEach(all::addLast);
        return environment;
    }

    /** As the starter makes them, which has bound the record. */
    static <B extends ElectionSettings<B>> B made(ConfigurableEnvironment environment, B builder) {
        QuorateProperties bound = Binder.get(environment)
                .bindOrCreate(
                        QuorateProperties.PREFIX, Bindable.of(QuorateProperties.class), new IgnoreErrorsBindHandler());
        return EnvironmentSettings.make(environment, bound, builder);
    }

    private static ElectionConfig made(PropertySource<?>... sources) {
        return made(environment(sources), ElectionConfig.builder()).build();
    }

    private static PropertySource<?> properties(Map<String, Object> properties) {
        return new MapPropertySource("properties " + properties.keySet(), properties);
    }

    private static PropertySource<?> variables(Map<String, Object> variables) {
        return new SystemEnvironmentPropertySource("systemEnvironment", variables);
    }

    @Test
    void keysOfPropertiesAreTaken() {
        ElectionConfig config =
                made(properties(NODE), properties(Map.of("quorate.cluster-id", "shop", "quorate.support", "2s")));
        assertThat(config.nodeId()).isEqualTo("n1");
        assertThat(config.peers()).hasSize(2);
        assertThat(config.clusterId()).isEqualTo("shop");
        assertThat(config.supportDuration()).isEqualTo(Duration.ofSeconds(2));
    }

    @Test
    void otherSpellingsThatBootAllowsAreTaken() {
        ElectionConfig config = made(properties(Map.of(
                "quorate.nodeId",
                "n1",
                "quorate.peers[0]",
                "n1=localhost:7401",
                "quorate.peers[1]",
                "n2=localhost:7402",
                "quorate.cluster_id",
                "shop")));
        assertThat(config.nodeId()).isEqualTo("n1");
        assertThat(config.clusterId()).isEqualTo("shop");
        assertThat(config.peers()).hasSize(2);
    }

    @Test
    void variablesAreTakenInBothSpellings() {
        PropertySource<?> variables = variables(Map.of(
                "QUORATE_NODE_ID",
                "n2",
                "QUORATE_CLUSTERID",
                "shop",
                "QUORATE_PEERS_0",
                "n1=localhost:7401",
                "QUORATE_PEERS_1",
                "n2=localhost:7402",
                "QUORATE_READINESS",
                "none"));
        ElectionConfig config = made(variables);
        assertThat(config.nodeId()).isEqualTo("n2");
        assertThat(config.clusterId()).isEqualTo("shop");
        assertThat(config.peers()).hasSize(2);
        assertThat(EnvironmentSettings.foreignVariables(environment(variables))).isEmpty();
    }

    // As Boot reads them from YAML.
    @Test
    void listsNumbersAndTruthsAreTaken() {
        ElectionConfig config = made(properties(Map.of(
                "quorate.node-id",
                "n1",
                "quorate.peers",
                "n1=localhost:7401, n2=localhost:7402, n3=localhost:7403",
                "quorate.voters[0]",
                "n1",
                "quorate.voters[1]",
                "n2",
                "quorate.drift",
                5,
                "quorate.plaintext",
                true,
                "quorate.profile",
                "calm",
                "quorate.enabled",
                true)));
        assertThat(config.peers()).hasSize(3);
        assertThat(config.voters()).containsExactly("n1", "n2");
        assertThat(config.driftPercent()).isEqualTo(5);
        assertThat(config.plaintext()).isTrue();
        assertThat(config.supportDuration()).isEqualTo(Profile.CALM.supportDuration());
    }

    @Test
    void placeholdersAreResolved() {
        assertThat(made(properties(NODE), properties(Map.of("quorate.cluster-id", "${app.name}", "app.name", "shop")))
                        .clusterId())
                .isEqualTo("shop");
    }

    @Test
    void theTransportIsTcpUnlessToldOtherwise() {
        assertThat(made(properties(NODE)).transportName()).isEqualTo("tcp");
        assertThat(made(properties(NODE), properties(Map.of("quorate.transport", "vertx")))
                        .transportName())
                .isEqualTo("vertx");
    }

    @Test
    void unknownKeysAreAFaultThatNamesTheNearest() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> made(
                        properties(NODE),
                        properties(Map.of("quorate.clusterid2", "x", "quorate.suport", "2s", "quorates.x", "y"))))
                .withMessageContaining("key quorate.suport: there is no such setting; the nearest is quorate.support")
                .withMessageContaining(
                        "key quorate.clusterid2: there is no such setting; the nearest is quorate.cluster-id")
                .withMessageNotContaining("quorates");
    }

    @Test
    void allFaultsStandInOneMessage() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> made(
                        properties(Map.of("quorate.node-id", "n 1", "quorate.support", "soon", "quorate.voters", ""))))
                .withMessageContaining("quorate.support 'soon'")
                .withMessageContaining("quorate.voters ''")
                .withMessageContaining("n 1");
    }

    // Kubernetes makes variables for each service, and a service may be called quorate.
    @Test
    void unknownVariablesAreAWarning() {
        PropertySource<?> variables = variables(
                Map.of("QUORATE_SERVICE_HOST", "10.0.0.1", "QUORATE_SUPORT", "2s", "OTHER", "x", "QUORATE_URLS", "x"));
        assertThat(made(properties(NODE), variables).nodeId()).isEqualTo("n1");
        Map<String, String> foreign = EnvironmentSettings.foreignVariables(environment(variables));
        assertThat(foreign).containsOnlyKeys("QUORATE_SERVICE_HOST", "QUORATE_SUPORT", "QUORATE_URLS");
        // The library knows what the command line reads.
        assertThat(NamedSettings.of(foreign, SettingsWriter.rows()).warnings())
                .singleElement(as(STRING))
                .contains("QUORATE_SERVICE_HOST", "QUORATE_SUPORT")
                .doesNotContain("QUORATE_URLS");
    }

    // Boot cannot make a group of a text, and would not start.
    @Test
    void variablesThatNameAGroupOfKeysAreAWarningToo() {
        for (String text : List.of("", "true")) {
            PropertySource<?> variables = variables(Map.of("QUORATE_TLS", text));
            assertThat(made(properties(NODE), variables).nodeId()).isEqualTo("n1");
            assertThat(EnvironmentSettings.foreignVariables(environment(variables)))
                    .containsOnlyKeys("QUORATE_TLS");
        }
    }

    @Test
    void variablesThatNameAGroupOfKeysHideNoneOfThem() {
        assertThat(shown(
                        properties(Map.of("quorate.tls.key-store", "/etc/app/store")),
                        variables(Map.of("QUORATE_TLS", "", "QUORATE_NODE_ID", "n1"))))
                .containsEntry("nodeId", "n1")
                .containsEntry("tls", Map.of("keyStore", "/etc/app/store"));
        assertThat(shown(properties(Map.of("quorate.node-id", "n1")), variables(Map.of("QUORATE_TLS", "true"))))
                .containsEntry("nodeId", "n1");
    }

    @Test
    void keysThatNameAGroupAreAFaultThatNamesTheNearest() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> made(properties(NODE), properties(Map.of("quorate.tls", "true"))))
                .withMessageContaining("key quorate.tls: there is no such setting; the nearest is quorate.tls.");
    }

    // Without the second voter the library would take all peers for voters.
    @Test
    void listsOfVariablesWithAGapAreAFault() {
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        made(properties(NODE), variables(Map.of("QUORATE_VOTERS_0", "n1", "QUORATE_VOTERS_2", "n2"))))
                .withMessageContaining(
                        "key quorate.voters[2]: there is no such setting; the nearest is quorate.voters");
    }

    // As a file of a weaker profile has more of them.
    @Test
    void elementsOfAListThatCountsLessAreNoUnknownKeys() {
        assertThat(made(
                                properties(Map.of("quorate.peers[0]", "n1=localhost:7401", "quorate.node-id", "n1")),
                                properties(Map.of(
                                        "quorate.peers[0]", "n1=localhost:1", "quorate.peers[1]", "n2=localhost:2")))
                        .peers())
                .hasSize(1);
    }

    // ---------------------------------------------------------------- what is written from the rows

    @Test
    void metadataHaveTheRows() throws IOException {
        SettingsWriter.assertWritten(
                Path.of("src", "main", "resources", "META-INF", "spring-configuration-metadata.json"),
                former -> SettingsWriter.metadata(former, SettingsWriter.rows(), Map.of("transport", "tcp")));
    }

    @Test
    void recordThatIsBoundHasTheRows() throws IOException {
        SettingsWriter.assertWritten(
                Path.of("src", "main", "java", "io", "quorate", "spring", "QuorateProperties.java"),
                former -> SettingsWriter.record(former, EnvironmentSettings.OWN_KEYS, SettingsWriter.rows()));
    }

    @Test
    void everyKeyIsBound() {
        Map<String, Object> given = new TreeMap<>();
        Stream.concat(ElectionSettings.keys().stream(), EnvironmentSettings.OWN_KEYS.stream())
                .forEach(key -> given.put(key, "of " + key));
        Map<Object, Object> texts = new TreeMap<>();
        QuorateProperties.addTo(
                texts,
                QuorateProperties.PREFIX,
                Binder.get(environment(properties(given)))
                        .bind(QuorateProperties.PREFIX, QuorateProperties.class)
                        .get());
        assertThat(texts).isEqualTo(given);
    }

    // ---------------------------------------------------------------- what the actuator shows

    /** What {@code /actuator/configprops} shows of the settings to those who may see values. */
    private static Map<String, Object> shown(PropertySource<?> properties, PropertySource<?> variables) {
        Map<String, Object> shown = new TreeMap<>();
        new ApplicationContextRunner()
                .withInitializer(context -> {
                    MutablePropertySources sources = context.getEnvironment().getPropertySources();
                    sources.replace("systemEnvironment", variables);
                    sources.addFirst(properties);
                })
                .withConfiguration(AutoConfigurations.of(
                        QuorateAutoConfiguration.class, ConfigurationPropertiesReportEndpointAutoConfiguration.class))
                .withBean(ElectionClient.class, () -> Clients.over(new FakeEngine()))
                .withPropertyValues(
                        "management.endpoint.configprops.show-values=always",
                        "management.endpoints.web.exposure.include=configprops")
                .run(context -> context.getBean(ConfigurationPropertiesReportEndpoint.class)
                        .configurationProperties()
                        .getContexts()
                        .values()
                        .forEach(each -> each.getBeans().values().stream()
                                .filter(bean -> bean.getPrefix().equals(QuorateProperties.PREFIX))
                                .forEach(bean -> shown.putAll(bean.getProperties()))));
        return shown;
    }

    @Test
    void actuatorShowsWhatIsBoundAndNoSecret() {
        Map<String, Object> shown = shown(
                properties(Map.of(
                        "quorate.nodeId", "n1", "quorate.peers[0]", "n1=localhost:7401", "quorate.secret", "hunter2")),
                variables(Map.of(
                        "QUORATE_TLS_KEY_STORE",
                        "/etc/app/store",
                        "QUORATE_DRAIN_TIMEOUT",
                        "5s",
                        "QUORATE_SECRET",
                        "hunter3")));
        assertThat(shown)
                .containsEntry("nodeId", "n1")
                .containsEntry("peers", List.of("n1=localhost:7401"))
                .containsEntry("drainTimeout", "5s")
                .containsEntry("tls", Map.of("keyStore", "/etc/app/store"));
        assertThat(shown.toString()).doesNotContain("hunter");
    }
}
