package io.quorate.migration;

import io.quorate.process.ChildJvm;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A JVM that runs one of the two applications; takes commands, and keeps what it says. */
final class ApplicationProcess {

    private static final int LAST_LINES = 8;

    private final String id;
    private final String name;
    private final ChildJvm jvm;

    // Guarded by itself.
    private final List<String> lines = new ArrayList<>();

    /**
     * Starts a JVM.
     *
     * @param name tells the processes of one id apart
     * @param log  gets its error output
     */
    private ApplicationProcess(String id, String name, ChildJvm.Command command, Path log) {
        this.id = id;
        this.name = name;
        this.jvm = ChildJvm.start(name, command, log, this::onLine);
    }

    /**
     * Starts a JVM.
     *
     * @param name      tells the processes of one id apart
     * @param connectTo its second argument; the first is the id
     */
    static ApplicationProcess start(Class<?> main, String id, String name, String connectTo, Path directory) {
        return new ApplicationProcess(
                id,
                name,
                ChildJvm.Command.of(main, List.of(id, connectTo), ChildJvm.SMALL),
                directory.resolve(name + ".log"));
    }

    private void onLine(String line) {
        synchronized (lines) {
            lines.add(line);
        }
    }

    String id() {
        return id;
    }

    String name() {
        return name;
    }

    boolean isAlive() {
        return jvm.isAlive();
    }

    /** All lines so far that begin with these words, without them. */
    List<String> said(String words) {
        synchronized (lines) {
            return lines.stream()
                    .filter(line -> line.startsWith(words))
                    .map(line -> line.substring(words.length()))
                    .toList();
        }
    }

    /** Gives it a command. */
    void tell(String command) {
        jvm.send(command);
    }

    /** Ends its input. */
    void endInput() {
        jvm.endInput();
    }

    /** Sends SIGTERM. */
    void terminate() {
        jvm.terminate();
    }

    /** Sends SIGKILL. */
    void kill() {
        jvm.kill();
    }

    /** Waits for the end of the process and of what it said. */
    int awaitExit() throws InterruptedException {
        return jvm.awaitExit();
    }

    /** For error messages: the state of the process, the last lines it said, and the end of its log. */
    String describe() {
        synchronized (lines) {
            // Every run of the job would push the rest out.
            List<String> told =
                    lines.stream().filter(line -> !line.startsWith("job ran")).toList();
            return jvm.describe(told.subList(Math.max(0, told.size() - LAST_LINES), told.size()));
        }
    }
}
