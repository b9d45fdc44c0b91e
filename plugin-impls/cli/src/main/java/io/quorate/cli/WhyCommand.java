package io.quorate.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import io.quorate.cli.Nodes.Said;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Says where each node stands on a path, and why. */
@Command(
        name = "why",
        description = {
            "Says of each node why it leads a path, or why not.",
            "Ends with 0 if a node contends, 1 if none does, 2 if no node answers."
        },
        mixinStandardHelpOptions = true)
final class WhyCommand implements Callable<Integer> {

    /** A day: no support time is longer. A longer remainder belongs to the only voter, and does not end. */
    private static final long LEASE_MAX_MILLIS = 24 * 60 * 60 * 1_000L;

    @Mixin
    private final NodeOptions options = new NodeOptions();

    @Parameters(paramLabel = "PATH", description = "As latches have it, such as /app/leader.")
    private String path = "";

    @Spec
    @SuppressWarnings("NullAway.Init") // By picocli, before it runs.
    private CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        List<Said<PathExplanation>> all =
                options.nodes().ask("/explain" + Nodes.query("path", path), PathExplanation::read);
        spec.commandLine().getOut().println(options.isJson() ? json(all) : text(all));
        if (all.stream()
                .anyMatch(each -> each.said().filter(PathExplanation::contends).isPresent())) {
            return Exit.YES;
        }
        return all.stream().anyMatch(each -> each.said().isPresent()) ? Exit.NO : Exit.NOBODY;
    }

    private static String text(List<Said<PathExplanation>> all) {
        return all.stream()
                .map(each -> each.name(PathExplanation::node) + ": "
                        + each.said().map(WhyCommand::text).orElse(each.silence()))
                .collect(Collectors.joining("\n"));
    }

    private static String text(PathExplanation found) {
        StringBuilder text = new StringBuilder(Shown.of(found.reason()));
        found.leaseLeft()
                .ifPresent(left -> text.append(
                        left > LEASE_MAX_MILLIS
                                ? ", without an end: no other node votes"
                                : ", for " + left + " ms more"));
        if (found.contends()) {
            text.append("\n  contenders: ").append(joined(found.contenders()));
            text.append("\n  supported by: ").append(joined(found.supporters()));
            text.append("; voters: ").append(joined(found.voters()));
        }
        return text.toString();
    }

    private static String joined(List<?> values) {
        String text = values.stream().map(Object::toString).collect(Collectors.joining(", "));
        return text.isEmpty() ? "none" : Shown.of(text);
    }

    private String json(List<Said<PathExplanation>> all) {
        return JsonLine.of(json -> {
            json.writeStringField("path", path);
            JsonLine.objects(
                    json,
                    "nodes",
                    all.stream().filter(each -> each.said().isPresent()).toList(),
                    (object, each) -> {
                        object.writeStringField("url", each.url().text());
                        write(object, each.said().orElseThrow());
                    });
            JsonLine.silent(json, all);
        });
    }

    private static void write(JsonGenerator json, PathExplanation found) throws IOException {
        JsonLine.text(json, "node", found.node());
        json.writeBooleanField("contends", found.contends());
        json.writeBooleanField("leads", found.leads());
        JsonLine.latch(json, "leader", found.leader());
        JsonLine.number(json, "token", found.token());
        json.writeStringField("reason", found.reason());
        JsonLine.number(json, "leaseLeft", found.leaseLeft());
        JsonLine.objects(json, "contenders", found.contenders(), (object, contender) -> {
            object.writeStringField("id", contender.latch().id());
            object.writeStringField("node", contender.latch().node());
            object.writeBooleanField("leader", contender.isLeader());
        });
        JsonLine.texts(json, "supporters", found.supporters());
        JsonLine.texts(json, "voters", found.voters());
    }
}
