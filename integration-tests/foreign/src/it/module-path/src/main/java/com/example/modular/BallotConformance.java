package com.example.modular;

import io.quorate.ballot.BallotAlgorithm;
import io.quorate.spi.ElectionAlgorithm;
import io.quorate.testkit.ElectionConformance;

/** What the author of an algorithm runs. */
class BallotConformance extends ElectionConformance {

    @Override
    protected ElectionAlgorithm algorithm() {
        return new BallotAlgorithm();
    }
}
