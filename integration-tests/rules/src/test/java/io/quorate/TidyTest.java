package io.quorate;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.Tidy.Finding;
import io.quorate.Tidy.Rule;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The style of all Java files of the repository, as far as a machine can check it. May only be tightened. */
class TidyTest {

    private static final Path ROOT = Path.of("..", "..");
    private static final Pattern PACKAGE_OF_THE_API =
            Pattern.compile("plugin-(?:api/api|impls/engine)/src/main/java/(.*)/package-info\\.java");
    private static final Pattern SHIPPED_PACKAGE =
            Pattern.compile("(plugin-(?:api|impls)/[^/]+/src/main/java)/(.*)/package-info\\.java");
    private static final List<Finding> FINDINGS = new ArrayList<>();

    private static List<Path> javaFiles() throws IOException {
        return Wording.sources(ROOT).stream()
                .filter(file -> file.endsWith(".java"))
                .map(Path::of)
                .toList();
    }

    @BeforeAll
    static void readAll() throws IOException {
        for (Path file : javaFiles()) {
            FINDINGS.addAll(Tidy.check(file, Files.readString(ROOT.resolve(file))));
        }
    }

    @Test
    void everyFileIsTidy() {
        assertThat(FINDINGS).isEmpty();
    }

    @Test
    void everyPackageSaysWhatItIs() throws IOException {
        assertThat(withoutPackageInfo(javaFiles())).isEmpty();
    }

    /** The folders of shipped classes that have no {@code package-info.java}. */
    private static Set<String> withoutPackageInfo(List<Path> files) {
        Set<String> folders = new TreeSet<>();
        Set<String> described = new HashSet<>();
        for (Path file : files) {
            String folder = file.getParent().toString();
            if (folder.startsWith("plugin-") && folder.contains("src/main/java/")) {
                folders.add(folder);
            }
            if (file.endsWith("package-info.java")) {
                described.add(folder);
            }
        }
        folders.removeAll(described);
        return folders;
    }

    // A walk that finds nothing would find nothing wrong.
    @Test
    void allModulesAreRead() throws IOException {
        Set<String> modules =
                javaFiles().stream().map(file -> file.getName(0).toString()).collect(Collectors.toSet());
        assertThat(modules).contains("plugin-api", "plugin-impls", "integration-tests");
        assertThat(javaFiles()).contains(Path.of("plugin-api/api/src/main/java/io/quorate/LeaderLatch.java"));
    }

    // ---------------------------------------------------------------- every rule can fail

    private static Set<Rule> rules(String file, String text) {
        return Tidy.check(Path.of(file), text).stream().map(Finding::rule).collect(Collectors.toSet());
    }

    private static Set<Rule> inMain(String text) {
        return rules("plugin-api/src/main/java/A.java", "class A { }\n" + text);
    }

    private static Set<Rule> inTest(String text) {
        return rules("plugin-impls/src/test/java/A.java", "class A { }\n" + text);
    }

    @Test
    void unfinishedWorkIsFound() {
        assertThat(inMain("// TO" + "DO")).containsExactly(Rule.OPEN_TASK);
        assertThat(inTest("// FIX" + "ME: later")).containsExactly(Rule.OPEN_TASK);
        assertThat(inTest("@Dis" + "abled(\"flaky\") class B { }")).containsExactly(Rule.DISABLED_TEST);
    }

    @Test
    void consoleAndSleepAreFoundWhereTheyAreForbidden() {
        assertThat(inMain("// System.out.println(1)")).containsExactly(Rule.CONSOLE);
        assertThat(inTest("// System.out.println(1)")).isEmpty();
        assertThat(inTest("// Thread.sl" + "eep(1)")).containsExactly(Rule.SLEEP);
    }

    @Test
    void pathsOfOneMachineAreFound() {
        assertThat(inMain("// see /ho" + "me/me/notes")).containsExactly(Rule.ABSOLUTE_PATH);
        assertThat(inTest("class B { String s = \"C:" + "\\\\temp\"; }")).containsExactly(Rule.ABSOLUTE_PATH);
        assertThat(inMain("// the path /app/leader, and a/tmp/b")).isEmpty();
    }

    @Test
    void catchesThatMissForeignErrorsAreFound() {
        String catching = "} catch (RuntimeException | Error e) {";
        assertThat(rules("plugin-api/api/src/main/java/A.java", catching)).containsExactly(Rule.HALF_CAUGHT);
        assertThat(rules("plugin-impls/vertx/src/main/java/A.java", catching)).containsExactly(Rule.HALF_CAUGHT);
        assertThat(rules("plugin-impls/tcp/src/main/java/A.java", catching)).containsExactly(Rule.HALF_CAUGHT);
        assertThat(inTest(catching)).isEmpty();
    }

    @Test
    void aLineOfTheLogThatHoldsUpANodeIsFound() {
        String line = "Logger LOG = Logger" + "Factory.getLogger(A.class);";
        assertThat(rules("plugin-api/api/src/main/java/A.java", line)).containsExactly(Rule.LOG_OF_THE_CALLER);
        assertThat(rules("plugin-impls/tcp/src/main/java/A.java", line)).containsExactly(Rule.LOG_OF_THE_CALLER);
        assertThat(rules("plugin-impls/ops/src/main/java/A.java", line)).isEmpty();
    }

