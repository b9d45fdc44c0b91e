package com.example.shell;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.lab.Lab;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The jar of the lab, as {@code java -jar} runs it: with nothing beside it. */
@Timeout(900)
class LabJarTest {

    @TempDir
    private Path directory;

    private static Path jar() {
        return Path.of(URI.create(
                Lab.class.getProtectionDomain().getCodeSource().getLocation().toString()));
    }

    private static String outputOf(String... arguments) throws Exception {
        List<String> words = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-jar", jar().toString()));
        words.addAll(List.of(arguments));
        Process process = new ProcessBuilder(words).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        return output;
    }

    // "quorate lab" of the operators' command line names the jar so.
    @Test
    void versionIsThatOfTheArtifact() throws Exception {
        String version = outputOf("--version").strip();
        assertThat(jar().getFileName())
                .hasToString("quorate-lab-" + version.replace("quorate lab ", "") + "-standalone.jar");
    }

    @Test
    void runIsDrawn() throws Exception {
        Path page = directory.resolve("page.html");
        assertThat(outputOf("bully", "leader dies", "--html", page.toString()))
                .contains("bully, under the lease: leader dies", "LEADS with token 1")
                .doesNotContain("SLF4J");
        assertThat(Files.readString(page)).contains("<svg ");
    }

    // The kit's simulator is in it, and what the kit needs for tests is not.
    @Test
    void licencesAndNothingOfTestsAreInIt() throws Exception {
        try (JarFile jar = new JarFile(jar().toFile())) {
            assertThat(jar.stream().map(Object::toString))
                    .contains("META-INF/LICENSE", "io/quorate/testkit/simulation/Experiment.class")
                    .noneMatch(name -> name.endsWith("module-info.class")
                            || name.startsWith("org/junit")
                            || name.startsWith("com/tngtech")
                            || name.startsWith("org/eclipse/jetty"))
                    .doesNotHaveDuplicates();
        }
    }
}
