package io.quorate.testkit.simulation;

import io.quorate.testkit.simulation.LeftoversTest.Cut;
import org.junit.jupiter.api.Test;

/** One cut of {@link LeftoversTest}, for {@link LeftoversMutantsTest}: both ends of it owe each other something. */
class LeftoversHunt {

    @Test
    void noCollectionGrows() throws Exception {
        new LeftoversTest().noCollectionOfANodeGrows(Cut.LINK_FROM_A_VOTER);
    }
}
