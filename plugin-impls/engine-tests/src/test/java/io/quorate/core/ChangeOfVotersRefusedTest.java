package io.quorate.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.core.message.VotersMessage.Acceptance;
import io.quorate.core.message.VotersMessage.Promise;
import io.quorate.core.message.VotersMessage.Ready;
import io.quorate.core.settings.NodeSettings;
import io.quorate.core.step.NodeEvent;
import io.quorate.engine.LeaseTiming;
import io.quorate.spi.NodeId;
import io.quorate.spi.TransportProvider.HostAndPort;
import io.quorate.testkit.simulation.HighestUp;
import io.quorate.testkit.simulation.VirtualCluster;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** docs/reconfiguration.md, the coordinator: what an operator is told when the voters are not as wanted. */
class ChangeOfVotersRefusedTest {

    private static final NodeId N1 = new NodeId("n1");
    private static final NodeId N2 = new NodeId("n2");
    private static final NodeId N3 = new NodeId("n3");
    private static final NodeId N4 = new NodeId("n4");
    private static final List<NodeId> VOTERS = List.of(N1, N2, N3);
    private static final long LIMIT_MILLIS = 40_000;
    private static final String FULL = "no space left";

    private final VirtualCluster cluster = new VirtualCluster(7, new HighestUp());

    /** n1 to n3 vote, and have voted for a while. */
    private void start(Map<NodeId, HostAndPort> addresses) {
        for (NodeId voter : VOTERS) {
            cluster.add(VirtualCluster.settings(voter, VOTERS).reaching(addresses));
            cluster.start(voter);
        }
        cluster.advance(2000);
    }

    private void startWithNewcomer() {
        start(Map.of());
        cluster.add(VirtualCluster.settings(N4, VOTERS).joining());
        cluster.start(N4);
        cluster.advance(2000);
    }

    private String change(long number, NodeId... wanted) {
        return change(N1, number, wanted);
    }

    private String change(NodeId at, long number, NodeId... wanted) {
        int before = cluster.changes(at).size();
        cluster.changeVoters(at, number, List.of(wanted));
        cluster.await("the change ends", LIMIT_MILLIS, () -> cluster.changes(at).size() > before);
        return cluster.changes(at).get(before);
    }

    @Test
    void theNumberIsTheOneThatTheOperatorHasSeen() {
        start(Map.of());
        assertThat(change(7, N1, N2))
                .isEqualTo("number 7 was expected, and the voters are number 1: [n1, n2, n3]. Look, and ask again if it"
                        + " is still wanted");
        assertThat(cluster.node(N1).voters().number()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 7})
    void aListThatIsInForceIsReachedWhateverTheNumber(long number) {
        start(Map.of());
        assertThat(change(number, N3, N2, N1)).isEqualTo("done");
        assertThat(cluster.node(N1).voters().number()).isEqualTo(1);
    }

    @Test
    void aNewVoterHasAnAddress() {
        start(Map.of(N1, new HostAndPort("10.0.0.1", 7400)));
        assertThat(change(1, N1, N2, N3, N4))
                .isEqualTo("voter 'n4': has no address; give it as n4=host:port, or name it in peers");
    }

    @Test
    void aNewVoterIsStartedFirst() {
        start(Map.of(N4, new HostAndPort("10.0.0.4", 7400)));
        cluster.add(VirtualCluster.settings(N4, VOTERS).joining());
        assertThat(change(1, N1, N2, N3, N4))
                .isEqualTo("n4 at 10.0.0.4:7400 has not answered within 15 s. Start it first, with the peers and"
                        + " joins(true)");
    }

    @Test
    void aNewVoterHasADataDirectory() {
        start(Map.of());
        cluster.add(VirtualCluster.settings(N4, VOTERS).joining());
        cluster.diskless(N4);
        cluster.start(N4);
        cluster.advance(2000);
        assertThat(change(1, N1, N2, N3, N4))
                .isEqualTo("n4 has no dataDirectory, and a voter needs one. Give it one, and start it again");
    }

    @Test
    void aNewVoterHasTheSettingsOfTheOthers() {
        start(Map.of());
        NodeSettings usual = VirtualCluster.settings(N4, VOTERS);
        cluster.add(new NodeSettings(
                        "test",
                        N4,
                        VOTERS,
                        new LeaseTiming(200_000_000, 2_000_000_000, 10),
                        usual.timing(),
                        usual.rankOrder(),
                        0,
                        false)
                .joining());
        cluster.start(N4);
        cluster.advance(2000);
        assertThat(change(1, N1, N2, N3, N4))
                .isEqualTo("n4: cluster id, support time or drift differ from those of n1");
    }

