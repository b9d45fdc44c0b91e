package io.quorate.testkit.simulation;

import static io.quorate.testkit.CodeChange.in;
import static io.quorate.testkit.Mutants.mutant;
import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.core.support.NodeLiveness;
import io.quorate.testkit.Mutants;
import io.quorate.testkit.Mutants.Mutant;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

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

    // ---------------------------------------------------------------- each fails without its mend

    /** What the mutants are run against; Surefire leaves it out. */
    static class Killers {

        @ParameterizedTest
        @EnumSource
        void lateHeartbeatsOfADeadLife(Depth depth) {
            run(FOLDER.resolve("late-heartbeats-of-a-dead-life.txt"), depth);
        }

        @ParameterizedTest
        @EnumSource
        void lateHeartbeatsAfterAQuarantine(Depth depth) {
            run(FOLDER.resolve("late-heartbeats-after-a-quarantine.txt"), depth);
        }
    }

    private static final String KILLERS = "io.quorate.testkit.simulation.ScenariosTest$Killers#";

    /** Whether the acknowledgement was this process's is not looked at. */
    private static Mutant anyAcknowledgementProves(String killer) {
        return mutant(
                "an acknowledgement of a former life proves that a node is alive",
                KILLERS + killer,
                in(NodeLiveness.class, "onHeartbeat").call("StepContext.isOwn").answers(true));
    }

    @TestFactory
    Stream<DynamicTest> eachScenarioFailsWithoutItsMend() {
        return Mutants.tests(List.of(anyAcknowledgementProves("lateHeartbeatsAfterAQuarantine")));
    }

    // Envelopes that name the life that they are for would be enough here; the other scenario shows why they are not.
    @Test
    void whatIsDefendedTwiceFailsWithoutBoth() {
        String killer = "lateHeartbeatsOfADeadLife";
        Mutants.assertKilledOnlyTogether(
                anyAcknowledgementProves(killer),
                mutant(
                        "envelopes name no life",
                        KILLERS + killer,
                        in(NodeHost.class, "receive").call("Flight.addressee").answers(0L)));
    }
}
