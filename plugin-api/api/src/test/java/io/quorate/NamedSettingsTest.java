package io.quorate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.quorate.settings.NamedSettings;
import io.quorate.spi.NodeId;
import io.quorate.spi.RankOrder;
import io.quorate.spi.TransportProvider.HostAndPort;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Settings from properties and from the environment. */
class NamedSettingsTest {

    @TempDir
    private Path directory;

    private static Properties properties(String... keysAndValues) {
        Properties properties = new Properties();
        for (int i = 0; i < keysAndValues.length; i += 2) {
            properties.setProperty("quorate." + keysAndValues[i], keysAndValues[i + 1]);
        }
        return properties;
    }

    /** A whole configuration, and this besides. */
    private static ElectionConfig.Builder with(String... keysAndValues) {
        return ElectionConfig.builder()
                .from(properties("node-id", "n1", "peers", "n1=h1:1,n2=h2:1,n3=h3:1"))
                .from(properties(keysAndValues));
    }

    /** As the environment has it. */
    private static Map<String, String> variables(Properties properties) {
        Map<String, String> variables = new TreeMap<>();
        properties
                .stringPropertyNames()
                .forEach(key -> variables.put(
                        key.replace('.', '_').replace('-', '_').toUpperCase(Locale.ROOT), properties.getProperty(key)));
        return variables;
    }

    private Properties everything() throws IOException {
        Path secret = Files.writeString(directory.resolve("secret"), "correct horse battery staple");
        return properties(
                "node-id",
                "n2",
                "cluster-id",
                "c",
                "peers",
                "n1=h1:1, n2=h2:2,n3=[::1]:3",
                "voters",
                "n1, n2",
                "joins",
                "true",
                "data-directory",
                "d/e",
                "profile",
                "calm",
                "heartbeat",
                "100ms",
                "support",
                "PT2S",
                "delta",
                "30 ms",
                "drift",
                "7",
                "connection-timeout",
                "1m",
                "drain-timeout",
                "30s",
                "algorithm",
                "bully",
                "rank-order",
                "priority",
                "priority",
                "-4",
                "preempt",
                "true",
                "namespace",
                "a/b",
                "migration",
                "tandem",
                "connection-state-error-policy",
                "standard",
                "transport",
                "other",
                "listen",
                "0.0.0.0:7400",
                "secret-file",
                secret.toString(),
                "plaintext",
                "true");
    }

    private static void assertIsEverything(ElectionConfig config) {
        assertThat(config.nodeId()).isEqualTo("n2");
        assertThat(config.clusterId()).isEqualTo("c");
        assertThat(config.peers())
                .containsExactly(
                        Map.entry(new NodeId("n1"), new HostAndPort("h1", 1)),
                        Map.entry(new NodeId("n2"), new HostAndPort("h2", 2)),
                        Map.entry(new NodeId("n3"), new HostAndPort("::1", 3)));
        assertThat(config.voters()).containsExactly("n1", "n2");
        assertThat(config.joins()).isTrue();
        assertThat(config.dataDirectory()).contains(Path.of("d", "e"));
        assertThat(config.heartbeat()).hasMillis(100);
        assertThat(config.supportDuration()).hasSeconds(2);
        assertThat(config.delta()).hasMillis(30);
        assertThat(config.driftPercent()).isEqualTo(7);
        assertThat(config.connectionTimeout()).hasMinutes(1);
        assertThat(config.drainTimeout()).hasSeconds(30);
        assertThat(config.algorithm()).isEqualTo("bully");
        assertThat(config.rankOrder()).isEqualTo(RankOrder.PRIORITY);
        assertThat(config.priority()).isEqualTo(-4);
        assertThat(config.preempt()).isTrue();
        assertThat(config.namespace()).isEqualTo("a/b");
        assertThat(config.migration()).isEqualTo("tandem");
        assertThat(config.connectionStateErrorPolicy()).isInstanceOf(StandardConnectionStateErrorPolicy.class);
        assertThat(config.transportName()).isEqualTo("other");
        assertThat(config.listen()).contains(new HostAndPort("0.0.0.0", 7400));
        assertThat(config.hasSecret()).isTrue();
        assertThat(config.plaintext()).isTrue();
    }

