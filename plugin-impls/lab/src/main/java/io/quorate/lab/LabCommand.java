package io.quorate.lab;

import io.quorate.spi.ElectionAlgorithm;
import io.quorate.testkit.model.ModelChecker.Links;
import io.quorate.testkit.simulation.ScenarioFile;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParseResult;

/** Runs an election in virtual time, and shows it as text and as a picture. Opens a port only for {@code --serve}. */
@Command(
        name = "quorate lab",
        description = {
            "Runs an election in virtual time, in three ways: the algorithm as documented, hardened, and under the lease.",
            "Prints each run, and writes one page of HTML with the space-time diagrams side by side.",
            "Without an algorithm it says in ten lines what there is."
        },
        subcommands = {LabAll.class, LabSkeleton.class, LabGrade.class})
final class LabCommand extends LabTask {

    /** What may stand beside each kind of command. */
    private static final Map<String, String> BESIDE = Map.of(
            "without ALGORITHM", "--classpath --list",
            "--break", "--classpath --explore --export --html --nodes --way",
            "--curve", "ALGORITHM --classpath --csv --ring --seeds --way",
            "--explore", "ALGORITHM --classpath --faults --from --html --nodes --serve --way",
            "ALGORITHM", "SCENARIO --all --classpath --export --html --nodes --ring --scenario --seed --way");

    private static final int PORT_MAX = 65_535;

    @Parameters(index = "0", arity = "0..1", paramLabel = "ALGORITHM", description = "Such as bully.")
    private @Nullable String algorithm;

    @Parameters(
            index = "1",
            arity = "0..1",
            paramLabel = "SCENARIO",
            description = "Such as 'leader dies', which is the default.")
    private @Nullable String scenario;

    @Mixin
    private final RunOptions options = new RunOptions();

    @Option(
            names = "--break",
            paramLabel = "ALGORITHM:RULE",
            description = "Looks for the shortest run that breaks the rule, such as bully:OneLeader.")
    private @Nullable String broken;

    @Option(
            names = "--ring",
            paramLabel = "ORDER",
            description = "Order of the processes on the ring, such as 5,4,3,2,1; each sends to the next.")
    private @Nullable String ring;

    @Option(
            names = "--explore",
            description = "Writes a page on which you choose what happens next; with --break it opens at the run.")
    private boolean isExplored;

    @Option(
            names = "--faults",
            paramLabel = "KINDS",
            defaultValue = "",
            description = "Of --explore: crash,restart,loss,copy,early,suspicion or some of these, each once.")
    private String faults = "";

    @Option(
            names = "--from",
            paramLabel = "FILE",
            description =
                    "Of --explore: the page opens at the end of a saved run, of TLC's trace, or of a storm's scenario.")
    private @Nullable Path from;

    @Option(
            names = "--serve",
            paramLabel = "PORT",
            arity = "0..1",
            fallbackValue = "0",
            description =
                    "Of --explore: serves the page on the loopback address, and computes more states when you get there.")
    private @Nullable Integer port;

    @Mixin
    private final CurveOptions curve = new CurveOptions();

    @Option(names = "--list", description = "Lists all algorithms, scenarios, traces and rules.")
    private boolean isListed;

    @Option(names = "--all", description = "Shows all messages, also where nothing changes, and the heartbeats.")
    private boolean isWhole;

    @Mixin
    private final PageOptions page = new PageOptions();

    @Option(
            names = "--export",
            paramLabel = "FORMAT=FILE",
            description = "Also writes the run of one --way as shiviz, plantuml, mermaid, jsonl, tla or svg.")
    private List<String> exports = List.of();

    @Override
    int run(PrintWriter out) throws LabFailed {
        checkOptions();
        List<Export> wanted = exports.stream().map(Export::of).toList();
        if (broken != null) {
            return breakRule(out, broken, wanted);
        }
        if (isExplored) {
            explore(out);
        } else if (curve.isWanted()) {
            curve.draw(out, options.classPath, algorithm, ring, options.ways);
        } else if (algorithm == null) {
            out.print(isListed ? LabChoice.list(options.classPath) : LabChoice.overview(options.classPath));
        } else {
            LabRun run = options.run(LabChoice.algorithm(options.classPath, algorithm), scenario, ring);
            show(out, run, isWhole, wanted);
            RunOptions.check(run.failures());
        }
        return Lab.YES;
    }

    /** Nothing that was asked for is left out in silence. */
    private void checkOptions() {
        String kind = broken != null
                ? "--break"
                : isExplored
                        ? "--explore"
                        : curve.isWanted() ? "--curve" : algorithm != null ? "ALGORITHM" : "without ALGORITHM";
        List<String> allowed = List.of(BESIDE.getOrDefault(kind, "").split(" "));
        ParseResult parsed = spec.commandLine().getParseResult();
        String refused = Stream.concat(
                        parsed.matchedPositionals().stream().map(PositionalParamSpec::paramLabel),
                        parsed.matchedOptions().stream().map(OptionSpec::longestName))
                .filter(name -> !name.equals(kind) && !allowed.contains(name))
                .distinct()
                .sorted()
                .collect(Collectors.joining(", "));
        if (!refused.isEmpty()) {
            throw new IllegalArgumentException(
                    kind + ": must stand without " + refused + "; it may have " + String.join(", ", allowed));
        }
    }

