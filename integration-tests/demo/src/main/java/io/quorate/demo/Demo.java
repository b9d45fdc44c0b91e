package io.quorate.demo;

import io.quorate.Profile;
import io.quorate.demo.RunHistory.Answers;
import io.quorate.demo.RunHistory.Step;
import io.quorate.engine.Plugins;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * Several JVMs elect a leader; it is killed, paused and closed. Prints what happens, and writes a page with a timeline.
 *
 * <p>Ends with 0 if there were never two leaders at one instant, every new leader had a higher token, and there was
 * always a new one; with 1 if not, and says why; with 2 if the arguments are wrong.
 */
@Command(
        name = "demo",
        description = "Several JVMs elect a leader, which is killed, paused and closed.",
        mixinStandardHelpOptions = true)
public final class Demo implements Callable<Integer> {

    static final int FAILED = 1;

    private static final Duration LEASE = Profile.DEFAULT.supportDuration();
    /** Long enough for another node to take over, and shorter than any connection's time-out. */
    private static final Duration PAUSE = LEASE.multipliedBy(3);
    /** After the resumption the node is asked about every millisecond; a second of answers shows that it is awake. */
    private static final int ANSWERS_AFTER_PAUSE = 200;
    /** How long each leader leads at least, so that one can follow it. A node that restarts votes after a lease. */
    private static final Duration REST = LEASE.multipliedBy(6).dividedBy(5);

    @Option(names = "--nodes", defaultValue = "3", description = "how many JVMs: 3 to 7, default ${DEFAULT-VALUE}")
    private int nodes;

    @Option(names = "--algorithm", defaultValue = "ballot", description = "default ${DEFAULT-VALUE}")
    private String algorithm;

    @Option(
            names = "--transport",
            defaultValue = PluginNames.VERTX,
            description = "what carries the frames: vertx or tcp, default ${DEFAULT-VALUE}")
    private String transport;

    @Option(names = "--html", defaultValue = "demo.html", description = "the page, default ${DEFAULT-VALUE}")
    private Path html;

    @Option(names = "--with-parent", description = "end when the process that started this one does")
    private boolean endsWithParent;

    @Spec
    private CommandSpec spec;

    private PrintWriter out;
    private Cluster cluster;
    private RunHistory history;
    private long startedAt;

    /** Runs the demo and ends this JVM. */
    public static void main(String[] arguments) {
        System.exit(new CommandLine(new Demo()).execute(arguments));
    }

    @Override
    public Integer call() throws IOException {
        checkArguments();
        if (endsWithParent) {
            // Maven, killed without a chance to end us.
            ProcessHandle.current().parent().ifPresent(parent -> parent.onExit()
                    .thenRun(() -> Runtime.getRuntime().exit(FAILED)));
        }
        out = spec.commandLine().getOut();
        out.printf(
                "%nQuorate: %d JVMs on 127.0.0.1, algorithm %s, transport %s, lease %d ms%n%n",
                nodes, algorithm, transport, LEASE.toMillis());
        try (Cluster running = new Cluster(nodes, new PluginNames(algorithm, transport))) {
            cluster = running;
            history = running.history();
            startedAt = System.nanoTime();
            return conclude(runScript());
        }
    }

