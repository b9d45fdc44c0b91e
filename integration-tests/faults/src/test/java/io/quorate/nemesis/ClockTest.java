package io.quorate.nemesis;

import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.quorate.demo.DemoNode;
import io.quorate.demo.PluginNames;
import io.quorate.testkit.simulation.Seeds;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * One node whose clocks, the monotonic one too, run at another rate: by libfaketime, if that is installed, or where
 * {@code -Dlibfaketime=FILE} says. Such a node writes its history by the clock of the system, in steps of 10 ms.
 */
@Tag("nemesis")
class ClockTest {

    private static final String NODE = "n1";
    private static final PluginNames PLUGINS = new PluginNames("ballot", PluginNames.TCP);
    private static final int SEEDS = 1_000_000;
    private static final int RANDOM_ROUNDS = 5;
    private static final Duration LONGER = Duration.ofMillis(500);
    private static final Duration TOLERANCE = Duration.ofMillis(50);

    private Optional<Path> library;

    // Before each, so that each is reported as skipped.
    @BeforeEach
    void findLibrary() throws IOException {
        library = find();
        assumeTrue(library.isPresent(), "needs libfaketime.so.1, of the package libfaketime; or -Dlibfaketime=FILE");
        Path uptime = Path.of("/proc/uptime");
        assumeTrue(Files.exists(uptime), "needs " + uptime);
        long here = System.nanoTime();
        double system = Double.parseDouble(Files.readString(uptime).split(" ")[0]) * 1e9;
        assumeTrue(Math.abs(system - here) < TOLERANCE.toNanos(), "needs a machine that was never suspended");
    }

    private static Optional<Path> find() throws IOException {
        String given = System.getProperty("libfaketime", "");
        if (!given.isBlank()) {
            return Optional.of(Path.of(given)).filter(Files::exists);
        }
        try (DirectoryStream<Path> folders = Files.newDirectoryStream(Path.of("/usr/lib"))) {
            for (Path folder : folders) {
                Path file = folder.resolve("faketime/libfaketime.so.1");
                if (Files.exists(file)) {
                    return Optional.of(file);
                }
            }
        }
        return Optional.empty();
    }

    private Rounds withClock(String rate, Random random) {
        Map<String, String> environment = Map.of(
                "LD_PRELOAD", library.orElseThrow().toString(), "FAKETIME", "+0s x" + rate, DemoNode.WRONG_CLOCK, "");
        return Rounds.altered(PLUGINS, random, links -> new Altered(links, List.of(), Map.of(NODE, environment)));
    }

    // docs/protocol.md#clocks: the rate of each clock differs from real time by at most the drift bound, 10 %.
    @ParameterizedTest
    @ValueSource(strings = {"0.95", "1.05"})
    void aClockWithinThePromisedDriftBreaksNoRule(String rate) {
        Seeds.each(1, ThreadLocalRandom.current().nextInt(SEEDS), seed -> {
            Random random = new Random(seed);
            System.out.println("nemesis: seed=" + seed + ", clock rate " + rate);
            try (Rounds rounds = withClock(rate, random)) {
                rounds.start();
                rounds.lead(NODE);
                rounds.isolateLeaderUntilAnotherLeads(LONGER);
                // The other way round: now it is a voter that gives and keeps support.
                rounds.isolateLeaderUntilAnotherLeads(LONGER);
                for (int round = 0; round < RANDOM_ROUNDS; round++) {
                    rounds.next();
                }
                System.out.println(rounds.describe());
            }
        });
    }

    @Test
    void aLeaderWhoseClockIsMuchTooSlowIsFound() {
        try (Rounds rounds = withClock("0.5", new Random(1))) {
            assertThatThrownBy(() -> {
                        rounds.start();
                        rounds.lead(NODE);
                        rounds.isolateLeaderUntilAnotherLeads(LONGER);
                    })
                    .isInstanceOf(AssertionError.class)
                    .hasMessageContaining("M is broken by");
        }
    }
}
