package io.quorate.storms;

import io.quorate.ballot.BallotAlgorithm;
import io.quorate.spi.ElectionAlgorithm;
import io.quorate.testkit.simulation.Simulation.Depth;
import io.quorate.testkit.simulation.Storms;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Random storms in which nodes have more to do than they can, with each algorithm: {@code -Doverloads=1000} for more of
 * them, {@code -Dseed=N} for one.
 */
class OverloadTest {

    private static final int OVERLOADS = Integer.getInteger("overloads", 6);
    private static final int OVERLOADS_OF_A_NIGHT = Integer.getInteger("overloads", 2_000);

    private static void run(int count, ElectionAlgorithm algorithm, Depth depth) {
        System.out.println("overload, " + algorithm.name() + ", seeds from 1: "
                + Storms.runOverloaded(count, 1, algorithm, depth));
    }

    @ParameterizedTest
    @MethodSource("io.quorate.storms.AlgorithmStormsTest#algorithms")
    void allIsLedAgainWhenTheLoadIsGone(ElectionAlgorithm algorithm) {
        run(OVERLOADS, algorithm, Depth.NODE);
    }

    @Test
    void driversLeadAllAgainWhenTheLoadIsGone() {
        run(Math.max(1, OVERLOADS / 2), new BallotAlgorithm(), Depth.DRIVER);
    }

    @ParameterizedTest
    @MethodSource("io.quorate.storms.AlgorithmStormsTest#algorithms")
    @Tag("storms")
    void allIsLedAgainInANight(ElectionAlgorithm algorithm) {
        run(OVERLOADS_OF_A_NIGHT, algorithm, Depth.NODE);
    }

    @Test
    @Tag("storms")
    void driversLeadAllAgainInANight() {
        run(OVERLOADS_OF_A_NIGHT / 10, new BallotAlgorithm(), Depth.DRIVER);
    }
}
