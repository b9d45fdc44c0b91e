package io.quorate.tandem;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.ElectionClient;
import io.quorate.LeaderLatchListener;
import io.quorate.testkit.ClusterSettings;
import io.quorate.testkit.SimulatedCluster;
import io.quorate.testkit.simulation.HighestUp;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Random troubles of both sides, and the rules of a tandem checked after each step. */
class TandemStormTest {

    private static final String PATH = "/app/leader";
    private static final int EVENTS = 80;
    private static final Duration STEP = Duration.ofMillis(20);
    /** A look follows what happened within it: callbacks of the kit take no time. */
    private static final Duration LOOK = Duration.ofMillis(1);

    private final OldSideFake old = new OldSideFake();
    private final Map<String, Process> processes = new LinkedHashMap<>();
    private final List<Long> tokens = new ArrayList<>();
    private int begun;

    /** One process with its tandem, and what its listener has heard. */
    private final class Process implements LeaderLatchListener {
        private final TandemLatch latch;
        private final OldSideFake.Member member;
        private boolean isTold;
        /** Whether it was seen not to lead since it was told last: then it must be told before it leads again. */
        private boolean wasSeenOut = true;

        private Process(ElectionClient client, String node) throws Exception {
            member = old.restarted(node);
            latch = new TandemLatch(member, client, PATH, node);
            latch.addListener(this);
            latch.start();
        }

        @Override
        public void isLeader() {
            assertThat(isTold).as("isLeader and notLeader alternate").isFalse();
            isTold = true;
            wasSeenOut = false;
            begun++;
            latch.leadership().ifPresent(leads -> {
                if (!tokens.isEmpty()) {
                    assertThat(leads.fencingToken()).as("tokens rise").isGreaterThan(tokens.get(tokens.size() - 1));
                }
                tokens.add(leads.fencingToken());
            });
        }

        @Override
        public void notLeader() {
            assertThat(isTold).as("isLeader and notLeader alternate").isTrue();
            isTold = false;
            assertThat(latch.hasLeadership()).as("it leads in notLeader").isFalse();
        }

        private boolean leads() {
            boolean leads = latch.hasLeadership();
            if (leads && isTold) {
                assertThat(wasSeenOut)
                        .as("what was seen as over is not back without isLeader")
                        .isFalse();
            }
            wasSeenOut |= !leads && isTold;
            return leads;
        }
    }

    private void check(SimulatedCluster cluster) {
        int leaders = 0;
        for (Map.Entry<String, Process> each : processes.entrySet()) {
            if (each.getValue().leads()) {
                leaders++;
                assertThat(old.holder()).as("the old side agrees").contains(each.getKey());
                assertThat(cluster.leader(PATH)).as("Quorate agrees").contains(each.getKey());
            }
        }
        assertThat(leaders).as("leaders").isLessThanOrEqualTo(1);
    }

    /** Callbacks have run: nobody is on Quorate's path whose companion does not lead. */
    private void checkSettled(SimulatedCluster cluster) {
        check(cluster);
        processes.forEach((node, process) -> {
            if (!process.member.hasLeadership()) {
                assertThat(process.latch.hasLeadership()).isFalse();
                assertThat(process.isTold).as(node + " was told of the end").isFalse();
                assertThat(cluster.client(node).explain(PATH).orElseThrow().toString())
                        .as(node + " has left the path")
                        .contains("its companion does not lead");
            }
        });
    }

    private void trouble(SimulatedCluster cluster, Random random) throws Exception {
        List<String> nodes = cluster.nodes();
        String node = nodes.get(random.nextInt(nodes.size()));
        Process process = processes.get(node);
        switch (random.nextInt(12)) {
            case 0, 1 -> process.member.cut();
            case 2, 3, 4 -> process.member.heal();
            case 5 -> process.member.flap();
            case 6 -> {
                if (process.member.hasLeadership()) {
                    process.member.flapUnseen(() -> {
                        if (random.nextBoolean()) {
                            check(cluster);
                        }
                    });
                }
            }
            case 7 -> cluster.isolate(node);
            case 8, 9 -> cluster.heal();
            case 10 -> {
                process.latch.close();
                check(cluster);
                processes.put(node, new Process(cluster.client(node), node));
            }
            default -> {
                cluster.crash(node);
                process.member.cut();
                old.restarted(node);
                processes.put(node, new Process(cluster.restart(node), node));
            }
        }
        check(cluster);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void rulesHoldInEveryStorm(long seed) throws Exception {
        Random random = new Random(seed);
        try (SimulatedCluster cluster = new SimulatedCluster(
                ClusterSettings.ofVoters(3).moving().algorithm(new HighestUp()).seed(seed))) {
            for (String node : cluster.nodes()) {
                processes.put(node, new Process(cluster.client(node), node));
            }
            for (int event = 0; event < EVENTS; event++) {
                trouble(cluster, random);
                cluster.advance(LOOK);
                checkSettled(cluster);
                int steps = random.nextInt(50);
                for (int step = 0; step < steps; step++) {
                    cluster.advance(STEP);
                    check(cluster);
                }
            }
            cluster.heal();
            processes.values().forEach(process -> process.member.heal());
            cluster.awaitUntil(
                    "one of them leads", () -> processes.values().stream().anyMatch(Process::leads));
            assertThat(begun).as("leaderships of seed " + seed).isGreaterThan(10);
            Optional<Process> leader =
                    processes.values().stream().filter(Process::leads).findFirst();
            cluster.advance(LOOK);
            assertThat(leader.orElseThrow().isTold).isTrue();
        }
    }
}
