package io.quorate.cli;

import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
        name = "status",
        description = {
            "Shows how all nodes are.",
            "Ends with 0 if all is well, 1 if something is missing, 2 if no majority of voters is known to be well."
        },
        mixinStandardHelpOptions = true)
final class StatusCommand implements Callable<Integer> {

    /** Clears a terminal, and goes to its first line. */
    private static final String CLEAR = "\u001b[H\u001b[2J";

    @Mixin
    private final NodeOptions options = new NodeOptions();

    @Option(
            names = {"-w", "--watch"},
            description = "Repeat until Ctrl-C.")
    private boolean isWatching;

    @Option(
            names = "--interval",
            paramLabel = "TIME",
            defaultValue = "2s",
            converter = Durations.class,
            description = "With -w, the time between two looks. Default ${DEFAULT-VALUE}.")
    private Duration interval = Duration.ofSeconds(2);

    @Spec
    @SuppressWarnings("NullAway.Init") // By picocli, before it runs.
    private CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        Nodes nodes = options.nodes();
        PrintWriter out = spec.commandLine().getOut();
        int exitCode = show(nodes, out);
        // The reader may go away first, as head does.
        while (isWatching && !out.checkError()) {
            Thread.sleep(interval.toMillis());
            exitCode = show(nodes, out);
        }
        return exitCode;
    }

    private int show(Nodes nodes, PrintWriter out) throws InterruptedException {
        ClusterStatus found = ClusterStatus.of(nodes.ask(NodeStatus.ENDPOINT, NodeStatus::read), Instant.now());
        if (options.isJson()) {
            out.println(found.json());
        } else {
            boolean isScreen = isWatching && options.quorate().terminal().isThere();
            out.print((isScreen ? CLEAR : "") + found.table() + (isWatching && !isScreen ? "\n" : ""));
        }
        out.flush();
        return found.verdict().exitCode();
    }
}
