package io.quorate.documents;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The table of docs/verification.md#pages-as-printed has each page for users, and its tests exist. */
class PagesTableTest {

    private static final Pattern PAGE = Pattern.compile("`([\\w-]+\\.md)`");
    private static final Pattern TEST = Pattern.compile("`(\\w+Test)(?:\\.(\\w+))?`");

    private static List<String> rows() throws IOException {
        String text = Markdown.read("plugin-api/docs/verification.md").text();
        String section = text.substring(text.indexOf("\n## Pages as printed\n"));
        return section.substring(0, section.indexOf("\n## ", 1))
                .lines()
                .filter(line -> line.startsWith("| `"))
                .toList();
    }

    private static List<String> pages(String row) {
        return PAGE.matcher(row.split("\\|")[1])
                .results()
                .map(page -> page.group(1))
                .toList();
    }

    @Test
    void eachPageForUsersHasARow() throws IOException {
        String readme = Markdown.read("README.md").text();
        String documents = readme.substring(readme.indexOf("\n- **Use**"));
        TreeSet<String> pages = Pattern.compile("\\(plugin-api/docs/([\\w-]+\\.md)\\)")
                .matcher(documents.substring(0, documents.indexOf("\n- **Understand**")))
                .results()
                .map(page -> page.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
        pages.addAll(List.of("README.md", "lab.md"));
        assertThat(pages).hasSizeGreaterThan(15);
        assertThat(rows().stream().flatMap(row -> pages(row).stream())).containsExactlyInAnyOrderElementsOf(pages);
    }

    @Test
    void eachTestExists() throws IOException {
        Map<String, String> tests = new TreeMap<>();
        for (String part : List.of("plugin-api", "plugin-impls", "integration-tests")) {
            try (Stream<Path> files = Files.walk(Markdown.ROOT.resolve(part))) {
                for (Path file : files.filter(each -> each.toString().endsWith("Test.java"))
                        .filter(each -> !each.toString().contains("/target/"))
                        .toList()) {
                    tests.merge(
                            file.getFileName().toString().replace(".java", ""), Files.readString(file), String::concat);
                }
            }
        }
        for (String row : rows()) {
            List<MatchResult> named = TEST.matcher(row).results().toList();
            assertThat(named.isEmpty()).as(row).isEqualTo(row.contains("it has no example"));
            for (MatchResult test : named) {
                assertThat(tests).as(row).containsKey(test.group(1));
                if (test.group(2) != null) {
                    assertThat(tests.get(test.group(1))).contains("void " + test.group(2) + "(");
                }
            }
        }
    }
}
