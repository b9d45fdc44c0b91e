package io.quorate.lab;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** One scenario with all algorithms: docs/lab.md#all-algorithms-side-by-side. */
@Command(name = "all", description = "Runs a scenario with all algorithms, and compares them in a table and on a page.")
final class LabAll extends LabTask {

    @Parameters(index = "0", arity = "0..1", paramLabel = "SCENARIO", description = "Default 'leader dies'.")
    private @Nullable String scenario;

    @Option(names = "--scenario", paramLabel = "FILE", description = "A scenario of your own.")
    private @Nullable Path file;

    @Option(names = "--nodes", paramLabel = "N", description = "The number of nodes, 1 to 9.")
    private @Nullable Integer nodes;

    @Option(names = "--seed", paramLabel = "N", description = "Decides every delay. Default 1, or what the file says.")
    private @Nullable Long seed;

    @Option(
            names = "--way",
            paramLabel = "WAY",
            description = "documented, hardened or lease; may be given again. Default all three.")
    private List<LabWay> ways = List.of();

    @Option(
            names = "--classpath",
            paramLabel = "PATH",
            defaultValue = "",
            description = "Jars and directories with more algorithms.")
    private String classPath = "";

    @Mixin
    private final PageOptions page = new PageOptions();

    @Override
    int run(PrintWriter out) throws LabFailed {
        List<LabRun> runs = LabAlgorithms.on(classPath).byName().values().stream()
                .map(algorithm -> new LabChoice(algorithm, nodes, seed, ways, null))
                .map(choice -> file == null ? choice.published(scenario) : choice.ofFile(scenario, file))
                .toList();
        Comparison comparison = new Comparison(runs);
        out.print(comparison.text());
        page.write(out, comparison.fileName(), comparison.html());
        List<String> failures =
                runs.stream().flatMap(run -> run.failures().stream()).toList();
        if (!failures.isEmpty()) {
            throw new LabFailed(Lab.shown(String.join("; ", failures)));
        }
        return Lab.YES;
    }
}
