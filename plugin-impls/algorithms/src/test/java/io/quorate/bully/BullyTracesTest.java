package io.quorate.bully;

import io.quorate.algorithms.RecordedScenario;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** docs/algorithms/bully.md#golden-traces: the golden traces, with exactly these effects. */
class BullyTracesTest {

    @ParameterizedTest
    @ValueSource(strings = {"B1", "B2", "B3-faithful", "B3-hardened", "B4", "B5"})
    void goldenTraceIsReproduced(String name) {
        RecordedScenario.check(name, BullyNotation::new);
    }
}
