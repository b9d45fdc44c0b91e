package io.quorate.testkit.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.engine.Connection;
import io.quorate.spi.NodeId;
import io.quorate.testkit.Effort;
import io.quorate.testkit.simulation.VirtualCluster.Flight;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A second process runs under the id of a leader: for a moment, again and again, or it stands still. The leader stays. */
class SecondContenderTest {

    private static final String PATH = "/app/leader";
    private static final int SEEDS = Effort.of(2, 1);
    private static final NodeId C1 = new NodeId("c1");
    private static final NodeId SECOND = new NodeId("c1-second");
    private static final List<NodeId> VOTERS = List.of(new NodeId("n1"), new NodeId("n2"), new NodeId("n3"));

    private VirtualCluster cluster;
    private boolean isThere;

    private void cluster(long seed) {
        cluster = new VirtualCluster(seed, new HighestUp());
        isThere = false;
        VOTERS.forEach(id -> cluster.addDriver(VirtualCluster.settings(id, VOTERS), Optional.empty()));
        cluster.addDriver(VirtualCluster.settings(C1, VOTERS), Optional.empty());
        cluster.addDriver(VirtualCluster.settings(SECOND, VOTERS), Optional.empty());
        cluster.process(SECOND).host().configure(VirtualCluster.settings(C1, VOTERS), new HighestUp());
        cluster.network(flight -> {
            if (flight.to().equals(C1)) {
                cluster.time().at(cluster.time().now() + 500_000, () -> {
                    if (isThere) {
                        cluster.deliver(new Flight(flight.from(), SECOND, flight.message(), 0, 0));
                    }
                });
            }
        });
        VOTERS.forEach(cluster::start);
        cluster.start(C1);
        cluster.advance(2_000);
        cluster.contend(C1, PATH);
        cluster.await("c1 leads", 3_000, () -> cluster.leaders(PATH).equals(List.of(C1)));
    }

    private void busy(int millis) {
        for (int i = 0; i < millis; i += 5) {
            int number = cluster.contend(C1, "/busy/" + i);
            cluster.advance(5);
            cluster.withdraw(C1, number);
        }
    }

    private void leaderStayed(long seed) {
        assertThat(cluster.leaders(PATH)).as("seed %d", seed).containsExactly(C1);
        assertThat(cluster.process(C1).connections).as("seed %d", seed).containsExactly(Connection.CONNECTED);
    }

    @Test
    void itIsThereForAMoment() {
        for (long seed = 1; seed <= SEEDS; seed++) {
            cluster(seed);
            isThere = true;
            cluster.start(SECOND);
            busy(300);
            isThere = false;
            cluster.crash(SECOND);
            busy(3_000);
            leaderStayed(seed);
        }
    }

    @Test
    void itIsRestartedAgainAndAgain() {
        for (long seed = 1; seed <= SEEDS; seed++) {
            cluster(seed);
            for (int i = 0; i < 20; i++) {
                isThere = true;
                cluster.start(SECOND);
                busy(100 + 50 * (i % 5));
                isThere = false;
                cluster.crash(SECOND);
                busy(50 * (i % 3));
            }
            leaderStayed(seed);
        }
    }

    @Test
    void itStandsStill() {
        for (long seed = 1; seed <= SEEDS; seed++) {
            cluster(seed);
            isThere = true;
            cluster.start(SECOND);
            busy(300);
            cluster.pause(SECOND);
            busy(5_000);
            cluster.resume(SECOND);
            busy(3_000);
            leaderStayed(seed);
        }
    }
}
