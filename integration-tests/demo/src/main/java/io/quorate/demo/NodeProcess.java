package io.quorate.demo;

import io.quorate.demo.RunHistory.Answers;
import io.quorate.demo.RunHistory.Deed;
import io.quorate.demo.RunHistory.Life;
import io.quorate.demo.RunHistory.Mark;
import io.quorate.demo.RunHistory.Span;
import io.quorate.process.ChildJvm;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/** A JVM that runs a {@link DemoNode}: takes commands, and puts what the node says into a {@link RunHistory}. */
public final class NodeProcess {

    private static final List<String> OPTIONS = Stream.concat(
                    ChildJvm.SMALL.stream(),
                    Stream.of(
                            "-Dorg.slf4j.simpleLogger.defaultLogLevel=info",
                            "-Dorg.slf4j.simpleLogger.showDateTime=true",
                            "-Dorg.slf4j.simpleLogger.dateTimeFormat=HH:mm:ss.SSS",
                            // Logs a stack trace for each peer that is away; ours says the same in one line.
                            "-Dorg.slf4j.simpleLogger.log.io.vertx=off"))
            .toList();

    private final Life life;
    private final ChildJvm jvm;
    private final RunHistory history;
    private final Resource resource;

    private volatile List<String> participants = List.of();
    private final AtomicLong viewsAsked = new AtomicLong();
    private volatile View view = new View(0, "", 0, List.of());
    private final AtomicLong changesAsked = new AtomicLong();
    private volatile Change change = new Change(0, "");
    private volatile long closingNanos;
    private volatile boolean hasStarted;
    private volatile boolean isClosed;
    private volatile boolean isKilled;

    /**
     * Whom the process tells what.
     *
     * @param log      gets the node's log and all else that it writes to its error output
     * @param history  gets its answers
     * @param resource gets its writes
     */
    record Listeners(Path log, RunHistory history, Resource resource) {}

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
            return new View(
                    Long.parseLong(words[1]),
                    words[2],
                    Long.parseLong(words[3]),
                    List.of(words).subList(4, words.length));
        }
    }

    /** How a change of voters has ended. */
    private record Change(long number, String end) {}

    /** Starts a JVM; the command's arguments begin with the node id. */
    private NodeProcess(Life life, ChildJvm.Command command, Listeners listeners) {
        this.life = life;
        this.history = listeners.history;
        this.resource = listeners.resource;
        this.jvm = ChildJvm.start(life.toString(), command, listeners.log, this::onLine);
    }

    /**
     * Starts a JVM.
     *
     * @param arguments what {@link DemoNode} expects after the node id
     */
    static NodeProcess start(Life life, List<String> arguments, Launch launch, Listeners listeners) {
        listeners.history.add(new Mark(Deed.START, life.node(), System.nanoTime()));
        return new NodeProcess(
                life,
                new ChildJvm.Command(
                        DemoNode.class,
                        Stream.concat(Stream.of(life.node()), arguments.stream())
                                .toList(),
                        OPTIONS,
                        launch.classes(life.node()),
                        launch.environment(life.node())),
                listeners);
    }

    private void onLine(String line) {
        String[] words = line.split(" ");
        switch (words[0]) {
            case "answers" ->
                history.add(new Answers(
                        life,
                        Long.parseLong(words[1]),
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
            case "voters" -> change = new Change(Long.parseLong(words[1]), line.substring(line.indexOf(' ', 7) + 1));
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
        return jvm.pid();
    }

    /** Whether the process exists; true while it is stopped. */
    public boolean isAlive() {
        return jvm.isAlive();
    }

    /** Whether the process ended though nobody ended it. */
    boolean hasFailed() {
        return !isKilled && !jvm.isAlive();
    }

    /** Whether the node's client and latch are started. */
    boolean hasStarted() {
        return hasStarted;
    }

    /** Who contends, as this node answered last; asks it again, without waiting for the answer. */
    public List<String> participants() {
        jvm.send("participants");
        return participants;
    }

    /** Asks the node what it knows, and does not wait for the answer. Answers the number of the question. */
    public long askView() {
        long number = viewsAsked.incrementAndGet();
        jvm.send("view " + number);
        return number;
    }

    /** The answer to the latest {@link #askView} that was answered; number 0 if none was. */
    public View view() {
        return view;
    }

    /** Asks the node to have these vote, and does not wait. Answers the number of the question. */
    public long changeVoters(List<String> ids) {
        long number = changesAsked.incrementAndGet();
        jvm.send("voters " + number + " " + String.join(",", ids));
        return number;
    }

    /** How the change of that number has ended: with which voters, or {@code failed} and why; empty if it has not. */
    public Optional<String> change(long number) {
        Change last = change;
        return last.number == number ? Optional.of(last.end) : Optional.empty();
    }

    /** Asks the node to hand over and close; {@link #isClosed} tells when it has. */
    public void close() {
        jvm.send("close");
    }

    /** Whether the node said that it is closed. */
    public boolean isClosed() {
        return isClosed;
    }

    /** When the node began to close. */
    public long closingNanos() {
        return closingNanos;
    }

    /** Sends SIGKILL. Answers the moment before it. */
    public long kill() {
        isKilled = true;
        long now = mark(Deed.KILL);
        jvm.kill();
        return now;
    }

    /** Sends SIGSTOP: the process stands still until {@link #resume}. Answers the moment before it. */
    public long pause() {
        long now = mark(Deed.STOP);
        jvm.pause();
        return now;
    }

    /** Sends SIGCONT. Answers the moment before it. */
    public long resume() {
        long now = mark(Deed.CONT);
        jvm.resume();
        return now;
    }

    private long mark(Deed deed) {
        long now = System.nanoTime();
        history.add(new Mark(deed, life.node(), now));
        return now;
    }

    /** Ends the process, whatever state it is in, and waits for that. */
    void end() {
        isKilled = true;
        jvm.end();
    }

    /** For error messages: what the node answered last, and the state of the process. */
    public String describe() {
        return "participants " + participants + ", " + view + "; " + jvm.describe();
    }
}
