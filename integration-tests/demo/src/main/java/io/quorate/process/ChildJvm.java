package io.quorate.process;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * A JVM that this one has started. It is told commands and says lines. If its main class
 * ends when its input does, it does not outlive this JVM, however that ends.
 *
 * <p>It keeps all lines, or the last 1,000 if a listener gets each.
 */
public final class ChildJvm {

    /** Options for one that is small and quick to start. */
    public static final List<String> SMALL = List.of("-Xmx128m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");

    private static final int LOG_LINES = 15;
    private static final int SAID_LINES = 8;
    private static final int KEPT_LINES = 1_000;
    private static final long END_SECONDS = 600;
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    /**
     * Stops the process $0 and lets it go on when the input ends, which also happens when this JVM is killed: a stopped
     * process could not notice that, and would stay for ever. Ctrl-C reaches this shell too and must not end it.
     */
    private static final String PAUSE =
            "trap '' INT TERM HUP QUIT PIPE; kill -STOP \"$0\" && echo stopped && read -r end; kill -CONT \"$0\"";

    private final String name;
    private final Process process;
    private final Path log;
    private final Thread reader;
    private volatile Process pause;

    // Guarded by itself.
    private final List<String> said = new ArrayList<>();
    /** Lines that are no longer kept. */
    private long forgotten;

