package io.quorate.documents;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The examples are small, take their versions from the BOM of this build, and are linked from their pages. The module
 * integration-tests/foreign runs them.
 */
class ExamplesTest {

    private static final Path EXAMPLES = Markdown.ROOT.resolve("integration-tests/examples");
    private static final int LINES_MAX = 150;
    private static final Pattern MAIN = Pattern.compile("<argument>(com\\.example\\.[\\w.]+)</argument>");
    private static final Pattern VERSION = Pattern.compile("<version>([^<]+)</version>");
    private static final Pattern IMPORT = Pattern.compile("(?m)^import (io\\.quorate\\.[\\w.]+);");
    private static final Pattern OWN = Pattern.compile(
            "<groupId>io\\.quorate</groupId>\\s*<artifactId>([\\w-]+)</artifactId>\\s*(?:<version>([^<]+)</version>)?");

    /** Pages that lead to an example, by its folder. */
    private static final Map<String, String> PAGES = Map.of(
            "plain", "README.md",
            "spring-boot", "plugin-api/docs/spring.md",
            "quarkus", "plugin-api/docs/quarkus.md",
            "vertx", "plugin-api/docs/vertx.md",
            "camel", "plugin-api/docs/camel.md",
            "shedlock", "plugin-api/docs/shedlock.md");

    private static List<Path> folders() throws IOException {
        try (Stream<Path> files = Files.list(EXAMPLES)) {
            return files.filter(file -> Files.exists(file.resolve("pom.xml")))
                    .sorted()
                    .toList();
        }
    }

    private static int lines(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder.resolve("src"))) {
            int lines = 0;
            for (Path file :
                    files.filter(each -> each.toString().endsWith(".java")).toList()) {
                lines += Files.readAllLines(file).size();
            }
            return lines;
        }
    }

    private static String version() throws IOException {
        Matcher version = VERSION.matcher(Files.readString(Markdown.ROOT.resolve("plugin-api/bom/pom.xml")));
        assertThat(version.find()).isTrue();
        return version.group(1);
    }

    /** What this pom says of our artifacts against the rule that the BOM has their version. */
    private static List<String> wrongVersions(String pom, String version) {
        return OWN.matcher(pom)
                .results()
                .filter(own ->
                        own.group(1).equals("quorate-bom") ? !version.equals(own.group(2)) : own.group(2) != null)
                .map(own -> own.group(1))
                .toList();
    }

    @Test
    void eachIsSmallAndTakesItsVersionsFromTheBom() throws IOException {
        assertThat(folders()).isNotEmpty();
        for (Path folder : folders()) {
            String pom = Files.readString(folder.resolve("pom.xml"));
            assertThat(pom).as(folder.toString()).contains("<artifactId>quorate-bom</artifactId>", "../Run.java");
            assertThat(wrongVersions(pom, version())).as(folder.toString()).isEmpty();
            assertThat(lines(folder)).as(folder.toString()).isBetween(1, LINES_MAX);
            Matcher main = MAIN.matcher(pom);
            assertThat(main.find()).as(folder.toString()).isTrue();
            assertThat(folder.resolve("src/main/java/" + main.group(1).replace('.', '/') + ".java"))
                    .exists();
        }
    }

    /** The classes of ours that this source imports, and no module has. */
    private static List<String> unknownImports(String source) throws IOException {
        List<String> unknown = new ArrayList<>();
        for (MatchResult each : IMPORT.matcher(source).results().toList()) {
            String file = "src/main/java/" + each.group(1).replace('.', '/') + ".java";
            boolean isThere = false;
            for (String part : List.of("plugin-api", "plugin-impls")) {
                try (Stream<Path> modules = Files.list(Markdown.ROOT.resolve(part))) {
                    isThere |= modules.anyMatch(module -> Files.exists(module.resolve(file)));
                }
            }
            if (!isThere) {
                unknown.add(each.group(1));
            }
        }
        return unknown;
    }

    // What compiles them runs in a long suite only.
    @Test
    void eachImportsWhatThereIs() throws IOException {
        for (Path folder : folders()) {
            // Not its target, where another module may build meanwhile.
            try (Stream<Path> files = Files.walk(folder.resolve("src"))) {
                for (Path file :
                        files.filter(each -> each.toString().endsWith(".java")).toList()) {
                    assertThat(unknownImports(Files.readString(file)))
                            .as(file.toString())
                            .isEmpty();
                }
            }
        }
        assertThat(unknownImports("import io.quorate.LeaderLatch;\nimport io.quorate.Nothing;"))
                .containsExactly("io.quorate.Nothing");
    }

    @Test
    void aVersionBesideTheBomIsNoticed() {
        String own = "<groupId>io.quorate</groupId>\n  <artifactId>%s</artifactId>\n  <version>%s</version>";
        assertThat(Arrays.asList("quorate-bom 1", "quorate-bom 2", "quorate-tcp 1"))
                .map(each -> wrongVersions(own.formatted((Object[]) each.split(" ")), "1"))
                .containsExactly(List.of(), List.of("quorate-bom"), List.of("quorate-tcp"));
    }

    @Test
    void eachIsInTheTableAndOnItsPage() throws IOException {
        String table = Files.readString(EXAMPLES.resolve("README.md"));
        for (Path folder : folders()) {
            String name = folder.getFileName().toString();
            assertThat(table).contains("| [" + name + "](" + name + "/");
            assertThat(PAGES).containsKey(name);
            assertThat(Markdown.read(PAGES.get(name)).links()).as(name).anySatisfy(link -> assertThat(link)
                    .endsWith("integration-tests/examples/README.md"));
        }
    }
}
