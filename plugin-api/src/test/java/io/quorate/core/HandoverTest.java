package io.quorate.core;

import static io.quorate.core.Contexts.N1;
import static io.quorate.core.Contexts.N2;
import static io.quorate.core.Contexts.N3;
import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.spi.NodeId;
import io.quorate.testkit.HighestUp;
import io.quorate.testkit.VirtualCluster;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

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
    void whoResignsIsFollowedByTheNextAndQueuesAtTheTail() {
        cluster.resign(N1, first);
        assertThat(awaitLeader(N2)).as("milliseconds").isLessThan(6);
        cluster.advance(1000);
        cluster.crash(N2);
        awaitLeader(N3);
        cluster.advance(1000);
        assertThat(cluster.leaders(PATH)).containsExactly(N3);
    }

    @Test
    void resigningOfATenureThatIsOverDoesNothing() {
        Tenure over = cluster.tenure(N1, first).orElseThrow();
        cluster.resign(N1, first);
        awaitLeader(N2);
        cluster.step(N2, new NodeEvent.Resign(2, over));
        cluster.advance(1000);
        assertThat(cluster.leaders(PATH)).containsExactly(N2);
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
        assertThat(cluster.transfers(N1)).containsExactly(
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
        assertThat(cluster.transfers(N1)).containsExactly("refused: leadership of /app/leader cannot be transferred to"
                + " 'n2': its node n2 is not up");
        assertThat(cluster.leaders(PATH)).containsExactly(N1);
    }

    @Test
    void onlyALeaderTransfers() {
        transfer(N2);
        awaitLeader(N2);
        transfer(N3);
        cluster.advance(100);
        assertThat(cluster.transfers(N1)).containsExactly("to n2",
                "refused: leadership cannot be transferred to 'n3': this contender does not lead");
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
}
