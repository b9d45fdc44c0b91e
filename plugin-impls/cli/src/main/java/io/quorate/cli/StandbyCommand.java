package io.quorate.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
        name = "standby",
        description = {
            "Lets a node lead only where no other node can, or as usual again. A restart of the node forgets it.",
            "Ends with 0 if it is done, 1 if not, 2 if no node of this name answers."
        },
        mixinStandardHelpOptions = true)
final class StandbyCommand implements Callable<Integer> {

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
        boolean isOn = wanted == Switch.ON;
        new OneNode(options, change, node)
                .change(
                        "/standby" + Nodes.query("on", Boolean.toString(isOn)),
                        isOn ? "Put " + node + " on standby" : "Take " + node + " off standby");
        String json = JsonLine.of(object -> {
            object.writeStringField("node", node);
            object.writeBooleanField("standby", isOn);
        });
        spec.commandLine()
                .getOut()
                .println(options.isJson() ? json : node + (isOn ? " is" : " is not") + " on standby");
        return Exit.YES;
    }
}
