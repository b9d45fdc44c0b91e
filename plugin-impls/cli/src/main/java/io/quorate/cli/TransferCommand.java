package io.quorate.cli;

import io.quorate.cli.Nodes.Answer;
import io.quorate.cli.Nodes.Said;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Hands the leadership of a path to another participant. */
@Command(
        name = "transfer",
        description = {
            "Hands the leadership of a path over. Finds the leader by itself, which must be at one of the addresses.",
            "Ends with 0 when the successor leads, 1 if it does not, 2 if nobody answers or is known to lead."
        },
        mixinStandardHelpOptions = true)
final class TransferCommand implements Callable<Integer> {

    private static final Duration PAUSE = Duration.ofMillis(500);

    @Mixin
    private final NodeOptions options = new NodeOptions();

    @Mixin
    private final ChangeOptions change = new ChangeOptions();

    @Parameters(index = "0", paramLabel = "PATH", description = "As latches have it, such as /app/leader.")
    private String path = "";

    @Parameters(index = "1", paramLabel = "ID", description = "The id of the latch that is to lead; 'why' lists them.")
    private String successor = "";

    @Option(
            names = "--wait",
            paramLabel = "TIME",
            defaultValue = "30s",
            converter = Durations.class,
            description = "How long to wait for the successor. Default ${DEFAULT-VALUE}.")
    private Duration wait = Duration.ofSeconds(30);

    @Spec
    @SuppressWarnings("NullAway.Init") // By picocli, before it runs.
    private CommandSpec spec;

    private record Done(LatchId from, Optional<LatchId> leader, Optional<Long> token) {}

    @Override
    public Integer call() throws CommandFailed, InterruptedException {
        Nodes nodes = options.nodes();
        String token = change.token();
        Said<LeaderAnswer> before = leader(nodes);
        change.requireFit(before.url());
        LatchId from = before.said().flatMap(LeaderAnswer::leader).orElseThrow();
        change.confirm("Hand " + path + " from " + from + " to " + Shown.of(successor));
        Done done = transfer(nodes, token, before, from);
        PrintWriter out = spec.commandLine().getOut();
        out.println(options.isJson() ? json(done) : text(done));
        return Exit.YES;
    }

    /**
     * The leader that says so of itself, because nobody else can hand over, and that others name too. What it says is
     * known to everybody, so another address may say the same: then nobody can tell which of them it is.
     */
    private Said<LeaderAnswer> leader(Nodes nodes) throws CommandFailed, InterruptedException {
        List<Said<LeaderAnswer>> all = LeaderAnswer.of(nodes, path);
        Said<LeaderAnswer> newest = LeaderAnswer.newest(all)
                .orElseThrow(() -> new CommandFailed(Exit.NOBODY, "nobody is known to lead " + path + silence(all)));
        List<Said<LeaderAnswer>> agreed = Nodes.agreed(all, LeaderAnswer::tenure).stream()
                .filter(LeaderAnswer::isLeader)
                .toList();
        if (agreed.size() == 1) {
            return agreed.get(0);
        }
        if (!LeaderAnswer.isLeader(newest)) {
            throw new CommandFailed(
                    Exit.NOBODY,
                    newest.said().flatMap(LeaderAnswer::leader).orElseThrow() + " leads " + path
                            + ", and its node is at no --url that answers" + silence(all));
        }
        throw new CommandFailed(
                Exit.NO,
                (agreed.isEmpty()
                                ? "more than half of the addresses do not name one leader of " + path
                                : agreed.size() + " addresses say that they lead " + path)
                        + Nodes.NOT_AGREED
                        + silence(all));
    }

    private static String silence(List<Said<LeaderAnswer>> all) {
        StringBuilder text = new StringBuilder();
        for (Said<LeaderAnswer> each : all) {
            String why = each.said().map(LeaderAnswer::reason).map(Shown::of).orElse(each.silence());
            text.append("; ").append(each.name(LeaderAnswer::node)).append(": ").append(why);
        }
        return text.toString();
    }

    private Done transfer(Nodes nodes, String token, Said<LeaderAnswer> before, LatchId from)
            throws CommandFailed, InterruptedException {
        Progress progress =
                new Progress(options.quorate().terminal(), spec.commandLine().getErr(), Shown.of(successor));
        String target = "/transfer" + Nodes.query("path", path, "to", successor);
        try {
            Answer answer = nodes.change(before.url(), target, token, wait, progress);
            // 504: it has not come to that yet.
            if (answer.status() != 200 && answer.status() != 504) {
                throw NodeStatus.unexpected(answer.status(), answer.body());
            }
        } catch (NoAnswer e) {
            progress.end();
            throw new CommandFailed(Exit.NO, before.url() + ": " + e.reason());
        }
        Optional<Said<LeaderAnswer>> after = successor(nodes);
        while (after.isEmpty() && progress.waited().compareTo(wait) < 0) {
            Thread.sleep(PAUSE.toMillis());
            progress.run();
            after = successor(nodes);
        }
        progress.end();
        if (after.isEmpty()) {
            throw new CommandFailed(
                    Exit.NO,
                    "'" + Shown.of(successor) + "' does not lead " + path + " after " + Durations.shown(wait)
                            + "; it may still come to that" + leaving(nodes));
        }
        LeaderAnswer found = after.flatMap(Said::said).orElseThrow();
        return new Done(from, found.leader(), found.token());
    }

    /** What the successor waits for, if the leader says so. */
    private String leaving(Nodes nodes) throws InterruptedException {
        return LeaderAnswer.newest(LeaderAnswer.of(nodes, path))
                .flatMap(Said::said)
                .flatMap(answer -> answer.leaving()
                        .map(why -> ": " + answer.leader().orElseThrow() + " leads on, and " + Shown.of(why)))
                .orElse("");
    }

    /** The successor, as soon as somebody knows that it leads. */
    private Optional<Said<LeaderAnswer>> successor(Nodes nodes) throws InterruptedException {
        return LeaderAnswer.newest(Nodes.agreed(LeaderAnswer.of(nodes, path), LeaderAnswer::tenure))
                .filter(each -> each.said()
                        .flatMap(LeaderAnswer::leader)
                        .filter(leader -> leader.id().equals(successor))
                        .isPresent());
    }

    private String text(Done done) {
        return done.leader.map(LatchId::toString).orElse(Shown.of(successor)) + " leads " + path
                + done.token.map(number -> " with token " + number).orElse("");
    }

    private String json(Done done) {
        return JsonLine.of(json -> {
            json.writeStringField("path", path);
            JsonLine.latch(json, "from", Optional.of(done.from));
            JsonLine.latch(json, "leader", done.leader);
            JsonLine.number(json, "token", done.token);
        });
    }
}
