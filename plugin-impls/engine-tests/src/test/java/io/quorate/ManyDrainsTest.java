package io.quorate;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.testkit.ClusterSettings;
import io.quorate.testkit.SimulatedCluster;
import io.quorate.testkit.simulation.HighestUp;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A client closes while very many of its leaders finish their work, on the production driver in virtual time. */
class ManyDrainsTest {

    private static final int PATHS = Integer.getInteger("drains", 1_000);
    private static final Duration WORK = Duration.ofMillis(100);
    private static final Duration A_WHILE = Duration.ofSeconds(30);

    private final SimulatedCluster cluster =
            new SimulatedCluster(ClusterSettings.ofVoters(3).algorithm(new HighestUp()));
    private final List<CompletableFuture<Void>> works = new ArrayList<>();

    @AfterEach
    void close() {
        cluster.close();
    }

    // As long a name as makes it as much to tell as ten times as many usual paths are.
    private static String path(int number) {
        return "/application/" + "p".repeat(900) + "/" + number;
    }

    private List<LeaderLatch> contend(String node, boolean drains) throws Exception {
        List<LeaderLatch> latches = new ArrayList<>();
        for (int number = 0; number < PATHS; number++) {
            LeaderLatch latch = new LeaderLatch(cluster.client(node), path(number), node);
            if (drains) {
                latch.drain(
                        leadership -> {
                            CompletableFuture<Void> work = new CompletableFuture<>();
                            works.add(work);
                            return work;
                        },
                        Duration.ofMinutes(1));
            }
            latch.start();
            latches.add(latch);
        }
        return latches;
    }

    /** How long it takes from the close until all paths are led by others. */
    private Duration closes(boolean drains) throws Exception {
        List<LeaderLatch> leaders = contend("n1", drains);
        cluster.awaitUntil("n1 leads all", A_WHILE, () -> leaders.stream().allMatch(LeaderLatch::hasLeadership));
        List<LeaderLatch> next = contend("n2", false);
        cluster.advance(A_WHILE);
        Duration begun = cluster.now();
        CompletableFuture<Void> closed = cluster.client("n1").closeAsync().toCompletableFuture();
        if (drains) {
            cluster.awaitUntil("all work", () -> works.size() == PATHS);
            cluster.advance(WORK);
            assertThat(leaders).allMatch(LeaderLatch::hasLeadership);
            works.forEach(work -> work.complete(null));
        }
        cluster.awaitUntil("n2 leads all", A_WHILE, () -> next.stream().allMatch(LeaderLatch::hasLeadership));
        Duration took = cluster.now().minus(begun);
        cluster.awaitUntil("it is closed", A_WHILE, closed::isDone);
        return took;
    }

    @Test
    void leadersFinishTheirWorkSideBySide() throws Exception {
        assertThat(closes(true)).isLessThan(WORK.plusSeconds(1));
    }

    @Test
    void withoutWorkItIsAsFastAsBefore() throws Exception {
        assertThat(closes(false)).isLessThan(Duration.ofSeconds(1));
    }
}
