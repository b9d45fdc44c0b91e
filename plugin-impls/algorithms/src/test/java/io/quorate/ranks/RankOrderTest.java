package io.quorate.ranks;

import static io.quorate.complaints.Contenders.SUPPORT;
import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.quorate.LeaderLatch;
import io.quorate.complaints.Contenders;
import io.quorate.spi.ElectionAlgorithm;
import io.quorate.spi.RankOrder;
import io.quorate.testkit.ClusterSettings;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Other orders than that of joining, with and without pre-emption. */
class RankOrderTest {

    private static final Duration HANDOVER = Duration.ofMillis(100);
    private static final int PATHS = 30;

    private static ClusterSettings settings(RankOrder order, ElectionAlgorithm algorithm) {
        return ClusterSettings.ofVoters(3)
                .rankOrder(order)
                .algorithm(algorithm)
                .priority("n1", 5)
                .priority("n2", 9)
                .priority("n3", 5);
    }

    /** Each leads until it leaves: who follows is the best of those who are left. */
    private static void assertOrder(Contenders contenders, String... leaders) {
        for (String leader : leaders) {
            assertThat(contenders.leader()).contains(leader);
            contenders.leave(leader);
            contenders.watch(HANDOVER);
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("io.quorate.complaints.Contenders#algorithms")
    void theHighestNodeIdFollowsAndDoesNotTakeLeadershipAway(ElectionAlgorithm algorithm) {
        try (Contenders contenders = Contenders.joined(settings(RankOrder.NODE_ID, algorithm))) {
            contenders.watch(SUPPORT.multipliedBy(5));
            assertThat(contenders.queue("n1")).as("the leader, then by rank").containsExactly("n1", "n3", "n2");
            assertOrder(contenders, "n1", "n3", "n2");
        }
    }

    // n3 joins before n1, and both have the same priority.
    @ParameterizedTest(name = "{0}")
    @MethodSource("io.quorate.complaints.Contenders#algorithms")
    void theHighestPriorityFollowsAndAmongEqualsTheFirstCome(ElectionAlgorithm algorithm) {
        try (Contenders contenders = new Contenders(settings(RankOrder.PRIORITY, algorithm))) {
            List.of("n3", "n1", "n2").forEach(contenders::join);
            contenders.watch(SUPPORT.multipliedBy(5));
            assertThat(contenders.queue("n1")).containsExactly("n3", "n2", "n1");
            assertOrder(contenders, "n3", "n2", "n1");
        }
        try (Contenders contenders = new Contenders(settings(RankOrder.PRIORITY, algorithm))) {
            List.of("n2", "n3", "n1").forEach(contenders::join);
            assertOrder(contenders, "n2", "n3", "n1");
        }
    }

    // Among newcomers of one moment the best ranked leads, without any pre-emption.
    @ParameterizedTest(name = "{0}")
    @MethodSource("io.quorate.complaints.Contenders#algorithms")
    void afterAnOutageTheBestRankedLeads(ElectionAlgorithm algorithm) {
        for (RankOrder order : List.of(RankOrder.NODE_ID, RankOrder.PRIORITY)) {
            try (Contenders contenders = Contenders.joined(settings(order, algorithm))) {
                contenders.cluster().partition("n1", "n2", "n3");
                contenders.watch(SUPPORT.multipliedBy(3));
                contenders.cluster().heal();
                contenders.watch(SUPPORT.multipliedBy(2));
                assertThat(contenders.leader()).as("%s", order).contains(order == RankOrder.NODE_ID ? "n3" : "n2");
            }
        }
    }

    // The better one has to be up for two support times; the tenures follow one another without a gap in the tokens.
    @ParameterizedTest(name = "{0}")
    @MethodSource("io.quorate.complaints.Contenders#algorithms")
    void preemptionHandsOverToTheBetterRankedAndKeepsThePlace(ElectionAlgorithm algorithm) {
        for (RankOrder order : List.of(RankOrder.NODE_ID, RankOrder.PRIORITY)) {
            String best = order == RankOrder.NODE_ID ? "n3" : "n2";
            try (Contenders contenders =
                    Contenders.joined(settings(order, algorithm).preempt(true))) {
                contenders.watch(SUPPORT.multipliedBy(5));
                assertThat(contenders.leader()).as("%s", order).contains(best);
                long token = contenders.latch(best).fencingToken();
                long grants = contenders.grants();
                contenders.cluster().crash(best);
                contenders.watch(SUPPORT.multipliedBy(2));
                assertThat(contenders.leader()).isPresent();
                contenders.join(best, contenders.cluster().restart(best));
                contenders.watch(SUPPORT);
                assertThat(contenders.latch(best).hasLeadership())
                        .as("it has just come back")
                        .isFalse();
                contenders.watch(SUPPORT.multipliedBy(5));
                assertThat(contenders.leader()).contains(best);
                assertThat(contenders.grants() - grants)
                        .as("one while it was away, and its own")
                        .isEqualTo(2);
                assertThat(contenders.latch(best).fencingToken()).isGreaterThan(token);
                assertThat(contenders.queue("n1")).first().isEqualTo(best);
            }
        }
    }

    @Test
    void preemptionIsRefusedWithTheOrderOfJoining() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Contenders(ClusterSettings.ofVoters(3)
                        .rankOrder(RankOrder.JOIN_ORDER)
                        .preempt(true)))
                .withMessageContaining("not with JOIN_ORDER");
    }

