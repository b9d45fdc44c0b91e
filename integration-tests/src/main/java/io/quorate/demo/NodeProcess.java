package io.quorate.demo;

import io.quorate.demo.History.Answers;
import io.quorate.demo.History.Deed;
import io.quorate.demo.History.Life;
import io.quorate.demo.History.Mark;
import io.quorate.demo.History.Span;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** A JVM that runs a {@link DemoNode}: takes commands, and puts what the node says into a {@link History}. */
public final class NodeProcess {

    private static final int LAST_LINES = 5;
    private static final int LOG_LINES = 15;
    private static final long END_SECONDS = 10;

    /**
     * Stops the process $0 and lets it go on when the input ends, which also happens when this JVM is killed: a stopped
     * process could not notice that, and would stay for ever. Ctrl-C reaches this shell too and must not end it.
     */
    private static final String PAUSE =
            "trap '' INT TERM HUP; kill -STOP \"$0\" && echo stopped && read -r end; kill -CONT \"$0\"";

    private final Life life;
    private final Process process;
    private final Path log;
    private final History history;
    private final Resource resource;

    // Guarded by itself.
    private final Deque<String> lastLines = new ArrayDeque<>();
    private volatile List<String> participants = List.of();
    private final AtomicLong viewsAsked = new AtomicLong();
    private volatile View view = new View(0, "", 0, List.of());
    private volatile long closingNanos;
    private volatile boolean hasStarted;
    private volatile boolean isClosed;
    private volatile boolean isKilled;
    private volatile Process pause;

    /**
     * Whom the process tells what.
     *
     * @param log      gets the node's log and all else that it writes to its error output
     * @param history  gets its answers
     * @param resource gets its writes
     */
    record Listeners(Path log, History history, Resource resource) {
    }

    /**
     * What a node knew when it was asked.
     *
     * @param number     of the question
     * @param leader     the id of the node that led; empty if it knew of none
     * @param token      the leader's; 0 if it knew of none
     * @param contenders the ids of the nodes that contended
     */
    public record View(long number, String leader, long token, List<String> contenders) {

        private static View parse(String line) {
            String[] words = line.split(" ", -1);
            return new View(Long.parseLong(words[1]), words[2], Long.parseLong(words[3]),
                    List.of(words).subList(4, words.length));
        }
    }

    private NodeProcess(Life life, Process process, Listeners listeners) {
        this.life = life;
        this.process = process;
        this.log = listeners.log;
        this.history = listeners.history;
        this.resource = listeners.resource;
    }

