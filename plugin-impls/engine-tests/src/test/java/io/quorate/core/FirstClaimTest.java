package io.quorate.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.engine.Connection;
import io.quorate.spi.NodeId;
import io.quorate.testkit.simulation.HighestUp;
import io.quorate.testkit.simulation.VirtualCluster;
import org.junit.jupiter.api.Test;

/** How soon a node that does not vote leads after it has connected for the first time. */
class FirstClaimTest {

    private static final NodeId CLIENT = new NodeId("client");
    private static final String PATH = "/app/leader";
    private static final int HEARTBEAT = 200;

    private final VirtualCluster cluster = VirtualCluster.ofVoters(3, 31, new HighestUp());

    private void connect() {
        cluster.advance(1500);
        cluster.add(VirtualCluster.settings(CLIENT, Contexts.VOTERS));
        cluster.start(CLIENT);
    }

    private long millisToLead() {
        cluster.await("it is connected", 1000, () -> cluster.connections(CLIENT).contains(Connection.CONNECTED));
        return cluster.await("it leads", 1000, () -> cluster.leaders(PATH).contains(CLIENT));
    }

    // There is nobody who would have to know first that it is up.
    @Test
    void aloneItLeadsAtOnce() {
        connect();
        cluster.contend(CLIENT, PATH);
        assertThat(millisToLead()).isLessThan(20);
    }

    @Test
    void afterALossItWaitsForAHeartbeat() {
        connect();
        cluster.contend(CLIENT, PATH);
        millisToLead();
        cluster.isolate(CLIENT);
        cluster.await("it is lost", 2000, () -> cluster.connections(CLIENT).contains(Connection.LOST));
        cluster.heal();
        cluster.await("it is back", 1000, () -> cluster.connections(CLIENT).contains(Connection.RECONNECTED));
        assertThat(cluster.await("it leads", 1000, () -> cluster.leaders(PATH).contains(CLIENT)))
                .isGreaterThan(HEARTBEAT - 20);
    }
}
