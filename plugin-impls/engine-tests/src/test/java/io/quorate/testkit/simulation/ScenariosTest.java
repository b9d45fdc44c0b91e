package io.quorate.testkit.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.testkit.simulation.Simulation.Depth;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Every scenario that once broke a rule is kept, with a word on why, and breaks none any more. */
class ScenariosTest {

    private static final Path FOLDER = Path.of("src", "test", "resources", "scenarios");

    private static List<Path> files() {
        try (Stream<Path> files = Files.list(FOLDER)) {
            return files.filter(file -> file.toString().endsWith(".txt"))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void run(Path file, Depth depth) {
        // Shows the state at the end if it fails; it cannot become smaller by a shrinking worth its time.
        Simulation.run(Scenario.parse(text(file)), new HighestUp(), depth);
    }

    @TestFactory
    Stream<DynamicTest> noScenarioBreaksARule() {
        return files().stream().flatMap(file -> Stream.of(Depth.values())
                .map(depth -> DynamicTest.dynamicTest(file.getFileName() + ", " + depth, () -> run(file, depth))));
    }

    @Test
    void everyScenarioSaysWhyItIsKept() {
        assertThat(files()).isNotEmpty().allMatch(file -> text(file).startsWith("# "));
    }
}
