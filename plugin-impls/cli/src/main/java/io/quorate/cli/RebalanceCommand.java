package io.quorate.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import io.quorate.cli.Moves.End;
import io.quorate.cli.Moves.Ended;
import io.quorate.cli.Nodes.Said;
import io.quorate.cli.RebalancePlan.Aim;
import io.quorate.cli.RebalancePlan.Move;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.FileSystems;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.regex.PatternSyntaxException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Moves leaders by a plan. */
@Command(
        name = "rebalance",
        description = {
            "Moves leaders to other nodes by a plan, which it shows first: one after the other, each as 'transfer' does.",
            "Ctrl-C stops it after the moves that are under way.",
            "Ends with 0 if nothing is left to move, 1 if something is, 2 if no node answers."
        },
        mixinStandardHelpOptions = true)
final class RebalanceCommand implements Callable<Integer> {

    private static final int PARALLEL_MAX = 16;

    /** Matches every path, also where the file system cannot have its name. */
    private static final String ALL = "**";

    /** Rows of what was not moved that are shown to people. */
    private static final int SHOWN_MAX = 20;

    @Mixin
    private final NodeOptions options = new NodeOptions();

    @Mixin
    private final ChangeOptions change = new ChangeOptions();

    @Option(
            names = "--by",
            paramLabel = "AIM",
            defaultValue = "even",
            description = {
                "even: each node leads as many paths as the others, as far as it contends there.",
                "priority: each path is led by whom the rank order of the nodes prefers. Default ${DEFAULT-VALUE}."
            })
    private Aim aim = Aim.EVEN;

    @Option(
            names = "--paths",
            paramLabel = "GLOB",
            defaultValue = ALL,
            description = "Only these paths: '/jobs/*', or '/jobs/**' with all below. Default: all.")
    private String glob = ALL;

    @Option(names = "--dry-run", description = "Show the plan, and move nothing.")
    private boolean isDry;

    @Option(
            names = "--parallel",
            paramLabel = "N",
            defaultValue = "1",
            description = "Moves at one time, 1 to " + PARALLEL_MAX + ". Default ${DEFAULT-VALUE}.")
    private int parallel = 1;

    @Option(
            names = "--wait",
            paramLabel = "TIME",
            defaultValue = "60s",
            converter = Durations.class,
            description = "How long to wait for each successor. Default ${DEFAULT-VALUE}.")
    private Duration wait = Duration.ofSeconds(60);

    @Spec
    @SuppressWarnings("NullAway.Init") // By picocli, before it runs.
    private CommandSpec spec;

    @Override
    public Integer call() throws CommandFailed, InterruptedException {
        if (parallel < 1 || parallel > PARALLEL_MAX) {
            throw wrong("--parallel " + parallel + ": must be 1 to " + PARALLEL_MAX);
        }
        PathMatcher wanted = matcher();
        Nodes nodes = options.nodes();
        LedPath.All all = LedPath.of(nodes);
        if (all.nodes().isEmpty()) {
            throw new CommandFailed(
                    Exit.NOBODY, "no address answers what its node leads: " + String.join("; ", silences(all.asked())));
        }
        List<LedPath> paths =
                all.paths().stream().filter(led -> matches(wanted, led.path())).toList();
        RebalancePlan plan = RebalancePlan.of(aim, all.nodes(), paths);
        if (!options.isJson()) {
            out().print(text(plan, all.asked()));
            out().flush();
        }
        if (isDry || plan.moves().isEmpty()) {
            if (options.isJson()) {
                out().println(json(plan, all.asked(), List.of(), plan.moves()));
            }
            return Exit.YES;
        }
        String token = change.token();
        change.confirm("Move " + plan.moves().size() + " of " + paths.size() + " paths");
        return carryOut(plan, all.asked(), new Handover(nodes, token, wait));
    }

    private PrintWriter out() {
        return spec.commandLine().getOut();
    }

    private ParameterException wrong(String message) {
        return new ParameterException(spec.commandLine(), message);
    }

    // ---------------------------------------------------------------- which paths

    private PathMatcher matcher() {
        try {
            return FileSystems.getDefault().getPathMatcher("glob:" + glob);
        } catch (PatternSyntaxException e) {
            throw wrong("--paths '" + Shown.of(glob) + "': must be a glob, such as '/jobs/*': " + e.getDescription());
        }
    }

    private boolean matches(PathMatcher wanted, String path) {
        try {
            return glob.equals(ALL) || wanted.matches(Path.of(path));
        } catch (InvalidPathException e) {
            // The file system knows no such names, so no glob is meant for it.
            return false;
        }
    }

    // ---------------------------------------------------------------- the moves

