package io.quorate.core;

import io.quorate.testkit.Chaos;
import io.quorate.testkit.HighestUp;
import io.quorate.testkit.Seeds;
import org.junit.jupiter.api.Test;

/** Random faults, then quiet; {@code -Druns=5000} for more of them. */
class ChaosTest {

    private static final int RUNS = 150;

    @Test
    void neverTwoLeadersAndOneInTheEnd() {
        Seeds.each(Integer.getInteger("runs", RUNS), 1, seed -> Chaos.run(seed, new HighestUp()));
    }
}
