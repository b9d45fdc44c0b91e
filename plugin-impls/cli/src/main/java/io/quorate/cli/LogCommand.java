package io.quorate.cli;

import io.quorate.cli.Nodes.Said;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
        name = "log",
        description = {
            "Shows the last changes of leaders and connections, of all nodes by time.",
            "Ends with 0 if a node answers, 2 if none does."
        },
        mixinStandardHelpOptions = true)
final class LogCommand implements Callable<Integer> {

    /** A node keeps no more. */
    private static final int LIMIT_MAX = 200;

    @Mixin
    private final NodeOptions options = new NodeOptions();

    @Parameters(paramLabel = "PATH", arity = "0..1", description = "Only of this path, such as /app/leader.")
    private String path = "";

    @Option(
            names = {"-n", "--limit"},
            paramLabel = "COUNT",
            defaultValue = "50",
            description = "The most changes to show. Default ${DEFAULT-VALUE}.")
    private int limit = 50;

    @Spec
    @SuppressWarnings("NullAway.Init") // By picocli, before it runs.
    private CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        if (limit < 1 || limit > LIMIT_MAX) {
            throw new ParameterException(spec.commandLine(), "--limit " + limit + ": must be from 1 to " + LIMIT_MAX);
        }
        String count = Integer.toString(limit);
        String query = path.isEmpty() ? Nodes.query("limit", count) : Nodes.query("path", path, "limit", count);
        List<Said<List<LoggedChange>>> all = options.nodes().ask("/log" + query, LoggedChange::read);
        List<LoggedChange> merged = LoggedChange.merged(
                all.stream().flatMap(each -> each.said().stream()).toList());
        List<LoggedChange> last = merged.subList(Math.max(0, merged.size() - limit), merged.size());
        PrintWriter out = spec.commandLine().getOut();
        if (options.isJson()) {
            out.println(json(last, all));
        } else {
            out.print(table(last));
            all.stream()
                    .filter(each -> each.said().isEmpty())
                    .forEach(each -> spec.commandLine().getErr().println(each.url() + ": " + each.silence()));
        }
        out.flush();
        return all.stream().anyMatch(each -> each.said().isPresent()) ? Exit.YES : Exit.NOBODY;
    }

    private static String table(List<LoggedChange> changes) {
        Table table = new Table("AT", "SEEN-BY", "PATH", "CHANGE");
        for (LoggedChange change : changes) {
            table.row(
                    change.at().toString(),
                    Shown.of(String.join(" ", change.seenBy())),
                    change.path().map(Shown::of).orElse("-"),
                    change.sentence());
        }
        return table.text();
    }

    private static String json(List<LoggedChange> changes, List<Said<List<LoggedChange>>> all) {
        return JsonLine.of(json -> {
            JsonLine.objects(json, "changes", changes, (object, change) -> {
                object.writeStringField("at", change.at().toString());
                object.writeStringField("node", change.node());
                JsonLine.texts(object, "seenBy", change.seenBy());
                object.writeStringField("kind", change.kind());
                JsonLine.text(object, "path", change.path());
                JsonLine.latch(object, "leader", change.leader());
                JsonLine.number(object, "token", change.token());
                JsonLine.text(object, "reason", change.reason());
            });
            JsonLine.silent(json, all);
        });
    }
}
