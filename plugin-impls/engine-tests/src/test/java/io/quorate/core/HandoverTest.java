package io.quorate.core;

import static io.quorate.core.Contexts.N1;
import static io.quorate.core.Contexts.N2;
import static io.quorate.core.Contexts.N3;
import static org.assertj.core.api.Assertions.assertThat;

import com.example.election.RollCall;
import io.quorate.core.message.ContenderId;
import io.quorate.core.message.DirectoryMessage.Listings;
import io.quorate.core.message.NodeMessage;
import io.quorate.core.message.VoteMessage.Challenge;
import io.quorate.core.message.VoteMessage.Claim;
import io.quorate.core.message.VoteMessage.Elect;
import io.quorate.core.message.VoteMessage.Handover;
import io.quorate.core.message.VoteMessage.Release;
import io.quorate.core.message.VoteMessage.Vote;
import io.quorate.core.step.NodeEvent;
import io.quorate.engine.Epoch;
import io.quorate.spi.NodeId;
import io.quorate.testkit.simulation.HighestUp;
import io.quorate.testkit.simulation.VirtualCluster;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Leadership that is given up, or transferred; n1, n2 and n3 have joined in this order, and n1 leads. */
class HandoverTest {

    private static final String PATH = "/app/leader";

    private final VirtualCluster cluster = VirtualCluster.ofVoters(3, 7, new HighestUp());
    private int first;

    @BeforeEach
    void n1Leads() {
        cluster.advance(1500);
        first = cluster.contend(N1, PATH);
        cluster.await("n1 leads", 1000, () -> cluster.leaders(PATH).contains(N1));
        cluster.contend(N2, PATH);
        cluster.advance(100);
        cluster.contend(N3, PATH);
        cluster.advance(1000);
    }

    private void transfer(NodeId to) {
        cluster.step(N1, new NodeEvent.TransferTo(first, to.value()));
    }

    private long awaitLeader(NodeId node) {
        return cluster.await(node + " leads", 4000, () -> cluster.leaders(PATH).contains(node));
    }

    @Test
    void nextContenderFollowsALeaderThatResigns() {
        cluster.resign(N1, first);
        assertThat(awaitLeader(N2)).as("milliseconds; an election takes longer").isLessThan(3);
        cluster.advance(1000);
        cluster.crash(N2);
        awaitLeader(N3);
        cluster.advance(1000);
        assertThat(cluster.leaders(PATH)).containsExactly(N3);
    }

    // H8: the successor claims already. An election costs a message for each pair, in the moment in which all wait.
    @ParameterizedTest
    @ValueSource(ints = {1, 4, 9})
    void nobodyElectsWhileTheSuccessorClaims(int oneWayMillis) {
        VirtualCluster electing = VirtualCluster.ofVoters(3, 7, new RollCall());
        electing.advance(1500);
        int leading = electing.contend(N1, PATH);
        electing.await("n1 leads", 1000, () -> electing.leaders(PATH).contains(N1));
        electing.contend(N2, PATH);
        electing.advance(100);
        electing.contend(N3, PATH);
        electing.advance(1000);
        electing.delays(1000 * oneWayMillis - 500, 1000 * oneWayMillis);
        List<NodeMessage> elections = new ArrayList<>();
        electing.network(flight -> {
            if (flight.message() instanceof Elect elect) {
                elections.add(elect);
            }
        });
        electing.resign(N1, leading);
        electing.await("n2 leads", 4000, () -> electing.leaders(PATH).contains(N2));
        electing.advance(1000);
        assertThat(elections).isEmpty();
        // So it can fail: after a crash they do elect.
        electing.crash(N2);
        electing.await("n3 leads", 4000, () -> electing.leaders(PATH).contains(N3));
        assertThat(elections).isNotEmpty();
    }

