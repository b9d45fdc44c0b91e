package io.quorate.cli;

import io.quorate.spi.ElectionAlgorithm;
import io.quorate.testkit.simulation.Nearest;
import io.quorate.testkit.simulation.PublishedScenario;
import io.quorate.testkit.simulation.Scenario;
import io.quorate.testkit.simulation.ScenarioFile;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.MalformedInputException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Runs an election in virtual time, and shows it as text and as a picture. Opens no port. */
@Command(
        name = "lab",
        description = {
            "Runs an election in virtual time, in three ways: the algorithm as documented, hardened, and under the lease.",
            "Prints each run, and writes one page of HTML with the space-time diagrams side by side.",
            "Without an algorithm it lists what there is."
        },
        mixinStandardHelpOptions = true)
final class LabCommand implements Callable<Integer> {

    /** What somebody wants to see first who names an algorithm only. */
    static final String FIRST_SCENARIO = "leader dies";

    private static final int NODES_MAX = 9;

    @Parameters(index = "0", arity = "0..1", paramLabel = "ALGORITHM", description = "Such as bully.")
    private @Nullable String algorithm;

    @Parameters(
            index = "1",
            arity = "0..1",
            paramLabel = "SCENARIO",
            description = "Such as 'leader dies', which is the default.")
    private @Nullable String scenario;

    @Option(
            names = "--scenario",
            paramLabel = "FILE",
            description = "A scenario of your own, or one that a failed test has printed.")
    private @Nullable Path file;

    @Option(names = "--nodes", paramLabel = "N", description = "So many nodes, 1 to 9, in place of the scenario's.")
    private @Nullable Integer nodes;

    @Option(names = "--seed", paramLabel = "N", description = "Decides every delay. Default 1, or what the file says.")
    private @Nullable Long seed;

    @Option(
            names = "--way",
            paramLabel = "WAY",
            description = "documented, hardened or lease; may be given again. Default all three.")
    private List<LabWay> ways = List.of();

    @Option(names = "--all", description = "Shows all messages, also where nothing changes, and the heartbeats.")
    private boolean isWhole;

    @Option(
            names = "--html",
            paramLabel = "FILE",
            description = "Where the page goes. Default ALGORITHM-SCENARIO.html.")
    private @Nullable Path html;

    @Option(
            names = "--classpath",
            paramLabel = "PATH",
            defaultValue = "",
            description = "Jars and directories with more algorithms.")
    private String classPath = "";

    @Spec
    @SuppressWarnings("NullAway.Init") // By picocli, before it runs.
    private CommandSpec spec;

    @Override
    public Integer call() throws CommandFailed {
        PrintWriter out = spec.commandLine().getOut();
        LabRun run;
        try {
            LabAlgorithms algorithms = LabAlgorithms.on(classPath);
            if (algorithm == null) {
                out.print(list(algorithms));
                out.flush();
                return Exit.YES;
            }
            ElectionAlgorithm chosen = algorithms.of(algorithm);
            run = file == null ? published(chosen) : ofFile(chosen, file);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
        }
        out.print(run.text(isWhole));
        write(out, run);
        return Exit.YES;
    }

    private void write(PrintWriter out, LabRun run) throws CommandFailed {
        Path target = html == null ? Path.of(run.fileName()) : html;
        try {
            Files.writeString(target, run.html(isWhole));
        } catch (IOException e) {
            throw new CommandFailed(Exit.NO, "--html '" + target + "': cannot be written: " + e);
        }
        out.println("\nThe picture: " + target);
    }

    // ---------------------------------------------------------------- what there is

    private static String list(LabAlgorithms algorithms) {
        StringBuilder text = new StringBuilder("Algorithms: " + String.join(", ", algorithms.names())
                + "\n\nScenarios, with times in milliseconds from the start:\n");
        int wide = PublishedScenario.ofLab().stream()
                .mapToInt(one -> one.name().length())
                .max()
                .orElse(0);
        PublishedScenario.ofLab().forEach(one -> text.append("  ")
                .append(one.name())
                .append(" ".repeat(wide + 2 - one.name().length()))
                .append(one.description())
                .append('\n'));
        text.append("\nTraces of the algorithms' documents, in which delta is 10 ms and a message takes 5 ms:\n");
        LabTrace.all().forEach(trace -> text.append("  ")
                .append(trace.script().algorithm())
                .append(' ')
                .append(trace.name())
                .append(" "
                        .repeat(wide
                                + 1
                                - trace.script().algorithm().length()
                                - trace.name().length()))
                .append(trace.title())
                .append('\n'));
        return text.append("\nFor example: quorate lab bully \"" + FIRST_SCENARIO + "\" --nodes 5 --seed 7\n")
                .toString();
    }

