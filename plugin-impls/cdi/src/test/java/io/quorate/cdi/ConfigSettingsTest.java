package io.quorate.cdi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.quorate.ElectionConfig;
import io.quorate.Health;
import io.smallrye.config.EnvConfigSource;
import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.eclipse.microprofile.config.spi.ConfigSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The settings of MicroProfile Config reach the library, whichever source has them. */
class ConfigSettingsTest {

    private static final Map<String, String> NODE =
            Map.of("quorate.node-id", "n1", "quorate.peers", "n1=localhost:7401,n2=localhost:7402");

    private static ConfigSettings settings(ConfigSource... sources) {
        return new ConfigSettings(
                new SmallRyeConfigBuilder().withSources(sources).build());
    }

    private static ConfigSource file(Map<String, String> properties) {
        return new PropertiesConfigSource(properties, "file", 100);
    }

    private static ConfigSource variables(Map<String, String> variables) {
        return new EnvConfigSource(variables, 300);
    }

    private static ConfigSource system(Map<String, String> properties) {
        return new PropertiesConfigSource(properties, "system", 400);
    }

    private static Map<String, String> node(String... more) {
        Map<String, String> all = new TreeMap<>(NODE);
        for (int i = 0; i < more.length; i += 2) {
            all.put(more[i], more[i + 1]);
        }
        return all;
    }

    private static ElectionConfig made(ConfigSource... sources) {
        return settings(sources).make(ElectionConfig.builder()).build();
    }

    @Test
    void keysAreTaken() {
        ElectionConfig config =
                made(file(node("quorate.cluster-id", "shop", "quorate.support", "2s", "other.key", "any")));
        assertThat(config.nodeId()).isEqualTo("n1");
        assertThat(config.peers()).hasSize(2);
        assertThat(config.clusterId()).isEqualTo("shop");
        assertThat(config.supportDuration()).isEqualTo(Duration.ofSeconds(2));
    }

    @Test
    void variablesAloneAreTaken() {
        ElectionConfig config = made(variables(Map.of(
                "QUORATE_NODE_ID", "n2",
                "QUORATE_PEERS", "n1=localhost:7401,n2=localhost:7402",
                "QUORATE_CONNECTION_TIMEOUT", "3s",
                "QUORATE_READINESS", "none",
                "QUORATE_ENABLED", "true",
                "QUORATE_PORT_7400_TCP", "of Kubernetes")));
        assertThat(config.nodeId()).isEqualTo("n2");
        assertThat(config.peers()).hasSize(2);
        assertThat(config.connectionTimeout()).isEqualTo(Duration.ofSeconds(3));
    }

    // By the ordinals of the sources.
    @Test
    void theStrongestSourceCounts() {
        Map<String, String> variables = Map.of("QUORATE_NODE_ID", "n2");
        assertThat(made(file(NODE), variables(variables)).nodeId()).isEqualTo("n2");
        assertThat(made(file(NODE), variables(variables), system(Map.of("quorate.node-id", "n1")))
                        .nodeId())
                .isEqualTo("n1");
    }

    @Test
    void listsMayBeGivenByTheirElements() {
        ElectionConfig config = made(file(Map.of(
                "quorate.node-id", "n1",
                "quorate.peers[0]", "n1=localhost:7401",
                "quorate.peers[1]", "n2=localhost:7402",
                "quorate.peers[2]", "n3=localhost:7403",
                "quorate.voters", "n1")));
        assertThat(config.peers()).hasSize(3);
        assertThat(config.voters()).hasSize(1);
    }

    private static final Map<String, String> THREE =
            Map.of("quorate.node-id", "n1", "quorate.peers", "n1=localhost:7401,n2=localhost:7402,n3=localhost:7403");

    @Test
    void elementsOfAStrongerSourceCount() {
        ConfigSource elements = system(Map.of("quorate.voters[1]", "n2", "quorate.voters[0]", "n1"));
        assertThat(made(file(THREE), elements).voters()).hasSize(2);
        assertThat(made(file(THREE), file(Map.of("quorate.voters", "n1")), elements)
                        .voters())
                .hasSize(2);
        assertThat(made(file(THREE), variables(Map.of("QUORATE_VOTERS", "n1")), elements)
                        .voters())
                .hasSize(2);
    }

    @Test
    void elementsOfAWeakerSourceDoNotCount() {
        ConfigSource elements = file(Map.of("quorate.voters[0]", "n1", "quorate.voters[1]", "n2"));
        assertThat(made(file(THREE), elements, variables(Map.of("QUORATE_VOTERS", "n1")))
                        .voters())
                .hasSize(1);
        assertThat(made(file(THREE), elements, system(Map.of("quorate.voters", "n1")))
                        .voters())
                .hasSize(1);
    }

