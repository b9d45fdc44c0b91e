package io.quorate.lab;

import io.quorate.spi.ElectionAlgorithm;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that say what runs, of one algorithm or of all. */
final class RunOptions {

    @Option(
            names = "--scenario",
            paramLabel = "FILE",
            description = "A scenario or a script of your own, or what a failed test has printed.")
    private @Nullable Path file;

    @Option(names = "--nodes", paramLabel = "N", description = "How many nodes, 1 to 9, instead of the scenario's.")
    @Nullable
    Integer nodes;

    @Option(names = "--seed", paramLabel = "N", description = "Decides every delay. Default 1, or what the file says.")
    private @Nullable Long seed;

    @Option(
            names = "--way",
            paramLabel = "WAY",
            description = "documented, hardened or lease; may be given again. Default all three.")
    List<LabWay> ways = List.of();

    @Option(
            names = "--classpath",
            paramLabel = "PATH",
            defaultValue = "",
            description = "Jars and directories with more algorithms.")
    String classPath = "";

    /** Runs the published scenario, or that of the file. */
    LabRun run(ElectionAlgorithm algorithm, @Nullable String scenario, @Nullable String ring) {
        LabChoice choice = new LabChoice(algorithm, nodes, seed, ways, ring);
        return file == null ? choice.published(scenario) : choice.ofFile(scenario, file);
    }

    /** Ends the command if an algorithm has thrown; what was recorded up to there is drawn by now. */
    static void check(List<String> failures) throws LabFailed {
        if (!failures.isEmpty()) {
            throw new LabFailed(Lab.shown(String.join("; ", failures)));
        }
    }
}
