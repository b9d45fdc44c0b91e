package io.quorate.ballot;

import io.quorate.algorithms.RecordedScenario;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** docs/algorithms/ballot.md#golden-traces: the golden traces, with exactly these effects. */
class BallotTracesTest {

    @ParameterizedTest
    @ValueSource(strings = {"A1", "A2", "A3-faithful", "A3-hardened", "A4", "A5"})
    void goldenTraceIsReproduced(String name) {
        RecordedScenario.check(name, BallotNotation::new);
    }
}