    @Test
    void resigningAloneLeadsAgain() {
        VirtualCluster alone = VirtualCluster.ofVoters(3, 8, new HighestUp());
        alone.advance(1500);
        int number = alone.contend(N2, PATH);
        alone.await("a leader", 1000, () -> alone.leader(PATH).isPresent());
        long token = alone.token(PATH);
        alone.resign(N2, number);
        assertThat(alone.leaders(PATH)).isEmpty();
        alone.await("a leader again", 4000, () -> alone.leader(PATH).isPresent());
        assertThat(alone.token(PATH)).isGreaterThan(token);
    }

    @Test
    void leadershipGoesToWhomItIsTransferred() {
        transfer(N3);
        assertThat(awaitLeader(N3)).as("milliseconds").isLessThan(6);
        assertThat(cluster.transfers(N1)).containsExactly("to n3");
        cluster.advance(5000);
        assertThat(cluster.leaders(PATH)).as("it stays").containsExactly(N3);
        cluster.crash(N3);
        awaitLeader(N1);
    }

    @Test
    void transferToNobodyOrToSeveralIsRefused() {
        transfer(new NodeId("n9"));
        cluster.contend(N2, PATH);
        cluster.advance(100);
        transfer(N2);
        cluster.advance(100);
        assertThat(cluster.transfers(N1))
                .containsExactly(
                        "refused: participant id 'n9': 0 contenders of /app/leader have it, must be exactly one",
                        "refused: participant id 'n2': 2 contenders of /app/leader have it, must be exactly one");
        assertThat(cluster.leaders(PATH)).containsExactly(N1);
    }

    @Test
    void transferToANodeThatIsNotUpIsRefused() {
        cluster.pause(N2);
        cluster.advance(600);
        transfer(N2);
        cluster.advance(100);
        assertThat(cluster.transfers(N1))
                .containsExactly(
                        "refused: leadership of /app/leader cannot be transferred to" + " 'n2': its node n2 is not up");
        assertThat(cluster.leaders(PATH)).containsExactly(N1);
    }

    @Test
    void onlyALeaderTransfers() {
        transfer(N2);
        awaitLeader(N2);
        transfer(N3);
        cluster.advance(100);
        assertThat(cluster.transfers(N1))
                .containsExactly(
                        "to n2", "refused: leadership cannot be transferred to 'n3': this contender does not lead");
        assertThat(cluster.leaders(PATH)).containsExactly(N2);
    }

    @Test
    void transferToOneselfChangesNothing() {
        long token = cluster.token(PATH);
        transfer(N1);
        cluster.advance(1000);
        assertThat(cluster.transfers(N1)).containsExactly("to n1");
        assertThat(cluster.token(PATH)).isEqualTo(token);
    }

    @Test
    void successorThatDiesAtThatMomentIsReplacedByTheOldLeader() {
        transfer(N2);
        cluster.crash(N2);
        awaitLeader(N1);
        cluster.advance(3000);
        assertThat(cluster.leaders(PATH)).containsExactly(N1);
    }

    // Of three voters the leader and its successor are two: the votes of both are there when the hand-over is.
    @Test
    void successorLeadsAfterOneMessage() {
        cluster.delays(10_000, 10_000);
        cluster.advance(500);
        cluster.forgetMessages();
        cluster.resign(N1, first);
        assertThat(awaitLeader(N2)).as("milliseconds").isBetween(10L, 11L);
        assertThat(cluster.messages()).as("nobody has to claim").doesNotContainKey("Claim");
    }

    @Test
    void ofFiveVotersItLeadsAfterTwo() {
        VirtualCluster five = VirtualCluster.ofVoters(5, 9, new HighestUp());
        five.advance(1500);
        int number = five.contend(N1, PATH);
        five.await("n1 leads", 1000, () -> five.leaders(PATH).contains(N1));
        five.contend(N2, PATH);
        five.delays(10_000, 10_000);
        five.advance(1000);
        five.resign(N1, number);
        assertThat(five.await("n2 leads", 4000, () -> five.leaders(PATH).contains(N2)))
                .isBetween(20L, 21L);
    }

