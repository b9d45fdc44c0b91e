package com.example.app;

import io.quorate.ballot.BallotAlgorithm;
import io.quorate.spi.ElectionAlgorithm;
import io.quorate.testkit.ElectionConformance;

/** What the author of an algorithm runs. */
class BallotConformanceTest extends ElectionConformance {

    @Override
    protected ElectionAlgorithm algorithm() {
        return new BallotAlgorithm();
    }
}
