package io.quorate.core;

import static io.quorate.core.Contexts.N1;
import static io.quorate.core.Contexts.N2;
import static io.quorate.core.Contexts.N3;
import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.core.message.VoteMessage.Claim;
import io.quorate.core.message.VoteMessage.Nack;
import io.quorate.core.message.VoteMessage.Vote;
import io.quorate.spi.NodeId;
import io.quorate.testkit.simulation.HighestUp;
import io.quorate.testkit.simulation.VirtualCluster;
import io.quorate.testkit.simulation.VirtualCluster.Flight;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * A node claims, and repairs, as fast as voters answer (ADR-0085). Three voters; the support time is 1 s, a heartbeat
 * 200 ms, and a claim that nobody answers is repeated after 40 ms at first.
 */
class ClaimPaceTest {

    private static final int PATHS = 400;
    private static final int YOUNG_MIN = 8;
    private static final int BATCH_MIN = 16;
    private static final String ALONE = "/alone";

    private final VirtualCluster cluster = VirtualCluster.ofVoters(3, 5, new HighestUp());
    /** How often each path was claimed from another node. */
    private final Map<String, Integer> claims = new HashMap<>();

    private static String path(int i) {
        return "/many/" + i;
    }

    private void contend(NodeId node) {
        for (int i = 0; i < PATHS; i++) {
            cluster.contend(node, path(i));
        }
    }

    private void countClaims(NodeId voter) {
        cluster.network(flight -> {
            if (flight.message() instanceof Claim claim && flight.to().equals(voter)) {
                claims.merge(claim.path(), 1, Integer::sum);
            }
        });
    }

    private int sum() {
        return claims.values().stream().mapToInt(Integer::intValue).sum();
    }

    private long led(NodeId node) {
        long led = 0;
        for (int i = 0; i < PATHS; i++) {
            led += cluster.leaders(path(i)).contains(node) ? 1 : 0;
        }
        return led;
    }

    @Test
    void fewPathsAreClaimedWhileNobodyAnswers() {
        cluster.advance(2_000);
        cluster.drop(ClaimPaceTest::isAnswer);
        countClaims(N2);
        contend(N1);
        cluster.advance(30);
        assertThat(claims).as("before the first is late").hasSize(YOUNG_MIN);
        cluster.advance(250);
        assertThat(claims).as("while they wait longer and longer").hasSizeBetween(2 * YOUNG_MIN, 6 * YOUNG_MIN);
    }

    @Test
    void allAreClaimedSoonWhenVotersAnswer() {
        cluster.advance(2_000);
        contend(N1);
        cluster.await("n1 leads all", 100, () -> led(N1) == PATHS);
    }

    // What a link takes at its best is no sign of too many claims.
    @Test
    void allAreClaimedSoonOnALinkThatIsLong() {
        cluster.delays(30_000, 30_001);
        cluster.advance(2_000);
        contend(N1);
        cluster.await("n1 leads all", 1_000, () -> led(N1) == PATHS);
    }

    // It is a queue: whoever fails goes to its end.
    @Test
    void aPathIsClaimedAlthoughOthersFailForEver() {
        int failing = 5 * YOUNG_MIN;
        cluster.advance(2_000);
        cluster.drop(f -> f.message() instanceof Claim claim && !claim.path().equals(ALONE));
        for (int i = 0; i < failing; i++) {
            cluster.contend(N1, path(i));
        }
        cluster.advance(3_000);
        cluster.contend(N1, ALONE);
        cluster.await("n1 leads it", 5_000, () -> cluster.leaders(ALONE).contains(N1));
    }

    /** n1 leads all without n3, which then supports it and does not answer. */
    private void leadWithout() {
        cluster.crash(N3);
        cluster.advance(2_000);
        contend(N1);
        cluster.await("n1 leads all", 2_000, () -> led(N1) == PATHS);
        cluster.drop(flight -> flight.from().equals(N3) && isAnswer(flight));
        cluster.start(N3);
        countClaims(N3);
        cluster.await("n3 is asked", 5_000, () -> sum() > 0);
    }

    private static boolean isAnswer(Flight flight) {
        return flight.message() instanceof Vote || flight.message() instanceof Nack;
    }

    @Test
    void aVoterThatDoesNotAnswerIsAskedForFewVotesInASupportTime() {
        leadWithout();
        cluster.advance(900);
        assertThat(sum()).isEqualTo(BATCH_MIN);
        cluster.advance(3_000);
        assertThat(sum()).isBetween(2 * BATCH_MIN, 5 * BATCH_MIN);
    }

    @Test
    void aVoterThatAnswersIsAskedForAllInSomePeriods() {
        leadWithout();
        cluster.heal();
        cluster.await("n3 is asked for all", 3_500, () -> claims.size() == PATHS);
        cluster.advance(500);
        int sum = sum();
        cluster.advance(3_000);
        assertThat(sum()).as("nothing is missing any more").isEqualTo(sum);
    }

    // At 4 ms for each claim, with its answer, all of them take 1.6 s.
    @Test
    void aSlowVoterIsAskedAsFastAsItAnswers() {
        leadWithout();
        cluster.heal();
        cluster.process(N3).serviceTime(2_000_000);
        int longest = 0;
        for (int i = 0; i < 600; i++) {
            cluster.advance(10);
            longest = Math.max(longest, cluster.process(N3).waiting());
        }
        assertThat(claims).as("paths that n3 was asked for").hasSize(PATHS);
        assertThat(sum()).isLessThan(PATHS + PATHS / 4);
        assertThat(longest).as("messages that wait for n3").isLessThan(PATHS / 2);
    }
}