    /**
     * What it is to run.
     *
     * @param options     of the JVM
     * @param classes     folders of classes that take the place of those of the same names
     * @param environment variables beside those of this process
     */
    public record Command(
            Class<?> main,
            List<String> arguments,
            List<String> options,
            List<Path> classes,
            Map<String, String> environment) {

        /** With nothing but the class path and the environment of this JVM. */
        public static Command of(Class<?> main, List<String> arguments, List<String> options) {
            return new Command(main, arguments, options, List.of(), Map.of());
        }

        /** What is run, the program first. */
        public List<String> words() {
            List<String> classPath =
                    new ArrayList<>(classes.stream().map(Path::toString).toList());
            classPath.add(System.getProperty("java.class.path"));
            List<String> words = new ArrayList<>(List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-cp",
                    String.join(File.pathSeparator, classPath),
                    // No file of the JVM that a killed process would leave behind.
                    "-XX:-UsePerfData"));
            words.addAll(options);
            words.add(main.getName());
            words.addAll(arguments);
            return words;
        }
    }

    private ChildJvm(String name, Process process, Path log, Optional<Consumer<String>> onLine) {
        this.name = name;
        this.process = process;
        this.log = log;
        this.reader = new Thread(() -> read(onLine), "reader of " + name);
    }

    /**
     * Starts one whose lines are kept.
     *
     * @param name for messages
     * @param log  gets its error output, behind what is there
     */
    public static ChildJvm start(String name, Command command, Path log) {
        return start(name, command.words(), command.environment, log);
    }

    /**
     * Starts one that need not have the class path of this one.
     *
     * @param words       the command, which begins with the program {@code java} of some JDK
     * @param environment variables beside those of this process
     */
    public static ChildJvm start(String name, List<String> words, Map<String, String> environment, Path log) {
        return start(name, words, environment, log, Optional.empty());
    }

    /** As {@link #start(String, Command, Path)}; {@code onLine} gets each line, on another thread. */
    public static ChildJvm start(String name, Command command, Path log, Consumer<String> onLine) {
        return start(name, command.words(), command.environment, log, Optional.of(onLine));
    }

    /** As {@link #start(String, List, Map, Path)}; {@code onLine} gets each line, on another thread. */
    public static ChildJvm start(
            String name, List<String> words, Map<String, String> environment, Path log, Consumer<String> onLine) {
        return start(name, words, environment, log, Optional.of(onLine));
    }

    private static ChildJvm start(
            String name,
            List<String> words,
            Map<String, String> environment,
            Path log,
            Optional<Consumer<String>> onLine) {
        ProcessBuilder builder = new ProcessBuilder(words).redirectError(Redirect.appendTo(log.toFile()));
        builder.environment().putAll(environment);
        try {
            ChildJvm jvm = new ChildJvm(name, builder.start(), log, onLine);
            jvm.reader.setDaemon(true);
            jvm.reader.start();
            return jvm;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void read(Optional<Consumer<String>> onLine) {
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                synchronized (said) {
                    said.add(line);
                    if (onLine.isPresent() && said.size() > KEPT_LINES) {
                        said.remove(0);
                        forgotten++;
                    }
                }
                String heard = line;
                onLine.ifPresent(each -> each.accept(heard));
            }
        } catch (IOException e) {
            // Justification: that is how a pipe of an ended process may end; the process is judged by its exit.
        }
    }

    /** Its lines so far. */
    public List<String> said() {
        synchronized (said) {
            return List.copyOf(said);
        }
    }

    /** Its lines so far that begin with this, without it. */
    public List<String> said(String begin) {
        return said().stream()
                .filter(line -> line.startsWith(begin))
                .map(line -> line.substring(begin.length()))
                .toList();
    }

    /**
     * Sends a command, and waits for the next line with the same first word. Returns what follows the word; fails
     * with the state of the process if there is no such line in time.
     */
    public String ask(String command) {
        String word = command.split(" ")[0];
        long before;
        synchronized (said) {
            before = forgotten + said.size();
        }
        send(command);
        await(() -> answer(word, before).isPresent() || !isAlive(), this::describe);
        return answer(word, before)
                .orElseThrow(() -> new AssertionError("no answer to " + command + ": " + describe()));
    }

    /** Waits for a condition. Fails with the state as it is then if it does not hold in time. */
    static void await(BooleanSupplier condition, Supplier<String> state) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(END_SECONDS);
        while (!condition.getAsBoolean()) {
            // Justification: ten minutes.
            if (System.nanoTime() - deadline > 0) {
                throw new AssertionError("not within " + END_SECONDS + " s: " + state.get());
            }
            // Justification: looks again soon.
            LockSupport.parkNanos(PAUSE_NANOS);
            if (Thread.interrupted()) {
                throw new AssertionError("interrupted: " + state.get());
            }
        }
    }

    private Optional<String> answer(String word, long after) {
        synchronized (said) {
            return said.stream()
                    .skip(Math.max(0, after - forgotten))
                    .filter(line -> line.equals(word) || line.startsWith(word + " "))
                    .findFirst()
                    .map(line -> line.substring(word.length()).strip());
        }
    }

    /** Its error output so far, line by line. */
    public List<String> log() {
        try {
            return Files.readAllLines(log);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** All lines so far, and its error output behind them. */
    public List<String> output() {
        return Stream.concat(said().stream(), log().stream()).toList();
    }

    /** The processes that it has started, and theirs. */
    public List<ProcessHandle> descendants() {
        return process.descendants().toList();
    }

    /** The name that it was started with. */
    public String name() {
        return name;
    }

    /** The process id. */
    public long pid() {
        return process.pid();
    }

    /** Whether the process exists; true while it is stopped. */
    public boolean isAlive() {
        return process.isAlive();
    }

    /**
     * Gives it a line.
     *
     * @throws IllegalStateException if it does not take it; describes it
     */
    public void send(String command) {
        try {
            process.getOutputStream().write((command + "\n").getBytes(StandardCharsets.UTF_8));
            process.getOutputStream().flush();
        } catch (IOException e) {
            throw new IllegalStateException("cannot send " + command + ": " + describe(), e);
        }
    }

    /** Ends its input. */
    public void endInput() {
        try {
            process.getOutputStream().close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    // The handle's signals, because those of the process close its output, with the last lines in it.

    /** Sends SIGTERM. */
    public void terminate() {
        process.toHandle().destroy();
    }

    /** Sends SIGKILL. Answers the moment before it. */
    public long kill() {
        long now = System.nanoTime();
        process.toHandle().destroyForcibly();
        return now;
    }

    /** Sends SIGSTOP: the process stands still until {@link #resume}. Answers the moment before it. */
    public long pause() {
        long now = System.nanoTime();
        try {
            pause = new ProcessBuilder("sh", "-c", PAUSE, Long.toString(pid()))
                    .redirectError(Redirect.DISCARD)
                    .start();
            String said = new BufferedReader(new InputStreamReader(pause.getInputStream(), StandardCharsets.UTF_8))
                    .readLine();
            if (!"stopped".equals(said)) {
                throw new IllegalStateException("cannot stop: " + describe());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return now;
    }

    /** Sends SIGCONT. Answers the moment before it. */
    public long resume() {
        long now = System.nanoTime();
        try {
            pause.getOutputStream().close();
            pause.waitFor(END_SECONDS, TimeUnit.SECONDS);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        pause = null;
        return now;
    }

    /** Ends it, whatever state it is in, and waits for that. */
    public void end() {
        if (pause != null) {
            resume();
        }
        kill();
        try {
            process.waitFor(END_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Waits for its end, and for that of what it said. Answers its exit code.
     *
     * @throws IllegalStateException if it does not end soon
     */
    public int awaitExit() throws InterruptedException {
        if (!process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
            throw new IllegalStateException("does not end: " + describe());
        }
        reader.join(TimeUnit.SECONDS.toMillis(END_SECONDS));
        return process.exitValue();
    }

    /** For error messages: its state, its last lines, and the end of its log. */
    public String describe() {
        return describe(said());
    }

    /** As {@link #describe()}, with the last of these lines. */
    public String describe(List<String> lines) {
        StringBuilder text = new StringBuilder(toString());
        last(SAID_LINES, lines).forEach(line -> text.append("\n    said: ").append(line));
        try {
            // Without the frames of stack traces, which would push the messages out.
            last(
                            LOG_LINES,
                            log().stream()
                                    .filter(line -> !line.startsWith("\tat "))
                                    .toList())
                    .forEach(line -> text.append("\n    log:  ").append(line));
        } catch (UncheckedIOException e) {
            text.append("\n    no log: ").append(e.getMessage());
        }
        return text.toString();
    }

    private static List<String> last(int count, List<String> lines) {
        return lines.subList(Math.max(0, lines.size() - count), lines.size());
    }

    @Override
    public String toString() {
        return name + " (pid " + pid() + ") " + (isAlive() ? "runs" : "ended with exit code " + process.exitValue());
    }
}
