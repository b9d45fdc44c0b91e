package io.quorate.core;

import static io.quorate.core.ChangingCluster.node;
import static io.quorate.core.ChangingCluster.nodes;
import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.core.message.SupportMessage.Ack;
import io.quorate.core.message.VoteMessage.Claim;
import io.quorate.core.message.VoteMessage.Vote;
import io.quorate.core.message.VotersMessage.Accept;
import io.quorate.testkit.simulation.VirtualCluster;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** n1 leads while others come to vote, or leave, and whatever is lost of one message: it leads on with its token. */
class LeadersGoOnTest {

    private static final String PATH = "/app";

    private final ChangingCluster nodes = new ChangingCluster(7);
    private final VirtualCluster cluster = nodes.cluster;

    private void lead() {
        cluster.contend(node(1), PATH);
        cluster.await("n1 leads", 20_000, () -> cluster.leaders(PATH).equals(nodes(1)));
        cluster.advance(3000);
    }

    /** Has n1 ask for these, and nothing happens to its leadership in so many milliseconds. */
    private void assertGoesOn(long millis, long number, int... wanted) {
        long token = cluster.token(PATH);
        cluster.changeVoters(node(1), nodes.number(1), nodes(wanted));
        for (int i = 0; i < millis; i++) {
            cluster.advance(1);
            assertThat(cluster.leaders(PATH))
                    .as("%d ms after the change was asked for: %s", i, cluster.changes(node(1)))
                    .isEqualTo(nodes(1));
        }
        assertThat(nodes.number(1)).isEqualTo(number);
        assertThat(cluster.token(PATH)).isEqualTo(token);
    }

    // Of two voters both are needed, and who has just started supports nobody for a support time.
    @ParameterizedTest
    @ValueSource(ints = {0, 50, 300, 600, 900, 1100, 1500})
    void whoeverWasJustStartedComesToVoteWhenItCanSupport(int before) {
        nodes.start(1, 1);
        lead();
        for (int number = 2; number <= 3; number++) {
            cluster.add(VirtualCluster.settings(node(number), nodes(1)).joining());
            cluster.start(node(number));
        }
        cluster.advance(before);
        assertGoesOn(6000, 3, 1, 2, 3);
    }

    @Test
    void aLostClaimAtTheOnlyNewVoter() {
        nodes.start(1, 2);
        lead();
        int[] claims = {0};
        cluster.drop(flight -> flight.message() instanceof Claim && flight.to().equals(node(2)) && claims[0]++ == 0);
        assertGoesOn(3000, 2, 1, 2);
        assertThat(claims[0]).isGreaterThan(1);
    }

    @Test
    void aLostClaimAtTheFourthWhileOneIsDead() {
        nodes.start(3, 4);
        assertThat(nodes.change(1, 1, 2)).isEqualTo("done");
        assertThat(nodes.change(1, 1, 2, 3)).isEqualTo("done");
        lead();
        cluster.crash(node(3));
        cluster.advance(2000);
        int[] claims = {0};
        cluster.drop(flight -> flight.message() instanceof Claim && flight.to().equals(node(4)) && claims[0]++ == 0);
        assertGoesOn(3000, 4, 1, 2, 3, 4);
        assertThat(claims[0]).isGreaterThan(1);
    }

    /** n3 leaves the list while what n2 acknowledges to n1 is lost. */
    private void removeThirdWhileAcknowledgementsAreLost() {
        boolean[] isLost = {true};
        cluster.drop(flight -> isLost[0]
                && flight.message() instanceof Ack
                && flight.from().equals(node(2))
                && flight.to().equals(node(1)));
        cluster.advance(220);
        cluster.changeVoters(node(1), 1, nodes(1, 2));
        cluster.await("n1 knows", 20_000, () -> nodes.number(1) == 2);
        cluster.advance(230);
        isLost[0] = false;
    }

    // n2 has not voted for n1, and its acknowledgements are late when its vote becomes one of those that count. At that
    // instant the frozen lease is the better one, and it ends.
    @ParameterizedTest
    @ValueSource(ints = {650, 700, 750, 800, 850, 900})
    void aLeaseThatWasBetterForAMomentIsLeftInTime(int phase) {
        nodes.start(3, 3);
        cluster.drop(
                flight -> flight.message() instanceof Claim && flight.to().equals(node(2)) && nodes.number(1) == 1);
        lead();
        cluster.advance(phase);
        long token = cluster.token(PATH);
        removeThirdWhileAcknowledgementsAreLost();
        for (int i = 0; i < 1500; i++) {
            cluster.advance(1);
            assertThat(cluster.leaders(PATH)).as("after %d ms", i).isEqualTo(nodes(1));
        }
        assertThat(cluster.token(PATH)).isEqualTo(token);
    }

    // The same where n2 has come back, and is about to vote for thousands: each of their leases has to be left in time.
    @Test
    void leasesOfThousandsThatWereBetterForAMomentAreLeftInTime() {
        nodes.start(3, 3);
        int paths = 12_000;
        boolean[] isMute = {true};
        cluster.drop(flight ->
                isMute[0] && flight.message() instanceof Claim && flight.to().equals(node(2)));
        for (int i = 0; i < paths; i++) {
            cluster.contend(node(1), PATH + i);
        }
        cluster.await("n1 leads", 20_000, () -> cluster.node(node(1)).describe().contains("leads " + paths));
        cluster.advance(3000);
        isMute[0] = false;
        cluster.advance(850);
        removeThirdWhileAcknowledgementsAreLost();
        int changes = cluster.log().size();
        cluster.advance(1500);
        assertThat(cluster.log().stream().skip(changes)).isEmpty();
    }

    // Two of four have voted for it when the fourth leaves. It claims when the floor is known, and so above that.
    @Test
    void aClaimLeadsWhenFewerVotersMakeItsVotesAMajority() {
        nodes.start(4, 4);
        cluster.delays(200, 300);
        boolean[] isProposed = {false};
        boolean[] isVoted = {false};
        cluster.network(flight -> {
            if (flight.message() instanceof Accept && !isProposed[0]) {
                isProposed[0] = true;
                cluster.time().at(cluster.time().now() + 1, () -> cluster.contend(node(1), PATH));
            }
            isVoted[0] |= flight.message() instanceof Vote && flight.from().equals(node(2));
        });
        cluster.drop(flight -> flight.message() instanceof Vote
                && flight.to().equals(node(1))
                && !flight.from().equals(node(2)));
        cluster.changeVoters(node(1), 1, nodes(1, 2, 3));
        cluster.await("n1 knows", 5000, () -> nodes.number(1) == 2);
        assertThat(isVoted[0]).isTrue();
        assertThat(cluster.leaders(PATH)).as(cluster::describe).isEqualTo(nodes(1));
    }
}
