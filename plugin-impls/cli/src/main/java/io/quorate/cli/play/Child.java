package io.quorate.cli.play;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** A JVM that this one has started. It is told commands, and says lines. */
final class Child {

    /** Told on a thread of its own. */
    interface Listener {
        void onLine(Child child, String line);

        /** It has ended, by a fault of its own or not: {@link #isMeantToEnd}. */
        void onEnd(Child child);
    }

    private static final long END_SECONDS = 30;
    private static final int LOG_LINES = 10;

    /**
     * Stops the process $0 and lets it go on when the input ends. That also happens when this JVM is killed: a stopped
     * process could not notice it, and would stay for ever. Ctrl-C reaches this shell too, and must not end it; nor must
     * the echo, if nobody reads it any more.
     */
    private static final String PAUSE =
            "trap '' INT TERM HUP QUIT PIPE; kill -STOP \"$0\" && echo stopped && read -r end; kill -CONT \"$0\"";

    final String name;
    /** Our clock before it began to run. */
    final long begun;

    private final Process process;
    private final Path log;
    private final Thread reader;
    private volatile boolean isMeantToEnd;
    private Optional<Process> pause = Optional.empty();
    private int pauses;

    /** @param log gets its errors, behind what is there */
    Child(String name, List<String> command, Path log, Listener listener) throws IOException {
        this.name = name;
        this.log = log;
        begun = System.nanoTime();
        process = new ProcessBuilder(command)
                .redirectError(Redirect.appendTo(log.toFile()))
                .start();
        reader = new Thread(() -> read(listener), "quorate-lab-" + name);
        reader.setDaemon(true);
        reader.start();
    }

    private void read(Listener listener) {
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                listener.onLine(this, line);
            }
        } catch (IOException e) {
            // Justification: that is how a pipe of an ended process may end.
        }
        listener.onEnd(this);
    }

    boolean isAlive() {
        return process.isAlive();
    }

    boolean isMeantToEnd() {
        return isMeantToEnd;
    }

    /** Tells it something. If it has just ended, its listener is told that. */
    void send(String command) throws IOException {
        try {
            process.getOutputStream().write((command + "\n").getBytes(StandardCharsets.UTF_8));
            process.getOutputStream().flush();
        } catch (IOException e) {
            awaitEnd();
        }
    }

    /** Has it close its node and end. */
    void close() throws IOException {
        isMeantToEnd = true;
        send("close");
    }

    /** Stops it. Again it counts: it goes on when the last of them is over. */
    synchronized void pause() throws IOException {
        pauses++;
        if (pauses > 1) {
            return;
        }
        Process shell = new ProcessBuilder("sh", "-c", PAUSE, Long.toString(process.pid()))
                .redirectError(Redirect.DISCARD)
                .start();
        pause = Optional.of(shell);
        // Not closed with its reader: the end of the input is what lets the process go on.
        String said =
                new BufferedReader(new InputStreamReader(shell.getInputStream(), StandardCharsets.UTF_8)).readLine();
        if (!"stopped".equals(said)) {
            throw new IOException(name + " cannot be stopped");
        }
    }

    synchronized boolean isLastPause() {
        return pauses == 1;
    }

    /** One pause is over. */
    synchronized void resume() throws IOException {
        if (pauses > 1) {
            pauses--;
        } else {
            resumeAtOnce();
        }
    }

    /** All pauses are over. */
    synchronized void resumeAtOnce() throws IOException {
        pauses = 0;
        if (pause.isPresent()) {
            Process shell = pause.get();
            pause = Optional.empty();
            shell.getOutputStream().close();
            // Otherwise what lets it go on could come after what stops it again.
            awaitEnd(shell);
        }
    }

    /** Kills it, in whatever state it is. */
    void destroy() {
        isMeantToEnd = true;
        process.destroyForcibly();
    }

    /** Kills it, and waits for its end. */
    void kill() throws IOException {
        destroy();
        resumeAtOnce();
        awaitEnd();
    }

    /** Waits until it has ended, and its listener knows; for half a minute at most. */
    void awaitEnd() throws IOException {
        awaitEnd(process);
        try {
            reader.join(TimeUnit.SECONDS.toMillis(END_SECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    private void awaitEnd(Process ending) throws IOException {
        try {
            if (!ending.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
                throw new IOException(name + " does not end: " + lastLines());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    /** The end of what it has written of its errors. */
    String lastLines() {
        try {
            List<String> lines = Files.readAllLines(log);
            return String.join("\n  ", lines.subList(Math.max(0, lines.size() - LOG_LINES), lines.size()));
        } catch (IOException e) {
            return "no log: " + e.getMessage();
        }
    }
}
