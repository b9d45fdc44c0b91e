package io.quorate.tla;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import tlc2.TLC;

/**
 * Runs TLC, the model checker of TLA+, in a JVM of its own. Spec and configuration are copied into one directory below
 * {@code target}, which is also TLC's working directory: this version of TLC finds a configuration only there.
 */
final class Tlc {

    /** Where the specs are. */
    static final Path SPECS = Path.of("src/test/tla");

    private static final Path RUNS = Path.of("target/tla");
    private static final String SUCCESS = "Model checking completed. No error has been found.";
    private static final Pattern STATES = Pattern.compile("(\\d+) states generated, (\\d+) distinct states found");
    private static final Pattern INVARIANT = Pattern.compile("Error: Invariant (\\w+) is violated");
    private static final Pattern ACTION = Pattern.compile("Error: Action property (\\w+) is violated");
    // Of any other property TLC 2.18 does not say which; so a configuration that must fail has one only.
    private static final String TEMPORAL = "Error: Temporal properties were violated.";
    private static final String DEADLOCK = "Error: Deadlock reached.";

    // tlc2.output.EC.ExitStatus; parse errors and failed assumptions have others.
    private static final int EXIT_SUCCESS = 0;
    private static final int EXIT_DEADLOCK = 11;
    private static final int EXIT_SAFETY = 12;
    private static final int EXIT_LIVENESS = 13;

    /**
     * What TLC found.
     *
     * @param violated the invariant or property that is broken, or {@code deadlock}; nothing if all hold
     * @param states   distinct states
     * @param cpu      that the whole process used, as last seen before its end
     * @param output   everything that TLC printed
     */
    record Outcome(Optional<String> violated, long states, Duration wall, Duration cpu, List<String> output) {}

    private Tlc() {}

    /**
     * Checks {@code configuration}.cfg against the spec that its name begins with: {@code Bully_restart} is one of
     * {@code Bully}.
     *
     * @throws AssertionError if TLC neither passes nor finds a violation, or takes longer than {@code limit}
     */
    static Outcome check(String configuration, Duration limit) {
        try {
            return check(directoryWithSpecs(configuration), configuration, limit);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A directory for one run, with all specs and configurations in it; a test may add files. */
    static Path directoryWithSpecs(String run) throws IOException {
        Path directory = Files.createDirectories(RUNS.resolve(run)).toAbsolutePath();
        copySpecs(directory);
        return directory;
    }

    /** The name of the spec that a configuration is for. */
    static String spec(String configuration) {
        return configuration.replaceFirst("_.*", "");
    }

    static String configurationText(String configuration) {
        try {
            return Files.readString(SPECS.resolve(configuration + ".cfg"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void copySpecs(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(SPECS)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Files.copy(file, directory.resolve(file.getFileName()), StandardCopyOption.REPLACE_EXISTING);
            }
        }
    }

    /** Checks a configuration whose files are all in {@code directory} already. */
    static Outcome check(Path directory, String configuration, Duration limit) throws IOException {
        Path log = directory.resolve("tlc.log");
        long start = System.nanoTime();
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx2g",
                        "-XX:+UseParallelGC",
                        "-XX:-UsePerfData",
                        // It unpacks its modules there; another TLC beside it writes the same files.
                        "-Djava.io.tmpdir=" + directory,
                        "-cp",
                        jar(),
                        "tlc2.TLC",
                        "-workers",
                        "2",
                        "-metadir",
                        directory.resolve("states").toString(),
                        "-config",
                        configuration + ".cfg",
                        spec(configuration) + ".tla")
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        Thread killer = new Thread(process::destroyForcibly);
        Runtime.getRuntime().addShutdownHook(killer);
        try {
            Duration cpu = waitFor(process, start + limit.toNanos());
            List<String> output = Files.readAllLines(log);
            if (process.isAlive()) {
                throw new AssertionError(configuration + " took longer than " + limit + ":\n" + tail(output));
            }
            return outcome(
                    configuration, process.exitValue(), Duration.ofNanos(System.nanoTime() - start), cpu, output);
        } finally {
            process.destroyForcibly();
            Runtime.getRuntime().removeShutdownHook(killer);
        }
    }

    /** Waits for the end of the process, or the deadline; tells the CPU time it was seen to use. */
    private static Duration waitFor(Process process, long deadline) {
        Duration cpu = Duration.ZERO;
        try {
            boolean isOver = false;
            while (!isOver && System.nanoTime() - deadline < 0) {
                cpu = process.info().totalCpuDuration().orElse(cpu);
                isOver = process.waitFor(50, TimeUnit.MILLISECONDS);
            }
            return cpu;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while TLC was running", e);
        }
    }

    private static Outcome outcome(String configuration, int exit, Duration wall, Duration cpu, List<String> output) {
        String text = String.join("\n", output);
        Optional<String> violated = Optional.empty();
        Matcher invariant = INVARIANT.matcher(text);
        Matcher action = ACTION.matcher(text);
        if (exit == EXIT_SAFETY && invariant.find()) {
            violated = Optional.of(invariant.group(1));
        } else if (exit == EXIT_LIVENESS && action.find()) {
            violated = Optional.of(action.group(1));
        } else if (exit == EXIT_LIVENESS && text.contains(TEMPORAL)) {
            violated = Optional.of(Cfg.of(configuration).onlyProperty());
        } else if (exit == EXIT_DEADLOCK && text.contains(DEADLOCK)) {
            violated = Optional.of("deadlock");
        } else if (exit != EXIT_SUCCESS || !text.contains(SUCCESS)) {
            throw new AssertionError(configuration + " cannot be checked, exit " + exit + ":\n" + tail(output));
        }
        return new Outcome(violated, states(text), wall, cpu, output);
    }

    /** Distinct states; the last line that counts them is the final one. */
    private static long states(String text) {
        long states = 0;
        for (Matcher count = STATES.matcher(text.replace(",", "").replace("generated", "generated,")); count.find(); ) {
            states = Long.parseLong(count.group(2));
        }
        return states;
    }

    private static String tail(List<String> output) {
        return String.join("\n", output.subList(Math.max(0, output.size() - 40), output.size()));
    }

    private static String jar() {
        try {
            return Path.of(TLC.class
                            .getProtectionDomain()
                            .getCodeSource()
                            .getLocation()
                            .toURI())
                    .toString();
        } catch (URISyntaxException e) {
            throw new AssertionError(e);
        }
    }
}
