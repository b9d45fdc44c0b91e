package io.quorate.lab;

import io.quorate.spi.ElectionAlgorithm;
import io.quorate.testkit.simulation.Nearest;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Writes a documented machine with holes, for a student to fill in: docs/lab.md#course-kit. */
@Command(name = "skeleton", description = "Writes the Java of an algorithm with holes, for you to fill in.")
final class LabSkeleton extends LabTask {

    private static final Map<String, String> CLASSES = Map.of("bully", "MyBully", "lcr", "MyLcr");

    @Parameters(index = "0", paramLabel = "ALGORITHM", description = "bully or lcr.")
    private String algorithm = "";

    @Option(names = "--to", paramLabel = "DIRECTORY", description = "Where the files go. Default my-ALGORITHM.")
    private @Nullable Path to;

    @Override
    int run(PrintWriter out) throws LabFailed {
        String type = CLASSES.get(algorithm);
        if (type == null) {
            List<String> names = CLASSES.keySet().stream().sorted().toList();
            throw new IllegalArgumentException("skeleton '" + algorithm + "': must be one of "
                    + String.join(", ", names) + Nearest.question(algorithm, names));
        }
        Path directory = to == null ? Path.of("my-" + algorithm) : to;
        Path source = directory.resolve(type + ".java");
        Path service = directory.resolve("META-INF/services/" + ElectionAlgorithm.class.getName());
        if (Files.exists(source) || Files.exists(service)) {
            throw new LabFailed("--to '" + directory + "': must not have " + type
                    + ".java or another algorithm yet, because it may be your work");
        }
        try {
            Files.createDirectories(directory.resolve("META-INF/services"));
        } catch (IOException e) {
            throw new LabFailed("--to '" + directory + "': cannot be written: " + e);
        }
        PageOptions.write("--to", source, Resource.text("course/" + type + ".txt"));
        PageOptions.write("--to", service, type + "\n");
        out.println("Fill in what is marked HOLE in " + source + ", and then:");
        out.println("  javac -cp quorate-lab.jar -d " + directory + " " + source);
        out.println("  quorate lab grade " + directory);
        return Lab.YES;
    }
}
