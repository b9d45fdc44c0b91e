package io.quorate.core;

import static io.quorate.core.Contexts.N1;
import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.testkit.simulation.VirtualCluster.Change;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A step is as large with 100,000 paths, which is what a node may have, as with ten thousand. {@code -Dpaths=N} for
 * another number.
 */
@Tag("many")
class BoundedStepsOfManyTest extends BoundedSteps {

    private static final int PATHS = Integer.getInteger("paths", 100_000);

    BoundedStepsOfManyTest() {
        super(PATHS, 6);
    }

    // A leader needs votes of the new voters before its lease under the former ones is over, in each of six steps.
    @Test
    void allVotersAreReplacedAndEveryLeaderGoesOn() {
        cluster.time().expect(100 * PATHS);
        changing.start(3, 6);
        contend(N1, 0, PATHS);
        awaitAllLed("one contends");
        int changes = cluster.log().size();
        assertThat(changing.change(1, 4, 5, 6)).isEqualTo("done");
        cluster.advance(5_000);
        assertBounded("all voters are replaced");
        assertThat(cluster.log().stream().skip(changes))
                .filteredOn(change -> !change.isGranted())
                .extracting(Change::path)
                .isEmpty();
    }
}
