package io.quorate.testkit.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.spi.NodeId;
import io.quorate.testkit.simulation.VirtualCluster.Flight;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Up to three processes of one voter id stand still, go on, die and begin by chance; two nodes hear all of them. */
class TwinStormTest {

    private static final String PATH = "/app/leader";
    private static final NodeId N1 = new NodeId("n1");
    private static final NodeId N2 = new NodeId("n2");
    private static final NodeId N3 = new NodeId("n3");
    private static final NodeId SECOND = new NodeId("n3-second");
    private static final NodeId THIRD = new NodeId("n3-third");
    private static final List<NodeId> VOTERS = List.of(N1, N2, N3);

    private final Set<NodeId> here = new HashSet<>();
    private final Set<NodeId> paused = new HashSet<>();
    private VirtualCluster cluster;

    private void cluster(long seed) {
        here.clear();
        paused.clear();
        cluster = new VirtualCluster(seed, new HighestUp());
        VOTERS.forEach(id -> cluster.addDriver(VirtualCluster.settings(id, VOTERS), Optional.empty()));
        for (NodeId other : List.of(SECOND, THIRD)) {
            cluster.addDriver(VirtualCluster.settings(other, VOTERS), Optional.empty());
            cluster.process(other).host().configure(VirtualCluster.settings(N3, VOTERS), new HighestUp());
        }
        cluster.network(flight -> {
            if (flight.to().equals(N3)
                    && VOTERS.contains(flight.from())
                    && !flight.from().equals(N3)) {
                for (NodeId other : List.of(SECOND, THIRD)) {
                    cluster.time().at(cluster.time().now() + 500_000, () -> {
                        if (here.contains(other)) {
                            cluster.deliver(new Flight(flight.from(), other, flight.message(), 0, 0));
                        }
                    });
                }
            }
        });
    }

    private void change(NodeId which, int what) {
        if (!here.contains(which)) {
            here.add(which);
            cluster.start(which);
        } else if (paused.contains(which)) {
            paused.remove(which);
            cluster.resume(which);
        } else if (what < 3) {
            paused.add(which);
            cluster.pause(which);
        } else if (what == 3) {
            here.remove(which);
            cluster.crash(which);
        }
    }

    @Test
    void twoNeverLeadWhateverTheProcessesOfAVoterDo() {
        storms(1, 20);
    }

    private void storms(long firstSeed, long upTo) {
        List<String> broken = new ArrayList<>();
        int led = 0;
        for (long seed = firstSeed; seed <= upTo; seed++) {
            Random random = new Random(seed);
            cluster(seed);
            VOTERS.forEach(cluster::start);
            here.add(N3);
            cluster.advance(2_000);
            cluster.contend(N1, PATH);
            cluster.await("n1 leads", 5_000, () -> cluster.leaders(PATH).equals(List.of(N1)));
            cluster.contend(N2, PATH);
            cluster.advance(1_500);
            cluster.cut(N1, N2);
            int delay = random.nextInt(90);
            for (NodeId from : List.of(N1, N2, N3, SECOND, THIRD)) {
                for (NodeId to : List.of(N1, N2, N3)) {
                    if (!from.equals(to)) {
                        cluster.network().trouble(from, to, VirtualNetwork.Trouble.DELAY, delay);
                    }
                }
            }
            String did = "";
            try {
                for (int i = 0; i < 60; i++) {
                    NodeId which = List.of(N3, SECOND, THIRD).get(random.nextInt(3));
                    int what = random.nextInt(5);
                    did += " " + cluster.nowMillis() + ":" + which + "/" + what;
                    change(which, what);
                    int millis = random.nextInt(random.nextInt(3) == 0 ? 2_500 : 700);
                    for (int t = 0; t < millis; t += 5) {
                        cluster.advance(5);
                        led += cluster.leaders(PATH).isEmpty() ? 0 : 1;
                        if (cluster.leaders(PATH).size() > 1) {
                            throw new AssertionError("two lead " + cluster.leaders(PATH));
                        }
                    }
                }
            } catch (AssertionError e) {
                broken.add("seed " + seed + ", delay " + delay + ": "
                        + e.getMessage().lines().findFirst().orElse("") + " after" + did
                        + cluster.log());
            }
        }
        assertThat(led).as("times at which somebody led").isPositive();
        assertThat(broken).isEmpty();
    }
}
