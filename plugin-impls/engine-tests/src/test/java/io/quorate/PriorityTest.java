package io.quorate;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.spi.RankOrder;
import io.quorate.testkit.CapturedLog;
import io.quorate.testkit.ClusterSettings;
import io.quorate.testkit.SimulatedCluster;
import io.quorate.testkit.simulation.HighestUp;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Priorities that change while nodes run, on the production driver in virtual time. */
class PriorityTest {

    private static final String PATH = "/app/leader";
    private static final Duration LEASE = Profile.DEFAULT.supportDuration();
    private static final Duration SETTLES = LEASE.multipliedBy(4);

    private final Map<String, LeaderLatch> latches = new TreeMap<>();
    private SimulatedCluster cluster = new SimulatedCluster(ranked(true));

    @AfterEach
    void close() {
        cluster.close();
    }

    private static ClusterSettings ranked(boolean preempts) {
        return ClusterSettings.ofVoters(3)
                .rankOrder(RankOrder.PRIORITY)
                .preempt(preempts)
                .algorithm(new HighestUp());
    }

    private void over(ClusterSettings settings) throws Exception {
        cluster.close();
        cluster = new SimulatedCluster(settings);
        contend();
    }

    private void contend() throws Exception {
        for (String node : List.of("n1", "n2", "n3")) {
            contend(node);
        }
    }

    private void contend(String node) throws Exception {
        LeaderLatch latch = new LeaderLatch(cluster.client(node), PATH, node);
        latch.start();
        latches.put(node, latch);
        cluster.advance(Duration.ofMillis(1500));
    }

    private void leads(String node) {
        cluster.advance(SETTLES);
        assertThat(cluster.leader(PATH)).as(cluster::describe).contains(node);
    }

    @Test
    void leadershipMovesToWhoHasTheHigherPriority() throws Exception {
        contend();
        leads("n1");
        cluster.client("n3").priority(7);
        leads("n3");
        cluster.client("n2").priority(8);
        leads("n2");
        cluster.client("n2").priority(6);
        leads("n3");
        assertThat(latches.get("n1").getParticipants())
                .extracting(Participant::getId)
                .containsExactly("n3", "n2", "n1");
    }

    @Test
    void theLeaderFinishesItsWorkBefore() throws Exception {
        contend();
        leads("n1");
        CompletableFuture<Void> report = new CompletableFuture<>();
        latches.get("n1").drain(leadership -> report, Duration.ofMinutes(1));
        cluster.client("n3").priority(7);
        leads("n1");
        assertThat(latches.get("n1").leadership().orElseThrow().isLeaving()).isTrue();
        report.complete(null);
        leads("n3");
    }

    @Test
    void withoutPreemptionTheNextElectionCounts() throws Exception {
        over(ranked(false));
        leads("n1");
        cluster.client("n3").priority(7);
        leads("n1");
        cluster.crash("n1");
        leads("n3");
    }

    @Test
    void itCountsFromBeforeTheStart() throws Exception {
        cluster.close();
        cluster = new SimulatedCluster(ranked(true).clientsAreStartedByTheTest());
        cluster.client("n2").priority(3);
        List.of("n1", "n2", "n3").forEach(node -> cluster.client(node).start());
        contend();
        leads("n2");
    }

    @Test
    void anotherRankOrderSaysThatItHasNoEffect() throws Exception {
        over(ClusterSettings.ofVoters(3).algorithm(new HighestUp()));
        try (CapturedLog log = new CapturedLog()) {
            cluster.client("n3").priority(7);
            leads("n1");
            assertThat(log.lines("WARN", "n3: has priority 7 in place of 0, which has no effect", "JOIN_ORDER"))
                    .hasSize(1);
        }
    }

    // docs/settings.md#who-leads: the oldest build leads until all are new.
    @Test
    void aRollOutKeepsTheOldestBuildAsTheLeader() throws Exception {
        contend();
        List.of("n1", "n2", "n3").forEach(node -> cluster.client(node).priority(-41));
        leads("n1");
        for (String node : List.of("n3", "n2")) {
            cluster.crash(node);
            cluster.restart(node).priority(-42);
            contend(node);
            leads("n1");
        }
        cluster.crash("n1");
        cluster.restart("n1").priority(-42);
        contend("n1");
        cluster.advance(SETTLES);
        assertThat(cluster.leader(PATH)).isPresent().isNotEqualTo(Optional.of("n1"));
    }

