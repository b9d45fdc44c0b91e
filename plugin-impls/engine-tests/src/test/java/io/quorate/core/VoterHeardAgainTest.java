package io.quorate.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.core.message.DirectoryMessage.Listings;
import io.quorate.core.step.NodeEvent;
import io.quorate.engine.Connection;
import io.quorate.engine.PathView;
import io.quorate.spi.NodeId;
import io.quorate.testkit.simulation.HighestUp;
import io.quorate.testkit.simulation.VirtualCluster;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A voter that is heard too late at the moment of CONNECTED, and has supported all the time, in one epoch. */
class VoterHeardAgainTest {

    private static final String PATH = "/app/leader";
    private static final NodeId N1 = new NodeId("n1");
    private static final NodeId N2 = new NodeId("n2");
    private static final NodeId N3 = new NodeId("n3");
    private static final NodeId C = new NodeId("c");
    private static final List<NodeId> VOTERS = List.of(N1, N2, N3);

    private final VirtualCluster cluster = new VirtualCluster(7, new HighestUp());

    @BeforeEach
    void start() {
        for (NodeId voter : VOTERS) {
            cluster.add(VirtualCluster.settings(voter, VOTERS));
            cluster.start(voter);
        }
        cluster.advance(3000);
        cluster.add(VirtualCluster.settings(C, VOTERS));
    }

    private void n3ToldFirst() {
        cluster.cut(C, N1);
        cluster.cut(C, N2);
        cluster.start(C);
    }

    /** n3 hears c, and c does not hear n3. */
    private void n3IsNotHeard() {
        cluster.drop(f -> f.from().equals(N3) && f.to().equals(C));
    }

    @Test
    void aContenderJoinsWhileAMajorityLives() {
        n3ToldFirst();
        cluster.contend(C, PATH);
        cluster.advance(1000);
        n3IsNotHeard();
        cluster.advance(2000);
        cluster.heal();
        n3IsNotHeard();
        // n2 dies before it has told c anything.
        cluster.drop(f -> f.from().equals(N2) && f.to().equals(C) && f.message() instanceof Listings);
        cluster.await("c is connected", 10_000, () -> cluster.connections(C).contains(Connection.CONNECTED));
        cluster.heal();
        cluster.crash(N2);
        cluster.advance(60_000);
        assertThat(cluster.connections(C)).as("once, and never lost").containsExactly(Connection.CONNECTED);
        assertThat(cluster.leaders(PATH)).as(cluster::describe).containsExactly(C);
    }

    @Test
    void aLeaderThatHasGoneIsNotShownByAMajority() {
        int gone = cluster.contend(N1, PATH);
        cluster.await("n1 leads", 5000, () -> cluster.leaders(PATH).equals(List.of(N1)));
        n3ToldFirst();
        cluster.step(C, new NodeEvent.WatchPath(PATH, true));
        cluster.advance(1000);
        n3IsNotHeard();
        cluster.advance(2000);
        cluster.heal();
        n3IsNotHeard();
        cluster.await("c is connected", 10_000, () -> cluster.connections(C).contains(Connection.CONNECTED));
        cluster.advance(300);
        cluster.heal();
        cluster.advance(500);
        cluster.cut(C, N2);
        cluster.withdraw(N1, gone);
        cluster.advance(600_000);
        assertThat(cluster.connections(C)).as("once, and never lost").containsExactly(Connection.CONNECTED);
        assertThat(cluster.view(C, PATH).flatMap(PathView::leader))
                .as("n1 and n3 support c, and both know that no leader; %s", cluster.describe())
                .isEmpty();
        assertThat(cluster.view(C, PATH).orElseThrow().contenders()).isEmpty();
    }
}
