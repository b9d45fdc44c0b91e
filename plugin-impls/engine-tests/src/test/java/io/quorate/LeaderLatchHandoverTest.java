package io.quorate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.DURATION;

import io.quorate.testkit.ClusterSettings;
import io.quorate.testkit.SimulatedCluster;
import io.quorate.testkit.simulation.HighestUp;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Resigning, transferring, tokens and explanations, on the production driver in virtual time; n1 leads. */
class LeaderLatchHandoverTest {

    private static final String PATH = "/app/leader";

    private final SimulatedCluster cluster =
            new SimulatedCluster(ClusterSettings.ofVoters(3).algorithm(new HighestUp()));
    private LeaderLatch first;
    private LeaderLatch second;
    private LeaderLatch third;

    private LeaderLatch latch(String node) throws Exception {
        LeaderLatch latch = new LeaderLatch(cluster.client(node), PATH, node);
        latch.start();
        cluster.advance(Duration.ofMillis(1500));
        return latch;
    }

    @BeforeEach
    void n1Leads() throws Exception {
        first = latch("n1");
        second = latch("n2");
        third = latch("n3");
        assertThat(cluster.leader(PATH)).contains("n1");
    }

    @AfterEach
    void close() {
        cluster.close();
    }

    @Test
    void resignReturnsAfterTheEndAndQueuesAtTheTail() throws Exception {
        assertThat(first.resign()).isTrue();
        assertThat(first.hasLeadership()).isFalse();
        assertThat(first.resign()).as("again").isFalse();
        assertThat(cluster.awaitLeader(PATH)).isEqualTo("n2");
        cluster.advance(Duration.ofSeconds(1));
        assertThat(first.getParticipants()).extracting(Participant::getId).containsExactly("n2", "n3", "n1");
    }

    @Test
    void onlyALeaderCanResign() {
        assertThat(second.resign()).isFalse();
        assertThat(new LeaderLatch(cluster.client("n1"), PATH).resign()).isFalse();
        assertThat(cluster.leader(PATH)).contains("n1");
    }

    @Test
    void leadershipIsTransferred() throws Exception {
        first.transferTo("n3", 5, TimeUnit.SECONDS);
        assertThat(third.hasLeadership()).isTrue();
        assertThat(first.hasLeadership()).isFalse();
        cluster.advance(Duration.ofSeconds(1));
        assertThat(first.getParticipants()).extracting(Participant::getId).containsExactly("n3", "n1", "n2");
    }

    @Test
    void transferThatIsNotPossibleSaysWhyAndKeepsLeadership() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> first.transferTo("n9", 5, TimeUnit.SECONDS))
                .withMessage("participant id 'n9': 0 contenders of /app/leader have it, must be exactly one");
        assertThatIllegalStateException()
                .isThrownBy(() -> second.transferTo("n3", 5, TimeUnit.SECONDS))
                .withMessage("Not leading /app/leader: leadership cannot be transferred to 'n3'");
        cluster.pause("n2");
        cluster.advance(Duration.ofMillis(700));
        assertThatIllegalStateException()
                .isThrownBy(() -> first.transferTo("n2", 5, TimeUnit.SECONDS))
                .withMessageContaining("'n2': its node n2 is not up");
        assertThat(first.hasLeadership()).isTrue();
    }

    @Test
    void successorThatDoesNotComeToLeadIsATimeoutAndTheOldLeaderIsTheNext() {
        cluster.pause("n2");
        assertThatThrownBy(() -> first.transferTo("n2", 300, TimeUnit.MILLISECONDS))
                .isInstanceOf(TimeoutException.class)
                .hasMessageStartingWith("'n2' does not lead /app/leader after 300 MILLISECONDS: ");
        cluster.awaitUntil("n1 leads again", first::hasLeadership);
    }

    @Test
    void transferIsCompleteWhenTheSuccessorLeads() {
        CompletableFuture<Void> done = first.transferTo("n2").toCompletableFuture();
        assertThat(done).isNotDone();
        cluster.awaitUntil("it is done", done::isDone);
        assertThat(second.hasLeadership()).isTrue();
    }

    @Test
    void aFencedListenerIsToldTheToken() throws Exception {
        List<Long> tokens = new ArrayList<>();
        second.addListener((FencedLeaderLatchListener) tokens::add);
        first.addListener((FencedLeaderLatchListener) tokens::add);
        long before = first.fencingToken();
        first.transferTo("n2", 5, TimeUnit.SECONDS);
        cluster.advance(Duration.ofMillis(10));
        assertThat(tokens).containsExactly(second.fencingToken());
        assertThat(second.fencingToken()).isGreaterThan(before);
    }

    @Test
    void explainsWhyItLeadsOrNot() throws Exception {
        assertThat(first.explain().reason()).isEqualTo("it leads with token " + first.fencingToken());
        assertThat(second.explain().reason())
                .contains("leads with token " + first.fencingToken(), "it waits as number 2 of 3");
        assertThat(new LeaderLatch(cluster.client("n1"), PATH).explain().reason())
                .isEqualTo("it is LATENT");
        cluster.isolate("n2");
        cluster.advance(Duration.ofSeconds(2));
        assertThat(second.explain().reason())
                .isEqualTo(
                        "it cannot lead: this node is supported by 1 of 3 voters, which is no majority; n1 was the last"
                                + " that was known to lead, with token " + first.fencingToken());
        assertThat(second.explain().supporters()).containsExactly("n2");
        third.close();
        assertThat(third.explain().toString()).isEqualTo("Latch /app/leader of n3: it is CLOSED");
    }

    // The support of the only voter for itself ends in 73 years, which helps nobody.
    @Test
    void theLeaseOfTheOnlyVoterIsSaidToHaveNoEnd() throws Exception {
        try (SimulatedCluster one =
                new SimulatedCluster(ClusterSettings.ofVoters(1).algorithm(new HighestUp()))) {
            LeaderLatch latch = new LeaderLatch(one.client("n1"), "/app/leader", "n1");
            latch.start();
            one.awaitUntil("it leads", latch::hasLeadership);
            assertThat(latch.explain().toString())
                    .startsWith("Latch /app/leader of n1: it leads with token 1 without an end: no other node votes;")
                    .doesNotContain(" ms more");
        }
    }

    @Test
    void explainsWhoLeadsUntilWhenWhoContendsAndWhoSupportsIt() {
        Explanation explanation = first.explain();
        assertThat(explanation.fencingToken()).hasValue(first.fencingToken());
        assertThat(explanation.leaseLeft()).get(DURATION).isBetween(Duration.ofMillis(1), Duration.ofSeconds(1));
        assertThat(explanation.leader()).contains(new Explanation.Contender("n1", "n1", true, 1));
        assertThat(explanation.contenders())
                .extracting(Explanation.Contender::node)
                .containsExactly("n1", "n2", "n3");
        assertThat(explanation.supporters()).containsExactly("n1", "n2", "n3");
        assertThat(explanation.toString())
                .matches("Latch /app/leader of n1: it leads with token \\d+ for \\d+ ms more;"
                        + " contenders \\[n1 on n1 \\(leader\\), n2 on n2, n3 on n3\\]; supported by \\[n1, n2, n3\\] of voters"
                        + " \\[n1, n2, n3\\]");
        Explanation waiting = second.explain();
        assertThat(waiting.leaseLeft()).isEmpty();
        assertThat(waiting.leader()).isEqualTo(explanation.leader());
        assertThat(waiting.fencingToken()).isEqualTo(explanation.fencingToken());
    }
}