    // n1 opens all its latches first, so that without a better-ranked newcomer it would lead every path.
    @ParameterizedTest(name = "{0}")
    @MethodSource("io.quorate.complaints.Contenders#algorithms")
    void spreadWithPreemptionGivesEveryNodeAFairShare(ElectionAlgorithm algorithm) {
        try (Contenders contenders =
                new Contenders(settings(RankOrder.SPREAD, algorithm).preempt(true))) {
            contenders.cluster().nodes().forEach(node -> {
                openAll(contenders, node);
                contenders.cluster().advance(SUPPORT);
            });
            contenders.cluster().advance(SUPPORT.multipliedBy(5));
            assertFairShares(contenders);
        }
    }

    // All nodes open their latches at one moment, without a connection: each path's leader is the best ranked.
    @ParameterizedTest(name = "{0}")
    @MethodSource("io.quorate.complaints.Contenders#algorithms")
    void spreadGivesEveryNodeAFairShareOfWhatBeginsAtOneMoment(ElectionAlgorithm algorithm) {
        try (Contenders contenders = new Contenders(settings(RankOrder.SPREAD, algorithm))) {
            contenders.cluster().partition("n1", "n2", "n3");
            contenders.cluster().advance(SUPPORT.multipliedBy(3));
            contenders.cluster().nodes().forEach(node -> openAll(contenders, node));
            contenders.cluster().heal();
            contenders.cluster().advance(SUPPORT.multipliedBy(3));
            assertFairShares(contenders);
        }
    }

    private static String path(int number) {
        return "/jobs/" + number;
    }

    private static void openAll(Contenders contenders, String node) {
        for (int number = 0; number < PATHS; number++) {
            Contenders.start(new LeaderLatch(contenders.cluster().client(node), path(number), node));
        }
    }

    // A third each is expected; half as many would be a hash that favours somebody.
    private static void assertFairShares(Contenders contenders) {
        Map<String, Long> shares = IntStream.range(0, PATHS)
                .mapToObj(number -> contenders.cluster().leader(path(number)).orElse("nobody"))
                .collect(groupingBy(leader -> leader, counting()));
        assertThat(shares).containsOnlyKeys("n1", "n2", "n3");
        assertThat(shares.values()).allMatch(share -> share > PATHS / 6);
    }
}