    // The successor's support was renewed up to two periods ago, which would be missing at the end of its lease.
    @Test
    void successorHasAWholeLeaseAtOnce() {
        int second = waiting(N2);
        for (int phase = 0; phase < 10; phase++) {
            cluster.advance(17);
            NodeId leader = cluster.leader(PATH).orElseThrow();
            NodeId next = leader.equals(N1) ? N2 : N1;
            cluster.step(leader, new NodeEvent.TransferTo(leader.equals(N1) ? first : second, next.value()));
            awaitLeader(next);
            cluster.advance(5);
            assertThat(cluster.tenure(next, next.equals(N1) ? first : second)
                            .orElseThrow()
                            .remainingNanos(cluster.clock(next)))
                    .as("of 818 ms")
                    .isGreaterThan(805_000_000);
        }
    }

    @Test
    void votesThatOvertakeTheHandoverAreAskedForAgain() {
        cluster.delays(100, 100);
        cluster.advance(500);
        List<Vote> early = new ArrayList<>();
        cluster.drop(f -> f.message() instanceof Vote vote && early.size() < 2 && early.add(vote));
        cluster.resign(N1, first);
        assertThat(awaitLeader(N2)).as("milliseconds").isBetween(1L, 3L);
        assertThat(early).hasSize(2);
    }

    // A majority of votes is there, and only the word of the leader is missing.
    @Test
    void votesAreEnoughIfTheWordOfTheHandoverIsLost() {
        cluster.delays(10_000, 10_000);
        cluster.advance(500);
        cluster.drop(f -> f.message() instanceof Handover);
        cluster.resign(N1, first);
        assertThat(awaitLeader(N2))
                .as("milliseconds; an election takes more than a hundred")
                .isBetween(10L, 21L);
    }

    @Test
    void votesThatOvertakeTheHandoverCount() {
        cluster.delays(10_000, 10_000);
        cluster.advance(500);
        cluster.forgetMessages();
        List<Handover> late = new ArrayList<>();
        cluster.drop(f -> f.message() instanceof Handover handover && late.isEmpty() && late.add(handover));
        cluster.resign(N1, first);
        cluster.advance(10);
        cluster.inject(N1, cluster.node(N1).incarnation(), N2, late.get(0));
        assertThat(awaitLeader(N2)).as("milliseconds").isLessThan(12);
        cluster.advance(1000);
        assertThat(cluster.leaders(PATH)).containsExactly(N2);
    }

    // The leader is a voter, and hears of it at once; that n3 still lists n2 says nothing.
    @Test
    void contenderThatLeftDoesNotFollow() {
        List<NodeId> successors = new ArrayList<>();
        cluster.drop(f -> f.to().equals(N1) && f.message() instanceof Listings
                || f.message() instanceof Handover && successors.add(f.to()) && false);
        cluster.withdraw(N2, waiting(N2));
        cluster.advance(10);
        cluster.resign(N1, first);
        awaitLeader(N3);
        assertThat(successors).containsOnly(N3);
    }

    @Test
    void successorThatHasJustLeftIsReplacedAtOnce() {
        cluster.withdraw(N2, waiting(N2));
        cluster.resign(N1, first);
        assertThat(cluster.await("n3 leads", 4000, () -> cluster.leader(PATH).isPresent()))
                .as("milliseconds; whoever takes over has 80 for it")
                .isLessThan(40);
    }

    @Test
    void successorWhoseVotesAreLostClaimsAgain() {
        cluster.drop(f -> f.message() instanceof Vote || f.message() instanceof Release && !f.to().equals(N2));
        cluster.resign(N1, first);
        cluster.advance(30);
        assertThat(cluster.leaders(PATH)).isEmpty();
        cluster.heal();
        assertThat(awaitLeader(N2)).as("milliseconds").isLessThan(60);
    }

