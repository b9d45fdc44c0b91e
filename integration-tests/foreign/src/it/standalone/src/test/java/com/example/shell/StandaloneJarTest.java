package com.example.shell;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.cli.Quorate;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The jar that runs by itself, as {@code java -jar} runs it: with nothing beside it. */
@Timeout(900)
class StandaloneJarTest {

    @TempDir
    private Path directory;

    private static Path jar() {
        return Path.of(URI.create(Quorate.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toString()));
    }

    private static ProcessBuilder command(String... arguments) {
        List<String> words = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-jar", jar().toString()));
        words.addAll(List.of(arguments));
        return new ProcessBuilder(words).redirectErrorStream(true);
    }

    private static String outputOf(int exitCode, String... arguments) throws Exception {
        Process process = command(arguments).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isEqualTo(exitCode);
        return output;
    }

    @Test
    void theVersionIsThatOfTheArtifact() throws Exception {
        String version = outputOf(0, "--version").strip();
        assertThat(jar().getFileName())
                .hasToString("quorate-cli-" + version.replace("quorate ", "") + "-standalone.jar");
    }

    @Test
    void licencesAndNothingOfAModuleAreInIt() throws IOException {
        try (JarFile jar = new JarFile(jar().toFile())) {
            assertThat(jar.stream().map(Object::toString))
                    .contains("META-INF/LICENSE", "META-INF/NOTICE")
                    .noneMatch(name -> name.endsWith("module-info.class") || name.startsWith("io/vertx"))
                    .doesNotHaveDuplicates();
        }
    }

    // As "quorate status -w | head -1" does.
    @Test
    void watchCommandEndsWithItsReader() throws Exception {
        String nobody = "http://127.0.0.1:" + freePort();
        Process process = command("status", "-w", "--interval", "50ms", "-o", "json", "--url", nobody)
                .start();
        try {
            process.inputReader(StandardCharsets.UTF_8).readLine();
            process.getInputStream().close();
            assertThat(process.waitFor(600, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).isEqualTo(2);
        } finally {
            process.destroyForcibly();
        }
    }

    // All providers of all its parts are found.
    @Test
    void algorithmsAreFound() throws Exception {
        Path file = Files.writeString(
                directory.resolve("n1.properties"),
                "quorate.node-id=n1\nquorate.peers=n1=127.0.0.1:1\nquorate.algorithm=none\n");
        assertThat(outputOf(0, "check", file.toString()))
                .contains("node n1, no fault")
                .contains("ballot, bully, lcr, three-phase, token-ring");
    }

    // Neither is what the lab needs.
    @Test
    void simulatorIsNotForOperators() throws Exception {
        assertThat(outputOf(64, "lab", "bully"))
                .contains("java -jar quorate-lab-")
                .hasLineCount(1);
        try (JarFile jar = new JarFile(jar().toFile())) {
            assertThat(jar.stream().map(Object::toString))
                    .noneMatch(name -> name.startsWith("io/quorate/testkit") || name.startsWith("io/quorate/lab"));
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private static boolean isUp(int port) throws InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/ready"))
                .build();
        try {
            return HttpClient.newHttpClient()
                            .send(request, BodyHandlers.discarding())
                            .statusCode()
                    == 200;
        } catch (IOException e) {
            return false;
        }
    }

    @Test
    void aWitnessRuns() throws Exception {
        int http = freePort();
        Path log = directory.resolve("log");
        String peers = "quorate.peers=w=127.0.0.1:" + freePort();
        Process witness = command("voter", "--http", "" + http, "--set", "quorate.node-id=w", "--set", peers)
                .redirectOutput(log.toFile())
                .start();
        try {
            while (witness.isAlive() && !isUp(http)) {
                Thread.sleep(50);
            }
            assertThat(witness.isAlive()).as(Files.readString(log)).isTrue();
            assertThat(outputOf(0, "status", "--url", "http://127.0.0.1:" + http))
                    .containsPattern("w +yes +UP +1 of 1 ")
                    .contains("HEALTHY");
            witness.toHandle().destroy();
            assertThat(witness.waitFor(600, TimeUnit.SECONDS)).isTrue();
            assertThat(Files.readString(log))
                    .contains("votes in cluster default, and contends for nothing")
                    .doesNotContain("\tat ");
        } finally {
            witness.destroyForcibly();
        }
    }
}
