package io.quorate.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.ElectionClient;
import io.quorate.LeaderLatch;
import io.quorate.Voters;
import io.quorate.testkit.simulation.HighestUp;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The outage, and the pause, that a leader survives is the same before and after a change of voters. From the first
 * change on heartbeats need a newer wire version, and the peer that does not answer may be back in an older one.
 */
@Timeout(300)
class OutageAfterChangeTest {

    private static final String PATH = "/app/leader";
    private static final int PHASES = 8;

    private enum Trouble {
        OUTAGE,
        PAUSE
    }

    /** Of three voters, or of three that are left of four. */
    private static boolean isLost(boolean isChanged, Trouble trouble, String leader, long millis, int phase) {
        ClusterSettings settings =
                ClusterSettings.ofVoters(isChanged ? 4 : 3).contenders(1).algorithm(new HighestUp());
        try (SimulatedCluster cluster = new SimulatedCluster(settings)) {
            ElectionClient n1 = cluster.client("n1");
            cluster.awaitUntil("connected", () -> n1.connectionState().isPresent());
            if (isChanged) {
                cluster.advance(Duration.ofSeconds(3));
                CompletableFuture<Voters> change =
                        n1.changeVoters(1, "n1", "n2", "n3").toCompletableFuture();
                cluster.awaitUntil("changed", change::isDone);
                assertThat(change.join().number()).isEqualTo(2);
            }
            LeaderLatch latch = new LeaderLatch(cluster.client(leader), PATH, leader);
            latch.start();
            cluster.awaitUntil("leads", latch::hasLeadership);
            cluster.advance(Duration.ofSeconds(4).plusMillis(200L * phase / PHASES));
            long token = latch.fencingToken();
            if (trouble == Trouble.OUTAGE) {
                cluster.isolate(leader);
                cluster.advance(Duration.ofMillis(millis));
                cluster.heal();
            } else {
                cluster.pause(leader);
                cluster.advance(Duration.ofMillis(millis));
                cluster.resume(leader);
            }
            cluster.advance(Duration.ofSeconds(3));
            return !latch.hasLeadership() || latch.fencingToken() != token;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    /** How often leadership was lost in troubles of 300, 400, ... 800 ms. */
    private static List<Integer> losses(boolean isChanged, Trouble trouble, String leader) {
        List<Integer> losses = new ArrayList<>();
        for (long millis = 300; millis <= 800; millis += 100) {
            int lost = 0;
            for (int phase = 0; phase < PHASES; phase++) {
                lost += isLost(isChanged, trouble, leader, millis, phase) ? 1 : 0;
            }
            losses.add(lost);
        }
        return losses;
    }

    // n1 votes, and c1 does not.
    @ParameterizedTest
    @CsvSource({"OUTAGE, n1", "OUTAGE, c1", "PAUSE, n1", "PAUSE, c1"})
    void anOutageOrAPauseCostsNoMoreAfterAChange(Trouble trouble, String leader) {
        List<Integer> before = losses(false, trouble, leader);
        List<Integer> after = losses(true, trouble, leader);
        System.out.println("times lost of " + PHASES + ", from 300 ms on, " + trouble + " of " + leader + ": " + after);
        assertThat(before).startsWith(0, 0, 0, 0).endsWith(PHASES);
        assertThat(after).isEqualTo(before);
    }
}
