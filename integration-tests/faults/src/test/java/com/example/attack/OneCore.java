package com.example.attack;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Keeps this process, and so the attacker, on the first of its processors for a while: an attacker has machines
 * of its own, and takes no processor away from those that it attacks. The nodes may run on all of them. No effect where
 * there is only one, or no {@code taskset}.
 */
final class OneCore {

    private static final Path STATUS = Path.of("/proc/self/status");
    private static final String ALLOWED = "Cpus_allowed_list:";

    private OneCore() {}

    /** Runs it so. */
    static void during(Runnable attack) {
        String before = allowed();
        if (before.isEmpty()) {
            attack.run();
            return;
        }
        allow(before.split("[,-]")[0]);
        try {
            attack.run();
        } finally {
            allow(before);
        }
    }

    /** As Linux lists them; empty if it does not. */
    private static String allowed() {
        try (var lines = Files.lines(STATUS)) {
            return lines.filter(line -> line.startsWith(ALLOWED))
                    .map(line -> line.substring(ALLOWED.length()).trim())
                    .findFirst()
                    .orElse("");
        } catch (IOException e) {
            // Justification: not every machine has it.
            return "";
        }
    }

    private static void allow(String processors) {
        List<String> command = List.of(
                "taskset",
                "--all-tasks",
                "--cpu-list",
                "--pid",
                processors,
                Long.toString(ProcessHandle.current().pid()));
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (!process.waitFor(600, TimeUnit.SECONDS) || process.exitValue() != 0) {
                System.out.println(command + ": " + said);
            }
        } catch (IOException e) {
            System.out.println("attacker and nodes share all processors: " + e.getMessage());
        } catch (InterruptedException e) {
            throw new AssertionError("interrupted", e);
        }
    }
}
