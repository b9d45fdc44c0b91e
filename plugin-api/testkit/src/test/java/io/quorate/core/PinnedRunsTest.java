package io.quorate.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.testkit.simulation.HighestUp;
import io.quorate.testkit.simulation.Simulation;
import io.quorate.testkit.simulation.Simulation.Depth;
import io.quorate.testkit.simulation.Storms;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * What some random storms do, to the message: who led when, what was sent, what each contender went through and why,
 * what was logged. So no change of behaviour goes unnoticed, wanted or not. {@code -Drewrite} writes the file anew;
 * whoever does says in the commit why the runs differ.
 */
class PinnedRunsTest {

    private static final Path FILE = Path.of("src", "test", "resources", "runs", "pinned.txt");
    private static final int RUNS = 60;

    private final Map<String, Integer> messages = new TreeMap<>();

    private String run(long seed) {
        Simulation.Outcome outcome = Simulation.run(Storms.scenario(seed), new HighestUp(), Depth.NODE);
        outcome.messages().forEach((kind, count) -> messages.merge(kind, count, Integer::sum));
        return String.format("%3d: %3d tenures, %016x%n", seed, outcome.tenures(), outcome.fingerprint());
    }

    @Test
    void runsAreThoseThatWereRecorded() throws IOException {
        StringBuilder runs = new StringBuilder();
        for (long seed = 1; seed <= RUNS; seed++) {
            runs.append(run(seed));
        }
        String text = messages.entrySet().stream()
                        .map(each -> each.getValue() + " " + each.getKey())
                        .collect(Collectors.joining("\n", "", "\n"))
                + runs.toString().replace("\r\n", "\n");
        if (System.getProperty("rewrite") != null) {
            Files.writeString(FILE, text);
        }
        assertThat(text).as("what storms do; -Drewrite writes it").isEqualTo(Files.readString(FILE));
    }
}
