package io.quorate.storms;

import io.quorate.ballot.BallotAlgorithm;
import io.quorate.bully.BullyAlgorithm;
import io.quorate.lcr.LcrAlgorithm;
import io.quorate.spi.ElectionAlgorithm;
import io.quorate.testkit.Effort;
import io.quorate.testkit.simulation.Simulation.Depth;
import io.quorate.testkit.simulation.Storms;
import io.quorate.threephase.ThreePhaseAlgorithm;
import io.quorate.tokenring.TokenRingAlgorithm;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Random storms with each algorithm under the quorum lease: {@code -Dalgorithm.storms=10000} for more of them. */
class AlgorithmStormsTest {

    private static final int STORMS = Integer.getInteger("algorithm.storms", Effort.of(120, 25));

    static Stream<ElectionAlgorithm> algorithms() {
        return Stream.of(
                new BullyAlgorithm(),
                new BallotAlgorithm(),
                new LcrAlgorithm(),
                new TokenRingAlgorithm(),
                new ThreePhaseAlgorithm());
    }

    @ParameterizedTest
    @MethodSource("algorithms")
    void noStormBreaksARule(ElectionAlgorithm algorithm) {
        System.out.println(algorithm.name() + ": " + Storms.run(STORMS, 1, algorithm, Depth.NODE));
    }
}