    private void checkArguments() {
        if (nodes < 3 || nodes > 7) {
            throw new ParameterException(spec.commandLine(), "--nodes " + nodes + ": must be 3 to 7");
        }
        try {
            Plugins.algorithm(algorithm);
            Plugins.transport(transport);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }

    /** Answers why the script could not go on, if it could not. */
    private Optional<String> runScript() {
        try {
            startAll();
            killLeader();
            pauseLeader();
            if (nodes >= 5) {
                killTwo();
            }
            closeLeader();
            return Optional.empty();
        } catch (IllegalStateException e) {
            return Optional.of(e.getMessage());
        }
    }

    private void startAll() {
        say("START", "all nodes, each with one LeaderLatch on " + DemoNode.PATH);
        cluster.startAll();
        Answers leader = history.leaderAfter(0).orElseThrow();
        leads(nodes + " nodes start", leader, startedAt);
    }

    private void killLeader() {
        Answers led = present();
        NodeProcess leader = cluster.node(led.life().node());
        long token = led.token();
        say("KILL", leader.life().node() + ", the leader (SIGKILL to process " + leader.pid() + ")");
        long killedAt = leader.kill();
        newLeader("SIGKILL to the leader " + leader.life().node(), token, killedAt);
        restart(leader.life().node());
    }

    private void pauseLeader() {
        Answers led = present();
        String id = led.life().node();
        NodeProcess leader = cluster.node(id);
        long token = led.token();
        say("STOP", id + ", the leader (SIGSTOP), for " + PAUSE.toMillis() + " ms");
        long stoppedAt = leader.pause();
        newLeader("SIGSTOP to the leader " + id, token, stoppedAt);
        // Justification: a lower bound of the pause.
        cluster.await("the end of the pause", () -> System.nanoTime() - stoppedAt > PAUSE.toNanos());

        say("CONT", id + " (SIGCONT): it does not know yet that it was away");
        long present = present().token();
        long resumedAt = leader.resume();
        cluster.await(id + " answers again", () -> history.answersSince(id, resumedAt) >= ANSWERS_AFTER_PAUSE);
        awaitQueuedBehind(id, present);
        String result = history.trueAnswersSince(id, resumedAt, token) + " of " + history.answersSince(id, resumedAt)
                + " answers true";
        say("", id + " was asked whether it still leads: " + result + "; it queued behind the others");
        step("SIGCONT to " + id, result);
    }

    private void killTwo() {
        Answers led = present();
        String first = led.life().node();
        NodeProcess leader = cluster.node(first);
        String second = cluster.ids().stream()
                .filter(id -> !id.equals(first))
                .findFirst()
                .orElseThrow();
        long token = led.token();
        say("KILL", first + ", the leader, and " + second + " at once");
        long killedAt = leader.kill();
        cluster.node(second).kill();
        newLeader("SIGKILL to " + first + " and " + second, token, killedAt);
        restart(first, second);
    }

    private void closeLeader() {
        Answers led = present();
        String id = led.life().node();
        NodeProcess leader = cluster.node(id);
        long token = led.token();
        say("CLOSE", id + ", the leader (ElectionClient.close)");
        leader.close();
        cluster.await(id + " closes", leader::isClosed);
        newLeader("the leader " + id + " closes", token, leader.closingNanos());
    }

    private void restart(String... ids) {
        long token = present().token();
        say("START", String.join(" and ", ids) + " again, with the same data directory");
        List.of(ids).forEach(cluster::start);
        List.of(ids).forEach(cluster::awaitContends);
        step(
                String.join(", ", ids) + (ids.length == 1 ? " starts again" : " start again"),
                present().token() == token ? "no change" : "a new leader meanwhile");
        rest();
    }

    /** Waits until it has lost the first place, which it had; unless the leader has changed, so that nothing shows it. */
    private void awaitQueuedBehind(String id, long presentToken) {
        cluster.await(id + " contends behind another one", () -> {
            List<String> queue = cluster.leader().participants();
            return queue.indexOf(id) > 0 || present().token() != presentToken;
        });
    }

    private Answers present() {
        return history.lastLeader().orElseThrow();
    }

    private void newLeader(String title, long formerToken, long sinceNanos) {
        Answers leader;
        try {
            leader = cluster.awaitLeaderAfter(formerToken);
        } catch (IllegalStateException e) {
            history.add(new Step(title, Optional.empty(), "never"));
            throw e;
        }
        leads(title, leader, sinceNanos);
    }

    private void leads(String title, Answers leader, long sinceNanos) {
        String time = RunHistory.millis(leader.span().firstGiven() - sinceNanos);
        say("", leader.life().node() + " leads with token " + leader.token() + " after " + time);
        history.add(new Step(title, Optional.of(leader), time));
        rest();
    }

    private void rest() {
        long now = System.nanoTime();
        // Justification: a lower bound of a rest for the reader.
        cluster.await("a rest", () -> System.nanoTime() - now > REST.toNanos());
    }

    private void step(String title, String result) {
        history.add(new Step(title, history.lastLeader(), result));
    }

    private void say(String deed, String text) {
        // Justification: a time that is printed.
        out.printf("%6.2f s  %-6s %s%n", (System.nanoTime() - startedAt) / 1e9, deed, text);
        out.flush();
    }

    private int conclude(Optional<String> stopped) throws IOException {
        if (cluster.isEnded()) {
            // Ctrl-C: nobody wants to read what would have been.
            return FAILED;
        }
        Verdict verdict = new Verdict(history, cluster.report(), stopped);
        verdict.print(out);
        Path page = html.toAbsolutePath().normalize();
        Files.createDirectories(page.getParent());
        Files.writeString(
                page,
                new TimelinePage(history, verdict, startedAt)
                        .html(nodes + " JVMs, algorithm " + algorithm + ", transport " + transport + ", lease "
                                + LEASE.toMillis() + " ms"));
        out.printf("Timeline: %s%n", page);
        if (verdict.exitCode() != 0) {
            out.printf("Logs of the nodes: %s%n", cluster.keepDirectory());
        }
        out.flush();
        return verdict.exitCode();
    }
}
