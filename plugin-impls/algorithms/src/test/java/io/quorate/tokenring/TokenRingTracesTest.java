package io.quorate.tokenring;

import io.quorate.algorithms.RecordedScenario;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** docs/algorithms/token-ring.md#golden-traces: the golden traces, with exactly these effects. */
class TokenRingTracesTest {

    @ParameterizedTest
    @ValueSource(strings = {"D1", "D2", "D3", "D3h", "D4-faithful", "D4-hardened", "D5", "D6"})
    void goldenTraceIsReproduced(String name) {
        RecordedScenario.check(name, TokenRingNotation::new);
    }
}