    private int breakRule(PrintWriter out, String rule, List<Export> wanted) throws LabFailed {
        LabBreak found = LabBreak.of(options.classPath, rule, options.nodes, options.ways);
        if (found.run().isEmpty()) {
            out.print(found.text());
            return Lab.NO;
        }
        if (isExplored) {
            write(out, found.explorer().get().orElseThrow());
        } else {
            show(out, found.run().get(), true, wanted);
        }
        return Lab.YES;
    }

    private void explore(PrintWriter out) throws LabFailed {
        if (algorithm == null) {
            throw new IllegalArgumentException("--explore: must stand with ALGORITHM, or with --break");
        }
        if (options.ways.size() > 1 || options.ways.contains(LabWay.LEASE)) {
            throw new IllegalArgumentException(
                    "--way " + LabWay.names(options.ways) + ": must be documented or hardened with --explore");
        }
        if (port != null && (port < 0 || port > PORT_MAX)) {
            throw new IllegalArgumentException("--serve " + port + ": must be from 0 to " + PORT_MAX);
        }
        if (port != null && page.isChosen()) {
            throw new IllegalArgumentException("--html: must stand without --serve");
        }
        Explorer explorer = explorer(LabChoice.algorithm(options.classPath, algorithm));
        if (port == null) {
            write(out, explorer);
        } else {
            serve(out, explorer, port);
        }
    }

    private Explorer explorer(ElectionAlgorithm chosen) {
        LabWay way = options.ways.isEmpty() ? LabWay.DOCUMENTED : options.ways.get(0);
        int statesMax = port == null ? StateGraph.STATES_MAX : ExplorerServer.STATES;
        if (from == null) {
            int size = options.nodes == null ? Explorer.NODES : options.nodes;
            SavedRun start = new SavedRun(way, size, OptionalInt.of(size - 1), Links.FIFO, List.of());
            return Explorer.of(chosen, start, faults, statesMax);
        }
        try {
            return Explorer.of(chosen, read(LabChoice.text(from), chosen, way), faults, statesMax);
        } catch (IOException | IllegalArgumentException e) {
            throw new IllegalArgumentException("--from '" + from + "': " + e.getMessage(), e);
        }
    }

    private SavedRun read(String text, ElectionAlgorithm chosen, LabWay way) {
        boolean isSaved = text.strip().startsWith("{");
        if (options.nodes != null || !options.ways.isEmpty() && (isSaved || TlcRun.is(text))) {
            throw new IllegalArgumentException("says how it runs, so --nodes and --way do not");
        }
        return isSaved
                ? SavedRun.read(text, chosen)
                : TlcRun.is(text)
                        ? TlcRun.read(text, chosen)
                        : StormRun.of(chosen, way, ScenarioBounds.checked(ScenarioFile.parse(text)));
    }

    private static void serve(PrintWriter out, Explorer explorer, int port) throws LabFailed {
        try (ExplorerServer server = new ExplorerServer(explorer, port)) {
            out.println(explorer.story(true));
            out.println("\nThe page: " + server.url() + "\nIt ends with Ctrl-C, or at the end of the input.");
            out.flush();
            System.in.transferTo(OutputStream.nullOutputStream());
        } catch (IOException e) {
            throw new LabFailed("--serve " + port + ": cannot be served: " + e);
        }
    }

    private void write(PrintWriter out, Explorer explorer) throws LabFailed {
        out.println(explorer.story(false));
        page.write(out, "page", explorer.fileName(), explorer.html(false));
    }

    private void checkExports(LabRun run, List<Export> wanted) {
        if (!wanted.isEmpty() && run.ways().size() > 1) {
            throw new IllegalArgumentException("--export: must stand with one --way, documented, hardened or lease");
        }
        Set<Path> files = new HashSet<>(
                Set.of(page.target(run.fileName()).toAbsolutePath().normalize()));
        for (Export export : wanted) {
            if (!files.add(export.file().toAbsolutePath().normalize())) {
                throw new IllegalArgumentException(
                        "--export '" + export.file() + "': must be another file than those of other options");
            }
        }
    }

    private void show(PrintWriter out, LabRun run, boolean whole, List<Export> wanted) throws LabFailed {
        checkExports(run, wanted);
        out.print(run.text(whole));
        page.write(out, "picture", run.fileName(), run.html(whole));
        for (Export export : wanted) {
            PageOptions.write("--export", export.file(), export.text(run.ways().get(0), run.focus(whole)));
            out.println("The export: " + export.file());
        }
    }
}
