package io.quorate.core;

import static io.quorate.core.Contexts.N1;
import static io.quorate.core.Contexts.N2;
import static io.quorate.core.Contexts.N3;
import static io.quorate.core.Contexts.VOTERS;
import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.core.message.SupportMessage.Heartbeat;
import io.quorate.core.message.VoteMessage.Release;
import io.quorate.core.settings.NodeSettings;
import io.quorate.core.step.NodeEvent;
import io.quorate.engine.Connection;
import io.quorate.engine.PathView;
import io.quorate.engine.Tenure;
import io.quorate.spi.Election;
import io.quorate.spi.Membership;
import io.quorate.spi.NodeId;
import io.quorate.spi.Options;
import io.quorate.spi.RankOrder;
import io.quorate.spi.Timing;
import io.quorate.testkit.simulation.HighestUp;
import io.quorate.testkit.simulation.VirtualCluster;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Three nodes in virtual time, default times: heartbeat 200 ms, support 1000 ms. */
class ClusterTest {

    private static final String PATH = "/app/leader";
    private static final int SUPPORT = 1000;
    private static final int HEARTBEAT = 200;

    private final VirtualCluster cluster = VirtualCluster.ofVoters(3, 42, new HighestUp());

    private int leadBy(NodeId node) {
        cluster.advance(1500);
        int number = cluster.contend(node, PATH);
        cluster.await("a leader", 1000, () -> cluster.leaders(PATH).equals(List.of(node)));
        return number;
    }

    @Test
    void firstComeLeadsFirstAndStays() {
        leadBy(N2);
        cluster.contend(N1, PATH);
        cluster.contend(N3, PATH);
        cluster.advance(60_000);
        assertThat(cluster.leaders(PATH)).containsExactly(N2);
        assertThat(cluster.token(PATH)).isEqualTo(1);
    }

    // Joining, a claim, the votes: three round trips of at most 2 ms.
    @Test
    void singleContenderLeadsAfterThreeRoundTrips() {
        cluster.advance(1500);
        cluster.contend(N1, PATH);
        assertThat(cluster.await("a leader", 1000, () -> cluster.leader(PATH).isPresent()))
                .isLessThanOrEqualTo(6);
    }

    // Each has its own voter's vote, and asks the other two for theirs.
    @Test
    void ofThreeThatClaimAtOneInstantOneLeadsAtOnce() {
        for (int seed = 0; seed < 50; seed++) {
            VirtualCluster duel = VirtualCluster.ofVoters(3, seed, new HighestUp());
            duel.advance(1500);
            VOTERS.forEach(node -> duel.contend(node, PATH));
            assertThat(duel.await("a leader", 1000, () -> duel.leader(PATH).isPresent()))
                    .as("seed " + seed)
                    .isLessThanOrEqualTo(8);
        }
    }

    // Everybody in quarantine: one support time, one heartbeat to see it end, and an election.
    @Test
    void coldStartTakesOneQuarantine() {
        VOTERS.forEach(node -> cluster.contend(node, PATH));
        assertThat(cluster.await("a leader", 5000, () -> cluster.leader(PATH).isPresent()))
                .isBetween((long) SUPPORT, (long) SUPPORT + 2 * HEARTBEAT + 10);
    }

    @Test
    void crashIsSurvivedWithinTheRemainingSupport() {
        leadBy(N2);
        cluster.contend(N1, PATH);
        cluster.contend(N3, PATH);
        cluster.advance(3000);
        cluster.crash(N2);
        assertThat(cluster.await(
                        "the next leader", 3000, () -> cluster.leader(PATH).isPresent()))
                .isBetween((long) SUPPORT - HEARTBEAT - 5, (long) SUPPORT + 10);
        assertThat(cluster.leaders(PATH)).as("the next in the queue").containsExactly(N1);
        assertThat(cluster.token(PATH)).isEqualTo(2);
    }

