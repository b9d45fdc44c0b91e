package io.quorate.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.testkit.NamedPipe;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Pipes, devices and links in the place of the files that a command reads. An interrupt does not end the
 * opening of a pipe.
 */
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PlantedFilesTest {

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
    void aTokenIsReadFromARegularFileOnly() {
        try (FakeNode node = new FakeNode()) {
            for (Path file : new Path[] {pipe, ENDLESS}) {
                assertRefused(
                        Run.of("standby", "n1", "on", "--force", "--url", node.url(), "--token-file", file.toString()),
                        "--token-file '" + file + "'");
            }
            assertThat(node.requests()).isEmpty();
        }
    }

    // The command line of picocli would read arguments from it.
    @Test
    void anArgumentIsNoFile() {
        assertThat(Run.of("who", "@" + pipe, "@" + ENDLESS).err()).contains("'@" + ENDLESS + "'");
    }

    @Test
    void settingsAreReadFromARegularFileOnly() throws IOException {
        for (Path file : new Path[] {pipe, ENDLESS}) {
            assertRefused(Run.of("check", file.toString()), file.toString());
            assertRefused(Run.of("voter", "--settings", file.toString()), "--settings '" + file + "'");
        }
        Path large = Files.write(directory.resolve("large"), new byte[1024 * 1024 + 1]);
        assertThat(Run.of("check", large.toString()).out())
                .contains(large + ": is longer than 1048576 bytes: must be another file");
    }
}
