package io.quorate.migration;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A JVM that runs one of the two applications; takes commands, and keeps what it says. */
final class ApplicationProcess {

    private static final int LAST_LINES = 8;
    private static final int LOG_LINES = 15;
    private static final long END_SECONDS = 30;

    private final String id;
    private final String name;
    private final Process process;
    private final Path log;
    private final Thread reader;

    // Guarded by itself.
    private final List<String> lines = new ArrayList<>();

    private ApplicationProcess(String id, String name, Process process, Path log) {
        this.id = id;
        this.name = name;
        this.process = process;
        this.log = log;
        this.reader = new Thread(this::read, "reader of " + name);
    }

    /**
     * Starts a JVM.
     *
     * @param name      tells the processes of one id apart
     * @param connectTo its second argument; the first is the id
     */
    static ApplicationProcess start(Class<?> main, String id, String name, String connectTo, Path directory) {
        Path log = directory.resolve(name + ".log");
        List<String> command = List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp", System.getProperty("java.class.path"),
                // Small and quick to start; no file of the JVM that a killed process would leave behind.
                "-Xmx128m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-XX:-UsePerfData",
                main.getName(), id, connectTo);
        try {
            Process process = new ProcessBuilder(command).redirectError(Redirect.to(log.toFile())).start();
            ApplicationProcess application = new ApplicationProcess(id, name, process, log);
            application.reader.setDaemon(true);
            application.reader.start();
            return application;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void read() {
        try (BufferedReader said = process.inputReader(StandardCharsets.UTF_8)) {
            String line = said.readLine();
            while (line != null) {
                synchronized (lines) {
                    lines.add(line);
                }
                line = said.readLine();
            }
        } catch (IOException e) {
            // Justification: that is how a pipe of an ended process may end; the process is judged by its exit.
        }
    }

    String id() {
        return id;
    }

    String name() {
        return name;
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** All lines so far that begin with these words, without them. */
    List<String> said(String words) {
        synchronized (lines) {
            return lines.stream().filter(line -> line.startsWith(words)).map(line -> line.substring(words.length()))
                    .toList();
        }
    }

    /** Gives it a command. */
    void tell(String command) {
        try {
            process.getOutputStream().write((command + "\n").getBytes(StandardCharsets.UTF_8));
            process.getOutputStream().flush();
        } catch (IOException e) {
            throw new IllegalStateException("cannot tell it " + command + ": " + describe(), e);
        }
    }

    /** Ends its input. */
    void endInput() {
        try {
            process.getOutputStream().close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Sends SIGTERM. The handle's, because that of the process would close its output, with the last lines in it. */
    void terminate() {
        process.toHandle().destroy();
    }

    /** Sends SIGKILL. */
    void kill() {
        process.toHandle().destroyForcibly();
    }

    /** Waits for the end of the process and of what it said. */
    int awaitExit() throws InterruptedException {
        if (!process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
            throw new IllegalStateException("does not end: " + describe());
        }
        reader.join(TimeUnit.SECONDS.toMillis(END_SECONDS));
        return process.exitValue();
    }

    /** For error messages: the state of the process, the last lines it said, and the end of its log. */
    String describe() {
        StringBuilder text = new StringBuilder(name + (isAlive() ? " runs" : " ended with " + process.exitValue()));
        try (Stream<String> logged = Files.lines(log)) {
            synchronized (lines) {
                // Every run of the job would push the rest out.
                last(LAST_LINES, lines.stream().filter(line -> !line.startsWith("job ran")).toList())
                        .forEach(line -> text.append("\n    said: ").append(line));
            }
            last(LOG_LINES, logged.filter(line -> !line.startsWith("\tat ")).toList())
                    .forEach(line -> text.append("\n    log:  ").append(line));
        } catch (IOException e) {
            text.append("\n    no log: ").append(e.getMessage());
        }
        return text.toString();
    }

    private static List<String> last(int count, List<String> all) {
        return all.subList(Math.max(0, all.size() - count), all.size());
    }
}
