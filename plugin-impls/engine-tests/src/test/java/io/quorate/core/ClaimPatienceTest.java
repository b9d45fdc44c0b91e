package io.quorate.core;

import static io.quorate.core.Contexts.N1;
import static io.quorate.core.Contexts.N2;
import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.core.message.VoteMessage.Claim;
import io.quorate.spi.NodeId;
import io.quorate.testkit.simulation.HighestUp;
import io.quorate.testkit.simulation.VirtualCluster;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * How long a claim waits for votes before it is repeated: as long as votes take lately, within bounds. Here they take
 * 400 ms, and the claim of one path is lost. Two deltas are 40 ms, half a support time is 500 ms.
 */
class ClaimPatienceTest {

    private static final int PATHS = 20;
    private static final String LOST = "/lost";
    private static final int SLOW_MICROS = 200_000;

    private final VirtualCluster cluster = VirtualCluster.ofVoters(3, 5, new HighestUp());
    private final List<Long> sentAt = new ArrayList<>();

    private static String path(String kind, int i) {
        return "/" + kind + "/" + i;
    }

    private void lead(NodeId node, String kind) {
        for (int i = 0; i < PATHS; i++) {
            cluster.contend(node, path(kind, i));
        }
        cluster.await(kind + " are led", 5_000, () -> areLed(node, kind));
    }

    private boolean areLed(NodeId node, String kind) {
        for (int i = 0; i < PATHS; i++) {
            if (!cluster.leaders(path(kind, i)).contains(node)) {
                return false;
            }
        }
        return true;
    }

    /** How long n1 waits for votes on a path on which its claims are lost, in ms. */
    private long patience() {
        cluster.drop(f -> {
            boolean isLost = f.message() instanceof Claim claim && claim.path().equals(LOST);
            if (isLost && (sentAt.isEmpty() || sentAt.get(sentAt.size() - 1) < cluster.nowMillis())) {
                sentAt.add(cluster.nowMillis());
            }
            return isLost;
        });
        cluster.contend(N1, LOST);
        cluster.await("the claim is repeated", 5_000, () -> sentAt.size() > 1);
        return sentAt.get(1) - sentAt.get(0);
    }

    private void slow() {
        cluster.delays(SLOW_MICROS, SLOW_MICROS);
        cluster.advance(2_000);
    }

    @Test
    void isTwoDeltasWhereVotesComeAtOnce() {
        cluster.advance(2_000);
        lead(N1, "quick");
        assertThat(patience()).isEqualTo(40);
    }

    // Twice what votes take would be 750 ms.
    @Test
    void isHalfASupportTimeAtMost() {
        slow();
        lead(N1, "slow");
        assertThat(patience()).isEqualTo(500);
    }

    // Nobody knows whether votes are slow now.
    @Test
    void oldAnswerTimesAreForgotten() {
        slow();
        lead(N1, "slow");
        cluster.delays(100, 100);
        cluster.advance(3_000);
        assertThat(patience()).isEqualTo(40);
    }

    // A leader arranges the votes of its successor, which come with its word.
    @Test
    void votesForANamedSuccessorSayNothing() {
        slow();
        List<Integer> numbers = new ArrayList<>();
        for (int i = 0; i < PATHS; i++) {
            numbers.add(cluster.contend(N2, path("named", i)));
        }
        cluster.await("n2 leads", 5_000, () -> areLed(N2, "named"));
        for (int i = 0; i < PATHS; i++) {
            cluster.contend(N1, path("named", i));
        }
        cluster.advance(1_000);
        lead(N1, "slow");
        numbers.forEach(number -> cluster.withdraw(N2, number));
        long patience = patience();
        assertThat(areLed(N1, "named")).isTrue();
        assertThat(patience).isEqualTo(500);
    }
}
