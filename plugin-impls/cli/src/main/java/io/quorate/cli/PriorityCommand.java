package io.quorate.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
        name = "priority",
        description = {
            "Gives a node another priority, which counts under the rank order PRIORITY: the highest leads first.",
            "A restart of the node forgets it. Ends with 0 if it is done, 1 if not, 2 if no node of this name answers."
        },
        mixinStandardHelpOptions = true)
final class PriorityCommand implements Callable<Integer> {

    @Mixin
    private final NodeOptions options = new NodeOptions();

    @Mixin
    private final ChangeOptions change = new ChangeOptions();

    @Parameters(index = "0", paramLabel = "NODE", description = "The id of the node; 'status' lists them.")
    private String node = "";

    @Parameters(index = "1", paramLabel = "NUMBER", description = "Any whole number; a negative one after '--'.")
    private int priority;

    @Spec
    @SuppressWarnings("NullAway.Init") // By picocli, before it runs.
    private CommandSpec spec;

    @Override
    public Integer call() throws CommandFailed, InterruptedException {
        new OneNode(options, change, node)
                .change(
                        "/priority" + Nodes.query("value", Integer.toString(priority)),
                        "Give " + node + " priority " + priority);
        String json = JsonLine.of(object -> {
            object.writeStringField("node", node);
            object.writeNumberField("priority", priority);
        });
        spec.commandLine().getOut().println(options.isJson() ? json : node + " has priority " + priority);
        return Exit.YES;
    }
}
