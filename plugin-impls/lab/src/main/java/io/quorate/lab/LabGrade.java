package io.quorate.lab;

import io.quorate.spi.ElectionAlgorithm;
import io.quorate.testkit.simulation.FoundAlgorithms;
import java.io.PrintWriter;
import java.util.List;
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

    @Parameters(index = "0", paramLabel = "JAR", description = "A jar or a directory with your algorithm.")
    private String jar = "";

    @Option(
            names = "--like",
            paramLabel = "ALGORITHM",
            description =
                    "Asks for the rules that this one keeps as documented. Default bully for my-bully, and so on.")
    private @Nullable String like;

    @Mixin
    private final PageOptions page = new PageOptions();

    @Override
    int run(PrintWriter out) throws Exception {
        Watched watched = new Watched();
        return watched.run(() -> grade(out, watched), spec.commandLine().getErr());
    }

    private int grade(PrintWriter out, Watched watched) throws LabFailed {
        FoundAlgorithms ours = LabAlgorithms.on("");
        FoundAlgorithms all = LabAlgorithms.on("JAR", jar);
        List<String> added = all.names().stream()
                .filter(name -> !ours.names().contains(name))
                .toList();
        if (added.size() != 1) {
            throw new IllegalArgumentException("JAR '" + jar + "': must have one algorithm, named in META-INF/services/"
                    + ElectionAlgorithm.class.getName()
                    + ", and has " + (added.isEmpty() ? "none" : String.join(", ", added)));
        }
        String name = added.get(0);
        String nearest = like != null ? like : name.replaceFirst("^my-", "");
        if (like == null && !ours.names().contains(nearest)) {
            throw new IllegalArgumentException("--like: must name the algorithm whose rules " + name
                    + " should keep, because its name doesn't, as that of my-bully does");
        }
        Grade grade = Grade.of(watched.of(all.of(name)), ours.of(nearest));
        out.print(grade.text());
        if (grade.hasFailed()) {
            LabRun run = grade.picture();
            page.write(out, "page", run.fileName(), run.html(true));
        }
        return grade.hasPassed() ? Lab.YES : Lab.NO;
    }
}
