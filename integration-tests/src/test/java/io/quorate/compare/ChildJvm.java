package io.quorate.compare;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * A JVM that this one has started, with this one's class path. It is told commands and says lines. Its main class ends
 * when its input does, so it does not outlive this JVM, however that ends.
 */
final class ChildJvm {

    private static final long END_SECONDS = 10;

    /** Stops the process $0 until the input ends, which is when this JVM says so or is killed. */
    private static final String PAUSE =
            "trap '' INT TERM HUP; kill -STOP \"$0\" && echo stopped && read -r end; kill -CONT \"$0\"";

    private final String name;
    private final Process process;
    private volatile Process pause;

    private ChildJvm(String name, Process process) {
        this.name = name;
        this.process = process;
    }

    /**
     * Starts one.
     *
     * @param options of the JVM
     * @param command the main class and its arguments
     * @param log     gets its error output
     * @param onLine  told each line that it says, on a thread of its own
     */
    static ChildJvm start(String name, List<String> options, List<String> command, Path log, Consumer<String> onLine) {
        List<String> all = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp", System.getProperty("java.class.path"), "-XX:-UsePerfData",
                "-Dorg.slf4j.simpleLogger.defaultLogLevel=off"));
        all.addAll(options);
        all.addAll(command);
        try {
            Process process = new ProcessBuilder(all).redirectError(Redirect.appendTo(log.toFile())).start();
            Thread reader = new Thread(() -> read(process, onLine), "reader of " + name);
            reader.setDaemon(true);
            reader.start();
            return new ChildJvm(name, process);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void read(Process process, Consumer<String> onLine) {
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            String line = lines.readLine();
            while (line != null) {
                onLine.accept(line);
                line = lines.readLine();
            }
        } catch (IOException e) {
            // Justification: that is how a pipe of an ended process may end.
        }
    }

    long pid() {
        return process.pid();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    void send(String command) {
        try {
            process.getOutputStream().write((command + "\n").getBytes(StandardCharsets.UTF_8));
            process.getOutputStream().flush();
        } catch (IOException e) {
            throw new UncheckedIOException(name + " does not take " + command, e);
        }
    }

    /** SIGKILL. Answers the moment before it. */
    long kill() {
        long now = System.nanoTime();
        process.toHandle().destroyForcibly();
        return now;
    }

    /** SIGSTOP. Answers the moment before it. */
    long stop() {
        long now = System.nanoTime();
        try {
            pause = new ProcessBuilder("sh", "-c", PAUSE, Long.toString(pid())).redirectError(Redirect.DISCARD).start();
            String said = new BufferedReader(new InputStreamReader(pause.getInputStream(), StandardCharsets.UTF_8))
                    .readLine();
            if (!"stopped".equals(said)) {
                throw new IllegalStateException("cannot stop " + name);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return now;
    }

    /** SIGCONT. Answers the moment before it. */
    long goOn() {
        long now = System.nanoTime();
        Process stopped = pause;
        pause = null;
        try {
            stopped.getOutputStream().close();
            stopped.waitFor(END_SECONDS, TimeUnit.SECONDS);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return now;
    }

    /** Ends it, whatever state it is in, and waits for that. */
    void end() {
        if (pause != null) {
            goOn();
        }
        process.toHandle().destroyForcibly();
        try {
            process.waitFor(END_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public String toString() {
        return name + " (pid " + pid() + (isAlive() ? ", runs)" : ", ended with " + process.exitValue() + ")");
    }
}
