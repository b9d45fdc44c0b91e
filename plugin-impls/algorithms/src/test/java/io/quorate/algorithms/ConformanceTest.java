package io.quorate.algorithms;

import io.quorate.ballot.BallotAlgorithm;
import io.quorate.bully.BullyAlgorithm;
import io.quorate.lcr.LcrAlgorithm;
import io.quorate.spi.ElectionAlgorithm;
import io.quorate.testkit.ElectionConformance;
import io.quorate.threephase.ThreePhaseAlgorithm;
import io.quorate.tokenring.TokenRingAlgorithm;
import org.junit.jupiter.api.Nested;

/** The conformance kit, for each algorithm of this module. */
class ConformanceTest {

    @Nested
    class Ballot extends ElectionConformance {
        @Override
        protected ElectionAlgorithm algorithm() {
            return new BallotAlgorithm();
        }
    }

    @Nested
    class Bully extends ElectionConformance {
        @Override
        protected ElectionAlgorithm algorithm() {
            return new BullyAlgorithm();
        }
    }

    @Nested
    class Lcr extends ElectionConformance {
        @Override
        protected ElectionAlgorithm algorithm() {
            return new LcrAlgorithm();
        }
    }

    @Nested
    class TokenRing extends ElectionConformance {
        @Override
        protected ElectionAlgorithm algorithm() {
            return new TokenRingAlgorithm();
        }
    }

    @Nested
    class ThreePhase extends ElectionConformance {
        @Override
        protected ElectionAlgorithm algorithm() {
            return new ThreePhaseAlgorithm();
        }
    }
}