    @Test
    void votersInMemoryStay() {
        for (NodeId voter : VOTERS) {
            cluster.add(VirtualCluster.settings(voter, VOTERS));
            cluster.diskless(voter);
            cluster.start(voter);
        }
        cluster.advance(2000);
        assertThat(change(1, N1, N2))
                .isEqualTo(
                        "voters cannot be changed: this cluster keeps its terms in memory, and a restart would forget"
                                + " who votes. Stop the whole cluster, give every node a dataDirectory, then change");
    }

    @Test
    void aMajorityOfThoseWhoVoteAgrees() {
        startWithNewcomer();
        cluster.crash(N2);
        cluster.crash(N3);
        assertThat(change(1, N1, N4))
                .isEqualTo(
                        "of the voters [n1, n2, n3] of number 1 only [n1] answer, and 2 must agree. Bring one back; if"
                                + " that is impossible, see the documentation, 'A majority is lost'");
    }

    @Test
    void aMajorityOfThoseWhoAreToVoteIsThere() {
        startWithNewcomer();
        assertThat(change(1, N1, N2, N3, N4)).isEqualTo("done");
        assertThat(change(2, N1, N2, N3)).isEqualTo("done");
        cluster.crash(N3);
        assertThat(change(3, N1, N3))
                .isEqualTo("of [n1, n3] only [n1] answer, and 2 would be needed. Bring [n3] back, or leave them out");
    }

    @Test
    void errorNamesVotersThatCannotStoreTheChange() {
        startWithNewcomer();
        cluster.diskIsFull(N2, true);
        cluster.diskIsFull(N3, true);
        assertThat(change(1, N1, N2, N3, N4)).contains("n2 cannot store the change: ", "n3 cannot store the change: ");
    }

    @Test
    void errorNamesVotersThatCannotStoreThePromise() {
        startWithNewcomer();
        assertThat(change(1, N1, N2, N3, N4)).isEqualTo("done");
        cluster.advance(2000);
        cluster.diskIsFull(N2, true);
        cluster.diskIsFull(N3, true);
        assertThat(change(2, N1, N2, N3))
                .isEqualTo("n2 cannot store the change: " + FULL + "; n3 cannot store the change: " + FULL);
    }

    @Test
    void proposedListMayComeIntoForceLater() {
        startWithNewcomer();
        cluster.drop(flight -> flight.message() instanceof Acceptance);
        assertThat(change(1, N1, N2, N3, N4))
                .isEqualTo("number 2 as [n1, n2, n3, n4] was proposed and not confirmed within 15 s: it may come into"
                        + " force by itself, with the next change, or never. Ask again with the same list");
        cluster.heal();
        assertThat(change(1, N1, N2, N3, N4)).isEqualTo("done");
        assertThat(cluster.node(N1).voters()).hasToString("number 2: [n1, n2, n3, n4]");
    }

    @Test
    void theStepsThatAreDoneAreTold() {
        startWithNewcomer();
        cluster.changeVoters(N1, 1, List.of(N1, N2, N4));
        cluster.await("the first step", 5000, () -> cluster.node(N1).voters().number() == 2);
        cluster.crash(N2);
        cluster.crash(N4);
        cluster.await("it ends", LIMIT_MILLIS, () -> !cluster.changes(N1).isEmpty());
        assertThat(cluster.changes(N1).get(0))
                .startsWith("number 2: [n1, n2, n3, n4] is in force, and [n1, n2, n4] is not: of ")
                .endsWith(". Ask again with the same list");
    }

    @Test
    void oneChangeAtATime() {
        startWithNewcomer();
        cluster.changeVoters(N1, 1, List.of(N1, N2, N3, N4));
        assertThat(change(1, N1, N2))
                .isEqualTo("another change of voters is under way at this node, to [n1, n2, n3, n4]. Wait for its end");
    }

    @Test
    void nodeWithoutAListDoesNotChangeIt() {
        cluster.add(VirtualCluster.settings(N4, VOTERS).joining());
        cluster.start(N4);
        cluster.advance(2000);
        assertThat(change(N4, 0, N4))
                .isEqualTo("this node has not been told yet who votes. Ask again when it is connected");
    }

    @Test
    void anAddressAloneDoesNotChange() {
        startWithNewcomer();
        Map<NodeId, Optional<HostAndPort>> wanted = new TreeMap<>();
        VOTERS.forEach(voter -> wanted.put(voter, Optional.empty()));
        wanted.put(N4, Optional.of(new HostAndPort("old", 7400)));
        cluster.step(N1, new NodeEvent.ChangeVoters(4711, 1, wanted));
        cluster.await("n4 votes", LIMIT_MILLIS, () -> !cluster.changes(N1).isEmpty());
        wanted.put(N4, Optional.of(new HostAndPort("new", 7400)));
        cluster.step(N1, new NodeEvent.ChangeVoters(4712, 2, wanted));
        cluster.advance(100);
        assertThat(cluster.changes(N1))
                .containsExactly(
                        "done",
                        "the address of n4 cannot change alone. Have the others vote without it, and then with it at"
                                + " its new address");
    }

