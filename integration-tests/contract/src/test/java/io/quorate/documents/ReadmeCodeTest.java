package io.quorate.documents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.source.Compiled;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What the README and the documents for users tell a reader to write compiles, what they tell to run exists, and so
 * does what they point at.
 */
class ReadmeCodeTest {

    /** What a statement of a document may use. */
    private static final String AROUND =
            """
            import io.micrometer.core.instrument.Tags;
            import io.micrometer.prometheusmetrics.PrometheusConfig;
            import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
            import io.quorate.*;
            import io.quorate.ops.FlightEvents;
            import io.quorate.ops.OpsServer;
            import io.quorate.ops.QuorateMeters;
            import io.quorate.spi.NodeId;
            import io.quorate.spi.Tls;
            import io.quorate.vertx.VertxTransport;
            import io.vertx.core.Future;
            import io.vertx.core.VerticleBase;
            import io.vertx.core.Vertx;
            import java.net.URI;
            import java.nio.file.Path;
            abstract class Snippet {
                interface Storage { void write(long token, byte[] data); }
                static class Work implements LeaderLatchListener {
                    public void isLeader() {}
                    public void notLeader() {}
                }
                ElectionClient client;
                ClientMonitor monitor;
                LeaderLatch latch;
                Storage storage;
                byte[] data;
                Vertx vertx;
                void run() throws Exception {
            %s
                }
            }
            """;

    private static final String FIRST = "public class App {";
    private static final Pattern SETTING = Pattern.compile("(\\.[a-z]\\w*\\((?!\\.\\.\\.).*\\))+");
    private static final Pattern CALL = Pattern.compile("(latch|client)\\.\\w+\\(.*\\)");
    private static final Pattern SUITES = Pattern.compile("<suites>(.*)</suites>");
    private static final Pattern TAG = Pattern.compile("(?m)^ *@Tag\\(\"([^\"]+)\"\\)$");
    private static final List<String> MODULES = List.of("plugin-api/", "plugin-impls/", "integration-tests/");
    private static final Pattern PATH = Pattern.compile("[\\w-]+(/[\\w.-]+)+");

    private static final List<String> FILES = List.of(
            "README.md",
            "plugin-api/docs/settings.md",
            "plugin-api/docs/operations.md",
            "plugin-api/docs/http.md",
            "plugin-api/docs/troubleshooting.md",
            "plugin-api/docs/kubernetes.md",
            "plugin-api/docs/metrics.md",
            "plugin-api/docs/security.md",
            "plugin-api/docs/testing.md",
            "plugin-api/docs/curator.md",
            "plugin-api/docs/coming-from.md",
            "plugin-api/docs/verification.md");
    private static final List<String> TAKE_PROPERTIES = List.of(
            "integration-tests/rules/src/browser/java/io/quorate/browser/Chromium.java",
            "integration-tests/storms/src/test/java/io/quorate/storms/ChangeStormTest.java",
            "integration-tests/storms/src/test/java/io/quorate/storms/OverloadTest.java",
            "integration-tests/storms/src/test/java/io/quorate/storms/StormNightTest.java",
            "integration-tests/storms/src/test/java/io/quorate/storms/StormTest.java",
            "integration-tests/storms/src/test/java/io/quorate/storms/AlgorithmStormsTest.java",
            "integration-tests/faults/src/test/java/io/quorate/endtoend/FullHeapTest.java",
            "integration-tests/faults/src/test/java/io/quorate/endtoend/HundredThousandPathsTest.java",
            "integration-tests/faults/src/test/java/io/quorate/endtoend/ManyPathsInThreeProcessesTest.java",
            "integration-tests/faults/src/test/java/io/quorate/endtoend/WaitAcrossPausesTest.java",
            "integration-tests/faults/src/test/java/io/quorate/nemesis/LossyLinksTest.java",
            "integration-tests/faults/src/test/java/io/quorate/nemesis/NemesisLongTest.java",
            "integration-tests/contract/src/test/java/io/quorate/migration/TandemRollTest.java");

    private static final List<Markdown> DOCUMENTS = new ArrayList<>();
    private static String poms;
    /** Those that take a property from the command line. */
    private static String tests;

