package io.quorate.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** docs/command-line.md#migrate: which files are looked at, and what is said. */
class MigrateCommandTest {

    private static final String OLD =
            """
            import org.apache.curator.framework.CuratorFramework;
            import org.apache.curator.framework.recipes.leader.LeaderLatch;

            class A {
                CuratorFramework client;
                LeaderLatch latch;
            }
            """;

    private static final String NEW =
            OLD.replaceAll("org.apache.*[.]", "io.quorate.").replace("CuratorFramework", "ElectionClient");

    private static final String RECIPE = "run the recipe first, or write io.quorate: docs/migration.md#the-recipe";

    @TempDir
    private Path temporary;

    private Path directory;

    @BeforeEach
    void createDirectory() throws IOException {
        directory = Files.createDirectory(temporary.resolve("app"));
    }

    private Path file(String name, String text) throws IOException {
        Path file = directory.resolve(name);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, text);
    }

    private Run check() {
        return Run.of("migrate", "--check", directory.toString());
    }

    /** The lines that are printed for a Java file with an election and one more line at its end. */
    private List<String> places(String line) throws IOException {
        file("A.java", NEW + line + "\n");
        return check().out()
                .lines()
                .map(each -> each.replace(directory + "/A.java:", ""))
                .toList();
    }

    @Test
    void sourcesThatTheRecipeHasNotSeenAreListed() throws IOException {
        Path file = file("src/a/A.java", OLD);
        file("src/a/B.java", "class B {}\n");
        Run run = check();
        assertThat(run.out())
                .isEqualTo(
                        """
                        %s:2: import org.apache.curator.framework.recipes.leader.LeaderLatch;: %s
                        1 place left to you
                        """
                                .formatted(file, RECIPE));
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(file).hasContent(OLD);
    }

    @Test
    void nothingIsLeftAfterwards() throws IOException {
        file("src/a/A.java", NEW);
        file("src/a/Data.java", OLD.replace("recipes.leader.LeaderLatch", "recipes.locks.InterProcessMutex"));
        Run run = check();
        assertThat(run.out()).isEqualTo("0 places left to you\n");
        assertThat(run.exitCode()).isZero();
    }

    // The recipe knows types, and this does not: what it has marked is listed in each file.
    @Test
    void marksOfTheRecipeAreListed() throws IOException {
        String mark = "/*~~(Quorate: write this instead)~~>*/";
        assertThat(places("A a = " + mark + "b();"))
                .containsExactly("8: b();: write this instead", "1 place left to you");
        file("A.java", "class A {\n    A a = " + mark + "b();\n}\n");
        assertThat(check().out()).contains("A.java:2: b();: write this instead\n");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "import org.apache.curator.framework.CuratorFrameworkFactory; | build the client with",
                "import org.apache.curator.retry.RetryForever;                | build the client with",
                "import org.apache.curator.retry.*;                           | build the client with",
                "import org.apache.curator.test.*;                            | a test does not need a server",
                "import org.apache.curator.test.TestingServer;                | a test does not need a server",
                "import org.apache.curator.utils.CloseableUtils;              | write close()",
                "import org.apache.zookeeper.KeeperException;                 | Quorate throws ConnectionLoss",
                "String s = \"org.apache.curator.framework.recipes.leader\";  | run the recipe first",
                "client.blockUntilConnected();                                | waits for a majority",
                "run(client::isStarted);                                      | write getState() ==",
                "/*~~(Quorate: no)~~>*/client.usingNamespace(a)               | put the namespace before"
            })
    void commandListsOtherRemaindersOfAFileWithElections(String line, String advice) throws IOException {
        assertThat(places(line)).hasSize(2).first().asString().startsWith("8: ").contains(": " + advice);
    }

    @Test
    void commentDoesNotHideWhatIsLeft() throws IOException {
        assertThat(places("/** Was a CuratorFramework. */ import org.apache.curator.retry.RetryForever;"))
                .contains("1 place left to you");
    }

    @Test
    void codeBehindACommentOrAStringCounts() throws IOException {
        assertThat(places("/* data */ CuratorFramework c; import org.apache.curator.retry.RetryForever;"))
                .containsExactly("0 places left to you");
        assertThat(places("g(\"http://x /*\", CuratorFramework.class); import org.apache.curator.retry.RetryForever;"))
                .containsExactly("0 places left to you");
    }

    @Test
    void commandAcceptsDataOfAFileThatDoesBoth() throws IOException {
        assertThat(places("CuratorFramework data = org.apache.curator.framework.CuratorFrameworkFactory.x();"))
                .containsExactly("0 places left to you");
    }

    @Test
    void aProcessThatOnlyLooksIsListed() throws IOException {
        assertThat(places("Object o = new LeaderLatch(client, path).getLeader();"))
                .first()
                .asString()
                .startsWith("8: ")
                .contains(": a process that only looks is a node too");
        assertThat(places("Object o = new LeaderLatch(client, path).getLeader(); boolean b = latch.hasLeadership();"))
                .containsExactly("0 places left to you");
    }

    @Test
    void otherFilesAreListed() throws IOException {
        String curator = "  <groupId>org.apache.curator</groupId>";
        file("pom.xml", "<project>\n" + curator + "\n</project>");
        file("build.gradle.kts", "implementation(\"org.apache.curator:curator-recipes:5.9.0\")");
        file("gradle/libs.versions.toml", "curator = { module = \"org.apache.curator:curator-recipes\" }");
        file("src/A.kt", "import org.apache.curator.framework.CuratorFramework");
        file("src/application.yml", "app:\n  servers: a:2181,b:2181\n  port: 2181\n");
        file("src/beans.xml", "<bean class=\"org.apache.curator.framework.CuratorFrameworkFactory\"/>");
        file("src/b.properties", "a=b\nspring.cloud.zookeeper.connect-string=a:2182\nurl=jdbc:a:1\n");
        file("src/module-info.java", "module a {\n    requires curator.recipes;\n}");
        file("src/notes.txt", curator);
        Run run = check();
        assertThat(run.out().lines().map(line -> line.replace(directory + "/", "")))
                .satisfiesExactly(
                        line -> assertThat(line)
                                .startsWith("build.gradle.kts:1: ")
                                .contains("add io.quorate:"),
                        line -> assertThat(line)
                                .startsWith("gradle/libs.versions.toml:1: ")
                                .contains(": add io.quorate:"),
                        line -> assertThat(line)
                                .startsWith("pom.xml:2: <groupId>")
                                .contains(": add io.quorate:"),
                        line -> assertThat(line)
                                .startsWith("src/A.kt:1: import ")
                                .contains(": the recipe changes only Java"),
                        line -> assertThat(line)
                                .startsWith("src/application.yml:2: servers")
                                .contains(": Quorate does not need servers"),
                        line -> assertThat(line)
                                .startsWith("src/b.properties:2: spring")
                                .contains(": Quorate does not need servers"),
                        line -> assertThat(line)
                                .startsWith("src/beans.xml:1: <bean ")
                                .contains(": names Curator"),
                        line -> assertThat(line)
                                .isEqualTo("src/module-info.java:2: requires curator.recipes;: write"
                                        + " requires io.quorate, and remove this when nothing names Curator any more"),
                        line -> assertThat(line).isEqualTo("8 places left to you"));
        assertThat(run.exitCode()).isEqualTo(1);
    }

    @Test
    void theBuildFileAboveTheSourcesIsListed() throws IOException {
        Path pom = file("pom.xml", "<groupId>org.apache.curator</groupId>");
        file("src/main/java/A.java", NEW);
        Run run = Run.of("migrate", "--check", directory.resolve("src/main").toString());
        assertThat(run.out()).startsWith(pom.toRealPath() + ":1: <groupId>").endsWith("1 place left to you\n");
    }

    @Test
    void nothingOutsideIsReached() throws IOException {
        Path outside = Files.createDirectory(temporary.resolve("outside"));
        Path file = Files.writeString(outside.resolve("A.java"), OLD);
        Files.createSymbolicLink(directory.resolve("A.java"), file);
        Files.createSymbolicLink(directory.resolve("src"), outside);
        assertThat(check().out()).isEqualTo("0 places left to you\n");
    }

    @Test
    void theDirectoryItselfMayBeALink() throws IOException {
        file("A.java", OLD);
        Path link = Files.createSymbolicLink(temporary.resolve("link"), directory);
        assertThat(Run.of("migrate", "--check", link.toString()).out()).startsWith(link.resolve("A.java") + ":2: ");
    }

    @Test
    void commandSkipsGeneratedFiles() throws IOException {
        file("pom.xml", "<project/>");
        file("module/build.gradle.kts", "");
        for (String made : List.of("target/A.java", "module/build/A.java", ".idea/A.java")) {
            file(made, OLD);
        }
        Path one = file("src/a/build/A.java", OLD);
        Path other = file("src/target/A.java", OLD);
        assertThat(check().out().lines())
                .satisfiesExactly(
                        line -> assertThat(line).startsWith(one + ":2: "),
                        line -> assertThat(line).startsWith(other + ":2: "),
                        line -> assertThat(line).isEqualTo("2 places left to you"));
    }

    @Test
    void wrongArgumentsAreRejected() throws IOException {
        Path file = file("A.java", OLD);
        for (Path wrong : List.of(file, directory.resolve("none"))) {
            Run run = Run.of("migrate", "--check", wrong.toString());
            assertThat(run.err()).contains("quorate migrate: '" + wrong + "': must be a directory");
            assertThat(run.exitCode()).isEqualTo(64);
        }
        assertThat(Run.of("migrate", "--check").exitCode()).isEqualTo(64);
        Run changes = Run.of("migrate", directory.toString());
        assertThat(changes.err()).contains("--check: must be given; the recipe changes the sources");
        assertThat(changes.exitCode()).isEqualTo(64);
    }

    @Test
    void filesThatCannotBeReadAreListedAndTheOthersChecked() throws IOException {
        Path latin = file("A.java", "");
        Files.write(latin, (OLD + "// ü").getBytes(StandardCharsets.ISO_8859_1));
        Path large = file("B.java", OLD + " ".repeat(2 << 20));
        Path right = file("D.java", OLD);
        Run run = check();
        String advice = ": look at it by hand, and run this again\n";
        assertThat(run.out())
                .startsWith(latin + ": is not in UTF-8" + advice + large + ": is larger than 2 MiB" + advice + right
                        + ":2: ")
                .endsWith("3 places left to you\n");
        assertThat(run.exitCode()).isEqualTo(1);
    }

    // Properties were in Latin-1 for twenty years, and most have nothing to do with Curator.
    @Test
    void otherEncodingsWithoutCuratorAreSkipped() throws IOException {
        for (String name : List.of("messages.properties", "A.java")) {
            Files.write(file(name, ""), "// ü".getBytes(StandardCharsets.ISO_8859_1));
        }
        assertThat(check().out()).isEqualTo("0 places left to you\n");
        for (Charset wide : List.of(StandardCharsets.UTF_16LE, StandardCharsets.UTF_16BE)) {
            Path file = Files.write(file("A.java", ""), ("\uFEFF" + OLD).getBytes(wide));
            assertThat(check().out()).startsWith(file + ": is not in UTF-8: ");
        }
    }

    @Test
    void filesThatMayNotBeReadAreListed() throws IOException {
        Path closed = file("A.java", OLD);
        Path shut = Files.createDirectory(directory.resolve("c"));
        Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString("---------"));
        Files.setPosixFilePermissions(shut, PosixFilePermissions.fromString("---------"));
        assumeFalse(Files.isReadable(closed), "root may read everything");
        Run run = check();
        Files.setPosixFilePermissions(shut, PosixFilePermissions.fromString("rwxr-xr-x"));
        assertThat(run.out())
                .contains(shut + ": cannot be read: ")
                .contains(closed + ": cannot be read: ")
                .endsWith("2 places left to you\n");
    }

    @Test
    void stepsAreNeverCut() throws IOException {
        file("pom.xml", "<a>org.apache.curator" + "b".repeat(1_000) + "</a>");
        assertThat(check().out()).contains("bbb...: add io.quorate:").contains(": README.md#use-it\n");
    }

    // A name may come from anywhere.
    @Test
    void outputCannotControlTheTerminal() throws IOException {
        assertThat(String.join("\n", places("client.isStarted(); // \u001b[2J")))
                .contains("client.isStarted(); // ")
                .doesNotContain("\u001b");
    }
}