    // Votes end at nearly the same moment; whoever claims a little too soon asks again when the voter said, not 40 ms
    // later.
    @Test
    void voteThatIsFreeAMomentLaterIsAskedForAgainAtOnce() {
        for (int seed = 1; seed <= 20; seed++) {
            VirtualCluster five = VirtualCluster.ofVoters(5, seed, new HighestUp());
            List<NodeId> nodes = List.of(N1, N2, N3, new NodeId("n4"), new NodeId("n5"));
            five.advance(1500);
            nodes.forEach(node -> five.contend(node, PATH));
            five.advance(4400 + seed * 13 % HEARTBEAT);
            NodeId leader = five.leader(PATH).orElseThrow();
            NodeId other = leader.equals(N1) ? N2 : N1;
            long[] heartbeatAt = new long[1];
            five.drop(flight -> {
                if (flight.from().equals(leader) && flight.message() instanceof Heartbeat) {
                    heartbeatAt[0] = five.clock(other).nanoTime();
                }
                return false;
            });
            five.advance(400);
            five.crash(leader);
            five.await("the next leader", 3000, () -> five.leader(PATH).isPresent());
            assertThat((five.clock(other).nanoTime() - heartbeatAt[0]) / 1_000_000)
                    .as("seed %d: ms since the last heartbeat", seed)
                    .isLessThan(SUPPORT + 10);
        }
    }

    // One delay, or two if the successor needs another's vote. But here a vote may overtake the hand-over: then it is
    // asked for after 1.25 ms, which makes three delays, of at most 1 ms each.
    @Test
    void closingHandsOverInAFewDelays() {
        int number = leadBy(N2);
        cluster.contend(N1, PATH);
        cluster.contend(N3, PATH);
        cluster.advance(3000);
        cluster.withdraw(N2, number);
        assertThat(cluster.await(
                        "the next leader", 3000, () -> cluster.leader(PATH).isPresent()))
                .isLessThanOrEqualTo(5);
        assertThat(cluster.leaders(PATH)).containsExactly(N1);
    }

    @Test
    void closedNodeFreesItsPathsAtOnceAlsoWithoutSuccessor() {
        leadBy(N2);
        cluster.step(N2, new NodeEvent.Close());
        cluster.contend(N1, PATH);
        assertThat(cluster.await(
                        "the next leader", 3000, () -> cluster.leader(PATH).isPresent()))
                .isLessThan(10);
    }

    @Test
    void closedNodeNamesNoneOfItsOwnAsSuccessor() {
        leadBy(N2);
        cluster.contend(N2, PATH);
        cluster.advance(3000);
        cluster.contend(N1, PATH);
        cluster.advance(3000);
        List<NodeId> named = new ArrayList<>();
        cluster.network(flight -> {
            if (flight.message() instanceof Release release) {
                release.successor()
                        .ifPresent(successor -> named.add(successor.claimer().node()));
            }
        });
        cluster.step(N2, new NodeEvent.Close());
        assertThat(cluster.await(
                        "the next leader", 3000, () -> cluster.leader(PATH).isPresent()))
                .isLessThan(5);
        assertThat(cluster.leaders(PATH)).containsExactly(N1);
        assertThat(named).isNotEmpty().containsOnly(N1);
    }

    // It may take seconds to tell everybody; nobody of it may lead meanwhile.
    @Test
    void closingNodeTellsInPortionsAndLeadsNothingMeanwhile() {
        for (int path = 0; path < 600; path++) {
            cluster.contend(N2, "/many/" + path);
        }
        cluster.advance(3000);
        assertThat(leads(N2)).isEqualTo(600);
        cluster.step(N2, new NodeEvent.Close());
        assertThat(leads(N2)).isZero();
        assertThat(cluster.node(N2).isStopped()).isFalse();
        cluster.contend(N2, PATH);
        cluster.advance(1000);
        assertThat(cluster.leaders(PATH)).isEmpty();
        for (int more = 1; more <= 4; more++) {
            assertThat(cluster.node(N2).isStopped()).isFalse();
            cluster.step(N2, new NodeEvent.Close());
        }
        assertThat(cluster.node(N2).isStopped()).isTrue();
        assertThat(leads(N2)).isZero();
    }

    private long leads(NodeId node) {
        return IntStream.range(0, 600)
                .filter(path -> cluster.leaders("/many/" + path).contains(node))
                .count();
    }

    // What was paused for three leases has lost its tenure before it can ask, and queues at the tail.
    @Test
    void pausedLeaderFindsItselfDeposed() {
        int number = leadBy(N1);
        cluster.contend(N2, PATH);
        cluster.contend(N3, PATH);
        cluster.advance(1000);
        Tenure tenure = cluster.tenure(N1, number).orElseThrow();
        cluster.pause(N1);
        cluster.advance(3 * SUPPORT);
        assertThat(cluster.leaders(PATH)).containsExactly(N2);
        assertThat(tenure.isValid(cluster.clock(N1))).isFalse();
        cluster.resume(N1);
        cluster.advance(3000);
        assertThat(cluster.leaders(PATH)).containsExactly(N2);
        PathView view = cluster.view(N2, PATH).orElseThrow();
        assertThat(view.contenders()).extracting(PathView.Entry::node).containsExactly(N2, N3, N1);
    }

