package io.quorate.testkit.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.spi.NodeId;
import io.quorate.testkit.simulation.VirtualCluster.Flight;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * A voter stands still, or its machine is cut off; another process is started in its place, which nobody can tell of the
 * first; and the first one comes back. Everybody hears both.
 */
class TwoVotersOfOneIdTest {

    private static final String PATH = "/app/leader";
    private static final NodeId N1 = new NodeId("n1");
    private static final NodeId N2 = new NodeId("n2");
    private static final NodeId N3 = new NodeId("n3");
    /** The second process of n3. */
    private static final NodeId SECOND = new NodeId("n3-second");

    private static final List<NodeId> VOTERS = List.of(N1, N2, N3);

    private VirtualCluster cluster;

    private void cluster(long seed) {
        cluster = new VirtualCluster(seed, new HighestUp());
        VOTERS.forEach(id -> cluster.addDriver(VirtualCluster.settings(id, VOTERS), Optional.empty()));
        cluster.addDriver(VirtualCluster.settings(SECOND, VOTERS), Optional.empty());
        cluster.process(SECOND).host().configure(VirtualCluster.settings(N3, VOTERS), new HighestUp());
        // What is for n3 reaches both of its processes.
        cluster.network(flight -> {
            if (flight.to().equals(N3) && !flight.from().equals(SECOND)) {
                cluster.time().at(cluster.time().now() + 500_000, () -> {
                    if (hasSecond) {
                        cluster.deliver(new Flight(flight.from(), SECOND, flight.message(), 0, 0));
                    }
                });
            }
        });
    }

    private boolean hasSecond;

    private int twoLeaders(boolean isBiased) {
        int broken = 0;
        for (long seed = 1; seed <= 10; seed++) {
            hasSecond = false;
            cluster(seed);
            VOTERS.forEach(cluster::start);
            cluster.advance(2_000);
            cluster.contend(N1, PATH);
            cluster.await("n1 leads", 3_000, () -> cluster.leaders(PATH).equals(List.of(N1)));
            cluster.pause(N3);
            cluster.advance(10_000);
            hasSecond = true;
            cluster.start(SECOND);
            cluster.advance(5_000);
            assertThat(cluster.leaders(PATH)).containsExactly(N1);
            cluster.contend(N2, PATH);
            cluster.advance(1_000);
            cluster.cut(N1, N2);
            cluster.advance(3_000);
            assertThat(cluster.leaders(PATH)).containsExactly(N1);
            if (isBiased) {
                // Nobody is cut off from anybody; the one process is nearer to n1, the other one to n2.
                cluster.network().trouble(N3, N1, VirtualNetwork.Trouble.DELAY, 60);
                cluster.network().trouble(SECOND, N2, VirtualNetwork.Trouble.DELAY, 60);
            }
            try {
                cluster.resume(N3);
                for (int i = 0; i < 20_000; i++) {
                    cluster.advance(1);
                    if (cluster.leaders(PATH).size() > 1) {
                        throw new AssertionError("two lead: " + cluster.leaders(PATH));
                    }
                }
            } catch (AssertionError e) {
                broken++;
                System.err.println("seed " + seed + ": " + e.getMessage());
            }
        }
        return broken;
    }

    @Test
    void twoNeverLeadThoughEachLeaderIsNearerToAnotherProcessOfAVoter() {
        assertThat(twoLeaders(true)).isZero();
    }

    @Test
    void twoNeverLeadThoughTwoProcessesOfAVoterAreHeard() {
        assertThat(twoLeaders(false)).isZero();
    }
}