    @Test
    void theTimerOfTheJdkIsFound() {
        assertThat(inMain("answer.orTimeout(1, TimeUnit.SECONDS)")).containsExactly(Rule.TIMER_OF_THE_JDK);
        assertThat(inMain("answer.completeOnTimeout(1, 2, SECONDS)")).containsExactly(Rule.TIMER_OF_THE_JDK);
        assertThat(inMain("engine.orTimeout(answer, limit)")).isEmpty();
        assertThat(inTest("answer.orTimeout(1, TimeUnit.SECONDS)")).isEmpty();
        assertThat(rules("plugin-impls/cli/src/main/java/A.java", "answer.orTimeout(1, TimeUnit.SECONDS)"))
                .isEmpty();
    }

    @Test
    void theLanguageOfTheMachineIsFound() {
        assertThat(inMain("String.format(\"%d\", 1)")).containsExactly(Rule.LOCALE_OF_THE_MACHINE);
        assertThat(inMain("\"%d\".formatted(1)")).containsExactly(Rule.LOCALE_OF_THE_MACHINE);
        assertThat(inMain("name.toLowerCase()")).containsExactly(Rule.LOCALE_OF_THE_MACHINE);
        assertThat(inMain("String.format(Locale.ROOT, \"%d\", 1); name.toLowerCase(Locale.ROOT)"))
                .isEmpty();
    }

    @Test
    void packagesOfOursAreFoundInCodeOfOthers() {
        String line = "import io.quorate.transport.Admission;";
        assertThat(rules("plugin-impls/engine-tests/src/test/java/com/example/transport/A.java", line))
                .containsExactly(Rule.PACKAGE_OF_OURS);
        assertThat(rules("integration-tests/foreign/src/it/pages/src/test/java/com/example/A.java", line))
                .containsExactly(Rule.PACKAGE_OF_OURS);
        assertThat(inTest(line)).isEmpty();
        assertThat(rules("a/com/example/A.java", "import io.quorate.spi.Transport;"))
                .isEmpty();
    }

    // A new package is exported to all, or ours.
    @Test
    void packagesOfTheApiAreExportedOrOurs() throws IOException {
        String module = Files.readString(ROOT.resolve("plugin-api/api/src/main/java/module-info.java"));
        for (Path file : javaFiles()) {
            Matcher found = PACKAGE_OF_THE_API.matcher(file.toString().replace('\\', '/'));
            if (found.matches()) {
                String name = found.group(1).replace('/', '.');
                boolean isOurs = rules("a/com/example/A.java", name + ".A").contains(Rule.PACKAGE_OF_OURS);
                assertThat(module.contains("exports " + name + ";")).as(name).isNotEqualTo(isOurs);
            }
        }
    }

    // A release does not document a package that no module exports without "to", and such a package may change.
    @Test
    void thePomListsThePackagesThatAreNoPromise() throws IOException {
        String pom = Files.readString(ROOT.resolve("pom.xml"));
        List<String> undocumented =
                List.of(between(pom, "<undocumented.packages>", "<").split(","));
        List<String> notCompared = Pattern.compile("<exclude>(io\\.quorate\\.[a-z.*]+)</exclude>")
                .matcher(pom)
                .results()
                .map(exclude -> exclude.group(1))
                .toList();
        for (Path file : javaFiles()) {
            Matcher shipped = SHIPPED_PACKAGE.matcher(file.toString().replace('\\', '/'));
            if (shipped.matches()) {
                String name = shipped.group(2).replace('/', '.');
                String module = Files.readString(ROOT.resolve(shipped.group(1)).resolve("module-info.java"));
                boolean isPromise = module.contains("exports " + name + ";");
                assertThat(isNamed(name, undocumented))
                        .as("%s in undocumented.packages", name)
                        .isNotEqualTo(isPromise);
                assertThat(isNamed(name, notCompared))
                        .as("%s in the excludes of japicmp", name)
                        .isNotEqualTo(isPromise);
            }
        }
    }

    private static String between(String text, String begin, String end) {
        int from = text.indexOf(begin) + begin.length();
        return text.substring(from, text.indexOf(end, from));
    }

    private static boolean isNamed(String name, List<String> patterns) {
        return patterns.stream()
                .anyMatch(pattern -> pattern.endsWith(".*")
                        ? name.startsWith(pattern.substring(0, pattern.length() - 1))
                        : name.equals(pattern));
    }

    @Test
    void missingPackageInfoIsFound() {
        List<Path> files = List.of(
                Path.of("plugin-m/src/main/java/a/A.java"),
                Path.of("plugin-m/src/main/java/b/B.java"),
                Path.of("plugin-m/src/main/java/b/package-info.java"),
                Path.of("plugin-m/src/test/java/c/C.java"));
        assertThat(withoutPackageInfo(files)).containsExactly("plugin-m/src/main/java/a");
    }
}
