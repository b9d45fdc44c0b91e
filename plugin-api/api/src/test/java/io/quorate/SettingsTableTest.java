package io.quorate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.quorate.engine.Engine;
import io.quorate.settings.ClusterSecret;
import io.quorate.settings.NamedSetting;
import io.quorate.settings.SecretSetting;
import io.quorate.settings.TlsSetting;
import io.quorate.spi.NodeId;
import io.quorate.spi.RankOrder;
import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The table of docs/settings.md names every setting there is, with its key, its variable, its default and its range. */
class SettingsTableTest {

    private static final Path DOCUMENT = Path.of("..", "docs", "settings.md");
    private static final Pattern CODE = Pattern.compile("`([^`]+)`");
    private static final String BY_PROFILE = "by profile";
    private static final String NONE = "none";

    private record Row(List<String> methods, List<String> keys, List<String> variables, String initial, String range) {

        static Row of(String line) {
            List<String> cells =
                    Arrays.stream(line.split("\\|")).map(String::trim).toList();
            return new Row(
                    code(cells.get(1)), code(cells.get(2)), code(cells.get(3)), plain(cells.get(4)), cells.get(5));
        }

        private static List<String> code(String cell) {
            return CODE.matcher(cell).results().map(found -> found.group(1)).toList();
        }

        private static String plain(String cell) {
            return cell.replace("`", "");
        }
    }

    private static List<Row> rows(String document) {
        List<Row> rows = new ArrayList<>();
        List<String> lines = document.lines().toList();
        int head = 0;
        while (!lines.get(head).startsWith("| setting | key |")) {
            head++;
        }
        for (int i = head + 2; lines.get(i).startsWith("|"); i++) {
            rows.add(Row.of(lines.get(i)));
        }
        return rows;
    }

    private static List<Row> rows() throws IOException {
        return rows(Files.readString(DOCUMENT));
    }

    private static Stream<String> all(List<Row> rows, Function<Row, List<String>> column) {
        return rows.stream().flatMap(row -> column.apply(row).stream());
    }