    @BeforeAll
    static void read() throws IOException {
        DOCUMENTS.clear();
        for (String file : FILES) {
            DOCUMENTS.add(Markdown.read(file));
        }
        poms = texts(List.of(
                "pom.xml",
                "integration-tests/demo/pom.xml",
                "integration-tests/compare/pom.xml",
                "integration-tests/platforms/pom.xml"));
        tests = texts(TAKE_PROPERTIES);
    }

    private static String texts(List<String> files) throws IOException {
        StringBuilder texts = new StringBuilder();
        for (String file : files) {
            texts.append(Files.readString(Markdown.ROOT.resolve(file)));
        }
        return texts.toString();
    }

    private static <T> List<T> inAll(Function<Markdown, List<T>> question) {
        return DOCUMENTS.stream()
                .flatMap(document -> question.apply(document).stream())
                .toList();
    }

    private static void assertCompiles(String statements) {
        Compiled.of("Snippet", AROUND.formatted(statements));
    }

    // ReadmeTest compares the other blocks with files that are compiled.
    @Test
    void everyBlockOfStatementsCompiles() {
        List<String> blocks = inAll(document -> document.blocks("java"));
        List<String> statements = blocks.stream()
                .filter(block -> !block.contains("class NightlyJob") && !block.contains(FIRST))
                .toList();
        assertThat(statements)
                .hasSize(blocks.size() - 3)
                .hasSizeGreaterThanOrEqualTo(3)
                .allSatisfy(ReadmeCodeTest::assertCompiles);
    }

    // A reader copies it into App.java, and has nothing else.
    @Test
    void theFirstListingOfTheReadmeIsAWholeProgram() throws IOException {
        String first = Markdown.read("README.md").blocks("java").get(0);
        assertThat(first).contains(FIRST);
        assertThat(Compiled.of("App", first)).isNotNull();
        String withoutImports = first.replaceAll("(?m)^import .*\n", "");
        assertThatThrownBy(() -> Compiled.of("App", withoutImports)).hasMessageContaining("does not compile");
    }

