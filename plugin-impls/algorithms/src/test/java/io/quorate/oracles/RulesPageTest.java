package io.quorate.oracles;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The table of the sources, rule by rule, names what the oracles compare and where the machines do it. */
class RulesPageTest {

    private static final Path DOCUMENTS = Path.of("..", "docs", "algorithms");
    private static final Path SPECS = Path.of("..", "..", "integration-tests", "rules", "src", "test", "tla");

    /** source, rule, code, change, verdict. */
    private static final Pattern ROW =
            Pattern.compile("(?m)^\\| [^|]*\\| [^|]+ \\| `([^|`]+)` \\| ([^|]+) \\| ([^|]+) \\|$");

    /** source, rule, definition or test, configuration, verdict: what no oracle checks. */
    private static final Pattern MODEL_ROW =
            Pattern.compile("(?m)^\\| [^|]* \\| [^|]+ \\| `([^|`]+)` \\| `(\\w+)` \\| [a-z ]+ \\|$");

    private static final Pattern DECISION = Pattern.compile("\\[[^\\]]+\\]\\(([a-z-]+\\.md#[a-z]+)\\)");

    private static final List<String> PACKAGES = List.of("ballot", "bully", "lcr", "ring", "tokenring", "threephase");

    static Stream<OracleTests> oracles() {
        return Stream.of(
                new BallotOf000Test(),
                new BullyOf001Test(),
                new BullyOf004Test(),
                new LcrOf001Test(),
                new LcrOf003Test(),
                new ThreePhaseOf002Test(),
                new TokenRingOf004Test());
    }

    /** The rows of the section that this oracle checks. */
    private static List<MatchResult> rows(OracleTests oracle) throws IOException {
        String page = Files.readString(DOCUMENTS.resolve("rules.md"));
        String name = "`" + oracle.getClass().getSimpleName() + "` checks";
        List<String> sections = Stream.of(page.split("\n## "))
                .filter(section -> section.contains(name))
                .toList();
        assertThat(sections).as(name).hasSize(1);
        return ROW.matcher(sections.get(0)).results().toList();
    }

    @ParameterizedTest
    @MethodSource("oracles")
    void pageHasEachRuleAndEachDecisionOfTheOracle(OracleTests oracle) throws IOException {
        TreeSet<String> rules = new TreeSet<>();
        TreeSet<String> decisions = new TreeSet<>();
        for (MatchResult row : rows(oracle)) {
            Matcher decision = DECISION.matcher(row.group(3));
            if (decision.matches()) {
                decisions.add(row.group(2) + ", docs/algorithms/" + decision.group(1));
            } else {
                assertThat(row.group(3)).as(row.group()).isEqualTo("faithful");
                rules.add(row.group(2));
            }
        }
        assertThat(rules).containsExactlyElementsOf(new TreeSet<>(oracle.rules()));
        assertThat(decisions)
                .containsExactlyElementsOf(new TreeSet<>(oracle.decisions().entrySet().stream()
                        .map(entry -> entry.getKey() + ", " + entry.getValue())
                        .toList()));
    }

    @Test
    void eachRuleOfAModelHasItsDefinitionAndConfiguration() throws IOException {
        List<MatchResult> rows = MODEL_ROW
                .matcher(Files.readString(DOCUMENTS.resolve("rules.md")))
                .results()
                .toList();
        assertThat(rows).hasSize(36);
        for (MatchResult row : rows) {
            String configuration = row.group(2);
            assertThat(SPECS.resolve(configuration + ".cfg")).as(row.group()).exists();
            String[] code = row.group(1).split("\\.");
            if (code.length == 2) {
                assertThat(methods(code[0])).as(row.group()).contains(code[1]);
            } else {
                String spec = Files.readString(SPECS.resolve(configuration.replaceFirst("_.*", "") + ".tla"));
                assertThat(spec).as(row.group()).containsPattern("(?m)^" + code[0] + "(\\(.*\\))? ==");
            }
        }
    }

    @ParameterizedTest
    @MethodSource("oracles")
    void codeExists(OracleTests oracle) throws IOException {
        for (MatchResult row : rows(oracle)) {
            String[] code = row.group(1).split("\\.");
            assertThat(methods(code[0])).as(row.group()).contains(code[1]);
        }
    }

    private static List<String> methods(String simpleName) {
        for (String each : PACKAGES) {
            try {
                Class<?> found = Class.forName("io.quorate." + each + "." + simpleName);
                return Arrays.stream(found.getDeclaredMethods())
                        .map(Method::getName)
                        .toList();
            } catch (ClassNotFoundException e) {
                // Justification: the class is in one of the packages, and there is no name for all of them.
            }
        }
        return List.of();
    }
}
