package io.quorate.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** docs/command-line.md#migrate: which files are looked at, what is written, and what is said. */
class MigrateCommandTest {

    private static final String BEFORE =
            """
            import org.apache.curator.framework.CuratorFramework;

            class A {
                CuratorFramework client;
            }
            """;

    private static final String AFTER =
            """
            import io.quorate.ElectionClient;

            class A {
                ElectionClient client;
            }
            """;

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

    private Run migrate(String... options) {
        return Run.of(Stream.concat(Stream.of("migrate", directory.toString()), Stream.of(options))
                .toArray(String[]::new));
    }

    @Test
    void filesAreChangedAndTheirLinesShown() throws IOException {
        Path file = file("src/a/A.java", BEFORE);
        Path other = file("src/a/B.java", "class B {}\n");
        FileTime old = FileTime.fromMillis(1_000);
        Files.setLastModifiedTime(other, old);
        Run run = migrate();
        assertThat(run.out())
                .isEqualTo(
                        """
                        --- %s
                        -import org.apache.curator.framework.CuratorFramework;
                        +import io.quorate.ElectionClient;
                        -    CuratorFramework client;
                        +    ElectionClient client;
                        1 file changed, 0 places left to you
                        """
                                .formatted(file));
        assertThat(run.exitCode()).isZero();
        assertThat(file).hasContent(AFTER);
        assertThat(Files.getLastModifiedTime(other)).isEqualTo(old);
        assertThat(migrate().out()).isEqualTo("0 files changed, 0 places left to you\n");
        try (Stream<Path> all = Files.list(directory.resolve("src/a"))) {
            assertThat(all).containsExactlyInAnyOrder(file, other);
        }
    }

    @Test
    void aDryRunWritesNothing() throws IOException {
        Path file = file("A.java", BEFORE);
        FileTime old = FileTime.fromMillis(1_000);
        Files.setLastModifiedTime(file, old);
        Run dry = migrate("--dry-run");
        assertThat(file).hasContent(BEFORE);
        assertThat(Files.getLastModifiedTime(file)).isEqualTo(old);
        assertThat(dry.out()).endsWith("1 file would be changed, 0 places left to you\n");
        assertThat(dry.out().replace("would be ", "")).isEqualTo(migrate().out());
        assertThat(dry.exitCode()).isZero();
    }