    // ---------------------------------------------------------------- what was chosen

    private LabRun published(ElectionAlgorithm chosen) {
        String name = scenario == null ? FIRST_SCENARIO : scenario;
        Optional<LabTrace> trace = LabTrace.all().stream()
                .filter(one -> one.isOf(chosen) && one.name().equals(name))
                .findFirst();
        if (trace.isPresent()) {
            return ofDocument(chosen, trace.get());
        }
        List<PublishedScenario> all = PublishedScenario.ofLab();
        List<String> names =
                new ArrayList<>(all.stream().map(PublishedScenario::name).toList());
        LabTrace.all().stream()
                .filter(one -> one.isOf(chosen))
                .map(LabTrace::name)
                .forEach(names::add);
        PublishedScenario found = all.stream()
                .filter(one -> one.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("scenario '" + name + "': must be one of "
                        + String.join(", ", names) + Nearest.question(name, names)));
        PublishedScenario sized = found.withVoters(nodes == null ? found.voters() : checkedNodes(nodes));
        Scenario runs;
        try {
            runs = sized.scenario(seed == null ? 1 : seed);
        } catch (IllegalArgumentException e) {
            // The place is one in a text that nobody has written.
            String message = String.valueOf(e.getMessage()).replaceFirst("^line \\d+, column \\d+: ", "");
            throw new IllegalArgumentException(
                    "scenario '" + name + "' with " + sized.voters() + " nodes: " + message, e);
        }
        return run(chosen, name, found.description(), runs);
    }

    private LabRun ofDocument(ElectionAlgorithm chosen, LabTrace trace) {
        if (nodes != null || seed != null || !ways.isEmpty()) {
            throw new IllegalArgumentException(
                    "trace '" + trace.name() + "': its document says how it runs, so --nodes, --seed and --way do not");
        }
        return trace.run(chosen);
    }

    private LabRun ofFile(ElectionAlgorithm chosen, Path from) {
        if (scenario != null) {
            throw new IllegalArgumentException(
                    "scenario '" + scenario + "': must be a name or --scenario FILE, and not both");
        }
        Scenario parsed;
        try {
            String text = Files.readString(from);
            if (seed != null || nodes != null) {
                text = text.replaceAll(
                        "(?m)^\\s*" + (seed == null ? "voters" : nodes == null ? "seed" : "(seed|voters)") + "\\s.*$",
                        "");
                text += (seed == null ? "" : "\nseed " + seed)
                        + (nodes == null ? "" : "\nvoters " + checkedNodes(nodes));
            }
            parsed = ScenarioFile.parse(text);
        } catch (MalformedInputException e) {
            throw new IllegalArgumentException("--scenario '" + from + "': must be text in UTF-8", e);
        } catch (IOException e) {
            throw new IllegalArgumentException("--scenario '" + from + "': cannot be read: " + e, e);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("--scenario '" + from + "': " + e.getMessage(), e);
        }
        String name = String.valueOf(from.getFileName()).replaceFirst("\\.[a-z]+$", "");
        return run(chosen, name, "", parsed);
    }

    private LabRun run(ElectionAlgorithm chosen, String name, String story, Scenario runs) {
        List<LabWay> wanted = ways.isEmpty() ? LabRun.possible(List.of(LabWay.values()), runs) : ways;
        return LabRun.of(chosen, name, story, runs, wanted.stream().distinct().toList());
    }

    private static int checkedNodes(int count) {
        if (count < 1 || count > NODES_MAX) {
            throw new IllegalArgumentException("--nodes " + count + ": must be from 1 to " + NODES_MAX);
        }
        return count;
    }
}