    private int carryOut(RebalancePlan plan, List<? extends Said<?>> asked, Handover handover)
            throws InterruptedException {
        List<Ended> ended = new ArrayList<>();
        Terminal terminal = options.quorate().terminal();
        boolean showsBar = terminal.isThere();
        PrintWriter err = spec.commandLine().getErr();
        Moves moves = new Moves(handover, change, plan.moves(), each -> {
            ended.add(each);
            if (showsBar) {
                err.print("\r" + bar(ended.size(), plan.moves().size()));
                err.flush();
            } else if (!options.isJson()) {
                out().println(line(each));
            }
        });
        Terminal.Stopping stopping = terminal.onInterrupt(() -> moves.stop("it was stopped"));
        try {
            List<Move> left = moves.run(parallel);
            if (showsBar) {
                err.println();
            }
            out().print(
                            options.isJson()
                                    ? json(plan, asked, ended, left) + "\n"
                                    : summary(ended, left, moves.whyStopped(), showsBar));
            out().flush();
            boolean isDone = left.isEmpty() && ended.stream().allMatch(each -> each.end() == End.MOVED);
            return isDone ? Exit.YES : Exit.NO;
        } finally {
            stopping.end();
        }
    }

    private static String bar(int done, int all) {
        int filled = 30 * done / all;
        return "[" + "#".repeat(filled) + " ".repeat(30 - filled) + "] " + done + " of " + all;
    }

    private static String line(Ended each) {
        String path = Shown.of(each.move().led().path());
        return path + ": "
                + switch (each.end()) {
                    case MOVED ->
                        each.move().led().leader() + " to " + each.move().to()
                                + each.token().map(token -> ", token " + token).orElse("");
                    case LEFT_ALONE -> "left alone: " + each.reason();
                    case FAILED -> "not moved: " + each.reason();
                };
    }

    // ---------------------------------------------------------------- what is shown

    private static String text(RebalancePlan plan, List<? extends Said<?>> asked) {
        StringBuilder text = new StringBuilder();
        if (!plan.moves().isEmpty()) {
            Table table = new Table("PATH", "FROM", "TO", "WHY");
            for (Move move : plan.moves()) {
                table.row(
                        Shown.of(move.led().path()),
                        move.led().leader().toString(),
                        move.to().toString(),
                        Shown.of(move.why()));
            }
            text.append(table.text());
        }
        Table shares = new Table("NODE", "LEADS", "THEN");
        plan.before()
                .forEach((node, count) -> shares.row(
                        Shown.of(node),
                        Long.toString(count),
                        Long.toString(plan.after().getOrDefault(node, 0L))));
        text.append(shares.text());
        if (plan.moves().isEmpty()) {
            text.append("nothing to move\n");
        }
        if (plan.fixed() > 0) {
            text.append(plan.fixed())
                    .append(" paths have contenders without a unique id, to which nothing can be handed over\n");
        }
        silences(asked).forEach(line -> text.append(line).append('\n'));
        return text.toString();
    }

    private static List<String> silences(List<? extends Said<?>> asked) {
        return asked.stream()
                .filter(each -> each.said().isEmpty())
                .map(each -> each.url() + ": " + each.silence())
                .toList();
    }

    private static String summary(List<Ended> ended, List<Move> left, Optional<String> why, boolean tellsEach) {
        StringBuilder text = new StringBuilder();
        List<Ended> others =
                ended.stream().filter(each -> each.end() != End.MOVED).toList();
        if (tellsEach) {
            others.stream().limit(SHOWN_MAX).forEach(each -> text.append(line(each))
                    .append('\n'));
            text.append(more(others.size()));
        }
        int moved = ended.size() - others.size();
        text.append("moved ").append(moved).append(moved == 1 ? " path" : " paths");
        if (!others.isEmpty()) {
            text.append(", ").append(others.size()).append(" not");
        }
        if (!left.isEmpty()) {
            text.append("; ")
                    .append(left.size())
                    .append(" are left")
                    .append(why.map(reason -> ", because " + reason).orElse(""))
                    .append(":\n");
            left.stream().limit(SHOWN_MAX).forEach(move -> text.append("  ")
                    .append(Shown.of(move.led().path()))
                    .append('\n'));
            text.append(more(left.size()));
        }
        return text.toString().stripTrailing() + "\n";
    }

    private static String more(int all) {
        return all > SHOWN_MAX ? "  and " + (all - SHOWN_MAX) + " more\n" : "";
    }

    private static String json(RebalancePlan plan, List<? extends Said<?>> asked, List<Ended> ended, List<Move> left) {
        return JsonLine.of(json -> {
            JsonLine.objects(json, "nodes", plan.before().entrySet(), (object, node) -> {
                object.writeStringField("node", node.getKey());
                object.writeNumberField("leads", node.getValue());
                object.writeNumberField("then", plan.after().getOrDefault(node.getKey(), 0L));
            });
            JsonLine.objects(json, "ended", ended, (object, each) -> {
                write(object, each.move());
                object.writeStringField("end", each.end().name());
                JsonLine.number(object, "token", each.token());
                JsonLine.text(
                        object, "reason", each.reason().isEmpty() ? Optional.empty() : Optional.of(each.reason()));
            });
            JsonLine.objects(json, "left", left, RebalanceCommand::write);
            json.writeNumberField("fixed", plan.fixed());
            JsonLine.silent(json, asked);
        });
    }

    private static void write(JsonGenerator json, Move move) throws IOException {
        json.writeStringField("path", move.led().path());
        JsonLine.latch(json, "from", Optional.of(move.led().leader()));
        JsonLine.latch(json, "to", Optional.of(move.to()));
        json.writeStringField("why", move.why());
    }
}
