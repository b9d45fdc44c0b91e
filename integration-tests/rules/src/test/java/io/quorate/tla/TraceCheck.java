package io.quorate.tla;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Lets TLC say whether recorded runs are behaviours of a spec.
 *
 * @param configuration of the trace spec
 * @param recorder      makes the run of a seed
 */
record TraceCheck(String configuration, LongFunction<List<String>> recorder) {

    /** How long the runs are. */
    static final int STEPS = 2000;

    private static final Duration LIMIT = Duration.ofMinutes(5);

    /** Each line of the run is a step of the spec, and these kinds of events and messages appear. */
    void accepts(long seed, String... kinds) throws IOException {
        List<String> trace = recorder.apply(seed);
        assertThat(Recording.kinds(trace)).containsExactlyInAnyOrder(kinds);
        Tlc.Outcome outcome = check(configuration + "-" + seed, trace);
        assertThat(outcome.violated()).as("stuck at line " + line(outcome)).isEmpty();
        assertThat(outcome.states()).isEqualTo(STEPS + 1);
    }

    /**
     * Corrupts the first line behind the middle that matches {@code pattern}: replaces the first match of {@code from}
     * in it. The change must be one that a wrong machine would cause; TLC must stop at that very line.
     */
    void rejects(String pattern, String from, String to) throws IOException {
        List<String> trace = new ArrayList<>(recorder.apply(1));
        int corrupted = STEPS / 2;
        while (!Pattern.compile(pattern).matcher(trace.get(corrupted)).find()
                || corrupt(trace.get(corrupted), from, to).equals(trace.get(corrupted))) {
            corrupted++;
        }
        trace.set(corrupted, corrupt(trace.get(corrupted), from, to));
        Tlc.Outcome outcome = check(configuration + "-corrupted", trace);
        assertThat(outcome.violated()).as(trace.get(corrupted)).isEqualTo(Optional.of("deadlock"));
        assertThat(line(outcome)).isEqualTo(corrupted + 1);
    }

    private static String corrupt(String line, String from, String to) {
        return line.replaceFirst(from, to);
    }

    private Tlc.Outcome check(String run, List<String> trace) throws IOException {
        Path directory = Tlc.directoryWithSpecs(run);
        String spec = Tlc.spec(configuration);
        Files.writeString(directory.resolve(spec + "Data.tla"), Recording.module(spec, trace));
        return Tlc.check(directory, configuration, LIMIT);
    }

    /** The value of {@code l} in the last state that TLC printed; 0 if it printed none. */
    private static int line(Tlc.Outcome outcome) {
        int line = 0;
        for (Matcher l = Pattern.compile("(?m)^/\\\\ l = (\\d+)").matcher(String.join("\n", outcome.output()));
                l.find(); ) {
            line = Integer.parseInt(l.group(1));
        }
        return line;
    }
}
