package io.quorate.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.core.message.VotersMessage.DecidedVoters;
import io.quorate.core.voters.VoterList;
import io.quorate.spi.NodeId;
import io.quorate.spi.TransportProvider.HostAndPort;
import io.quorate.testkit.simulation.HighestUp;
import io.quorate.testkit.simulation.VirtualCluster;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** docs/reconfiguration.md, R10: a node whose settings name no voters is told who votes, and contends. */
class JoiningContenderTest {

    private static final String PATH = "/app";
    private static final NodeId N1 = new NodeId("n1");
    private static final NodeId GUEST = new NodeId("guest");
    private static final List<NodeId> VOTERS = List.of(N1, new NodeId("n2"), new NodeId("n3"));
    private static final Map<NodeId, HostAndPort> ADDRESSES = Map.of(
            N1,
            new HostAndPort("10.0.0.1", 7400),
            new NodeId("n4"),
            new HostAndPort("10.0.0.4", 7400),
            new NodeId("n2"),
            new HostAndPort("10.0.0.2", 7400),
            new NodeId("n3"),
            new HostAndPort("10.0.0.3", 7400));

    private final VirtualCluster cluster = new VirtualCluster(7, new HighestUp());

    private void start() {
        VOTERS.forEach(voter -> {
            cluster.add(VirtualCluster.settings(voter, VOTERS).reaching(ADDRESSES));
            cluster.start(voter);
        });
        // It names one voter, and nobody names it.
        cluster.add(VirtualCluster.settings(GUEST, List.of(N1)).joining());
        cluster.diskless(GUEST);
    }

    // Its heartbeats have the digest of a list that its settings do not have.
    @Test
    void itLeadsUnderTheListOfTheOthersSettings() {
        start();
        cluster.start(GUEST);
        cluster.contend(GUEST, PATH);
        cluster.await("it leads", 5000, () -> cluster.leaders(PATH).equals(List.of(GUEST)));
        assertThat(cluster.node(GUEST).voters()).hasToString("number 1: [n1, n2, n3]");
        assertThat(cluster.node(GUEST).describe()).doesNotContain("configured differently");
        cluster.isolate(GUEST, N1);
        cluster.await("it leads no more", 2000, () -> cluster.leaders(PATH).isEmpty());
    }

    @Test
    void itIsToldTheAddressesOfAll() {
        start();
        List<VoterList> told = new ArrayList<>();
        cluster.network(flight -> {
            if (flight.to().equals(GUEST) && flight.message() instanceof DecidedVoters decided) {
                told.add(decided.config());
            }
        });
        cluster.start(GUEST);
        cluster.await("it is told", 5000, () -> cluster.node(GUEST).voters().number() == 1);
        assertThat(told).isNotEmpty();
        told.get(0).members().forEach(member -> assertThat(member.address()).contains(ADDRESSES.get(member.id())));
    }

    // It contends as before, and is told the next list by those that vote.
    @Test
    void itFollowsTheNextList() {
        start();
        NodeId n4 = new NodeId("n4");
        cluster.add(VirtualCluster.settings(n4, VOTERS).joining());
        cluster.start(n4);
        cluster.start(GUEST);
        cluster.contend(GUEST, PATH);
        cluster.await("it leads", 5000, () -> cluster.leaders(PATH).equals(List.of(GUEST)));
        long token = cluster.token(PATH);
        cluster.changeVoters(N1, 1, List.of(n4, VOTERS.get(1), VOTERS.get(2)));
        cluster.await("the change ends", 15_000, () -> !cluster.changes(N1).isEmpty());
        cluster.advance(2000);
        assertThat(cluster.changes(N1)).containsExactly("done");
        assertThat(cluster.node(GUEST).voters().ids()).containsExactly(VOTERS.get(1), VOTERS.get(2), n4);
        assertThat(cluster.token(PATH)).isEqualTo(token);
    }

    @Test
    void itIsForgottenWhenItIsGone() {
        start();
        cluster.start(GUEST);
        cluster.contend(GUEST, PATH);
        cluster.await("it leads", 5000, () -> cluster.leaders(PATH).equals(List.of(GUEST)));
        assertThat(cluster.node(N1).nodesKnown()).isEqualTo(3);
        cluster.crash(GUEST);
        cluster.advance(15_000);
        assertThat(cluster.node(N1).nodesKnown()).isEqualTo(2);
    }

    // It knows the first voters alone, which are gone; of those that it was told to ask, one votes now.
    @Test
    void afterALongAbsenceItAsksThoseThatItNames() {
        VOTERS.forEach(voter -> {
            cluster.add(VirtualCluster.settings(voter, VOTERS));
            cluster.start(voter);
        });
        List<NodeId> next = List.of(new NodeId("n4"), new NodeId("n5"), new NodeId("n6"));
        next.forEach(node -> {
            cluster.add(VirtualCluster.settings(node, VOTERS).joining());
            cluster.start(node);
        });
        cluster.add(VirtualCluster.settings(GUEST, List.of(N1, next.get(0))).joining());
        cluster.diskless(GUEST);
        cluster.start(GUEST);
        cluster.contend(GUEST, PATH);
        cluster.await("it leads", 5000, () -> cluster.leaders(PATH).equals(List.of(GUEST)));
        cluster.isolate(GUEST);
        cluster.changeVoters(N1, 1, next);
        cluster.await("the change ends", 40_000, () -> !cluster.changes(N1).isEmpty());
        assertThat(cluster.changes(N1)).containsExactly("done");
        VOTERS.forEach(cluster::crash);
        cluster.heal();
        cluster.await("it leads again", 5000, () -> cluster.leaders(PATH).equals(List.of(GUEST)));
        assertThat(cluster.node(GUEST).voters().ids()).isEqualTo(next);
    }
}
