package io.quorate.cli;

import io.quorate.cli.Nodes.Answer;
import io.quorate.cli.Nodes.Said;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
        name = "voters",
        description = {
            "Says who votes. With nodes, which are the complete list, has these vote, one step after the other.",
            "Ends with 0 if these vote, 1 if not all of it was done, 2 if no node answers that knows who votes."
        },
        mixinStandardHelpOptions = true,
        subcommands = {ForceVotersCommand.class, AdoptVotersCommand.class})
final class VotersCommand implements Callable<Integer> {

    @Mixin
    private final NodeOptions options = new NodeOptions();

    @Mixin
    private final ChangeOptions change = new ChangeOptions();

    @Parameters(
            paramLabel = "NODE",
            arity = "0..*",
            description = "Each as n4, or as n4=host:port if not all peers of all nodes name it.")
    private List<String> wanted = new ArrayList<>();

    @Option(
            names = "--wait",
            paramLabel = "TIME",
            defaultValue = "5m",
            converter = Durations.class,
            description = "How long to wait for the end of a change. Default ${DEFAULT-VALUE}.")
    private Duration wait = Duration.ofMinutes(5);

    @Spec
    @SuppressWarnings("NullAway.Init") // By picocli, before it runs.
    private CommandSpec spec;

    @Override
    public Integer call() throws CommandFailed, InterruptedException {
        Nodes nodes = options.nodes();
        PrintWriter out = spec.commandLine().getOut();
        if (wanted.isEmpty()) {
            List<Said<VotersAnswer>> all = nodes.ask(VotersAnswer.ENDPOINT, VotersAnswer::read);
            Optional<Said<VotersAnswer>> newest = VotersAnswer.newest(all);
            out.println(options.isJson() ? json(all, newest) : text(all, newest));
            return newest.isPresent() ? Exit.YES : Exit.NOBODY;
        }
        String token = change.token();
        List<Said<VotersAnswer>> all = nodes.ask(VotersAnswer.ENDPOINT, VotersAnswer::read);
        if (VotersAnswer.newest(all).isEmpty()) {
            throw new CommandFailed(Exit.NOBODY, "no node is known to know who votes" + silence(all));
        }
        Said<VotersAnswer> asked = VotersAnswer.newest(Nodes.agreed(all, VotersAnswer::list))
                .orElseThrow(() -> new CommandFailed(
                        Exit.NO,
                        "no list is that of more than half of the addresses" + Nodes.NOT_AGREED + silence(all)));
        VotersAnswer before = asked.said().orElseThrow();
        change.requireFit(asked.url());
        change.confirm("Have " + Shown.of(String.join(", ", wanted)) + " vote in place of " + before);
        VotersAnswer done = change(nodes, asked.url(), token, before);
        out.println(options.isJson() ? JsonLine.of(done::write) : done.toString());
        return Exit.YES;
    }

    // ---------------------------------------------------------------- who votes

    private static String text(List<Said<VotersAnswer>> all, Optional<Said<VotersAnswer>> newest) {
        StringBuilder text = new StringBuilder(
                newest.flatMap(Said::said).map(VotersAnswer::toString).orElse("no node is known to know who votes"));
        for (Said<VotersAnswer> each : all) {
            if (each.said().isEmpty()) {
                text.append("\n  ").append(each.url()).append(": ").append(each.silence());
            } else if (newest.isEmpty() || differs(each, newest.get())) {
                text.append("\n  ")
                        .append(Shown.of(each.said().get().node()))
                        .append(": ")
                        .append(each.said().get());
            }
        }
        return text.toString();
    }

    private static boolean differs(Said<VotersAnswer> one, Said<VotersAnswer> newest) {
        VotersAnswer mine = one.said().orElseThrow();
        VotersAnswer other = newest.said().orElseThrow();
        return !mine.toString().equals(other.toString());
    }

    private static String silence(List<Said<VotersAnswer>> all) {
        StringBuilder text = new StringBuilder();
        for (Said<VotersAnswer> each : all) {
            text.append("; ")
                    .append(each.url())
                    .append(": ")
                    .append(each.said().map(VotersAnswer::toString).orElse(each.silence()));
        }
        return text.toString();
    }

    private static String json(List<Said<VotersAnswer>> all, Optional<Said<VotersAnswer>> newest) {
        return JsonLine.of(json -> {
            newest.flatMap(Said::said)
                    .orElse(new VotersAnswer("", 0, List.of()))
                    .write(json);
            JsonLine.objects(
                    json,
                    "nodes",
                    all.stream().filter(each -> each.said().isPresent()).toList(),
                    (object, each) -> {
                        VotersAnswer answer = each.said().orElseThrow();
                        object.writeStringField("url", each.url().text());
                        object.writeStringField("node", answer.node());
                        object.writeNumberField("number", answer.number());
                    });
            JsonLine.silent(json, all);
        });
    }

    // ---------------------------------------------------------------- a change

    /** The node answers after some seconds that the change goes on; the same request hears how it ends. */
    private VotersAnswer change(Nodes nodes, Url url, String token, VotersAnswer before)
            throws CommandFailed, InterruptedException {
        String list = String.join(",", wanted);
        String target = VotersAnswer.ENDPOINT + Nodes.query("number", Long.toString(before.number()), "voters", list);
        Progress progress = new Progress(
                options.quorate().terminal(),
                spec.commandLine().getErr(),
                Shown.of(list) + " in place of number " + before.number());
        try {
            Answer answer = ask(nodes, url, target, token, progress);
            while (answer.status() == 504) {
                progress.run();
                answer = ask(nodes, url, target, token, progress);
            }
            return VotersAnswer.read(answer.status(), answer.body());
        } catch (NoAnswer e) {
            throw new CommandFailed(Exit.NO, url + ": " + e.reason());
        } finally {
            progress.end();
        }
    }

    private Answer ask(Nodes nodes, Url url, String target, String token, Progress progress)
            throws CommandFailed, InterruptedException {
        Duration left = wait.minus(progress.waited());
        try {
            if (!left.isNegative() && !left.isZero()) {
                return nodes.change(url, target, token, left, progress);
            }
        } catch (NoAnswer e) {
            if (progress.waited().compareTo(wait) < 0) {
                throw new CommandFailed(
                        Exit.NO, url + ": " + e.reason() + "; the change may go on: ask again with the same list");
            }
        }
        throw new CommandFailed(
                Exit.NO,
                "the change has not ended after " + Durations.shown(wait)
                        + ", and may go on: ask again with the same list");
    }
}
