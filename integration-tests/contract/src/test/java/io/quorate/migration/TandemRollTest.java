package io.quorate.migration;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.migration.StagedCluster.Streak;
import io.quorate.testkit.RealTime;
import io.quorate.testkit.RepeatedWhenStalled;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.apache.curator.test.InstanceSpec;
import org.apache.curator.test.TestingServer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * docs/migration.md: three JVMs and a real ZooKeeper roll from Curator to Quorate and back, under faults. A machine that
 * stands still voids the claim of the old side, whose flag needs an event in time.
 */
class TandemRollTest {

    private static final List<String> THERE_AND_BACK = List.of("R0.5", "R1", "R2", "R1", "R0.5", "R0");
    private static final long SEED = Long.getLong("seed", 1);

    private Random random = new Random(SEED);
    private Streaks streaks = new Streaks();
    private List<Long> rolls = new ArrayList<>();

    @RealTime
    @Test
    void oneRoundThereAndBack(@TempDir Path directory) throws Exception {
        roll(1, directory);
    }

    @Test
    @Tag("nemesis")
    @ExtendWith(RepeatedWhenStalled.class)
    void manyRoundsThereAndBack(@TempDir Path directory) throws Exception {
        roll(Integer.getInteger("tandem.rounds", 50), directory);
    }

    private void roll(int rounds, Path directory) throws Exception {
        // A repeated test has this object again, and other nodes.
        random = new Random(SEED);
        streaks = new Streaks();
        rolls = new ArrayList<>();
        InstanceSpec server = new InstanceSpec(null, -1, -1, -1, true, -1, 500, -1);
        try (TestingServer zooKeeper = new TestingServer(server, true);
                StagedCluster cluster = new StagedCluster(zooKeeper.getConnectString(), directory)) {
            for (String id : StagedCluster.IDS) {
                cluster.start(id, "R0");
            }
            cluster.awaitLeader("at R0");
            for (int round = 1; round <= rounds; round++) {
                for (String stage : THERE_AND_BACK) {
                    rollTo(stage, cluster);
                    trouble(stage, cluster);
                }
                System.out.println("round " + round + ": without a leader in a roll for " + Collections.max(rolls)
                        + " ms at most");
            }
            System.out.println("Longest time without a leader in each roll, in ms, sorted: "
                    + rolls.stream().sorted().toList());
        }
    }

    /** One process after the other; now and then it is killed, in place of a close. */
    private void rollTo(String stage, StagedCluster cluster) throws Exception {
        judge("before the roll to " + stage, cluster);
        List<String> order = new ArrayList<>(StagedCluster.IDS);
        Collections.shuffle(order, random);
        for (String id : order) {
            if (random.nextInt(6) == 0) {
                cluster.kill(id);
                cluster.start(id, stage);
            } else {
                cluster.move(id, stage);
            }
            cluster.awaitLeader("when " + id + " is at " + stage);
        }
        rolls.add(Streaks.leaderlessMillisMax(judge("the roll to " + stage, cluster)));
    }

    private List<Streak> judge(String when, StagedCluster cluster) {
        List<Streak> taken = cluster.takeStreaks();
        assertThat(streaks.faults(taken))
                .as("seed " + SEED + ", " + when + cluster.describe())
                .isEmpty();
        return taken;
    }

    /** One fault of the leader, and its end. */
    private void trouble(String stage, StagedCluster cluster) throws Exception {
        String leader = cluster.leader();
        switch (random.nextInt(4)) {
            case 0 -> {
                cluster.kill(leader);
                cluster.awaitLeader("after the kill of " + leader + " at " + stage);
                cluster.start(leader, stage);
            }
            case 1 -> {
                // Who leads by the old side alone may lead beside the next one when it wakes from a longer pause.
                boolean isExact = stage.equals("R1") || stage.equals("R2");
                cluster.pause(leader);
                // Justification: only tests of suites come here.
                TimeUnit.MILLISECONDS.sleep(isExact ? StagedNode.SESSION_MILLIS + 1_000 : 500);
                cluster.resume(leader);
            }
            case 2 -> {
                cluster.cutOldSide(leader);
                cluster.awaitLeader("after the cut of " + leader + " from ZooKeeper at " + stage);
                cluster.heal();
            }
            default -> {
                cluster.isolate(leader);
                cluster.awaitLeader("after the isolation of " + leader + " at " + stage);
                cluster.heal();
            }
        }
        cluster.awaitLeader("after the trouble at " + stage);
        judge("the trouble of " + leader + " at " + stage, cluster);
    }

    @Test
    void twoAtOneInstantAreNoticed() {
        Streak first = new Streak("n1-1", 0, 10, 20);
        assertThat(new Streaks().faults(List.of(first, new Streak("n2-2", 0, 19, 30))))
                .hasSize(1);
        assertThat(new Streaks().faults(List.of(first, new Streak("n2-2", 0, 20, 30))))
                .isEmpty();
        assertThat(new Streaks().faults(List.of(first, new Streak("n1-1", 0, 19, 30))))
                .isEmpty();
    }

    @Test
    void aTokenThatFallsIsNoticed() {
        Streaks judge = new Streaks();
        assertThat(judge.faults(List.of(new Streak("n1-1", 7, 10, 20), new Streak("n2-2", 0, 30, 40))))
                .isEmpty();
        assertThat(judge.faults(List.of(new Streak("n3-3", 6, 50, 60)))).hasSize(1);
    }

    @Test
    void theTimeWithoutALeaderIsFound() {
        assertThat(Streaks.leaderlessMillisMax(List.of(
                        new Streak("n1-1", 0, 0, 5_000_000),
                        new Streak("n2-2", 0, 9_000_000, 10_000_000),
                        new Streak("n2-2", 0, 10_000_000, 11_000_000))))
                .isEqualTo(4);
    }
}
