package io.quorate.core;

import static io.quorate.core.Contexts.N1;
import static io.quorate.core.Contexts.N2;
import static io.quorate.core.Contexts.N3;
import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.core.message.Heard;
import io.quorate.core.message.Inquiry;
import io.quorate.core.message.NodeMessage;
import io.quorate.core.message.Outdated;
import io.quorate.core.step.Connection;
import io.quorate.core.step.NodeEvent;
import io.quorate.core.step.Tenure;
import io.quorate.spi.NodeId;
import io.quorate.testkit.simulation.HighestUp;
import io.quorate.testkit.simulation.VirtualCluster;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** ADR-0023: a node whose number is below that of a former life begins a new one, in place. */
class AdoptedLifeTest {

    private static final String PATH = "/app/leader";
    private static final NodeId OBSERVER = new NodeId("o1");

    private final VirtualCluster cluster = VirtualCluster.ofVoters(3, 11, new HighestUp());

    @BeforeEach
    void quarantine() {
        cluster.advance(1500);
    }

    private void adopts(NodeId node) {
        long life = cluster.incarnation(node);
        NodeId voter = node.equals(N2) ? N3 : N2;
        cluster.inject(voter, cluster.incarnation(voter), node, new Outdated(life + 5));
        assertThat(cluster.node(node).incarnation()).isEqualTo(life + 6);
        assertThat(cluster.incarnation(node)).as("on disk").isEqualTo(life + 6);
    }

    private int lead(NodeId node) {
        int number = cluster.contend(node, PATH);
        cluster.await(node + " leads", 1000, () -> cluster.leaders(PATH).equals(List.of(node)));
        return number;
    }

    @Test
    void itsTenureEndsAtOnceAndAnotherFollowsWithAHigherToken() {
        int number = lead(N1);
        cluster.contend(N2, PATH);
        cluster.advance(500);
        Tenure tenure = cluster.tenure(N1, number).orElseThrow();
        adopts(N1);
        assertThat(tenure.isEnded()).isTrue();
        cluster.await("n2 leads", 3000, () -> cluster.leaders(PATH).equals(List.of(N2)));
        assertThat(cluster.token(PATH)).isGreaterThan(tenure.token());
        assertThat(cluster.view(N2, PATH).orElseThrow().contenders()).hasSize(2);
    }

    @Test
    void aloneOnItsPathItLeadsAgain() {
        int number = lead(N1);
        long token = cluster.token(PATH);
        adopts(N1);
        cluster.await("n1 leads again", 3000, () -> cluster.leaders(PATH).equals(List.of(N1)));
        assertThat(cluster.token(PATH)).isGreaterThan(token);
        assertThat(cluster.tenure(N1, number)).isPresent();
        cluster.advance(3000);
        assertThat(cluster.leaders(PATH)).containsExactly(N1);
    }

    @Test
    void aVoterVotesOnInItsNewLife() {
        adopts(N2);
        cluster.isolate(N3);
        lead(N1);
        cluster.advance(3000);
        assertThat(cluster.leaders(PATH)).containsExactly(N1);
    }

    @Test
    void aNodeThatDoesNotVoteAdoptsOneToo() {
        cluster.add(VirtualCluster.settings(OBSERVER, List.of(N1, N2, N3)));
        cluster.start(OBSERVER);
        cluster.advance(500);
        lead(OBSERVER);
        adopts(OBSERVER);
        assertThat(cluster.leaders(PATH)).isEmpty();
        cluster.await("it leads again", 3000, () -> cluster.leaders(PATH).equals(List.of(OBSERVER)));
    }

    @Test
    void aWaitingContenderKeepsItsPlaceInTheQueue() {
        lead(N1);
        int waiting = cluster.contend(N2, PATH);
        cluster.advance(500);
        adopts(N2);
        cluster.advance(500);
        assertThat(cluster.leaders(PATH)).containsExactly(N1);
        assertThat(cluster.view(N1, PATH).orElseThrow().contenders())
                .extracting(entry -> entry.node())
                .containsExactly(N1, N2);
        cluster.crash(N1);
        cluster.await("n2 leads", 3000, () -> cluster.leaders(PATH).equals(List.of(N2)));
        assertThat(cluster.tenure(N2, waiting)).isPresent();
    }

    @Test
    void itIsConnectedAgain() {
        adopts(N1);
        cluster.advance(1500);
        assertThat(cluster.node(N1).connection()).isIn(Connection.CONNECTED, Connection.RECONNECTED);
        assertThat(cluster.node(N2).isUp(N1)).isTrue();
    }

    // It acknowledges in the epochs of its former number: who knows of one of these has heard this very process.
    @Test
    void aVoterStillTellsASecondProcessThatTheFirstIsAlive() {
        adopts(N2);
        cluster.advance(500);
        List<Heard> told = new ArrayList<>();
        cluster.network(flight -> {
            if (flight.message() instanceof Heard heard) {
                told.add(heard);
            }
        });
        long second = cluster.incarnation(N1) + 1000;
        for (int asked = 0; asked < 3; asked++) {
            cluster.inject(N1, second, N2, new Inquiry());
            cluster.advance(500);
        }
        assertThat(told).contains(new Heard(cluster.incarnation(N1)));
    }

    @Test
    void whatIsNotNewerChangesNothing() {
        lead(N1);
        long life = cluster.incarnation(N1);
        for (long former : new long[] {1, life - 1}) {
            cluster.inject(N2, cluster.incarnation(N2), N1, new Outdated(former));
        }
        assertThat(cluster.incarnation(N1)).isEqualTo(life);
        assertThat(cluster.leaders(PATH)).containsExactly(N1);
        cluster.inject(N2, cluster.incarnation(N2), N1, new Outdated(life));
        assertThat(cluster.incarnation(N1))
                .as("another process has this number")
                .isEqualTo(life + 1);
    }

    @Test
    void whatIsFarAboveTheClockIsSaidAndNotFollowed() {
        long life = cluster.incarnation(N1);
        cluster.inject(N2, cluster.incarnation(N2), N1, new Outdated(NodeMessage.NUMBER_MAX));
        assertThat(cluster.incarnation(N1)).isEqualTo(life);
        // It takes no part for nothing: a claim goes on.
        lead(N1);
    }

    // What a stopped node is told has no effect.
    @Test
    void aClosedNodeAdoptsNothing() {
        cluster.step(N1, new NodeEvent.Close());
        cluster.advance(1000);
        long life = cluster.node(N1).incarnation();
        assertThat(cluster.node(N1).isStopped()).isTrue();
        cluster.node(N1)
                .step(
                        cluster.clock(N1).nanoTime(),
                        new NodeEvent.Received(N2, cluster.incarnation(N2), new Outdated(life + 5)));
        assertThat(cluster.node(N1).incarnation()).isEqualTo(life);
        assertThat(cluster.node(N1).nextWake() - cluster.clock(N1).nanoTime()).isGreaterThan(1_000_000_000L);
    }
}