    // A voter that has just restarted lists few contenders at first; its own node queues at the tail all the same.
    @Test
    void restartedNodeDoesNotOvertakeTheQueue() {
        for (long seed = 1; seed <= 40; seed++) {
            VirtualCluster busy = VirtualCluster.ofVoters(3, seed, new HighestUp());
            busy.advance(1500);
            for (NodeId node : List.of(N2, N3, N1)) {
                busy.contend(node, PATH);
                busy.advance(100);
            }
            busy.advance(1000);
            busy.crash(N1);
            busy.advance(300);
            busy.start(N1);
            busy.contend(N1, PATH);
            // Late enough that n3 is never without a majority; else it would be right to queue at the tail.
            busy.advance(600 + seed * 15);
            busy.pause(N2);
            busy.await(
                    "the next leader",
                    4000,
                    () -> !busy.leaders(PATH).contains(N2) && busy.leader(PATH).isPresent());
            assertThat(busy.leaders(PATH))
                    .as("seed %d\n%s", seed, busy.describe())
                    .containsExactly(N3);
        }
    }

    // Heartbeats are per pair of nodes: 4 a period of three nodes' 6 pairs, whatever the number of paths.
    @Test
    void idlePathsSendNothing() {
        cluster.advance(1500);
        for (int i = 0; i < 200; i++) {
            cluster.contend(VOTERS.get(i % 3), "/many/" + i);
            cluster.contend(VOTERS.get((i + 1) % 3), "/many/" + i);
        }
        cluster.advance(5000);
        for (int i = 0; i < 200; i++) {
            assertThat(cluster.leaders("/many/" + i)).as(cluster::describe).hasSize(1);
        }
        cluster.forgetMessages();
        cluster.advance(15_000);
        Map<String, Integer> messages = cluster.messages();
        assertThat(messages).containsOnlyKeys("Heartbeat", "Ack");
        assertThat(messages.get("Heartbeat")).isBetween(440, 460);
    }

    @Test
    void shortOutageKeepsLeadershipAndRank() {
        leadBy(N2);
        cluster.contend(N1, PATH);
        cluster.contend(N3, PATH);
        cluster.advance(1000);
        cluster.isolate(N2);
        cluster.await("n2 is suspended", 620, () -> cluster.connections(N2).contains(Connection.SUSPENDED));
        assertThat(cluster.leaders(PATH)).containsExactly(N2);
        cluster.heal();
        cluster.advance(1000);
        assertThat(cluster.leaders(PATH)).containsExactly(N2);
        assertThat(cluster.token(PATH)).isEqualTo(1);
        assertThat(cluster.connections(N2))
                .containsExactly(Connection.CONNECTED, Connection.SUSPENDED, Connection.RECONNECTED);
    }

    @Test
    void longOutageEndsLeadershipAndQueuesAtTheTail() {
        leadBy(N2);
        cluster.contend(N1, PATH);
        cluster.contend(N3, PATH);
        cluster.advance(1000);
        cluster.isolate(N2);
        cluster.advance(2000);
        assertThat(cluster.leaders(PATH)).containsExactly(N1);
        cluster.heal();
        cluster.advance(2000);
        assertThat(cluster.view(N1, PATH).orElseThrow().contenders())
                .extracting(PathView.Entry::node)
                .containsExactly(N1, N3, N2);
        assertThat(cluster.connections(N2))
                .containsExactly(Connection.CONNECTED, Connection.SUSPENDED, Connection.LOST, Connection.RECONNECTED);
    }

    // A voter that does not lead may die without anybody noticing.
    @Test
    void crashOfAnotherVoterDoesNotTouchTheLeader() {
        leadBy(N1);
        cluster.crash(N3);
        cluster.advance(20_000);
        assertThat(cluster.leaders(PATH)).containsExactly(N1);
        assertThat(cluster.token(PATH)).isEqualTo(1);
        cluster.start(N3);
        cluster.advance(3000);
        cluster.crash(N2);
        cluster.advance(20_000);
        assertThat(cluster.leaders(PATH))
                .as("the vote of n3 was won back before n2 went")
                .containsExactly(N1);
        assertThat(cluster.token(PATH)).isEqualTo(1);
    }

