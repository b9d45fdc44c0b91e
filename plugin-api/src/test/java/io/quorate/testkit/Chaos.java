package io.quorate.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.core.NodeSettings;
import io.quorate.core.RankOrder;
import io.quorate.spi.ElectionAlgorithm;
import io.quorate.spi.NodeId;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.Map;
import java.util.TreeMap;

/**
 * Random faults, then quiet: never two leaders and always rising tokens (checked after every step by the cluster), and
 * in the end one leader of each path.
 */
public final class Chaos {

    private static final String[] PATHS = {"/a", "/b"};

    private Chaos() {
    }

    /** One run: 40 faults over some 20 virtual seconds, then six quiet ones. */
    public static void run(long seed, ElectionAlgorithm algorithm) {
        SplittableRandom random = new SplittableRandom(seed);
        int voters = random.nextBoolean() ? 3 : 5;
        List<NodeId> nodes = new ArrayList<>();
        for (int i = 1; i <= voters; i++) {
            nodes.add(new NodeId("n" + i));
        }
        List<NodeId> voting = List.copyOf(nodes);
        if (random.nextBoolean()) {
            nodes.add(new NodeId("o1"));
        }
        RankOrder rankOrder = RankOrder.values()[random.nextInt(RankOrder.values().length)];
        boolean preempts = rankOrder != RankOrder.JOIN_ORDER && random.nextBoolean();
        boolean hasDisks = random.nextInt(3) > 0;
        VirtualCluster cluster = new VirtualCluster(seed, algorithm);
        for (NodeId node : nodes) {
            NodeSettings usual = VirtualCluster.settings(node, voting);
            cluster.add(new NodeSettings("test", node, voting, usual.lease(), usual.timing(), rankOrder,
                    random.nextInt(3), preempts));
            if (!hasDisks) {
                cluster.diskless(node);
            }
        }
        nodes.forEach(cluster::start);
        cluster.duplicates(random.nextInt(3) * 10);
        cluster.delays(200, random.nextInt(3) == 0 ? 60_000 : 1_500);
        Faults faults = new Faults(cluster, nodes, random);
        nodes.forEach(faults::open);
        for (int fault = 0; fault < 40; fault++) {
            cluster.advance(random.nextInt(20, 900));
            faults.next();
        }
        faults.stop();
        cluster.delays(200, 1_000);
        cluster.advance(6_000);
        for (String path : PATHS) {
            assertThat(cluster.leaders(path)).as("leaders of %s\n%s", path, cluster.describe()).hasSize(1);
        }
        cluster.advance(preempts ? 10_000 : 0);
        NodeId leader = cluster.leader(PATHS[0]).orElseThrow();
        cluster.advance(5_000);
        assertThat(cluster.leaders(PATHS[0])).as("a quiet leader stays\n%s", cluster.describe())
                .containsExactly(leader);
    }

    /** What happens to a cluster. */
    private static final class Faults {
        private final VirtualCluster cluster;
        private final List<NodeId> nodes;
        private final SplittableRandom random;
        private final Map<NodeId, List<Integer>> open = new TreeMap<>();
        private final List<NodeId> crashed = new ArrayList<>();
        private final List<NodeId> paused = new ArrayList<>();

        private Faults(VirtualCluster cluster, List<NodeId> nodes, SplittableRandom random) {
            this.cluster = cluster;
            this.nodes = nodes;
            this.random = random;
        }

        private void open(NodeId node) {
            List<Integer> numbers = new ArrayList<>();
            for (String path : PATHS) {
                numbers.add(cluster.contend(node, path));
            }
            open.put(node, numbers);
        }

        private NodeId any() {
            // Half of the faults strike a leader: uniform ones hardly ever hit.
            return random.nextBoolean() ? cluster.leader(PATHS[0]).orElse(nodes.get(0))
                    : nodes.get(random.nextInt(nodes.size()));
        }

        private void next() {
            NodeId node = any();
            switch (random.nextInt(10)) {
                case 0 -> crash(node);
                case 1 -> restartAll();
                case 2 -> pause(node);
                case 3 -> resumeAll();
                case 4 -> cluster.isolate(node);
                case 5 -> cluster.cut(node, nodes.get(random.nextInt(nodes.size())));
                case 6 -> {
                    NodeId deaf = nodes.get(random.nextInt(nodes.size()));
                    cluster.drop(f -> f.to().equals(deaf));
                }
                case 7 -> {
                    SplittableRandom loss = random.split();
                    cluster.drop(f -> loss.nextInt(5) == 0);
                }
                case 8 -> cluster.rate(node, 0.9 + random.nextDouble() * 0.2);
                default -> {
                    cluster.heal();
                    reopen(node);
                }
            }
        }

        private void crash(NodeId node) {
            if (!crashed.contains(node)) {
                crashed.add(node);
                paused.remove(node);
                cluster.crash(node);
            }
        }

        private void restartAll() {
            crashed.forEach(node -> {
                cluster.start(node);
                open(node);
            });
            crashed.clear();
        }

        private void pause(NodeId node) {
            if (!crashed.contains(node) && !paused.contains(node)) {
                paused.add(node);
                cluster.pause(node);
            }
        }

        private void resumeAll() {
            List.copyOf(paused).forEach(cluster::resume);
            paused.clear();
        }

        /** Closes one latch and opens another in its place. */
        private void reopen(NodeId node) {
            if (!crashed.contains(node) && !paused.contains(node)) {
                List<Integer> numbers = open.get(node);
                cluster.withdraw(node, numbers.remove(0));
                numbers.add(0, cluster.contend(node, PATHS[0]));
            }
        }

        private void stop() {
            cluster.heal();
            restartAll();
            resumeAll();
        }
    }
}
