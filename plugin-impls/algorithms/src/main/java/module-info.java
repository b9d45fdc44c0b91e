import io.quorate.ballot.BallotAlgorithm;
import io.quorate.bully.BullyAlgorithm;
import io.quorate.lcr.LcrAlgorithm;
import io.quorate.threephase.ThreePhaseAlgorithm;
import io.quorate.tokenring.TokenRingAlgorithm;

/** The documented election algorithms. */
module io.quorate.algorithms {
    requires transitive io.quorate;
    requires static org.jspecify;

    exports io.quorate.ballot;
    exports io.quorate.bully;
    exports io.quorate.lcr;
    exports io.quorate.threephase;
    exports io.quorate.tokenring;

    provides io.quorate.spi.ElectionAlgorithm with
            BallotAlgorithm,
            BullyAlgorithm,
            LcrAlgorithm,
            ThreePhaseAlgorithm,
            TokenRingAlgorithm;
}
