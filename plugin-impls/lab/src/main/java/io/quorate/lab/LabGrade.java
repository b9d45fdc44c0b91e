package io.quorate.lab;

import io.quorate.spi.ElectionAlgorithm;
import io.quorate.testkit.simulation.FoundAlgorithms;
import java.io.File;
import java.io.PrintWriter;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Checks the algorithm of a student: docs/lab.md#course-kit. */
@Command(
        name = "grade",
        description = "Checks your algorithm rule by rule, and draws a run for each rule that it breaks.")
final class LabGrade extends LabTask {

    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "JAR",
            description = "A jar or a directory with your algorithm.")
    private @Nullable String jar;

    @Option(
            names = "--like",
            paramLabel = "ALGORITHM",
            description =
                    "Asks for the rules that this one keeps as documented. Default bully for my-bully, and so on.")
    private @Nullable String like;

    @Mixin
    private final PageOptions page = new PageOptions();

    @Override
    int run(PrintWriter out) throws LabFailed {
        String path = Stream.of(jar == null ? "" : jar, page.classPath)
                .filter(entry -> !entry.isEmpty())
                .collect(Collectors.joining(File.pathSeparator));
        if (path.isEmpty()) {
            throw new IllegalArgumentException("JAR: must be a jar or a directory with your algorithm");
        }
        FoundAlgorithms ours = LabAlgorithms.on("");
        FoundAlgorithms all = LabAlgorithms.on(path);
        List<String> added = all.names().stream()
                .filter(name -> !ours.names().contains(name))
                .toList();
        if (added.size() != 1) {
            throw new IllegalArgumentException("'" + path
                    + "': must have one algorithm, named in META-INF/services/" + ElectionAlgorithm.class.getName()
                    + ", and has " + (added.isEmpty() ? "none" : String.join(", ", added)));
        }
        String name = added.get(0);
        String nearest = name.replaceFirst("^my-", "");
        Optional<String> reference =
                like != null ? Optional.of(like) : Optional.of(nearest).filter(ours.names()::contains);
        Grade grade = Grade.of(all.of(name), reference.map(ours::of));
        out.print(grade.text());
        if (grade.hasPassed()) {
            return Lab.YES;
        }
        LabRun run = grade.picture();
        page.write(out, run.fileName(), run.html(true));
        return Lab.NO;
    }
}