    @Test
    void aThousandChangesNeverMakeTwoLeaders() throws Exception {
        contend();
        Random random = new Random(cluster.seed());
        for (int i = 0; i < 1_000; i++) {
            cluster.client("n" + (1 + random.nextInt(3))).priority(random.nextInt(5));
            cluster.advance(Duration.ofMillis(random.nextInt(200)));
            assertThat(latches.values().stream().filter(LeaderLatch::hasLeadership))
                    .as(() -> "seed=" + cluster.seed() + cluster.describe())
                    .hasSizeLessThanOrEqualTo(1);
        }
        cluster.advance(SETTLES);
        List<String> seen = latches.get("n1").getParticipants().stream()
                .map(Participant::getId)
                .toList();
        assertThat(seen.get(0)).isEqualTo(cluster.leader(PATH).orElseThrow());
        for (LeaderLatch latch : latches.values()) {
            assertThat(latch.getParticipants()).extracting(Participant::getId).containsExactlyElementsOf(seen);
        }
    }

    // ---------------------------------------------------------------- who is misplaced

    private int misplaced(String node) {
        return cluster.client(node).misplaced().orElseThrow();
    }

    private List<String> ranks(String node) {
        return cluster.client(node).explain(PATH).orElseThrow().contenders().stream()
                .map(contender -> contender.node() + " " + contender.rank())
                .toList();
    }

    @Test
    void aLeaderThatAnotherRanksBeforeIsMisplaced() throws Exception {
        over(ranked(false));
        leads("n1");
        assertThat(misplaced("n1")).isZero();
        assertThat(ranks("n2")).containsExactly("n1 1", "n2 2", "n3 3");
        cluster.client("n3").priority(7);
        cluster.client("n2").standby(true);
        leads("n1");
        assertThat(misplaced("n1")).isEqualTo(1);
        assertThat(misplaced("n3")).as("it leads nothing").isZero();
        assertThat(ranks("n1")).containsExactly("n1 2", "n3 1", "n2 0");
        assertThat(cluster.client("n1").explain(PATH).orElseThrow().toString())
                .contains("contenders [n1 on n1 (leader), n3 on n3, n2 on n2 (ranks last)]");
        cluster.pause("n3");
        cluster.advance(SETTLES);
        assertThat(misplaced("n1")).as("who is not up could not lead").isZero();
        cluster.client("n1").close();
        assertThat(cluster.client("n1").misplaced()).isEmpty();
    }

    @Test
    void theNextBestThatIsUpCounts() throws Exception {
        over(ranked(false));
        cluster.client("n3").priority(9);
        cluster.client("n2").priority(7);
        leads("n1");
        assertThat(ranks("n1")).containsExactly("n1 3", "n3 1", "n2 2");
        cluster.pause("n3");
        for (int i = 0; i < 100; i++) {
            cluster.advance(SETTLES.dividedBy(100));
            assertThat(misplaced("n1")).isEqualTo(1);
        }
        assertThat(ranks("n1")).as("n3 is gone").containsExactly("n1 2", "n2 1");
    }

    // Nobody would take leadership over.
    @Test
    void whereAllRankLastNobodyIsMisplaced() throws Exception {
        over(ranked(false));
        latches.get("n1").transferTo("n2");
        leads("n2");
        assertThat(misplaced("n2")).isEqualTo(1);
        for (String node : List.of("n1", "n3", "n2")) {
            cluster.client(node).standby(true);
            leads("n2");
        }
        assertThat(ranks("n2")).containsExactly("n2 0", "n1 0", "n3 0");
        assertThat(misplaced("n2")).isZero();
    }

    // In several turns of the node's thread.
    @Test
    void misplacedPathsAreCountedInParts() throws Exception {
        over(ranked(false));
        int paths = 4200;
        for (String node : List.of("n1", "n3")) {
            for (int i = 1; i < paths; i++) {
                new LeaderLatch(cluster.client(node), PATH + i, node).start();
            }
            cluster.advance(Duration.ofSeconds(10));
        }
        assertThat(misplaced("n1")).isZero();
        cluster.client("n3").priority(7);
        cluster.advance(Duration.ofSeconds(10));
        assertThat(cluster.client("n1").health().leads()).hasSize(paths);
        assertThat(misplaced("n1")).isEqualTo(paths);
    }
}
