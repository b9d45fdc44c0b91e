package io.quorate.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Eleven runs as the lab prints them, recorded below {@code src/test/resources/lab}; {@code -Drewrite} records anew.
 */
class LabGoldenTest {

    private static final Path DIRECTORY = Path.of("src", "test", "resources", "lab");

    @TempDir
    private Path directory;

    @ParameterizedTest
    @CsvSource({
        "bully, leader dies, documented",
        "bully, leader and second die, documented",
        "bully, two halves, hardened",
        "bully, leader dies, lease",
        "lcr, leader dies, documented",
        "lcr, leader returns, hardened",
        "token-ring, leader dies, documented",
        "token-ring, leader returns, lease",
        "three-phase, leader dies, hardened",
        "three-phase, priorities change, documented",
        "ballot, leader dies, lease"
    })
    void theRunIsPrintedAsRecorded(String algorithm, String scenario, String way) throws IOException {
        String html = directory.resolve("page.html").toString();
        Run run = Run.of(algorithm, scenario, "--way", way, "--seed", "7", "--html", html);
        assertThat(run.exitCode()).as(run.err()).isZero();
        String printed = run.out().replace(html, "page.html");
        Path file = DIRECTORY.resolve((algorithm + " " + scenario + " " + way).replace(' ', '-') + ".txt");
        if (System.getProperty("rewrite") != null) {
            Files.createDirectories(DIRECTORY);
            Files.writeString(file, printed);
        } else {
            assertThat(printed).as("%s; -Drewrite writes it", file).isEqualTo(Files.readString(file));
        }
    }
}
