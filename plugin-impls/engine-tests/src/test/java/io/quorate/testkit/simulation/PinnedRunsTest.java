package io.quorate.testkit.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import com.example.election.RollCall;
import io.quorate.spi.ElectionAlgorithm;
import io.quorate.testkit.simulation.Simulation.Depth;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongFunction;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * What some random storms do, to the message: who led when, what was sent, what each contender went through and why,
 * what was logged. So no change of behaviour goes unnoticed, wanted or not. {@code -Drewrite} writes the file anew;
 * whoever does says in the commit why the runs differ.
 */
class PinnedRunsTest {

    private static final Path FILE = Path.of("src", "test", "resources", "runs", "pinned.txt");

    private static String runs(String name, int count, ElectionAlgorithm algorithm, LongFunction<Scenario> scenarios) {
        Map<String, Integer> messages = new TreeMap<>();
        String runs = LongStream.rangeClosed(1, count)
                .mapToObj(seed -> {
                    Simulation.Outcome outcome = Simulation.run(scenarios.apply(seed), algorithm, Depth.NODE);
                    outcome.messages().forEach((kind, sent) -> messages.merge(kind, sent, Integer::sum));
                    return String.format("%d: %d tenures, %016x", seed, outcome.tenures(), outcome.fingerprint());
                })
                .collect(Collectors.joining("\n"));
        return "# " + name + "\n" + messages + "\n" + runs + "\n";
    }

    @Test
    void runsAreThoseThatWereRecorded() throws IOException {
        String text = runs("storms", 60, new HighestUp(), Storm::scenario)
                + runs("an algorithm that sends messages", 30, new RollCall(), Storm::scenario)
                + runs(
                        "strangers and former lives lie",
                        20,
                        new HighestUp(),
                        seed -> Storm.withLies(seed, List.of(Liar.Who.STRANGER)));
        if (System.getProperty("rewrite") != null) {
            Files.writeString(FILE, text);
        }
        assertThat(text).as("what storms do; -Drewrite writes it").isEqualTo(Files.readString(FILE));
    }
}
