package io.quorate.testkit.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.LeaderLatch;
import io.quorate.testkit.ClusterSettings;
import io.quorate.testkit.RecordingListener;
import io.quorate.testkit.SimulatedCluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** One seed decides everything: what happens, when, and which callbacks come in which order. */
class SimulatedSeedsTest {

    /** A cluster with a latch on each node, and what its listeners have noted. */
    private static final class Run implements AutoCloseable {
        private final SimulatedCluster cluster;
        private final Map<String, List<String>> told = new HashMap<>();

        private Run(long seed) throws Exception {
            cluster = new SimulatedCluster(ClusterSettings.ofVoters(3)
                    .contenders(1)
                    .algorithm(new HighestUp())
                    .seed(seed));
            for (String node : cluster.nodes()) {
                open(node);
            }
        }

        private void open(String node) throws Exception {
            LeaderLatch latch = new LeaderLatch(cluster.client(node), "/p", node);
            latch.addListener(new RecordingListener(told.computeIfAbsent(node, n -> new ArrayList<>())) {
                @Override
                public void note(String event) {
                    super.note(cluster.now().toNanos() + " " + event);
                }
            });
            latch.start();
        }

        /** Each part of the run does something else to the leader. */
        private void part(int number) throws Exception {
            String leader = cluster.awaitLeader("/p");
            switch (number) {
                case 0 -> cluster.isolate(leader);
                case 1 -> cluster.loss(40);
                case 2 -> cluster.heal();
                case 3 -> cluster.pause(leader);
                case 4 -> cluster.nodes().forEach(cluster::resume);
                default -> {
                    cluster.crash(leader);
                    cluster.advance(Duration.ofMillis(700));
                    cluster.restart(leader);
                    open(leader);
                }
            }
            cluster.advance(Duration.ofSeconds(2));
        }

        private List<String> all() throws Exception {
            for (int number = 0; number < PARTS; number++) {
                part(number);
            }
            return seen();
        }

        private List<String> seen() {
            List<String> seen = new ArrayList<>(cluster.log());
            cluster.nodes().forEach(node -> seen.add(node + " " + told.get(node)));
            return seen;
        }

        @Override
        public void close() {
            cluster.close();
        }
    }

    private static final int PARTS = 6;
    private static final int SEEDS = 10;

    private static List<String> seen(long seed) throws Exception {
        try (Run run = new Run(seed)) {
            return run.all();
        }
    }

    @Test
    void equalSeedsMakeEqualRuns() throws Exception {
        Set<List<String>> different = new HashSet<>();
        for (long seed = 1; seed <= SEEDS; seed++) {
            List<String> first = seen(seed);
            assertThat(seen(seed)).as("seed=%d", seed).isEqualTo(first);
            assertThat(first).hasSizeGreaterThan(PARTS);
            different.add(first);
        }
        assertThat(different).hasSize(SEEDS);
    }

    // In turns, each does what it does alone.
    @Test
    void twoClustersInOneJvmDoNotTouchEachOther() throws Exception {
        try (Run one = new Run(1);
                Run other = new Run(2)) {
            for (int number = 0; number < PARTS; number++) {
                one.part(number);
                other.part(number);
            }
            assertThat(one.seen()).isEqualTo(seen(1));
            assertThat(other.seen()).isEqualTo(seen(2));
        }
    }

    @Test
    void aClosedClusterBeginsAnew() throws Exception {
        try (Run run = new Run(3)) {
            List<String> first = run.all();
            run.cluster.close();
            assertThat(run.cluster.now()).isZero();
            run.told.clear();
            for (String node : run.cluster.nodes()) {
                run.open(node);
            }
            assertThat(run.all()).isEqualTo(first);
        }
    }
}