    @Test
    void manyContendersThatDoNotVote() {
        List<NodeId> observers = new ArrayList<>();
        for (int i = 10; i < 50; i++) {
            NodeId observer = new NodeId("o" + i);
            cluster.add(VirtualCluster.settings(observer, VOTERS));
            cluster.start(observer);
            observers.add(observer);
        }
        cluster.advance(2000);
        observers.forEach(observer -> {
            cluster.contend(observer, PATH);
            cluster.advance(3);
        });
        cluster.await(
                "the first observer leads", 2000, () -> cluster.leaders(PATH).equals(List.of(observers.get(0))));
        cluster.advance(2000);
        cluster.crash(N1);
        cluster.crash(observers.get(0));
        cluster.await(
                "the second observer leads", 3000, () -> cluster.leaders(PATH).equals(List.of(observers.get(1))));
        assertThat(cluster.view(N2, PATH))
                .as("a voter that neither contends nor watches")
                .isEmpty();
        assertThat(cluster.view(observers.get(7), PATH).orElseThrow().contenders())
                .hasSize(39);
    }

    @Test
    void watcherSeesLeadersComeAndGo() {
        cluster.advance(1500);
        cluster.step(N3, new NodeEvent.WatchPath(PATH, true));
        cluster.await("an empty view", 100, () -> cluster.view(N3, PATH).isPresent());
        assertThat(cluster.view(N3, PATH)).contains(PathView.EMPTY);
        int number = cluster.contend(N1, PATH);
        cluster.await(
                "a leader in the view",
                500,
                () -> cluster.view(N3, PATH).orElseThrow().token().isPresent());
        cluster.withdraw(N1, number);
        cluster.await(
                "nobody in the view",
                500,
                () -> cluster.view(N3, PATH).orElseThrow().contenders().isEmpty());
        cluster.step(N3, new NodeEvent.WatchPath(PATH, false));
        cluster.advance(2000);
        assertThat(cluster.view(N3, PATH)).isEmpty();
        assertThat(cluster.node(N3).pageCount()).isZero();
    }

    private static VirtualCluster ranked(RankOrder order, boolean preempts, int... priorities) {
        VirtualCluster ranked = new VirtualCluster(9, new HighestUp());
        for (int i = 0; i < 3; i++) {
            NodeSettings usual = VirtualCluster.settings(VOTERS.get(i), VOTERS);
            ranked.add(new NodeSettings(
                    "test",
                    VOTERS.get(i),
                    VOTERS,
                    usual.lease(),
                    usual.timing(),
                    order,
                    priorities.length == 0 ? 0 : priorities[i],
                    preempts));
        }
        VOTERS.forEach(ranked::start);
        ranked.advance(1500);
        return ranked;
    }

    private static void followedBy(VirtualCluster ranked, NodeId... order) {
        for (NodeId expected : order) {
            ranked.await(expected + " leads", 5000, () -> ranked.leaders(PATH).equals(List.of(expected)));
            ranked.advance(1000);
            ranked.crash(expected);
        }
    }

    @Test
    void rankDecidesWhoFollowsButDeposesNobody() {
        VirtualCluster byId = ranked(RankOrder.NODE_ID, false);
        VOTERS.forEach(node -> {
            byId.contend(node, PATH);
            byId.advance(100);
        });
        byId.advance(10_000);
        assertThat(byId.leaders(PATH)).as("the first come stays").containsExactly(N1);
        followedBy(byId, N1, N3);
    }

    @Test
    void betterRankedContenderGetsTheLeadershipHandedOver() {
        VirtualCluster byPriority = ranked(RankOrder.PRIORITY, true, 1, 9, 5);
        for (NodeId node : List.of(N1, N3, N2)) {
            byPriority.contend(node, PATH);
            byPriority.advance(100);
        }
        byPriority.await("n2 leads", 5000, () -> byPriority.leaders(PATH).equals(List.of(N2)));
        byPriority.advance(20_000);
        assertThat(byPriority.leaders(PATH)).containsExactly(N2);
        assertThat(byPriority.log().stream().filter(VirtualCluster.Change::isGranted))
                .hasSizeLessThanOrEqualTo(3);
        assertThat(byPriority.view(N1, PATH).orElseThrow().contenders())
                .extracting(PathView.Entry::node)
                .containsExactly(N2, N3, N1);
    }

