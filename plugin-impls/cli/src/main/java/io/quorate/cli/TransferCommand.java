package io.quorate.cli;

import io.quorate.cli.Nodes.Said;
import java.io.PrintWriter;
import java.time.Duration;
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
            "Ends with 0 when the successor leads, 1 if it does not, 2 if no node answers or no leader is known."
        },
        mixinStandardHelpOptions = true)
final class TransferCommand implements Callable<Integer> {

    @Mixin
    private final NodeOptions options = new NodeOptions();

    @Mixin
    private final ChangeOptions change = new ChangeOptions();

    @Parameters(index = "0", paramLabel = "PATH", description = "As latches have it, such as /app/leader.")
    private String path = "";

    @Parameters(index = "1", paramLabel = "ID", description = "The id of the next leader's latch; 'why' lists them.")
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
        Handover handover = new Handover(options.nodes(), change.token(), wait);
        Said<LeaderAnswer> before = handover.leader(path);
        change.requireFit(before.url());
        LatchId from = before.said().flatMap(LeaderAnswer::leader).orElseThrow();
        change.confirm("Hand " + path + " from " + from + " to " + Shown.of(successor));
        Progress progress =
                new Progress(options.quorate().terminal(), spec.commandLine().getErr(), Shown.of(successor));
        LeaderAnswer found;
        try {
            found = handover.to(before.url(), path, successor, progress);
        } catch (NoAnswer e) {
            throw new CommandFailed(Exit.NO, before.url() + ": " + e.reason());
        } finally {
            progress.end();
        }
        Done done = new Done(from, found.leader(), found.token());
        PrintWriter out = spec.commandLine().getOut();
        out.println(options.isJson() ? json(done) : text(done));
        return Exit.YES;
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
