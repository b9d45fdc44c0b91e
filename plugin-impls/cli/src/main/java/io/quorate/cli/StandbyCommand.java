package io.quorate.cli;

import io.quorate.cli.Nodes.Answer;
import io.quorate.cli.Nodes.Said;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
        name = "standby",
        description = {
            "Lets a node lead only where nobody else can, or as usual again. A restart of the node forgets it.",
            "Ends with 0 if it is done, 1 if not, 2 if no node of this name answers."
        },
        mixinStandardHelpOptions = true)
final class StandbyCommand implements Callable<Integer> {

    /** What takes a node microseconds. */
    private static final Duration WAIT = Duration.ofSeconds(10);

    enum Switch {
        ON,
        OFF
    }

    @Mixin
    private final NodeOptions options = new NodeOptions();

    @Mixin
    private final ChangeOptions change = new ChangeOptions();

    @Parameters(index = "0", paramLabel = "NODE", description = "The id of the node; 'status' lists them.")
    private String node = "";

    @Parameters(index = "1", paramLabel = "on|off", description = "on: rank last. off: rank as usual.")
    private Switch wanted = Switch.ON;

    @Spec
    @SuppressWarnings("NullAway.Init") // By picocli, before it runs.
    private CommandSpec spec;

    @Override
    public Integer call() throws CommandFailed, InterruptedException {
        Nodes nodes = options.nodes();
        String token = change.token();
        Url url = find(nodes);
        change.requireFit(url);
        boolean isOn = wanted == Switch.ON;
        change.confirm(isOn ? "Put " + node + " on standby" : "Take " + node + " off standby");
        try {
            Answer answer =
                    nodes.change(url, "/standby" + Nodes.query("on", Boolean.toString(isOn)), token, WAIT, () -> {});
            if (answer.status() != 200) {
                throw NodeStatus.unexpected(answer.status(), answer.body());
            }
        } catch (NoAnswer e) {
            throw new CommandFailed(Exit.NO, url + ": " + e.reason());
        }
        String json = JsonLine.of(object -> {
            object.writeStringField("node", node);
            object.writeBooleanField("standby", isOn);
        });
        spec.commandLine()
                .getOut()
                .println(options.isJson() ? json : node + (isOn ? " is" : " is not") + " on standby");
        return Exit.YES;
    }

    private Url find(Nodes nodes) throws CommandFailed, InterruptedException {
        List<Said<NodeStatus>> all = nodes.ask(NodeStatus.ENDPOINT, NodeStatus::read);
        List<Url> found = all.stream()
                .filter(each ->
                        each.said().filter(said -> said.node().equals(node)).isPresent())
                .map(Said::url)
                .toList();
        if (found.size() == 1) {
            return found.get(0);
        }
        String who = "'" + Shown.of(node) + "'";
        String each = all.stream()
                .map(one -> one.url() + " is "
                        + one.said().map(said -> Shown.of(said.node())).orElse("unknown, " + one.silence()))
                .collect(Collectors.joining("; "));
        throw found.isEmpty()
                ? new CommandFailed(Exit.NOBODY, "no --url is of node " + who + ": " + each)
                : new CommandFailed(
                        Exit.NO, found.size() + " addresses say that they are " + who + Nodes.NOT_AGREED + "; " + each);
    }
}
