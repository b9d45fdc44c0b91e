package io.quorate.cli;

import io.quorate.cli.Nodes.Said;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
        name = "who",
        description = {
            "Says who leads a path, and with which fencing token.",
            "Ends with 0 if there is a leader, 1 if no leader is known, 2 if no node answers."
        },
        mixinStandardHelpOptions = true)
final class WhoCommand implements Callable<Integer> {

    @Mixin
    private final NodeOptions options = new NodeOptions();

    @Parameters(paramLabel = "PATH", description = "As latches have it, such as /app/leader.")
    private String path = "";

    @Spec
    @SuppressWarnings("NullAway.Init") // By picocli, before it runs.
    private CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        List<Said<LeaderAnswer>> all = LeaderAnswer.of(options.nodes(), path);
        Optional<Said<LeaderAnswer>> newest = LeaderAnswer.newest(all);
        spec.commandLine().getOut().println(options.isJson() ? json(all, newest) : text(all, newest));
        if (newest.isPresent()) {
            return Exit.YES;
        }
        return all.stream().anyMatch(each -> each.said().isPresent()) ? Exit.NO : Exit.NOBODY;
    }

    private String text(List<Said<LeaderAnswer>> all, Optional<Said<LeaderAnswer>> newest) {
        StringBuilder text = new StringBuilder();
        if (newest.isEmpty()) {
            text.append("no leader is known for ").append(path);
        } else {
            LeaderAnswer answer = newest.get().said().orElseThrow();
            text.append(answer.leader().orElseThrow())
                    .append(" leads ")
                    .append(path)
                    .append(with(answer));
            text.append(answer.leads() ? "" : ", as others know; no node says it of itself");
            answer.leaving().ifPresent(why -> text.append(", and leaves: ").append(Shown.of(why)));
        }
        for (Said<LeaderAnswer> each : all) {
            if (each.said().isEmpty()) {
                text.append("\n  ").append(each.url()).append(": ").append(each.silence());
            } else if (newest.isEmpty() || differs(each, newest.get())) {
                text.append("\n  ")
                        .append(each.name(LeaderAnswer::node))
                        .append(": ")
                        .append(known(each));
            }
        }
        return text.toString();
    }

    private static boolean differs(Said<LeaderAnswer> one, Said<LeaderAnswer> newest) {
        return one.said().filter(LeaderAnswer::contends).isPresent()
                && !one.said().flatMap(LeaderAnswer::token).equals(newest.said().flatMap(LeaderAnswer::token));
    }

    private static String known(Said<LeaderAnswer> each) {
        LeaderAnswer answer = each.said().orElseThrow();
        if (answer.leader().isEmpty()) {
            return answer.contends() ? "knows of no leader: " + Shown.of(answer.reason()) : Shown.of(answer.reason());
        }
        return answer.leader().get() + " leads" + with(answer);
    }

    private static String with(LeaderAnswer answer) {
        return answer.token().map(token -> " with token " + token).orElse("");
    }

    private String json(List<Said<LeaderAnswer>> all, Optional<Said<LeaderAnswer>> newest) {
        return JsonLine.of(json -> {
            json.writeStringField("path", path);
            JsonLine.latch(json, "leader", newest.flatMap(Said::said).flatMap(LeaderAnswer::leader));
            JsonLine.number(json, "token", newest.flatMap(Said::said).flatMap(LeaderAnswer::token));
            json.writeBooleanField(
                    "confirmed", newest.filter(LeaderAnswer::isLeader).isPresent());
            JsonLine.objects(
                    json,
                    "nodes",
                    all.stream().filter(each -> each.said().isPresent()).toList(),
                    (object, each) -> {
                        LeaderAnswer answer = each.said().orElseThrow();
                        object.writeStringField("url", each.url().text());
                        JsonLine.text(object, "node", answer.node());
                        object.writeBooleanField("contends", answer.contends());
                        object.writeBooleanField("leads", answer.leads());
                        JsonLine.latch(object, "leader", answer.leader());
                        JsonLine.number(object, "token", answer.token());
                        object.writeStringField("reason", answer.reason());
                        JsonLine.text(object, "leaving", answer.leaving());
                    });
            JsonLine.silent(json, all);
        });
    }
}