    @Test
    void everyOtherByteStays() throws IOException {
        Path file = file("A.java", "\uFEFF" + BEFORE.replace("\n", "\r\n") + "// ü\t \r\n\r\n\u001A");
        migrate();
        assertThat(Files.readAllBytes(file))
                .isEqualTo(("\uFEFF" + AFTER.replace("\n", "\r\n") + "// ü\t \r\n\r\n\u001A")
                        .getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void permissionsStay() throws IOException {
        Assumptions.assumeTrue(
                FileSystems.getDefault().supportedFileAttributeViews().contains("posix"));
        Path file = file("A.java", BEFORE);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-x--x"));
        migrate();
        assertThat(file).hasContent(AFTER);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rwxr-x--x");
    }

    @Test
    void nothingOutsideIsReached() throws IOException {
        Path outside = Files.createDirectory(temporary.resolve("outside"));
        Path file = Files.writeString(outside.resolve("A.java"), BEFORE);
        Files.createSymbolicLink(directory.resolve("A.java"), file);
        Files.createSymbolicLink(directory.resolve("src"), outside);
        Run run = migrate();
        assertThat(run.out()).isEqualTo("0 files changed, 0 places left to you\n");
        assertThat(file).hasContent(BEFORE);
        assertThat(directory.resolve("A.java")).isSymbolicLink();
    }

    @Test
    void theDirectoryItselfMayBeALink() throws IOException {
        Path file = file("A.java", BEFORE);
        Path link = Files.createSymbolicLink(temporary.resolve("link"), directory);
        assertThat(Run.of("migrate", link.toString()).out()).startsWith("--- " + link.resolve("A.java") + "\n");
        assertThat(file).hasContent(AFTER);
    }

    @Test
    void whatToolsMakeIsPassedOver() throws IOException {
        file("pom.xml", "<project/>");
        file("module/build.gradle.kts", "");
        List<Path> passedOver = List.of(
                file("target/A.java", BEFORE), file("module/build/A.java", BEFORE), file(".idea/A.java", BEFORE));
        List<Path> looked = List.of(file("src/target/A.java", BEFORE), file("src/a/build/A.java", BEFORE));
        migrate();
        assertThat(passedOver).allSatisfy(file -> assertThat(file).hasContent(BEFORE));
        assertThat(looked).allSatisfy(file -> assertThat(file).hasContent(AFTER));
    }

    @Test
    void otherFilesAreListed() throws IOException {
        String curator = "  <groupId>org.apache.curator</groupId>";
        file("pom.xml", "<project>\n" + curator + "\n</project>");
        file("build.gradle.kts", "implementation(\"org.apache.curator:curator-recipes:5.9.0\")");
        file("gradle/libs.versions.toml", "curator = { module = \"org.apache.curator:curator-recipes\" }");
        file("src/A.kt", "import org.apache.curator.framework.CuratorFramework");
        file("src/beans.xml", "<bean class=\"org.apache.curator.framework.CuratorFrameworkFactory\"/>");
        file("src/module-info.java", "module a {\n    requires curator.recipes;\n}");
        file("src/notes.txt", curator);
        Run run = migrate();
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
                                .contains(": only Java is changed"),
                        line -> assertThat(line)
                                .startsWith("src/beans.xml:1: <bean ")
                                .contains(": names Curator"),
                        line -> assertThat(line)
                                .isEqualTo(
                                        "src/module-info.java:2: requires curator.recipes;: write"
                                                + " requires io.quorate, and take this out when nothing names Curator any more"),
                        line -> assertThat(line).isEqualTo("0 files changed, 6 places left to you"));
        assertThat(run.exitCode()).isEqualTo(1);
    }

    @Test
    void whatIsNoDirectoryIsRefused() throws IOException {
        Path file = file("A.java", BEFORE);
        for (Path wrong : List.of(file, directory.resolve("none"))) {
            Run run = Run.of("migrate", wrong.toString());
            assertThat(run.err()).contains("quorate migrate: '" + wrong + "': must be a directory");
            assertThat(run.exitCode()).isEqualTo(64);
        }
        assertThat(file).hasContent(BEFORE);
        assertThat(Run.of("migrate").exitCode()).isEqualTo(64);
    }

    @Test
    void filesThatCannotBeReadAreListedAndTheOthersChanged() throws IOException {
        Path latin = file("A.java", "");
        Files.write(latin, (BEFORE + "// ü").getBytes(StandardCharsets.ISO_8859_1));
        Path large = file("B.java", BEFORE + " ".repeat(2 << 20));
        Path endless = file("C.java", BEFORE + "/* ");
        Path right = file("D.java", BEFORE);
        Run run = migrate();
        String advice = ": the file was left as it is: change it by hand\n";
        assertThat(run.out())
                .startsWith(latin + ": is not in UTF-8" + advice + large + ": is larger than 2 MiB" + advice + endless
                        + ": has a comment in line 6 that does not end" + advice + "--- " + right + "\n")
                .endsWith("1 file changed, 3 places left to you\n");
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(Files.readAllBytes(latin)).isEqualTo((BEFORE + "// ü").getBytes(StandardCharsets.ISO_8859_1));
        assertThat(endless).hasContent(BEFORE + "/* ");
        assertThat(right).hasContent(AFTER);
    }

    // Properties were in Latin-1 for twenty years, and most have nothing to do with Curator.
    @Test
    void whatIsNotInUtf8AndDoesNotNameCuratorIsPassedOver() throws IOException {
        for (String name : List.of("messages.properties", "A.java")) {
            Files.write(file(name, ""), "// ü".getBytes(StandardCharsets.ISO_8859_1));
        }
        assertThat(migrate().out()).isEqualTo("0 files changed, 0 places left to you\n");
        for (Charset wide : List.of(StandardCharsets.UTF_16LE, StandardCharsets.UTF_16BE)) {
            Path file = Files.write(file("A.java", ""), ("\uFEFF" + BEFORE).getBytes(wide));
            assertThat(migrate().out()).startsWith(file + ": is not in UTF-8: ");
        }
    }

    // A class of the same package hides what an import of all brings, also if it stands in another source folder.
    @Test
    void typesOfThePackageAreFoundInAllFolders() throws IOException {
        file("src/main/java/a/b/Participant.java", "package a.b; class Participant {}");
        String text =
                """
                package a.b;
                import org.apache.curator.framework.recipes.leader.*;
                class T { LeaderLatch latch; Participant mine; }
                """;
        Path same = file("src/test/java/a/b/T.java", text);
        Path other = file("src/test/java/c/T.java", text.replace("a.b", "c"));
        migrate();
        assertThat(same).content().contains("import io.quorate.LeaderLatch;").doesNotContain("io.quorate.Participant");
        assertThat(other).content().contains("import io.quorate.Participant;");
    }

    @Test
    void aDryRunListsWhatMayNotBeWritten() throws IOException {
        Path fixed = file("B.java", BEFORE);
        Files.setPosixFilePermissions(fixed, PosixFilePermissions.fromString("r--r--r--"));
        assumeFalse(Files.isWritable(fixed), "root may write everything");
        assertThat(migrate("--dry-run").out().replace("would be ", ""))
                .isEqualTo(migrate().out())
                .contains("may not be written");
    }

    @Test
    void filesThatMayNotBeTouchedAreListed() throws IOException {
        Path closed = file("A.java", BEFORE);
        Path fixed = file("B.java", BEFORE);
        Path shut = Files.createDirectory(directory.resolve("c"));
        Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString("---------"));
        Files.setPosixFilePermissions(fixed, PosixFilePermissions.fromString("r--r--r--"));
        Files.setPosixFilePermissions(shut, PosixFilePermissions.fromString("---------"));
        assumeFalse(Files.isReadable(closed), "root may read everything");
        Run run = migrate();
        Files.setPosixFilePermissions(shut, PosixFilePermissions.fromString("rwxr-xr-x"));
        assertThat(run.out())
                .contains(shut + ": cannot be read: ")
                .contains(closed + ": cannot be read or written: ")
                .contains(fixed + ": cannot be read or written: java.io.IOException: may not be written: ")
                .endsWith("0 files changed, 3 places left to you\n");
        assertThat(fixed).hasContent(BEFORE);
        assertThat(run.exitCode()).isEqualTo(1);
    }

    @Test
    void whatToDoIsNeverCut() throws IOException {
        Path file = file("a".repeat(200) + "/A.java", BEFORE.replace("client;", "client = b.getZookeeperClient();"));
        file("pom.xml", "<a>org.apache.curator" + "b".repeat(1_000) + "</a>");
        assertThat(migrate().out())
                .contains("\n" + file + ":4: getZookeeperClient: for isConnected() write ")
                .contains(".orElse(false)\n")
                .contains("bbb...: add io.quorate:")
                .contains(": README.md#use-it\n");
    }

    @Test
    void tabsAreShownAsBlanks() throws IOException {
        file("A.java", BEFORE.replace("    ", "\t"));
        assertThat(migrate().out()).contains("\n+    ElectionClient client;\n");
    }

    // A name may come from anywhere.
    @Test
    void whatIsShownMovesNoTerminal() throws IOException {
        file("A.java", BEFORE.replace("client;", "client; // \u001b[2J"));
        assertThat(migrate().out()).contains("client; // ").doesNotContain("\u001b");
    }
}
