package io.quorate;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Whatever code, specs and documents cite is in the repository. */
class CitationsTest {

    private static final Path ROOT = Path.of("..", "..");
    private static final Pattern TEXT = Pattern.compile(".*\\.(java|md|tla|cfg|xml)");

    private static Set<String> files() throws IOException {
        return new TreeSet<>(Wording.sources(ROOT));
    }

    @Test
    void everythingThatIsCitedStandsInTheRepository() throws IOException {
        Set<String> files = files();
        Map<String, String> texts = new TreeMap<>();
        for (String file : files) {
            if (TEXT.matcher(file).matches()) {
                texts.put(file, Files.readString(ROOT.resolve(file)));
            }
        }
        assertThat(texts)
                .containsKeys(
                        "README.md",
                        "plugin-api/docs/protocol.md",
                        "integration-tests/rules/src/test/tla/QuorumLease.tla",
                        "plugin-impls/algorithms/src/main/java/io/quorate/bully/package-info.java");
        assertThat(Citations.check(texts, files)).isEmpty();
    }

    @Test
    void eachDecisionHasARowOfTheIndex() throws IOException {
        Path decisions = ROOT.resolve("plugin-api/docs/decisions");
        Set<String> numbers = new TreeSet<>();
        try (Stream<Path> all = Files.list(decisions)) {
            all.map(file -> file.getFileName().toString())
                    .filter(name -> name.matches("\\d{4}-.*"))
                    .forEach(name -> assertThat(numbers.add(name.substring(0, 4)))
                            .as("%s is the only decision with its number", name)
                            .isTrue());
        }
        numbersOf(decisions.resolve("decisions.md"), "^## ADR-(\\d{4})$")
                .forEach(number -> assertThat(numbers.add(number))
                        .as("decision %s stands once", number)
                        .isTrue());
        assertThat(numbersOf(decisions.resolve("README.md"), "^\\| \\[ADR-(\\d{4})]"))
                .containsExactlyElementsOf(numbers);
    }

    private static List<String> numbersOf(Path document, String pattern) throws IOException {
        return Pattern.compile(pattern, Pattern.MULTILINE)
                .matcher(Files.readString(document))
                .results()
                .map(found -> found.group(1))
                .toList();
    }

    // A cell that no test shows is a guess.
    @Test
    void eachAttackOfTheTableNamesItsTests() throws IOException {
        List<String> rows = Files.readString(ROOT.resolve("plugin-api/docs/security.md"))
                .lines()
                .dropWhile(line -> !line.startsWith("| attack |"))
                .takeWhile(line -> line.startsWith("|"))
                .skip(2)
                .toList();
        assertThat(rows)
                .hasSizeGreaterThan(10)
                .allMatch(row -> row.matches("(\\|[^|]+){4}\\|( `\\w+Test\\.\\w+`,?)+ \\|"));
    }

    // ---------------------------------------------------------------- every rule can fail

    private static final Map<String, String> HOUSE = Map.of(
            "plugin-api/docs/a.md", "# A\n## Two words, one `code`\n```\n# no heading\n```\n",
            "plugin-api/docs/decisions/0007-seven.md", "# Seven\n",
            "plugin-api/docs/decisions/decisions.md", "## AD" + "R-0002\nIn place of AD" + "R-0007.\n",
            "plugin-impls/docs/algorithms/sources.md", "## Source 001\n",
            "plugin-impls/docs/algorithms/bully.md", "**H1** L12 L13\n",
            "plugin-impls/docs/algorithms/common.md", "**K1**\n");

    private static Stream<String> dangling(String file, String line) {
        Map<String, String> texts = new TreeMap<>(HOUSE);
        texts.put(file, line + "\n");
        return Citations.check(texts, texts.keySet()).stream().map(Citations.Finding::citation);
    }

    private static Stream<String> inCode(String line) {
        return dangling("plugin-api/src/main/java/A.java", line);
    }

    @Test
    void documentsAndTheirHeadingsAreFound() {
        assertThat(inCode("// do" + "cs/a.md, do" + "cs/a.md#two-words-one-code"))
                .isEmpty();
        assertThat(inCode("// do" + "cs/b.md")).containsExactly("do" + "cs/b.md");
        assertThat(inCode("// do" + "cs/a.md#no-heading")).containsExactly("do" + "cs/a.md#no-heading");
    }

    @Test
    void decisionsAndSourcesAreFound() {
        assertThat(inCode("// AD" + "R-0007, AD" + "R-0002, sou" + "rce 001")).isEmpty();
        assertThat(inCode("// AD" + "R-0008")).containsExactly("AD" + "R-0008");
        assertThat(inCode("// AD" + "R-0001, do" + "cs/decisions/decisions.md#adr-0002"))
                .containsExactly("AD" + "R-0001");
        assertThat(inCode("// sou" + "rce 002")).containsExactly("sou" + "rce 002");
    }

    @Test
    void linesOfOtherSourcesAreNotCited() {
        assertThat(inCode("// PROTO" + "COL.md 3.5")).containsExactly("PROTO" + "COL.md");
        assertThat(inCode("// DECI" + "SIONS 4")).containsExactly("DECI" + "SIONS 4");
        assertThat(inCode("// ../sha" + "red")).containsExactly("../sha" + "red");
        assertThat(inCode("List<String> ALGORITHMS = List.of();")).isEmpty();
    }

    @Test
    void linksOfDocumentsAreFollowed() {
        String file = "plugin-impls/docs/x.md";
        assertThat(dangling(file, "[a](../../plugin-api/docs/a.md#a) [b](algorithms) [c](https://example.org)"))
                .isEmpty();
        assertThat(dangling(file, "[a](a.md)")).containsExactly("](a.md)");
        assertThat(dangling(file, "[a](../../plugin-api/docs/a.md#b)"))
                .containsExactly("](../../plugin-api/docs/a.md#b)");
        assertThat(dangling(file, "# Here\n[a](#here) [b](#there)")).containsExactly("](#there)");
    }

    @Test
    void testsThatDocumentsNameAreThere() {
        Map<String, String> texts = new TreeMap<>(HOUSE);
        texts.put("plugin-api/src/test/java/OneTest.java", "class OneTest extends Base {\n    void isSo() {}\n}\n");
        texts.put("plugin-api/src/test/java/Base.java", "class Base {\n    Stream<DynamicTest> allAreSo() {}\n}\n");
        texts.put(
                "plugin-api/docs/x.md",
                "`OneTest.isSo`, `OneTest.allAreSo`, `OneTest` and `OneTest.isOther`, `TwoTest.isSo`\n");
        assertThat(Citations.check(texts, texts.keySet()).stream().map(Citations.Finding::citation))
                .containsExactly("`OneTest.isOther`", "`TwoTest.isSo`");
    }

    @Test
    void linesAndRulesOfAnAlgorithmStandInItsDocument() {
        String file = "plugin-impls/algorithms/src/main/java/io/quorate/bully/A.java";
        assertThat(dangling(file, "int x; // L12-13, H1, K1")).isEmpty();
        assertThat(dangling(file, "int x; // L12-14")).containsExactly("L12-14");
        assertThat(dangling(file, " * H2: no such rule")).containsExactly("H2");
        assertThat(dangling(file, "int H2;")).isEmpty();
    }
}