    // All peers would vote.
    @Test
    void variablesGiveElements() {
        assertThat(made(file(THREE), variables(Map.of("QUORATE_VOTERS_0_", "n1")))
                        .voters())
                .hasSize(1);
    }

    @Test
    void elementsAreOrderedByNumber() {
        Map<String, String> many = new TreeMap<>();
        for (int i = 0; i < 12; i++) {
            many.put("quorate.peers[" + i + "]", "n" + i + "=localhost:" + (7400 + i));
        }
        many.put("quorate.node-id", "n1");
        assertThat(made(file(many)).peers().values())
                .extracting(Object::toString)
                .isSorted();
    }

    @Test
    void aBlankElementIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> made(file(THREE), file(Map.of("quorate.voters[0]", "n1", "quorate.voters[1]", " "))))
                .withMessageContaining("voter '': must be 1 to 64 letters");
    }

    // One of two sources would win silently.
    @Test
    void alternativesInTwoSourcesAreAFault() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> made(file(NODE), variables(Map.of("QUORATE_PEERS_TEMPLATE", "n-{0..2}:7400"))))
                .withMessageContaining("one of the two must be left out");
    }

    // Such as one that asks a vault for each key.
    @Test
    void aSourceThatDoesNotListItsNamesIsAsked() {
        ConfigSource vault = new PropertiesConfigSource(Map.of("quorate.cluster-id", "shop"), "vault", 200) {
            @Override
            public Set<String> getPropertyNames() {
                return Set.of();
            }
        };
        assertThat(made(file(NODE), vault).clusterId()).isEqualTo("shop");
    }

    @Test
    void ownKeysAreNoFaults() {
        made(file(node("quorate.enabled", "true", "quorate.readiness", "none")));
    }

    @Test
    void aKeyThatIsNotThereIsNamed() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> made(file(node("quorate.nodeid", "n1"))))
                .withMessageContaining("key quorate.nodeid: there is no such setting; the nearest is quorate.node-id");
    }

    @Test
    void allFaultsAreNamedWithValueAndRule() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> made(file(node("quorate.support", "soon", "quorate.drift", "many"))))
                .withMessageContaining("quorate.support 'soon': must be a duration, such as 150ms, 4s, 2m or PT4S")
                .withMessageContaining("quorate.drift 'many': must be a whole number");
    }

    // ---------------------------------------------------------------- those of this package

    @Test
    void unsetKeysHaveTheDefaultsOfTheStarter() {
        ConfigSettings settings = settings(file(Map.of()));
        assertThat(settings.isEnabled()).isTrue();
        assertThat(settings.readiness().test(health(Health.State.DISCONNECTED))).isTrue();
        assertThat(settings.readiness().test(health(Health.State.JOINING))).isFalse();
    }

    private static Health health(Health.State state) {
        return new Health(state, "", List.of(), List.of(), new TreeMap<>(), Duration.ZERO);
    }

    @Test
    void readinessHasThreeForms() {
        ConfigSettings connected = settings(file(Map.of("quorate.readiness", "CONNECTED")));
        assertThat(connected.readiness().test(health(Health.State.DISCONNECTED)))
                .isFalse();
        ConfigSettings none = settings(file(Map.of("quorate.readiness", "none")));
        assertThat(none.readiness().test(health(Health.State.JOINING))).isTrue();
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        settings(file(Map.of("quorate.readiness", "often"))).check())
                .withMessage("quorate.readiness 'often': must be one of joined, connected and none");
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () -> settings(file(Map.of("quorate.enabled", "maybe"))).isEnabled())
                .withMessage("quorate.enabled 'maybe': must be true or false");
    }

    @Test
    void placeholdersOfPathsAreResolved() {
        ConfigSettings settings = settings(file(Map.of("app.name", "sh$op")));
        assertThat(settings.resolved("/${app.name}/${app.part:all}/x")).isEqualTo("/sh$op/all/x");
        assertThat(settings.resolved("/plain")).isEqualTo("/plain");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> settings.resolved("/${app.other}"))
                .withMessage("path '/${app.other}': app.other has no value: set it, or write a default, as in "
                        + "${name:default}");
    }

    // What is left would be a path, under which no other process contends.
    @ParameterizedTest
    @ValueSource(strings = {"/${app.other:${app.name}}", "/${app.name", "/${app.quoted}"})
    void aPlaceholderThatIsNotOneIsRefused(String text) {
        ConfigSettings settings = settings(file(Map.of("app.name", "shop", "app.quoted", "\\${app.name}")));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> settings.resolved(text))
                .withMessageStartingWith("path '" + text + "': ")
                .withMessageEndingWith("must be ${name} or ${name:default}, with no placeholder in the default");
    }

    @Test
    void theDefaultOfAPathReplacesAnExpressionWithoutAValue() {
        ConfigSettings settings = container(file(Map.of("app.n", "${nope}")));
        assertThat(settings.resolved("/${app.n:shop}")).isEqualTo("/shop");
    }

    // ---------------------------------------------------------------- as a container reads them

    private static ConfigSettings container(ConfigSource... sources) {
        return new ConfigSettings(new SmallRyeConfigBuilder()
                .addDefaultInterceptors()
                .withSources(sources)
                .build());
    }

    private static ElectionConfig madeInContainer(ConfigSource... sources) {
        return container(sources).make(ElectionConfig.builder()).build();
    }

    // A node without the secret would trust any process.
    @Test
    void expressionsWithoutAValueAreAFault() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> madeInContainer(file(NODE), file(Map.of("quorate.secret-file", "${app.secret}"))))
                .withMessageContaining(
                        "quorate.secret-file '${app.secret}': must not be a placeholder without a value");
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () -> madeInContainer(file(NODE), variables(Map.of("QUORATE_SECRET_FILE", "${APP_SECRET}"))))
                .withMessageContaining(
                        "quorate.secret-file '${APP_SECRET}': must not be a placeholder without a value");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> madeInContainer(
                        file(THREE), file(Map.of("quorate.voters[0]", "n1", "quorate.voters[1]", "${app.voter}"))))
                .withMessageContaining("quorate.voters 'n1,${app.voter}': must not be a placeholder without a value");
    }

    @Test
    void anUnresolvedOwnKeyIsRefused() {
        ConfigSettings settings = container(file(Map.of("quorate.enabled", "${nope}", "quorate.readiness", "${nope}")));
        assertThatIllegalArgumentException()
                .isThrownBy(settings::isEnabled)
                .withMessage("quorate.enabled '${nope}': must be true or false");
        assertThatIllegalArgumentException().isThrownBy(settings::check).withMessageContaining("'${nope}'");
    }

    private static ElectionConfig madeInProduction(ConfigSource... sources) {
        return new ConfigSettings(new SmallRyeConfigBuilder()
                        .addDefaultInterceptors()
                        .withProfile("prod")
                        .withSources(sources)
                        .build())
                .make(ElectionConfig.builder())
                .build();
    }

    @Test
    void aProfileOfAStrongerSourceCounts() {
        ConfigSource variables = variables(Map.of("QUORATE_VOTERS", "n1,n2,n3", "_PROD_QUORATE_CLUSTER_ID", "shop"));
        ElectionConfig config = madeInProduction(file(THREE), variables, system(Map.of("%prod.quorate.voters", "n1")));
        assertThat(config.voters()).hasSize(1);
        assertThat(config.clusterId()).isEqualTo("shop");
    }

    @Test
    void anUnknownKeyOfAProfileIsNamed() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> madeInProduction(file(THREE), file(Map.of("%prod.quorate.voterz", "n1"))))
                .withMessageContaining("key quorate.voterz: there is no such setting; the nearest is quorate.voters");
    }

    // A source of properties may have a list, and elements in a profile; one of them would be ignored silently.
    @Test
    void aListWithOtherElementsInTheSameSourceIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> madeInProduction(
                        file(THREE), system(Map.of("quorate.voters", "n1,n2,n3", "%prod.quorate.voters[0]", "n1"))))
                .withMessage("quorate.voters 'n1,n2,n3': has the elements 'n1' too: give one of the two");
    }

    // The elements beyond those of the profile are those of the list below.
    @Test
    void aShorterListOfAProfileCounts() {
        Map<String, String> yaml = Map.of(
                "quorate.voters", "n1,n2",
                "quorate.voters[0]", "n1",
                "quorate.voters[1]", "n2",
                "%prod.quorate.voters", "n3",
                "%prod.quorate.voters[0]", "n3");
        assertThat(madeInProduction(file(THREE), system(yaml)).voters()).hasSize(1);
    }

    @Test
    void anUnknownVariableWithANumberIsNoFault() {
        madeInProduction(file(THREE), variables(Map.of("QUORATE_URLS_0_", "http://localhost:8080")));
    }
}