    /** Each public method of a builder that makes a setting; from makes many. */
    private static Set<String> methods() {
        return Arrays.stream(ElectionSettings.class.getDeclaredMethods())
                .filter(method -> Modifier.isPublic(method.getModifiers()) && !method.isSynthetic())
                .filter(method -> !Modifier.isStatic(method.getModifiers()))
                .map(Method::getName)
                .filter(name -> !name.equals("from"))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** What a builder that nobody has called holds, in the words of the table. */
    private static Map<String, String> defaults() {
        ElectionConfig.Builder builder = ElectionConfig.builder();
        ElectionSettings.Choices untouched = builder.chosen;
        Map<String, String> defaults = new TreeMap<>();
        defaults.put("nodeId", untouched.nodeId.isEmpty() ? "POD_NAME, or none: it is required" : untouched.nodeId);
        defaults.put("clusterId", untouched.clusterId);
        defaults.put("peers", builder.peers.isEmpty() ? NONE : builder.peers.toString());
        defaults.put("voters", builder.voters.isEmpty() ? "all peers" : builder.voters.toString());
        defaults.put(
                "dataDirectory", untouched.dataDirectory.map(Path::toString).orElse(NONE));
        defaults.put("profile", untouched.profile.name());
        defaults.put("heartbeat", untouched.heartbeat.map(Object::toString).orElse(BY_PROFILE));
        defaults.put(
                "supportDuration",
                untouched.supportDuration.map(Object::toString).orElse(BY_PROFILE));
        defaults.put("delta", untouched.delta.map(Object::toString).orElse(BY_PROFILE));
        defaults.put("driftPercent", Integer.toString(untouched.driftPercent));
        defaults.put("algorithm", untouched.algorithm);
        defaults.put("transport", untouched.transportName.orElse(ElectionSettings.DEFAULT_TRANSPORT));
        defaults.put("rankOrder", untouched.rankOrder.name());
        defaults.put("priority", Integer.toString(untouched.priority));
        defaults.put("joins", Boolean.toString(untouched.joins));
        defaults.put("preempt", Boolean.toString(untouched.preempt));
        defaults.put("secret", builder.secret == SecretSetting.NONE ? NONE : "some");
        defaults.put("secretFile", builder.secret == SecretSetting.NONE ? NONE : "some");
        defaults.put("listen", untouched.listen.orElse("the address in the peers"));
        defaults.put("tls", builder.tls == TlsSetting.NONE ? NONE : "some");
        defaults.put("plaintext", Boolean.toString(untouched.plaintext));
        defaults.put("namespace", untouched.namespace.isEmpty() ? NONE : untouched.namespace);
        defaults.put("migration", untouched.migration.isEmpty() ? NONE : untouched.migration);
        defaults.put("connectionTimeout", untouched.connectionTimeout.toSeconds() + " s");
        defaults.put("drainTimeout", untouched.drainTimeout.toSeconds() + " s");
        defaults.put(
                "connectionStateErrorPolicy",
                untouched.errorPolicy instanceof SessionConnectionStateErrorPolicy ? "SESSION" : "another");
        return defaults;
    }

    private static List<String> differences(List<Row> rows) {
        List<String> differences = new ArrayList<>();
        Set<String> shown = all(rows, Row::methods).collect(Collectors.toCollection(TreeSet::new));
        if (!shown.equals(methods())) {
            differences.add("methods " + shown);
        }
        for (Row row : rows) {
            String initial = defaults().get(row.methods.get(0));
            if (!row.initial.equals(initial)) {
                differences.add(row.methods.get(0) + " has the default " + initial);
            }
        }
        if (!all(rows, Row::keys)
                .sorted()
                .toList()
                .equals(ElectionSettings.keys().stream().sorted().toList())) {
            differences.add("keys");
        }
        for (Row row : rows) {
            List<String> variables = Arrays.stream(NamedSetting.values())
                    .filter(each -> row.keys.contains(each.key()))
                    .map(NamedSetting::variable)
                    .toList();
            if (!row.variables.equals(variables)) {
                differences.add("variables " + row.variables);
            }
        }
        return differences;
    }

    @Test
    void theTableIsThatOfTheCode() throws IOException {
        assertThat(differences(rows())).isEmpty();
        assertThat(rows()).hasSizeGreaterThan(20);
    }

    @Test
    void oneDifferenceIsNoticed() throws IOException {
        String document = Files.readString(DOCUMENT);
        assertThat(differences(rows(document.replace("| `quorate.drift` |", "| `quorate.drifts` |"))))
                .containsExactly("keys", "variables [QUORATE_DRIFT]");
        assertThat(differences(rows(document.replace("| `QUORATE_DRIFT` |", "| `QUORATE_DRIFTS` |"))))
                .containsExactly("variables [QUORATE_DRIFTS]");
        assertThat(differences(rows(document.replace("| `QUORATE_DRIFT` | 10 |", "| `QUORATE_DRIFT` | 11 |"))))
                .containsExactly("driftPercent has the default 10");
        assertThat(differences(rows(document.replaceAll("(?m)^\\| `namespace`.*\n", ""))))
                .hasSize(2);
    }

    // ---------------------------------------------------------------- ranges

    private static String range(String method) throws IOException {
        return rows().stream()
                .filter(row -> row.methods.contains(method))
                .findFirst()
                .orElseThrow()
                .range();
    }

    private static List<Integer> numbers(String method) throws IOException {
        return Pattern.compile("\\d+")
                .matcher(range(method))
                .results()
                .map(found -> Integer.parseInt(found.group()))
                .toList();
    }

    @Test
    void theNumbersOfTheRangesAreThoseOfTheRules() throws IOException {
        assertThat(numbers("nodeId")).containsExactly(1, NodeId.LENGTH_MAX);
        assertThat(numbers("clusterId")).containsExactly(1, NodeId.LENGTH_MAX);
        assertThat(numbers("voters")).containsExactly(1, Engine.VOTERS_MAX);
        assertThat(numbers("secret")).containsExactly(ClusterSecret.LENGTH_MIN);
        assertThat(numbers("secretFile")).containsExactly(ClusterSecret.LENGTH_MIN);
        List<Integer> drift = numbers("driftPercent");
        assertThat(drift).hasSize(2);
        drift.forEach(percent -> assertThat(config().driftPercent(percent)
                        .supportDuration(Duration.ofHours(1))
                        .build()
                        .driftPercent())
                .isEqualTo(percent));
        for (int percent : List.of(drift.get(0) - 1, drift.get(1) + 1)) {
            assertThatIllegalArgumentException().isThrownBy(config().driftPercent(percent)::build);
        }
    }

    private static ElectionConfig.Builder config() {
        return ElectionConfig.builder().nodeId("n1").peers("n1=h:1");
    }

    // Every value that the table lists is one that can be read.
    @Test
    void theValuesOfTheRangesAreThoseOfTheEnums() throws IOException {
        assertThat(Row.code(range("profile")))
                .containsExactlyElementsOf(
                        Arrays.stream(Profile.values()).map(Profile::name).toList());
        assertThat(Row.code(range("rankOrder")))
                .containsExactlyElementsOf(
                        Arrays.stream(RankOrder.values()).map(RankOrder::name).toList());
        for (String value : Row.code(range("connectionStateErrorPolicy"))) {
            Properties properties = new Properties();
            properties.setProperty(NamedSetting.CONNECTION_STATE_ERROR_POLICY.key(), value);
            assertThat(config().from(properties).build().connectionStateErrorPolicy())
                    .isNotNull();
        }
        Matcher example = CODE.matcher(range("peers"));
        assertThat(example.find()).isTrue();
        assertThat(example.group(1)).isEqualTo("id=host:port");
    }
}