    @Test
    void spreadGivesEveryNodeItsShare() {
        VirtualCluster spread = ranked(RankOrder.SPREAD, true);
        for (int i = 0; i < 60; i++) {
            for (NodeId node : VOTERS) {
                spread.contend(node, "/spread/" + i);
            }
        }
        spread.advance(8000);
        Map<NodeId, Integer> shares = new TreeMap<>();
        for (int i = 0; i < 60; i++) {
            spread.leaders("/spread/" + i).forEach(leader -> shares.merge(leader, 1, Integer::sum));
        }
        assertThat(shares).containsOnlyKeys(N1, N2, N3);
        assertThat(shares.values()).allMatch(share -> share >= 10);
    }

    // What the Standard policy does at SUSPENDED: leadership is given up, the place in the queue is not.
    @Test
    void tenureThatIsGivenUpKeepsItsPlace() {
        int number = leadBy(N1);
        cluster.contend(N2, PATH);
        cluster.contend(N3, PATH);
        cluster.advance(1000);
        cluster.isolate(N1);
        cluster.advance(500);
        Tenure tenure = cluster.tenure(N1, number).orElseThrow();
        tenure.end();
        cluster.step(N1, new NodeEvent.TenureSeenEnded(number, tenure));
        cluster.heal();
        cluster.await("n1 leads again", 2000, () -> cluster.leaders(PATH).equals(List.of(N1)));
        assertThat(cluster.token(PATH)).isGreaterThan(1);
        assertThat(cluster.view(N2, PATH).orElseThrow().contenders())
                .extracting(PathView.Entry::node)
                .containsExactly(N1, N2, N3);
    }

    // A round trip of 300 ms is longer than all repetitions of a claim would wait for if each waited for two delta.
    @Test
    void somebodyLeadsAlthoughAnswersTakeLong() {
        VirtualCluster slow = VirtualCluster.ofVoters(3, 5, new HighestUp());
        slow.delays(150_000, 150_001);
        slow.advance(3000);
        VOTERS.forEach(node -> slow.contend(node, PATH));
        slow.await("a leader", 5000, () -> slow.leader(PATH).isPresent());
        slow.advance(5000);
        assertThat(slow.log()).as("nobody else came to lead").hasSize(1);
    }

    // ADR-0022: an algorithm that throws ends its own election; patience finds a leader all the same.
    @Test
    void pathGetsALeaderAlthoughTheAlgorithmThrows() {
        VirtualCluster broken = VirtualCluster.ofVoters(3, 5, new HighestUp() {
            @Override
            public Election create(Membership membership, Timing timing, Options options) {
                throw new IllegalStateException("broken on purpose");
            }
        });
        Map<NodeId, Integer> numbers = new TreeMap<>();
        VOTERS.forEach(node -> numbers.put(node, broken.contend(node, PATH)));
        broken.await("a leader", 4000, () -> broken.leader(PATH).isPresent());
        NodeId first = broken.leader(PATH).orElseThrow();
        broken.crash(first);
        NodeId other = first.equals(N1) ? N2 : N1;
        broken.await(
                "the failure is told",
                4000,
                () -> broken.node(other).explain(numbers.get(other)).reason().contains("broken on purpose"));
        broken.await("a leader", 4000, () -> broken.leader(PATH).isPresent());
    }

    // The disk of every voter is gone; wall clocks keep the tokens rising, and the quarantine keeps leaders apart.
    @Test
    void disklessClusterSurvivesARestartOfAll() {
        VirtualCluster diskless = new VirtualCluster(3, new HighestUp());
        VOTERS.forEach(node -> {
            diskless.add(VirtualCluster.settings(node, VOTERS));
            diskless.diskless(node);
        });
        VOTERS.forEach(diskless::start);
        for (int round = 0; round < 3; round++) {
            VOTERS.forEach(node -> diskless.contend(node, PATH));
            diskless.await("a leader", 5000, () -> diskless.leader(PATH).isPresent());
            diskless.advance(500);
            VOTERS.forEach(diskless::crash);
            VOTERS.forEach(diskless::start);
        }
        assertThat(diskless.log().stream().filter(VirtualCluster.Change::isGranted))
                .hasSizeGreaterThanOrEqualTo(3);
    }
}