    // A voter asked whether the vote is needed before the hand-over came. It was not, so that term is used up.
    @Test
    void handoverInATermThatWasGivenBackIsAClaimInAHigherOne() {
        List<Claim> claims = new ArrayList<>();
        cluster.drop(f -> f.from().equals(N2) && f.message() instanceof Claim claim && claims.add(claim) && false);
        int second = waiting(N2);
        ContenderId waiter = new ContenderId(N2, cluster.node(N2).incarnation(), second);
        cluster.inject(N3, cluster.node(N3).incarnation(), N2, new Challenge(PATH, waiter, 40));
        cluster.inject(N1, cluster.node(N1).incarnation(), N2, new Handover(PATH, second, 0, 40));
        assertThat(claims).isNotEmpty().allMatch(claim -> claim.term() > 40);
    }

    @Test
    void unusableVotesAreGivenBackImmediately() {
        List<Object> sent = recordReleases();
        Release givesBack = new Release(PATH, 77, 5, Optional.empty());
        cluster.inject(N1, cluster.node(N1).incarnation(), N2, new Handover(PATH, 77, 0, 5));
        assertThat(sent).as("there is no such contender, or no longer").contains(givesBack);
        sent.clear();
        cluster.inject(N1, cluster.node(N1).incarnation(), N2, new Handover("/unknown", 77, 0, 5));
        assertThat(sent).contains(new Release("/unknown", 77, 5, Optional.empty()));
        sent.clear();
        int second = waiting(N2);
        cluster.isolate(N2);
        cluster.advance(2000);
        cluster.inject(N1, cluster.node(N1).incarnation(), N2, new Handover(PATH, second, 0, 50));
        assertThat(sent).as("it has lost its place").contains(new Release(PATH, second, 50, Optional.empty()));
        cluster.heal();
        sent = recordReleases();
        cluster.await("n2 waits again", 1000, () -> isWaiting(N2));
        cluster.inject(N1, cluster.node(N1).incarnation(), N2, new Handover(PATH, second, 0, 60));
        assertThat(sent).as("it may not claim yet").contains(new Release(PATH, second, 60, Optional.empty()));
    }

    // It had left before the leader named it, and nobody may ever claim the path again.
    @Test
    void voteForOneThatIsGoneIsGivenBack() {
        List<Object> sent = recordReleases();
        cluster.inject(
                N3,
                cluster.node(N3).incarnation(),
                N2,
                new Vote("/gone", 77, 5, new Epoch(cluster.node(N3).incarnation(), 1)));
        assertThat(sent).contains(new Release("/gone", 77, 5, Optional.empty()));
    }

    private List<Object> recordReleases() {
        List<Object> sent = new ArrayList<>();
        cluster.drop(f -> f.from().equals(N2) && f.message() instanceof Release && sent.add(f.message()) && false);
        return sent;
    }

    private boolean isWaiting(NodeId node) {
        return cluster.view(node, PATH)
                .filter(v -> v.contenders().stream().anyMatch(e -> e.node().equals(node)))
                .isPresent();
    }

    private int waiting(NodeId node) {
        return cluster.view(node, PATH).orElseThrow().contenders().stream()
                .filter(e -> e.node().equals(node))
                .mapToInt(e -> Math.toIntExact(e.number()))
                .findFirst()
                .orElseThrow();
    }

    // The hint is lost, and the vote comes to one that must not claim yet: who voted need not wait for a challenge.
    @Test
    void voteThatCannotBeUsedIsGivenBack() {
        cluster.isolate(N3);
        cluster.advance(3000);
        cluster.heal();
        cluster.await("n3 is back in the queue", 3000, () -> cluster.view(N3, PATH)
                .filter(view -> view.contenders().stream()
                        .anyMatch(entry -> entry.node().equals(N3)))
                .isPresent());
        List<Release> given = new ArrayList<>();
        cluster.network(flight -> {
            if (flight.message() instanceof Release release && flight.from().equals(N3)) {
                given.add(release);
            }
        });
        Vote vote = new Vote(PATH, 3, 90, new Epoch(cluster.incarnation(N1), 1));
        cluster.inject(N1, cluster.incarnation(N1), N3, vote);
        assertThat(given).containsExactly(new Release(PATH, 3, 90, Optional.empty()));
        assertThat(cluster.leaders(PATH)).containsExactly(N1);
    }
}
