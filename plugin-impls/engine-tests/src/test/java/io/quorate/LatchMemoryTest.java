package io.quorate;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.testkit.ClusterSettings;
import io.quorate.testkit.SimulatedCluster;
import io.quorate.testkit.simulation.HighestUp;
import io.quorate.testkit.simulation.Histogram;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * What a latch takes of the heap once its path is at rest, where three nodes vote and contend on every path: the mean
 * of the one that leads and the two that wait. Counted by object, which is exact.
 */
class LatchMemoryTest {

    private static final int PATHS = 100;
    private static final int LATCHES = 3 * PATHS;

    /** In objects of this library's classes and arrays of such, where it is 954. */
    private static final int OWN_BYTES_MAX = 956;

    private final List<LeaderLatch> latches = new ArrayList<>();

    @Test
    void aLatchAtRestTakesLittle() throws Exception {
        try (SimulatedCluster cluster =
                new SimulatedCluster(ClusterSettings.ofVoters(3).algorithm(new HighestUp()))) {
            // What these leave behind, such as buffers, is there already for the others.
            open(cluster, "/first");
            long ownBefore = own().bytes();
            open(cluster, "/second");
            assertThat(latches).filteredOn(LeaderLatch::hasLeadership).hasSize(2 * PATHS);
            assertThat((own().bytes() - ownBefore) / LATCHES)
                    .as(() -> "own" + own().per(2 * LATCHES))
                    .isPositive()
                    .isLessThan(OWN_BYTES_MAX);
        }
    }

    private static Histogram own() {
        return Histogram.take().where(name -> name.contains("io.quorate.") && !name.contains("io.quorate.testkit."));
    }

    private void open(SimulatedCluster cluster, String prefix) throws Exception {
        for (String node : cluster.nodes()) {
            ElectionClient client = cluster.client(node);
            for (int path = 0; path < PATHS; path++) {
                LeaderLatch latch = new LeaderLatch(client, prefix + path, node);
                latch.addListener(new LeaderLatchListener() {
                    @Override
                    public void isLeader() {
                        // It is there to be counted.
                    }

                    @Override
                    public void notLeader() {
                        // As above.
                    }
                });
                latch.start();
                latches.add(latch);
            }
            cluster.advance(Duration.ofSeconds(10));
        }
    }
}
