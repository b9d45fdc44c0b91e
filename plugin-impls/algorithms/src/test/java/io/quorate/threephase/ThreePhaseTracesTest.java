package io.quorate.threephase;

import io.quorate.algorithms.RecordedScenario;
import io.quorate.spi.Election;
import io.quorate.spi.ElectionAlgorithm;
import io.quorate.spi.Membership;
import io.quorate.spi.Options;
import io.quorate.spi.Timing;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** docs/algorithms/three-phase.md#golden-traces: the golden traces, with exactly these effects. */
class ThreePhaseTracesTest {

    private static Election machine(
            ElectionAlgorithm algorithm, Membership membership, Options options, Map<String, String> settings) {
        if (!settings.containsKey("priorities")) {
            return algorithm.create(membership, new Timing(10), options);
        }
        Setup setup = Machines.setup(membership, options, settings.get("priorities"));
        return settings.containsKey("copy")
                ? new FaithfulThreePhaseElection(setup, true)
                : ThreePhaseElection.create(setup);
    }

    @ParameterizedTest
    @ValueSource(strings = {"E1", "E2", "E3", "E3-corrected", "E4", "E5", "E6-P0", "E6-P2"})
    void goldenTraceIsReproduced(String name) {
        RecordedScenario.check(name, ThreePhaseNotation::new, ThreePhaseTracesTest::machine);
    }
}
