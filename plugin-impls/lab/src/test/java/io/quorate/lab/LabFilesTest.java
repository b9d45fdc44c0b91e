package io.quorate.lab;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.testkit.NamedPipe;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Pipes, devices and links in the place of the files that the lab reads or writes. An interrupt does not end the
 * opening of a pipe.
 */
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LabFilesTest {

    private static final Path ENDLESS = Path.of("/dev/zero");

    @TempDir
    private Path directory;

    private Path pipe;

    @BeforeEach
    void makePipe() throws InterruptedException {
        pipe = NamedPipe.in(directory);
    }

    private static void assertRefused(Run run, String file) {
        assertThat(run.out() + run.err())
                .contains(file)
                .contains("cannot be read: must be a regular file, or a link to one")
                .doesNotContain("\tat ");
        assertThat(run.exitCode()).isNotZero();
    }

    @Test
    void aScenarioIsReadFromARegularFileOnly() {
        for (Path file : new Path[] {pipe, ENDLESS}) {
            assertRefused(Run.of("bully", "--scenario", file.toString()), "--scenario '" + file + "'");
        }
    }

    @Test
    void aClassPathHasRegularFilesAndDirectoriesOnly() {
        for (Path file : new Path[] {pipe, ENDLESS}) {
            Run run = Run.of("bully", "--classpath", file.toString());
            assertThat(run.err())
                    .contains("--classpath '" + file + "': must be a jar or a directory that exists")
                    .doesNotContain("\tat ");
            assertThat(run.exitCode()).isEqualTo(64);
        }
    }

    // The command line of picocli would read arguments from it.
    @Test
    void anArgumentIsNoFile() {
        Run run = Run.of("@" + pipe);
        assertThat(run.err()).contains("algorithm '@" + pipe + "': must be one of ballot, ");
    }

    // The name of the page is known before, so another user of the directory can put something there.
    @Test
    void thePageOfTheLabIsNotWrittenThroughALink() throws IOException {
        Path victim = Files.writeString(directory.resolve("victim"), "mine");
        Path link = Files.createSymbolicLink(directory.resolve("page.html"), victim);
        for (Path target : new Path[] {link, pipe}) {
            Run run = Run.of("bully", "--way", "hardened", "--html", target.toString());
            assertThat(run.err())
                    .contains("--html '" + target + "': cannot be written: ")
                    .contains("must be a regular file, not a link to one, or not be there yet");
            assertThat(run.exitCode()).isEqualTo(1);
        }
        assertThat(victim).hasContent("mine");
        assertThat(Files.isSymbolicLink(link)).isTrue();
        Path page = directory.resolve("new.html");
        assertThat(Run.of("bully", "--way", "hardened", "--html", page.toString())
                        .exitCode())
                .isZero();
        assertThat(Files.isRegularFile(page, LinkOption.NOFOLLOW_LINKS)).isTrue();
    }
}
