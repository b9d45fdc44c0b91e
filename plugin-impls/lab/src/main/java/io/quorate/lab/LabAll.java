package io.quorate.lab;

import java.io.PrintWriter;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** One scenario with all algorithms: docs/lab.md#all-algorithms-side-by-side. */
@Command(name = "all", description = "Runs a scenario with all algorithms, and compares them in a table and on a page.")
final class LabAll extends LabTask {

    @Parameters(index = "0", arity = "0..1", paramLabel = "SCENARIO", description = "Default 'leader dies'.")
    private @Nullable String scenario;

    @Mixin
    private final RunOptions options = new RunOptions();

    @Mixin
    private final PageOptions page = new PageOptions();

    @Override
    int run(PrintWriter out) throws LabFailed {
        List<LabRun> runs = LabAlgorithms.on(options.classPath).byName().values().stream()
                .map(algorithm -> options.run(algorithm, scenario, null))
                .toList();
        Comparison comparison = new Comparison(runs);
        out.print(comparison.text());
        page.write(out, "page", comparison.fileName(), comparison.html());
        RunOptions.check(runs.stream().flatMap(run -> run.failures().stream()).toList());
        return Lab.YES;
    }
}