    // The next promise waits until all support under the number before has run out, which is longer here than 15 s.
    @Test
    void aStepHasTheTimeThatTheSupportTakes() {
        ChangingCluster nodes = new ChangingCluster(7);
        nodes.start(3, 5, new LeaseTiming(4_000_000_000L, 20_000_000_000L, 10));
        assertThat(nodes.change(1, 1, 2, 4)).isEqualTo("done");
    }

    // Whether somebody is dead shows after three heartbeats.
    @Test
    void aDeadVoterLeavesWithLongHeartbeats() {
        ChangingCluster nodes = new ChangingCluster(7);
        nodes.start(3, 3, new LeaseTiming(5_000_000_000L, 30_000_000_000L, 10));
        nodes.cluster.crash(N3);
        nodes.cluster.advance(60_000);
        assertThat(nodes.change(1, 1, 2)).isEqualTo("done");
    }

    // n2 and n3 had to wait for older support (R4), which is no reason any more when they have agreed.
    @Test
    void obstacleOfAStepIsNotReportedForTheNext() {
        startWithNewcomer();
        assertThat(change(1, N1, N2, N3, N4)).isEqualTo("done");
        cluster.drop(flight -> flight.message() instanceof Ready ready && ready.number() == 3);
        cluster.changeVoters(N1, 2, List.of(N1, N2));
        cluster.await("it ends", LIMIT_MILLIS, () -> cluster.changes(N1).size() == 2);
        assertThat(cluster.changes(N1).get(1)).startsWith("number 3: ").doesNotContain("still supports");
    }

    @Test
    void errorNamesVotersThatDisagree() {
        startWithNewcomer();
        cluster.drop(
                flight -> flight.message() instanceof Promise && !flight.from().equals(N1));
        assertThat(change(1, N1, N2, N3, N4))
                .isEqualTo("of the voters [n1, n2, n3] only [n1] have agreed within 15 s to a change. The logs of [n2,"
                        + " n3] may say why; ask again");
    }

    private static Map<NodeId, Optional<HostAndPort>> withoutAddresses(NodeId... some) {
        Map<NodeId, Optional<HostAndPort>> wanted = new TreeMap<>();
        for (NodeId each : some) {
            wanted.put(each, Optional.empty());
        }
        return wanted;
    }

    /** n1 to n3 vote, at the addresses that all settings name; n4 waits. */
    private void startWithAddresses() {
        start(Map.of(N1, new HostAndPort("a1", 1), N2, new HostAndPort("a2", 1), N3, new HostAndPort("a3", 1)));
        cluster.add(VirtualCluster.settings(N4, VOTERS).joining());
        cluster.start(N4);
        cluster.advance(2000);
    }

    private void changeTo(Map<NodeId, Optional<HostAndPort>> wanted) {
        int before = cluster.changes(N1).size();
        cluster.step(
                N1,
                new NodeEvent.ChangeVoters(
                        5000 + before, cluster.node(N1).voters().number(), wanted));
        cluster.await("the change ends", LIMIT_MILLIS, () -> cluster.changes(N1).size() > before);
        assertThat(cluster.changes(N1)).endsWith("done");
    }

    private Optional<HostAndPort> address(NodeId voter) {
        return cluster.node(N1).voters().member(voter).orElseThrow().address();
    }

    // The settings of the coordinator have the old one.
    @Test
    void theAddressOfAVoterThatWasMovedStays() {
        startWithAddresses();
        changeTo(withoutAddresses(N1, N2));
        Map<NodeId, Optional<HostAndPort>> moved = withoutAddresses(N1, N2, N3);
        moved.put(N3, Optional.of(new HostAndPort("new", 1)));
        changeTo(moved);
        Map<NodeId, Optional<HostAndPort>> more = withoutAddresses(N1, N2, N3, N4);
        more.put(N4, Optional.of(new HostAndPort("a4", 1)));
        changeTo(more);
        assertThat(address(N3)).contains(new HostAndPort("new", 1));
    }

    // No settings name it, so nobody could reach it any more.
    @Test
    void theAddressOfAVoterWithANewDirectoryStays() {
        startWithAddresses();
        Map<NodeId, Optional<HostAndPort>> wanted = withoutAddresses(N1, N2, N3, N4);
        wanted.put(N4, Optional.of(new HostAndPort("a4", 1)));
        changeTo(wanted);
        cluster.crash(N4);
        cluster.wipe(N4);
        cluster.start(N4);
        cluster.advance(3000);
        changeTo(withoutAddresses(N1, N2, N3, N4));
        assertThat(cluster.node(N1).voters().number()).isEqualTo(4);
        assertThat(address(N4)).contains(new HostAndPort("a4", 1));
    }
}