    @Test
    void everySettingHasAKeyAndAVariable() throws IOException {
        Properties everything = everything();
        // Not peers and template at a time. The keys of TLS need files: TlsSettingTest.
        assertThat(everything).hasSize(ElectionSettings.keys().size() - 1 - 5);
        assertIsEverything(ElectionConfig.builder().from(everything).build());
        assertIsEverything(ElectionConfig.builder().from(variables(everything)).build());
        assertThat(with("profile", "CALM").build().supportDuration()).isEqualTo(Profile.CALM.supportDuration());
    }

    // The builder of a client is the same; it fails later, because there is no such algorithm on this class path.
    @Test
    void aClientTakesTheSameKeys() throws IOException {
        assertThatIllegalArgumentException()
                .isThrownBy(ElectionClient.builder().from(everything())::build)
                .withMessageStartingWith("algorithm 'bully': is not on the class path");
    }

    @Test
    void defaultsOfPropertiesCount() {
        Properties properties = new Properties(properties("cluster-id", "below"));
        assertThat(with().from(properties).build().clusterId()).isEqualTo("below");
    }

    @ParameterizedTest
    @CsvSource({
        "app-{0..2}.app-peers:7400, app-0=app-0.app-peers:7400 app-1=app-1.app-peers:7400 app-2=app-2.app-peers:7400",
        "n{1..1}:7400, n1=n1:7400",
        "{9..11}-x:1, 9-x=9-x:1 10-x=10-x:1 11-x=11-x:1"
    })
    void aTemplateNamesTheNodesOfAStatefulSet(String template, String peers) {
        String first = peers.split("=")[0];
        assertThat(ElectionConfig.builder()
                        .from(properties("node-id", first, "peers-template", template))
                        .build()
                        .peers())
                .isEqualTo(ElectionConfig.builder()
                        .nodeId(first)
                        .peers(peers.replace(' ', ','))
                        .build()
                        .peers());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "app-0:7400",
                "app-{2..0}:7400",
                "app-{0..2}",
                "app.{0..2}.peers:7400",
                "app-{0..2}-{0..2}:7400",
                "app-{0..1000}:7400",
                "app-{-1..2}:7400",
                "a=app-{0..2}:7400"
            })
    void aTemplateThatNamesNothingIsAFault(String template) {
        assertThatIllegalArgumentException()
                .isThrownBy(with("peers-template", template)::build)
                .withMessageContaining("quorate.peers-template '" + template + "': must be like app-{0..2}.app-peers:");
    }

    @Test
    void aThousandNodesAreATemplateToo() {
        assertThat(with("peers-template", "n{1..1000}:7400", "voters", "n1,n2,n3")
                        .build()
                        .peers())
                .hasSize(1000);
    }

    @Test
    void listAndTemplateTogetherAreAFault() {
        assertThatIllegalArgumentException()
                .isThrownBy(with("peers-template", "n{1..3}:1", "peers", "n1=h:1")::build)
                .withMessageContaining("peers and peers-template: one of the two must be left out");
    }

    @ParameterizedTest
    @CsvSource({"150ms, PT0.15S", "1 s, PT1S", "1h, PT1H", "2m, PT2M", "pt1s, PT1S", "PT0.25S, PT0.25S"})
    void durationsHaveUnits(String text, Duration expected) {
        assertThat(with("connection-timeout", text).build().connectionTimeout()).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({
        "heartbeat, 150, 'must be a duration, such as 150ms, 4s, 2m or PT4S'",
        "heartbeat, 1.5s, must be a duration",
        "support, 9999999999s, must be a duration",
        "support, PT99999999999999999999S, must be a duration",
        "delta, fast, must be a duration",
        "connection-timeout, 0s, connectionTimeout PT0S: must be more than 0",
        "drift, 10%, must be a whole number",
        "priority, 99999999999, must be a whole number",
        "preempt, yes, must be true or false",
        "joins, off, must be true or false",
        "plaintext, 1, must be true or false",
        "profile, SLOW, 'must be one of FAST, DEFAULT, CALM'",
        "rank-order, best, 'must be one of JOIN_ORDER, NODE_ID, PRIORITY, SPREAD'",
        "connection-state-error-policy, none, 'must be one of SESSION, STANDARD'",
        "secret-file, '', 'must not be blank: give a value, or leave it out'",
        "node-id, ' ', must not be blank",
        "data-directory, '${DATA}', 'must not be a placeholder without a value: give a value, or leave it out'",
        "peers, 'n1=${HOST}:7401', must not be a placeholder without a value",
        "cluster-id, a b, clusterId 'a b': must be 1 to 64",
        "listen, 7400, listen '7400': must be host:port",
        "listen, h:x, listen 'h:x': port 'x': must be a number from 1 to 65535",
        "listen, :7400, listen ':7400': host '': must not be empty",
        "listen, ::1:7400, listen '::1:7400': an IPv6 address must be in brackets",
        "listen, h:0, port 0: must be from 1 to 65535",
    })
    void whatCannotBeReadIsSaidWithValueAndRule(String key, String value, String fault) {
        assertThatIllegalArgumentException()
                .isThrownBy(with(key, value)::build)
                .withMessageStartingWith("Bad configuration: ")
                .withMessageContaining(fault);
    }

    @Test
    void allFaultsAreInOneMessage() {
        assertThatIllegalArgumentException()
                .isThrownBy(with("hartbeat", "4s", "drift", "x", "preempt", "y", "voters", "n9")
                        .driftPercent(50)::build)
                .withMessage("Bad configuration: "
                        + "key quorate.hartbeat: there is no such setting; the nearest is quorate.heartbeat; "
                        + "quorate.drift 'x': must be a whole number; "
                        + "quorate.preempt 'y': must be true or false; "
                        + "voter 'n9': must be one of the peers [n1, n2, n3]; "
                        + "driftPercent 50: must be from 0 to 49");
    }

    @ParameterizedTest
    @CsvSource({
        "node-ids, node-id",
        "secretFile, secret-file",
        "clusterid, cluster-id",
        "supports, support",
        "peer, peers",
        "datadir, data-directory",
        "rankorder, rank-order",
        "tls.cert, tls.certificate",
        "tls.keystore, tls.key-store",
        "tls-trust, tls.trust"
    })
    void anUnknownKeyIsAFaultThatNamesTheNearest(String key, String nearest) {
        assertThatIllegalArgumentException()
                .isThrownBy(with(key, "hunter2")::build)
                .withMessage("Bad configuration: key quorate." + key
                        + ": there is no such setting; the nearest is quorate." + nearest);
    }

    @Test
    void keysOfOthersAreLeftAlone() {
        Properties properties = new Properties();
        properties.setProperty("spring.application.name", "x");
        properties.setProperty("quorate", "x");
        properties.put("count", 3);
        assertThat(with().from(properties).build().nodeId()).isEqualTo("n1");
        properties.put("quorate.priority", 3);
        assertThatIllegalArgumentException()
                .isThrownBy(with().from(properties)::build)
                .withMessageContaining("quorate.priority: must be a string, is a java.lang.Integer");
    }

    // They are in the environment of whoever uses the command line, and quorate voter reads settings from there.
    @Test
    void theVariablesOfTheCommandLineAreNoSlips() {
        Map<String, String> environment = Map.of("QUORATE_URLS", "http://n1:8080", "QUORATE_TOKEN_FILE", "token");
        assertThat(with().plaintext(true).from(environment).build().warnings()).isEmpty();
    }

    @Test
    void unknownVariablesAreAWarning() {
        Map<String, String> environment = new HashMap<>(Map.of(
                "QUORATE_SERVICE_HOST",
                "10.0.0.1",
                "QUORATE_VOTER",
                "n1",
                "QUORATE_SECRET",
                "hunter2",
                "PATH",
                "x",
                "QUORATESTUFF",
                "x"));
        assertThat(with().plaintext(true).from(environment).build().warnings())
                .containsExactly(
                        "variables of the environment that are no settings: QUORATE_SECRET (is "
                                + "QUORATE_SECRET_FILE meant?), QUORATE_SERVICE_HOST, QUORATE_VOTER (is QUORATE_VOTERS meant?)");
        for (int i = 0; i < 13; i++) {
            environment.put("QUORATE_PORT_" + (1000 + i) + "_TCP", "x");
        }
        assertThat(with().plaintext(true).from(environment).build().warnings())
                .singleElement()
                .asString()
                .as("sixteen are named")
                .contains("QUORATE_VOTER ")
                .doesNotContain("more");
        for (int i = 0; i < 100; i++) {
            environment.put("QUORATE_PORT_" + (1000 + i) + "_TCP", "x");
        }
        assertThat(with().plaintext(true).from(environment).build().warnings())
                .singleElement()
                .asString()
                .endsWith("QUORATE_PORT_1015_TCP and 87 more");
    }

    @Test
    void aKeyAmongVariablesIsAFault() {
        assertThatIllegalArgumentException()
                .isThrownBy(with().from(Map.of("quorate.node-id", "n2"))::build)
                .withMessageContaining("key quorate.node-id: a map has the names of the environment")
                .withMessageContaining("give keys as Properties");
    }

    // ---------------------------------------------------------------- what counts more

    @Test
    void theLastWins() {
        ElectionConfig.Builder builder =
                with("priority", "1", "algorithm", "a").priority(2).clusterId("mine");
        assertThat(builder.build().priority()).isEqualTo(2);
        assertThat(builder.build().algorithm()).isEqualTo("a");
        assertThat(builder.build().clusterId()).isEqualTo("mine");
        builder.from(Map.of("QUORATE_PRIORITY", "3", "QUORATE_PLAINTEXT", "true"));
        assertThat(builder.build().priority()).isEqualTo(3);
        assertThat(builder.build().plaintext()).isTrue();
        builder.from(Map.of("QUORATE_PLAINTEXT", "FALSE"));
        assertThat(builder.build().plaintext()).isFalse();
        assertThat(builder.build().clusterId()).isEqualTo("mine");
    }

    // Calls add to the peers of calls; but they replace those of properties, and those replace these.
    @Test
    void peersOfPropertiesAreReplacedAsAWhole() {
        ElectionConfig.Builder builder = with().peers("n1=x:1").peer("n2", "x", 2);
        assertThat(builder.build().peers().values())
                .extracting(HostAndPort::toString)
                .containsExactly("x:1", "x:2");
        assertThat(with().peers("").build().peers()).hasSize(3);
        assertThat(with().peers(Map.of()).build().peers()).hasSize(3);
        assertThat(with().peers(Map.of("n1", "y:1")).build().peers()).hasSize(1);
        builder.from(properties("peers", "n1=z:1"));
        assertThat(builder.build().peers().values())
                .extracting(HostAndPort::toString)
                .containsExactly("z:1");
    }

    @Test
    void theNameOfThePodIsTheNodeUnlessItHasAnother() {
        Map<String, String> pod = Map.of("POD_NAME", "app-1", "QUORATE_PEERS_TEMPLATE", "app-{0..2}.peers:7400");
        assertThat(ElectionConfig.builder().from(pod).build().nodeId()).isEqualTo("app-1");
        assertThat(ElectionConfig.builder().nodeId("app-2").from(pod).build().nodeId())
                .isEqualTo("app-2");
        assertThat(ElectionConfig.builder().from(pod).nodeId("app-0").build().nodeId())
                .isEqualTo("app-0");
        Map<String, String> both = new HashMap<>(pod);
        both.put("QUORATE_NODE_ID", "app-0");
        assertThat(ElectionConfig.builder().from(both).build().nodeId()).isEqualTo("app-0");
        ElectionConfig.Builder builder = ElectionConfig.builder().peers("p=h:1");
        builder.take(NamedSettings.of(new Properties(), SettingRows.ALL), "p");
        assertThat(builder.build().nodeId()).isEqualTo("p");
    }

    @Test
    void nullsAreRefusedAtOnce() {
        assertThatNullPointerException()
                .isThrownBy(() -> with().from((Properties) null))
                .withMessage("properties");
        assertThatNullPointerException()
                .isThrownBy(() -> with().from((Map<String, String>) null))
                .withMessage("environment");
    }

    // A fault in one source stays a fault, also if a later call makes the setting.
    @Test
    void aFaultIsNotMendedByALaterCall() {
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(with("priority", "x").priority(1)::build)
                .withMessageContaining("quorate.priority 'x'");
    }

    static Stream<String> variables() {
        return SettingRows.ALL.stream().flatMap(row -> row.variable().stream());
    }

    @ParameterizedTest
    @MethodSource("variables")
    void noSettingTakesABlank(String variable) {
        assertThatIllegalArgumentException()
                .isThrownBy(with().from(Map.of(variable, " "))::build)
                .withMessageContaining(variable + " ' ': must not be blank");
    }
}
