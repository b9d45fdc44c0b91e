package io.quorate.cost;

import static io.quorate.testkit.CodeChange.in;
import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.LeaderLatch;
import io.quorate.core.support.SupportGranter;
import io.quorate.testkit.ClusterSettings;
import io.quorate.testkit.CodeChange;
import io.quorate.testkit.Mutants;
import io.quorate.testkit.Mutants.Mutant;
import io.quorate.testkit.SimulatedCluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** docs/architecture.md#scale: each contender costs the same, however many there are. */
class ContenderCostTest {

    private static final int VOTERS = 3;
    private static final int SECONDS = 12;
    /** Enough to find 0.04 frames a second for each other contender; one for each in a heartbeat period would be 5. */
    private static final int MANY = Integer.getInteger("cost.contenders", 20);

    private static final double PERIODS_PER_SECOND = 1000 / 200.0;
    /** A heartbeat to each voter every 200 ms, and the answer to each, whose receipt the next heartbeat confirms. */
    private static final double FRAMES_PER_SECOND = VOTERS * 2 * PERIODS_PER_SECOND;
    /** One for each pair of voters and direction: heartbeats and answers share it. */
    private static final double FRAMES_OF_VOTERS = VOTERS * (VOTERS - 1) * PERIODS_PER_SECOND;

    private static final double TOLERANCE = 1.02;

    @Test
    void nothingGrowsWithTheNumberOfContenders() throws Exception {
        double voters = framesPerSecond(0);
        List<Double> costs = new ArrayList<>();
        for (int contenders : new int[] {1, 10, MANY}) {
            costs.add((framesPerSecond(contenders) - voters) / contenders);
        }
        assertThat(costs)
                .as("frames per contender and second")
                .allMatch(cost -> cost > 0 && cost < FRAMES_PER_SECOND * TOLERANCE)
                .allMatch(cost -> cost < costs.get(0) * TOLERANCE);
    }

    @Test
    void votersThatContendSendOneFramePerPairAndPeriod() throws Exception {
        try (SimulatedCluster cluster = SimulatedCluster.ofVoters(VOTERS)) {
            assertThat(framesPerSecond(cluster, "n", VOTERS))
                    .isBetween(FRAMES_OF_VOTERS * 0.85, FRAMES_OF_VOTERS * TOLERANCE);
        }
    }

    /** What the changes put in. */
    public static final class Faults {

        private Faults() {}

        public static long sixteenth(long nanos) {
            return nanos / 16;
        }
    }

    private static Mutant mutant(String fault, String killer, CodeChange change) {
        return Mutants.mutant(fault, ContenderCostTest.class.getName() + "#" + killer, change);
    }

    // What is told again and again although it has arrived, or on its own although it could share a frame.
    @TestFactory
    Stream<DynamicTest> noticesWhatCostsMore() {
        return Mutants.tests(List.of(
                mutant(
                        "what has arrived is sent again",
                        "nothingGrowsWithTheNumberOfContenders",
                        in("io.quorate.core.directory.Outbox", "acknowledged").doesNothing()),
                mutant(
                        "a frame is acknowledged before a heartbeat can do so",
                        "votersThatContendSendOneFramePerPairAndPeriod",
                        in("io.quorate.runtime.AckState", "isDue")
                                .read("heartbeat")
                                .passes(Faults.class, "sixteenth")),
                mutant(
                        "each heartbeat is answered at once",
                        "votersThatContendSendOneFramePerPairAndPeriod",
                        in(SupportGranter.class, "onHeartbeat")
                                .call("voterIndex")
                                .answers(-1))));
    }

    /** Of the whole cluster, while one contender leads and the others wait. */
    private static double framesPerSecond(int contenders) throws Exception {
        try (SimulatedCluster cluster =
                new SimulatedCluster(ClusterSettings.ofVoters(VOTERS).contenders(contenders))) {
            return framesPerSecond(cluster, "c", contenders);
        }
    }

    private static double framesPerSecond(SimulatedCluster cluster, String prefix, int contenders) throws Exception {
        List<LeaderLatch> latches = new ArrayList<>();
        for (int i = 1; i <= contenders; i++) {
            LeaderLatch latch = new LeaderLatch(cluster.client(prefix + i), "/app/leader", prefix + i);
            latch.start();
            latches.add(latch);
        }
        for (LeaderLatch latch : latches) {
            cluster.awaitUntil(latch.getId() + " sees all", () -> participants(latch) == contenders);
        }
        cluster.advance(Duration.ofSeconds(5));
        long before = cluster.framesSent();
        cluster.advance(Duration.ofSeconds(SECONDS));
        return (cluster.framesSent() - before) / (double) SECONDS;
    }

    private static int participants(LeaderLatch latch) {
        try {
            return latch.getParticipants().size();
        } catch (Exception e) {
            // Justification: getParticipants declares it, as Curator's does; here it is a failure of the test.
            throw new AssertionError(e);
        }
    }
}
