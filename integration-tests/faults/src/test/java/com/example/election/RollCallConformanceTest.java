package com.example.election;

import io.quorate.spi.ElectionAlgorithm;
import io.quorate.testkit.ElectionConformance;

/** All that an author writes to prove an algorithm. */
class RollCallConformanceTest extends ElectionConformance {

    @Override
    protected ElectionAlgorithm algorithm() {
        return new RollCall();
    }
}
