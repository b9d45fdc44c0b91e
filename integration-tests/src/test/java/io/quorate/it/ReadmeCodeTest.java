package io.quorate.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.source.Compiled;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the README tells a reader to write compiles, what it tells to run exists, and so does what it points at. */
class ReadmeCodeTest {

    /** What a statement of the README may use. */
    private static final String AROUND = """
            import io.quorate.*;
            import io.quorate.spi.NodeId;
            import io.quorate.vertx.VertxTransport;
            import io.vertx.core.Vertx;
            import java.nio.file.Path;
            abstract class Snippet {
                interface Storage { void write(long token, byte[] data); }
                ElectionClient client;
                LeaderLatch latch;
                Storage storage;
                byte[] data;
                Vertx vertx;
                void run() throws Exception {
            %s
                }
            }
            """;

    private static final Pattern SETTING = Pattern.compile("(\\.[a-z]\\w*\\((?!\\.\\.\\.).*\\))+");
    private static final Pattern CALL = Pattern.compile("(latch|client)\\.\\w+\\(.*\\)");
    private static final Pattern PATH = Pattern.compile("[\\w-]+(/[\\w.-]+)+");

    private static Readme readme;
    private static String poms;
    /** Those that take a property from the command line. */
    private static String tests;

    @BeforeAll
    static void read() throws IOException {
        readme = Readme.read();
        poms = Files.readString(Readme.ROOT.resolve("pom.xml"))
                + Files.readString(Readme.ROOT.resolve("integration-tests/pom.xml"));
        tests = Files.readString(Readme.ROOT.resolve("plugin-api/src/test/java/io/quorate/core/StormNightTest.java"));
    }

    private static void assertCompiles(String statements) {
        Compiled.of("Snippet", AROUND.formatted(statements));
    }

    // ReadmeTest compares the other blocks with files that are compiled.
    @Test
    void everyBlockOfStatementsCompiles() {
        List<String> blocks = readme.blocks("java");
        List<String> statements = blocks.stream().filter(block -> !block.startsWith("class NightlyJobTest ")).toList();
        assertThat(statements).hasSize(blocks.size() - 1).hasSizeGreaterThanOrEqualTo(2)
                .allSatisfy(ReadmeCodeTest::assertCompiles);
    }

    @Test
    void everySettingAndCallInTheTextCompiles() {
        List<String> code = readme.inlineCode();
        List<String> settings = code.stream().filter(SETTING.asMatchPredicate()).toList();
        List<String> calls = code.stream().filter(CALL.asMatchPredicate()).toList();
        assertThat(settings).contains(".profile(Profile.CALM)", ".preempt(true)");
        assertThat(calls).contains("latch.resign()", "client.close()");
        assertCompiles(Stream.concat(settings.stream().map(setting -> "ElectionClient.builder()" + setting + ";"),
                calls.stream().map(call -> call + ";")).collect(Collectors.joining("\n")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"latch.resing();", "ElectionClient.builder().profile(Profile.SLOW);", "int unfinished",
        "long token = latch.getParticipants();"})
    void codeThatDoesNotCompileIsNoticed(String statements) {
        assertThatThrownBy(() -> assertCompiles(statements)).isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("does not compile");
    }

    // ---------------------------------------------------------------- commands

    /** The profiles and properties of the commands that no pom and no test knows. */
    private static List<String> unknown(List<String> commands) {
        return commands.stream().flatMap(command -> Stream.of(command.split("\\s+"))).filter(word ->
                word.startsWith("-P") && !poms.contains("<id>" + word.substring(2) + "</id>")
                        || word.startsWith("-D") && !isProperty(word.substring(2))).toList();
    }

    private static boolean isProperty(String definition) {
        String name = definition.replaceAll("=.*", "");
        return name.equals("skipTests") || poms.contains("<" + name + ">") || poms.contains("<" + name + "/>")
                || tests.contains("Integer.getInteger(\"" + name + "\"");
    }

    @Test
    void theProfilesAndPropertiesOfEveryCommandExist() {
        assertThat(readme.mavenCommands()).hasSizeGreaterThanOrEqualTo(6);
        assertThat(unknown(readme.mavenCommands())).isEmpty();
        List<String> definitions = readme.text().lines().flatMap(line -> Stream.of(line.split("[\\s`;,]+")))
                .filter(word -> word.matches("-D[a-z.]+=.*")).toList();
        assertThat(definitions).contains("-Ddemo.nodes=5", "-Dstorms=N");
        assertThat(unknown(definitions)).isEmpty();
    }

    @Test
    void aProfileOrPropertyThatDoesNotExistIsNoticed() {
        assertThat(unknown(List.of("mvn -Pdemos -Ddemo.node=5 -DskipTest verify", "mvn -Pdemo -DskipTests verify")))
                .containsExactly("-Pdemos", "-Ddemo.node=5", "-DskipTest");
    }

    // ---------------------------------------------------------------- links and paths

    private static TreeSet<String> dead(Readme readme) {
        TreeSet<String> dead = new TreeSet<>();
        readme.links().stream().filter(link -> !link.contains("://"))
                .filter(link -> link.startsWith("#") ? !readme.anchors().contains(link) : !exists(link))
                .forEach(dead::add);
        List<String> modules = List.of("plugin-api/", "plugin-impls/", "integration-tests/");
        readme.inlineCode().stream().filter(PATH.asMatchPredicate())
                .filter(path -> modules.stream().anyMatch(path::startsWith) && !path.contains("/target/"))
                .filter(path -> !exists(path)).forEach(dead::add);
        return dead;
    }

    private static boolean exists(String path) {
        return Files.exists(Readme.ROOT.resolve(path));
    }

    @Test
    void everyLinkAndPathLeadsSomewhere() {
        assertThat(readme.links()).contains("integration-tests/SCENARIOS.md", "#settings");
        assertThat(dead(readme)).isEmpty();
    }

    @Test
    void aDeadLinkOrPathIsNoticed() {
        assertThat(dead(new Readme("# A b, c\n[x](#a-b-c) [y](#a-b) [z](NOWHERE.md) `plugin-api/src` `plugin-api/no`")))
                .containsExactly("#a-b", "NOWHERE.md", "plugin-api/no");
    }
}