    @Test
    void everySettingAndCallInTheTextCompiles() {
        List<String> code = inAll(Markdown::inlineCode);
        List<String> settings = code.stream().filter(SETTING.asMatchPredicate()).toList();
        List<String> calls = code.stream().filter(CALL.asMatchPredicate()).toList();
        assertThat(settings).contains(".profile(Profile.CALM)", ".preempt(true)");
        assertThat(calls).contains("latch.resign()", "client.close()");
        assertCompiles(Stream.concat(
                        settings.stream().map(setting -> "ElectionClient.builder()" + setting + ";"),
                        calls.stream().map(call -> call + ";"))
                .collect(Collectors.joining("\n")));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "latch.resing();",
                "ElectionClient.builder().profile(Profile.SLOW);",
                "int unfinished",
                "long token = latch.getParticipants();"
            })
    void codeThatDoesNotCompileIsNoticed(String statements) {
        assertThatThrownBy(() -> assertCompiles(statements))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("does not compile");
    }

    // ---------------------------------------------------------------- commands

    /** The profiles and properties of the commands that no pom and no test knows. */
    private static List<String> unknown(List<String> commands) {
        return commands.stream()
                .flatMap(command -> Stream.of(command.split("\\s+")))
                .filter(word -> word.startsWith("-P") && !poms.contains("<id>" + word.substring(2) + "</id>")
                        || word.startsWith("-D") && !isProperty(word.substring(2)))
                .toList();
    }

    /** The suites that the root pom lets somebody name. */
    private static List<String> suites(String pom) {
        Matcher names = SUITES.matcher(pom);
        assertThat(names.find()).as("<suites> of the root pom").isTrue();
        return List.of(names.group(1).split("\\|"));
    }

    private static boolean isProperty(String definition) {
        String name = definition.replaceAll("=.*", "");
        if (name.equals("suite")) {
            return definition.endsWith("=NAME") || suites(poms).contains(definition.replaceAll(".*=", ""));
        }
        return name.equals("skipTests")
                || poms.contains("<" + name + ">")
                || poms.contains("<" + name + "/>")
                || tests.contains("Integer.getInteger(\"" + name + "\"")
                || tests.contains("System.getProperty(\"" + name + "\"");
    }

    @Test
    void theProfilesAndPropertiesOfEveryCommandExist() {
        assertThat(inAll(Markdown::mavenCommands)).hasSizeGreaterThanOrEqualTo(12);
        assertThat(unknown(inAll(Markdown::mavenCommands))).isEmpty();
        List<String> definitions = inAll(document -> document.text().lines().toList()).stream()
                .flatMap(line -> Stream.of(line.split("[\\s`;,]+")))
                .filter(word -> word.matches("-D[a-z.]+=.*"))
                .toList();
        assertThat(definitions).contains("-Ddemo.nodes=5", "-Dstorms=N");
        assertThat(unknown(definitions)).isEmpty();
    }

    @Test
    void aProfileOrPropertyThatDoesNotExistIsNoticed() {
        assertThat(unknown(List.of("mvn -Pdemos -Ddemo.node=5 -DskipTest verify", "mvn -Pdemo -DskipTests verify")))
                .containsExactly("-Pdemos", "-Ddemo.node=5", "-DskipTest");
        assertThat(unknown(List.of("mvn -Dsuite=storm verify", "mvn -Dsuite=storms verify")))
                .containsExactly("-Dsuite=storm");
    }

    /** Without folders in which other modules build meanwhile. */
    private static List<Path> testFolders(Path modules) throws IOException {
        try (Stream<Path> all = Files.list(modules)) {
            return all.flatMap(module -> Stream.of("src/test", "src/browser").map(module::resolve))
                    .filter(Files::isDirectory)
                    .toList();
        }
    }

    // A test with a tag that is no suite would run nowhere: a build runs what has no tag.
    @Test
    void eachTagIsASuiteWithACommand() throws IOException {
        TreeSet<String> tags = new TreeSet<>();
        for (String module : MODULES) {
            for (Path tests : testFolders(Markdown.ROOT.resolve(module))) {
                try (Stream<Path> files = Files.walk(tests)) {
                    for (Path file : files.filter(path -> path.toString().endsWith(".java"))
                            .toList()) {
                        TAG.matcher(Files.readString(file)).results().forEach(tag -> tags.add(tag.group(1)));
                    }
                }
            }
        }
        assertThat(suites(poms)).containsExactlyElementsOf(tags);
        List<String> commands = Markdown.read("plugin-api/docs/verification.md").mavenCommands();
        assertThat(tags)
                .allMatch(tag -> commands.stream().anyMatch(command -> command.matches(".* -Dsuite=" + tag + " .*")));
    }

    // ---------------------------------------------------------------- links and paths

    private static TreeSet<String> dead(Markdown document) throws IOException {
        TreeSet<String> dead = new TreeSet<>();
        for (String link : document.links()) {
            if (!link.contains("://") && !leadsSomewhere(document, link)) {
                dead.add(link);
            }
        }
        document.inlineCode().stream()
                .filter(PATH.asMatchPredicate())
                .filter(path -> MODULES.stream().anyMatch(path::startsWith) && !path.contains("/target/"))
                .filter(path -> !exists(path))
                .forEach(dead::add);
        return dead;
    }

    private static boolean leadsSomewhere(Markdown document, String link) throws IOException {
        String target = document.target(link).toString();
        if (!link.contains("#")) {
            return exists(target);
        }
        Markdown other = link.startsWith("#") ? document : Markdown.read(target);
        return other.anchors().contains(link.substring(link.indexOf('#')));
    }

    private static boolean exists(String path) {
        return Files.exists(Markdown.ROOT.resolve(path));
    }

    @Test
    void everyLinkAndPathLeadsSomewhere() throws IOException {
        assertThat(Markdown.read("README.md").links())
                .contains(
                        "integration-tests/docs/scenarios.md",
                        "integration-tests/docs/demo.png",
                        "plugin-api/docs/settings.md#profiles");
        for (Markdown document : DOCUMENTS) {
            assertThat(dead(document)).as(document.file().toString()).isEmpty();
        }
    }

    @Test
    void aDeadLinkOrPathIsNoticed() throws IOException {
        assertThat(dead(new Markdown(
                        Path.of("README.md"),
                        "# A b, c\n[x](#a-b-c) [y](#a-b) [z](NOWHERE.md) `plugin-api/docs` `plugin-api/no`")))
                .containsExactly("#a-b", "NOWHERE.md", "plugin-api/no");
        assertThat(
                        dead(
                                new Markdown(
                                        Path.of("plugin-api/docs/x.md"),
                                        "[x](../../README.md) [y](README.md) [z](settings.md#profiles) ![p](settings.md#no-such-heading)")))
                .containsExactly("README.md", "settings.md#no-such-heading");
    }
}
