package io.quorate.lcr;

import io.quorate.algorithms.RecordedScenario;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** docs/algorithms/lcr.md#golden-traces: the golden traces, with exactly these effects. */
class LcrTracesTest {

    @ParameterizedTest
    @ValueSource(strings = {"C1", "C2", "C3", "C4", "C5"})
    void goldenTraceIsReproduced(String name) {
        RecordedScenario.check(name, LcrNotation::new);
    }
}
