package com.example.pages;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A terminal in a folder. Its Maven takes our artifacts from the repository of this build, and its Java is this one. */
final class Shell implements AutoCloseable {

    private static final Path BIN = Path.of("target", "bin").toAbsolutePath();
    private static final long DEADLINE_SECONDS = 600;

    private final Path folder;
    private final List<Process> started = new ArrayList<>();

    Shell(Path folder) throws IOException {
        this.folder = Files.createDirectories(folder);
        Files.createDirectories(BIN);
        Path maven = BIN.resolve("mvn");
        Files.writeString(
                maven,
                "#!/bin/sh\nexec '%s/bin/mvn' -B -ntp -q %s -s '%s' -Dmaven.repo.local='%s' \"$@\"\n"
                        .formatted(
                                System.getProperty("pages.maven"),
                                System.getProperty("pages.options").endsWith("true") ? "-o" : "",
                                System.getProperty("pages.settings"),
                                System.getProperty("pages.repository")));
        assertThat(maven.toFile().setExecutable(true)).isTrue();
    }

    Path folder() {
        return folder;
    }

    private ProcessBuilder command(String commands) {
        ProcessBuilder builder = new ProcessBuilder("sh", "-ec", commands)
                .directory(folder.toFile())
                .redirectErrorStream(true);
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        builder.environment()
                .merge("PATH", BIN + ":" + System.getProperty("java.home") + "/bin", (path, ours) -> ours + ":" + path);
        return builder;
    }

    /** Runs it to its end, and answers what it has printed. */
    String run(String commands) throws Exception {
        Path log = Files.createTempFile(folder, "run", ".log");
        Process process = command(commands).redirectOutput(log.toFile()).start();
        started.add(process);
        boolean hasEnded = process.waitFor(DEADLINE_SECONDS, TimeUnit.SECONDS);
        String output = Files.readString(log);
        assertThat(hasEnded).as("%s: %s", commands, output).isTrue();
        assertThat(process.exitValue()).as("%s: %s", commands, output).isZero();
        return output;
    }

    /** Starts commands that run until they are killed, and print to the log. */
    Process start(String commands, Path log) throws IOException {
        Process process = command(commands).redirectOutput(log.toFile()).start();
        started.add(process);
        return process;
    }

    /** As {@code kill -9}, with all that the shell has started. */
    static void kill(Process process) {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }

    /** Kills what runs, so that its ports are free. */
    void killAll() throws InterruptedException {
        close();
        for (Process each : started) {
            each.waitFor();
        }
    }

    @Override
    public void close() {
        started.forEach(Shell::kill);
    }
}
