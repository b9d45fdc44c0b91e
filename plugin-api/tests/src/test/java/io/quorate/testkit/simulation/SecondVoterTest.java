package io.quorate.testkit.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.spi.NodeId;
import io.quorate.testkit.simulation.VirtualCluster.Flight;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * A voter stands still, or its machine is cut off; another process is started in its place, which nobody can tell of the
 * first; and the first one comes back. Everybody hears both. One other voter is down.
 */
class SecondVoterTest {

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

    private void leads(long seed) {
        hasSecond = false;
        cluster(seed);
        VOTERS.forEach(cluster::start);
        cluster.advance(2_000);
        cluster.contend(N1, PATH);
        cluster.await("n1 leads", 3_000, () -> cluster.leaders(PATH).equals(List.of(N1)));
    }

    private void awaitLeader(String what, long seed) {
        cluster.await(
                what + ", seed " + seed, 10_000, () -> cluster.leaders(PATH).equals(List.of(N1)));
        cluster.advance(60_000);
        assertThat(cluster.leaders(PATH)).as(what + ", seed %d", seed).containsExactly(N1);
    }

    /** The second one exits at once, as one does that is told that its id is taken, and is started again. */
    @Test
    void itIsStartedAgainAndAgain() {
        for (long seed = 1; seed <= 5; seed++) {
            leads(seed);
            cluster.crash(N2);
            cluster.advance(3_000);
            assertThat(cluster.leaders(PATH)).containsExactly(N1);
            int without = 0;
            for (int i = 0; i < 20; i++) {
                hasSecond = true;
                cluster.start(SECOND);
                cluster.advance(200);
                hasSecond = false;
                cluster.crash(SECOND);
                for (int t = 0; t < 600; t += 5) {
                    cluster.advance(5);
                    without += cluster.leaders(PATH).isEmpty() ? 5 : 0;
                }
            }
            assertThat(without)
                    .as("ms without a leader of 12,000, seed %d", seed)
                    .isZero();
        }
    }

    @Test
    void theFirstOneResumesAndTheSecondOneDies() {
        for (long seed = 1; seed <= 5; seed++) {
            leads(seed);
            cluster.pause(N3);
            cluster.advance(120_000);
            hasSecond = true;
            cluster.start(SECOND);
            cluster.advance(5_000);
            cluster.crash(N2);
            awaitLeader("with the second one", seed);
            cluster.resume(N3);
            awaitLeader("with both", seed);
            hasSecond = false;
            cluster.crash(SECOND);
            awaitLeader("with the first one", seed);
            // And once more, from the other side.
            hasSecond = true;
            cluster.start(SECOND);
            awaitLeader("with another one", seed);
        }
    }

    /** The second one is told that its id is taken, stops, and its process stays: the first one is a voter as before. */
    @Test
    void theSecondOneHasStoppedAndItsProcessStays() {
        for (long seed = 1; seed <= 5; seed++) {
            leads(seed);
            cluster.crash(N2);
            cluster.advance(3_000);
            hasSecond = true;
            cluster.start(SECOND);
            cluster.advance(120_000);
            assertThat(cluster.process(SECOND).host().describe()).contains("stopped");
            String all = cluster.process(N1).host().describe() + "\nN3 "
                    + cluster.process(N3).host().describe() + "\nSECOND "
                    + cluster.process(SECOND).host().describe();
            assertThat(cluster.leaders(PATH)).as("seed %d: %s", seed, all).containsExactly(N1);
        }
    }

    /** Each of the others has met another one first. */
    @Test
    void theOthersDisagree() {
        for (long seed = 1; seed <= 5; seed++) {
            leads(seed);
            hasSecond = true;
            cluster.start(SECOND);
            cluster.advance(5_000);
            cluster.network().trouble(N3, N1, VirtualNetwork.Trouble.DELAY, 60);
            cluster.crash(N1);
            cluster.advance(3_000);
            cluster.start(N1);
            cluster.advance(100);
            cluster.crash(N2);
            cluster.advance(3_000);
            cluster.contend(N1, PATH);
            awaitLeader("n1 and both", seed);
            cluster.crash(SECOND);
            hasSecond = false;
            awaitLeader("n1 and the first one", seed);
        }
    }

    /** No second one: n3 is restarted soon, as an operator does it. */
    @Test
    void nobodySpeaksOfASecondProcessWhenAVoterIsRestarted() {
        int said = 0;
        for (long seed = 1; seed <= 40; seed++) {
            leads(seed);
            cluster.delays(15_000, 25_000);
            for (int i = 0; i < 40; i++) {
                cluster.contend(N1, "/p" + i);
                cluster.contend(N2, "/p" + i);
            }
            cluster.advance(100);
            cluster.crash(N3);
            cluster.advance(20 * seed);
            cluster.start(N3);
            cluster.advance(2_000);
            said += cluster.process(N3).host().describe().contains("another process under this node's id") ? 1 : 0;
        }
        assertThat(said).as("of 40 restarts").isZero();
    }
}
