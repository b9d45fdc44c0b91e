package io.quorate.tla;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.spi.ElectionAlgorithm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Random runs of the shipped faithful bully, with crashes and restarts, are behaviours of BullyF.tla. */
class BullyTraceTest {

    static final String CONFIGURATION = "TraceBullyF";

    private static final Duration LIMIT = Duration.ofMinutes(5);
    private static final int STEPS = 2000;

    private static List<String> trace(long seed) {
        ElectionAlgorithm bully = CountsTest.algorithm("bully");
        return BullyTrace.of(bully, Cfg.of(CONFIGURATION).number("N"), seed, STEPS);
    }

    private static Tlc.Outcome check(String run, List<String> trace) throws IOException {
        Path directory = Tlc.directoryWithSpecs(run);
        Files.writeString(directory.resolve("TraceBullyFData.tla"), BullyTrace.module(trace));
        return Tlc.check(directory, CONFIGURATION, LIMIT);
    }

    @Tag("tla")
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void runsOfTheShippedBullyAreBehavioursOfItsSpec(long seed) throws IOException {
        List<String> trace = trace(seed);
        assertThat(BullyTrace.kinds(trace)).containsExactlyInAnyOrder("deliver", "suspect", "trust", "T", "T2", "crash",
                "restart", "ELECTION", "ALIVE", "VICTORY");
        Tlc.Outcome outcome = check("TraceBullyF-" + seed, trace);
        assertThat(outcome.violated()).as("stuck at line " + line(outcome)).isEmpty();
        assertThat(outcome.states()).isEqualTo(STEPS + 1);
    }

    // Each corruption is one that a wrong machine would cause; TLC must stop at that very line.
    @Tag("tla")
    @Test
    void corruptedRunsAreRejected() throws IOException {
        rejectsAt("deliver.*leader \\|-> 5, part \\|-> FALSE, sent \\|-> <<>>", "leader |-> 5", "leader |-> 4");
        rejectsAt("\"T\".*VICTORY", "<<1, \"VICTORY\">>, ", "");
        rejectsAt("suspect.*part \\|-> TRUE", "part |-> TRUE", "part |-> FALSE");
    }

    /** Corrupts the first line behind the middle that matches {@code pattern}. */
    private static void rejectsAt(String pattern, String from, String to) throws IOException {
        List<String> trace = new ArrayList<>(trace(1));
        int corrupted = STEPS / 2;
        while (!Pattern.compile(pattern).matcher(trace.get(corrupted)).find()
                || trace.get(corrupted).replace(from, to).equals(trace.get(corrupted))) {
            corrupted++;
        }
        trace.set(corrupted, trace.get(corrupted).replace(from, to));
        Tlc.Outcome outcome = check("TraceBullyF-corrupted", trace);
        assertThat(outcome.violated()).isEqualTo(Optional.of("deadlock"));
        assertThat(line(outcome)).isEqualTo(corrupted + 1);
    }

    /** The value of {@code l} in the last state that TLC printed; 0 if it printed none. */
    private static int line(Tlc.Outcome outcome) {
        int line = 0;
        for (Matcher l = Pattern.compile("(?m)^/\\\\ l = (\\d+)").matcher(String.join("\n", outcome.output()));
                l.find();) {
            line = Integer.parseInt(l.group(1));
        }
        return line;
    }
}