    /**
     * Starts a JVM.
     *
     * @param arguments what {@link DemoNode} expects after the node id
     */
    static NodeProcess start(Life life, List<String> arguments, Launch launch, Listeners listeners) {
        List<String> classPath = new ArrayList<>();
        launch.classes(life.node()).forEach(classes -> classPath.add(classes.toString()));
        classPath.add(System.getProperty("java.class.path"));
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp", String.join(File.pathSeparator, classPath),
                // Small and quick to start; no file in /tmp that a killed process would leave behind.
                "-Xmx128m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-XX:-UsePerfData",
                "-Dorg.slf4j.simpleLogger.defaultLogLevel=info", "-Dorg.slf4j.simpleLogger.showDateTime=true",
                "-Dorg.slf4j.simpleLogger.dateTimeFormat=HH:mm:ss.SSS",
                // Logs a stack trace for each peer that is away; ours says the same in one line.
                "-Dorg.slf4j.simpleLogger.log.io.vertx=off",
                DemoNode.class.getName(), life.node()));
        command.addAll(arguments);
        listeners.history.add(new Mark(Deed.START, life.node(), System.nanoTime()));
        try {
            ProcessBuilder builder = new ProcessBuilder(command)
                    .redirectError(Redirect.appendTo(listeners.log.toFile()));
            builder.environment().putAll(launch.environment(life.node()));
            Process process = builder.start();
            NodeProcess node = new NodeProcess(life, process, listeners);
            Thread reader = new Thread(node::read, "reader of " + life.node());
            reader.setDaemon(true);
            reader.start();
            return node;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void read() {
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            String line = lines.readLine();
            while (line != null) {
                onLine(line);
                line = lines.readLine();
            }
        } catch (IOException e) {
            // Justification: that is how a pipe of an ended process may end; the process is judged by its exit.
        }
    }

    private void onLine(String line) {
        synchronized (lastLines) {
            lastLines.addLast(line);
            if (lastLines.size() > LAST_LINES) {
                lastLines.removeFirst();
            }
        }
        String[] words = line.split(" ");
        switch (words[0]) {
            case "answers" -> history.add(new Answers(life, Long.parseLong(words[1]),
                    new Span(Long.parseLong(words[2]), Long.parseLong(words[3]), Long.parseLong(words[4])),
                    Long.parseLong(words[5])));
            case "write" -> resource.write(NodeFiles.name(life), Long.parseLong(words[1]));
            case "started" -> hasStarted = true;
            case "participants" -> participants = List.of(words).subList(1, words.length);
            case "view" -> view = View.parse(line);
            case "closing" -> {
                closingNanos = Long.parseLong(words[1]);
                history.add(new Mark(Deed.CLOSE, life.node(), closingNanos));
            }
            case "closed" -> isClosed = true;
            default -> {
                // A warning of the JVM, say: it is in describe().
            }
        }
    }

    /** Which process of which node this is. */
    public Life life() {
        return life;
    }

    /** The process id. */
    public long pid() {
        return process.pid();
    }

    /** Whether the process exists; true while it is stopped. */
    public boolean isAlive() {
        return process.isAlive();
    }

    /** Whether the process ended though nobody ended it. */
    boolean hasFailed() {
        return !isKilled && !process.isAlive();
    }

    /** Whether the node's client and latch are started. */
    boolean hasStarted() {
        return hasStarted;
    }

    /** Who contends, as this node answered last; asks it again, without waiting for the answer. */
    public List<String> participants() {
        send("participants");
        return participants;
    }

    /** Asks the node what it knows, and does not wait for the answer. Answers the number of the question. */
    public long askView() {
        long number = viewsAsked.incrementAndGet();
        send("view " + number);
        return number;
    }

    /** The answer to the latest {@link #askView} that was answered; number 0 if none was. */
    public View view() {
        return view;
    }

    /** Asks the node to hand over and close; {@link #isClosed} tells when it has. */
    public void close() {
        send("close");
    }

    /** Whether the node said that it is closed. */
    public boolean isClosed() {
        return isClosed;
    }

    /** When the node began to close. */
    public long closingNanos() {
        return closingNanos;
    }

    private void send(String command) {
        try {
            process.getOutputStream().write((command + "\n").getBytes(StandardCharsets.UTF_8));
            process.getOutputStream().flush();
        } catch (IOException e) {
            throw new IllegalStateException("cannot send " + command + ": " + describe(), e);
        }
    }

    /** Sends SIGKILL. Answers the moment before it. */
    public long kill() {
        isKilled = true;
        long now = System.nanoTime();
        history.add(new Mark(Deed.KILL, life.node(), now));
        // The handle's, because that of the process would close its output, with the last answers in it.
        process.toHandle().destroyForcibly();
        return now;
    }

    /** Sends SIGSTOP: the process stands still until {@link #resume}. Answers the moment before it. */
    public long pause() {
        long now = System.nanoTime();
        history.add(new Mark(Deed.STOP, life.node(), now));
        try {
            pause = new ProcessBuilder("sh", "-c", PAUSE, Long.toString(pid())).redirectError(Redirect.DISCARD).start();
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
        history.add(new Mark(Deed.CONT, life.node(), now));
        endPause();
        return now;
    }

    private void endPause() {
        try {
            pause.getOutputStream().close();
            pause.waitFor(END_SECONDS, TimeUnit.SECONDS);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        pause = null;
    }

    /** Ends the process, whatever state it is in, and waits for that. */
    void end() {
        isKilled = true;
        if (pause != null) {
            endPause();
        }
        process.toHandle().destroyForcibly();
        try {
            process.waitFor(END_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** For error messages: the state of the process, the last lines it said, and the end of its log. */
    public String describe() {
        String state = process.isAlive() ? "runs" : "ended with exit code " + process.exitValue();
        StringBuilder text = new StringBuilder(life + " (pid " + pid() + ") " + state + "; participants "
                + participants + "; " + view);
        synchronized (lastLines) {
            lastLines.forEach(line -> text.append("\n    said: ").append(line));
        }
        try {
            // Without the frames of stack traces, which would push the messages out.
            List<String> lines = Files.readAllLines(log).stream().filter(line -> !line.startsWith("\tat ")).toList();
            lines.subList(Math.max(0, lines.size() - LOG_LINES), lines.size())
                    .forEach(line -> text.append("\n    log:  ").append(line));
        } catch (IOException e) {
            text.append("\n    no log: ").append(e.getMessage());
        }
        return text.toString();
    }
}
