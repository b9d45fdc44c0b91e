package io.quorate.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.core.message.DirectoryMessage.Listings;
import io.quorate.core.message.SupportMessage.Ack;
import io.quorate.core.message.VoteMessage.Claim;
import io.quorate.core.message.VotersMessage.Acceptance;
import io.quorate.core.message.VotersMessage.DecidedVoters;
import io.quorate.core.message.VotersMessage.Ready;
import io.quorate.core.settings.NodeSettings;
import io.quorate.core.step.NodeEffect;
import io.quorate.core.step.NodeEvent;
import io.quorate.core.voters.VoterList;
import io.quorate.core.voters.VoterList.Member;
import io.quorate.engine.Connection;
import io.quorate.spi.NodeId;
import io.quorate.testkit.simulation.HighestUp;
import io.quorate.testkit.simulation.VirtualCluster;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** docs/reconfiguration.md: other nodes come to vote while the cluster works. */
class ChangeOfVotersTest {

    private static final String PATH = "/app";
    private static final int NODES = 6;
    /** One step and the wait for older support, for each of several. */
    private static final long LIMIT_MILLIS = 15_000;

    private final VirtualCluster cluster = new VirtualCluster(7, new HighestUp());
    private int leading;

    private static NodeId node(int number) {
        return new NodeId("n" + number);
    }

    private static List<NodeId> nodes(String numbers) {
        return List.of(numbers.split(" ")).stream()
                .map(n -> new NodeId("n" + n))
                .toList();
    }

    /** The first nodes vote, and the others wait to be told. All contend, the one that is to lead first. */
    private void start(int voters, int leader) {
        List<NodeId> first = IntStream.rangeClosed(1, voters)
                .mapToObj(ChangeOfVotersTest::node)
                .toList();
        for (int number = 1; number <= NODES; number++) {
            NodeSettings of = VirtualCluster.settings(node(number), first);
            cluster.add(number <= voters ? of : of.joining());
            cluster.start(node(number));
        }
        leading = cluster.contend(node(leader), PATH);
        cluster.await("the first leads", 5000, () -> cluster.leaders(PATH).equals(List.of(node(leader))));
        for (int number = 1; number <= NODES; number++) {
            if (number != leader) {
                cluster.contend(node(number), PATH);
            }
        }
        cluster.advance(1500);
    }

    private String change(NodeId at, String wanted) {
        int before = cluster.changes(at).size();
        cluster.changeVoters(at, cluster.node(at).voters().number(), nodes(wanted));
        cluster.await(
                "the change to " + wanted + " ends",
                LIMIT_MILLIS * 3,
                () -> cluster.changes(at).size() > before);
        return cluster.changes(at).get(before);
    }

    @ParameterizedTest
    @CsvSource({
        "3, 1, 1 2 4, 3",
        "3, 3, 1 2 4, 3",
        "1, 1, 1 2 3, 3",
        "1, 1, 1 2 3 4 5, 5",
        "5, 2, 1 2 3, 3",
        "3, 1, 4 5 6, 7",
        "3, 2, 4 5 6, 7",
        "2, 1, 2, 2",
        "2, 2, 2, 2",
        "1, 1, 2, 3",
    })
    void leadershipGoesOnWithItsToken(int voters, int leader, String wanted, long number) {
        start(voters, leader);
        long token = cluster.token(PATH);
        cluster.changeVoters(node(1), 1, nodes(wanted));
        while (cluster.changes(node(1)).isEmpty()) {
            cluster.advance(1);
            assertThat(cluster.leaders(PATH)).as(cluster::describe).containsExactly(node(leader));
            assertThat(cluster.token(PATH)).isEqualTo(token);
            assertThat(cluster.nowMillis()).isLessThan(60_000);
        }
        assertThat(cluster.changes(node(1))).containsExactly("done");
        cluster.advance(5000);
        assertThat(cluster.leaders(PATH)).as(cluster::describe).containsExactly(node(leader));
        assertThat(cluster.token(PATH)).isEqualTo(token);
        assertThat(cluster.connections(node(leader))).containsExactly(Connection.CONNECTED);
        for (int each = 1; each <= NODES; each++) {
            assertThat(new TreeSet<>(cluster.node(node(each)).voters().ids()))
                    .as("voters at %s", node(each))
                    .isEqualTo(new TreeSet<>(nodes(wanted)));
            assertThat(cluster.node(node(each)).voters().number()).isEqualTo(number);
        }
    }

    // The sole voter's votes are no majority of two: within a belief all have to be had of the new one.
    @Test
    void leadersOfThousandsOfPathsGoOn() {
        start(1, 1);
        int paths = 10_000;
        for (int path = 0; path < paths; path++) {
            cluster.contend(node(1), PATH + path);
        }
        cluster.await(
                "all are led", 60_000, () -> cluster.leaders(PATH + (paths - 1)).size() == 1);
        cluster.advance(3000);
        long changes = cluster.log().size();
        assertThat(change(node(1), "1 2")).isEqualTo("done");
        cluster.advance(5000);
        assertThat(cluster.log().subList((int) changes, cluster.log().size())).isEmpty();
        cluster.crash(node(3));
        assertThat(cluster.leaders(PATH + 1500)).containsExactly(node(1));
    }

    // 4,000 votes and the next 4,000: heartbeats of 200 ms would be too late for these, and 16 at first for all.
    @Test
    void leadersOfThousandsOfPathsGoOnOverALongLink() {
        start(1, 1);
        for (int path = 0; path < 8000; path++) {
            cluster.contend(node(1), PATH + path);
        }
        cluster.await("all are led", 60_000, () -> cluster.leaders(PATH + 7999).size() == 1);
        cluster.delays(50_000, 50_001);
        cluster.advance(3000);
        long changes = cluster.log().size();
        assertThat(change(node(1), "1 2")).isEqualTo("done");
        cluster.advance(5000);
        assertThat(cluster.log().stream().skip(changes)).isEmpty();
    }

    // docs/reconfiguration.md, R2: "as soon as that voter supports it, and not at the next heartbeat", of 200 ms.
    @Test
    void aNewVoterIsAskedAsSoonAsItSupports() {
        start(1, 1);
        cluster.contend(node(1), PATH);
        cluster.await("n1 leads", 4000, () -> cluster.leaders(PATH).size() == 1);
        List<Long> supported = new ArrayList<>();
        List<Long> asked = new ArrayList<>();
        cluster.network(flight -> {
            if (flight.message() instanceof Ack
                    && flight.from().equals(node(2))
                    && flight.to().equals(node(1))) {
                supported.add(cluster.nowMillis());
            } else if (flight.message() instanceof Claim && flight.to().equals(node(2))) {
                asked.add(cluster.nowMillis());
            }
        });
        cluster.changeVoters(node(1), 1, nodes("1 2"));
        cluster.await("n2 is asked", 10_000, () -> !asked.isEmpty());
        assertThat(asked.get(0) - supported.get(0)).as("milliseconds").isLessThan(10);
    }

    // All of them hold their tokens above those of the first voters, none of which is there any more.
    @Test
    void afterAllVotersWereReplacedTheFirstAreNotNeeded() {
        start(3, 1);
        long token = cluster.token(PATH);
        assertThat(change(node(2), "4 5 6")).isEqualTo("done");
        for (int number = 1; number <= 3; number++) {
            cluster.crash(node(number));
        }
        cluster.await("another leads", 3000, () -> !cluster.leaders(PATH).isEmpty());
        assertThat(cluster.token(PATH)).isGreaterThan(token);
    }

    @Test
    void aDeadVoterIsReplacedWithoutASecondLoss() {
        start(3, 1);
        long token = cluster.token(PATH);
        cluster.crash(node(3));
        assertThat(change(node(1), "1 2 4")).isEqualTo("done");
        assertThat(cluster.token(PATH)).isEqualTo(token);
        cluster.crash(node(2));
        cluster.advance(3000);
        assertThat(cluster.leaders(PATH)).containsExactly(node(1));
    }

    @Test
    void aNodeThatWasAwayLearnsWhoVotesNow() {
        start(3, 1);
        cluster.crash(node(6));
        cluster.crash(node(3));
        assertThat(change(node(1), "1 2 4")).isEqualTo("done");
        assertThat(change(node(1), "1 4 5")).isEqualTo("done");
        cluster.start(node(3));
        cluster.start(node(6));
        cluster.advance(3000);
        assertThat(cluster.node(node(3)).voters().ids()).isEqualTo(nodes("1 4 5"));
        assertThat(cluster.node(node(6)).voters().ids()).isEqualTo(nodes("1 4 5"));
    }

    @Test
    void ofTwoOperatorsOneIsTold() {
        start(3, 1);
        cluster.changeVoters(node(1), 1, nodes("1 2 3 4"));
        cluster.changeVoters(node(2), 1, nodes("1 2 3 5"));
        cluster.advance(20_000);
        List<String> ends = List.of(
                cluster.changes(node(1)).get(0), cluster.changes(node(2)).get(0));
        assertThat(ends).containsOnlyOnce("done");
        assertThat(ends.stream().filter(end -> !end.equals("done")).findFirst().orElseThrow())
                .contains("number 2 was decided as [n1, n2, n3, n");
        assertThat(cluster.leaders(PATH)).containsExactly(node(1));
    }

    @Test
    void aVoterThatRestartsVotesUnderTheNumberThatItHasStored() {
        start(3, 1);
        assertThat(change(node(1), "1 2 4")).isEqualTo("done");
        for (NodeId each : nodes("1 2 4")) {
            cluster.crash(each);
        }
        for (NodeId each : nodes("1 2 4")) {
            cluster.start(each);
        }
        cluster.await("they vote", 3000, () -> nodes("1 2 4").stream()
                .allMatch(each -> cluster.node(each).describe().contains("CONNECTED")));
        assertThat(cluster.node(node(2)).voters().number()).isEqualTo(3);
    }

    @Test
    void explanationNamesTheWaitingVoterAndTheNumber() {
        start(1, 1);
        cluster.add(VirtualCluster.settings(node(8), nodes("9")).joining());
        cluster.start(node(8));
        int number = cluster.contend(node(8), PATH);
        cluster.advance(1000);
        assertThat(cluster.node(node(8)).describe()).contains("waits to be told who votes");
        assertThat(cluster.node(node(8)).explain(number).reason())
                .isEqualTo("it cannot lead: this node waits to be told who votes");
        assertThat(cluster.node(node(1)).describe()).contains("of voters [n1],");
        assertThat(change(node(1), "1 2")).isEqualTo("done");
        assertThat(cluster.node(node(1)).describe()).contains("of voters number 2: [n1, n2],");
    }

    // It has forgotten whom it supported, and its terms.
    @Test
    void aVoterWhoseDirectoryIsLostIsTakenInAnewBeforeItVotes() {
        start(3, 1);
        assertThat(change(node(1), "1 2 3 4")).isEqualTo("done");
        cluster.crash(node(4));
        cluster.wipe(node(4));
        cluster.start(node(4));
        cluster.advance(3000);
        assertThat(cluster.node(node(4)).pageCount()).isZero();
        assertThat(change(node(1), "1 2 3 4")).isEqualTo("done");
        assertThat(cluster.node(node(1)).voters().number()).isEqualTo(4);
        cluster.advance(3000);
        assertThat(cluster.node(node(4)).pageCount()).isPositive();
    }

    // A sole voter supports itself without end. After the change that is worth no more than any other support (R2).
    @Test
    void aSoleVoterThatIsReplacedLeadsNoLongerThanItIsHeard() {
        start(1, 1);
        assertThat(change(node(1), "1 2")).isEqualTo("done");
        // It agrees to leave, and hears nothing from then on.
        cluster.network(flight -> {
            if (flight.from().equals(node(1)) && flight.message() instanceof Acceptance) {
                cluster.drop(later -> later.to().equals(node(1)));
            }
        });
        cluster.changeVoters(node(2), 2, nodes("2"));
        cluster.await(
                "another votes", LIMIT_MILLIS, () -> cluster.changes(node(2)).equals(List.of("done")));
        cluster.await("another leads", 5000, () -> cluster.leader(PATH)
                .filter(leader -> !leader.equals(node(1)))
                .isPresent());
    }

    // Its disk was full when it came to vote; so after a restart it does not know that it did, and what it promised
    // (R10).
    @Test
    void aNodeThatMayHaveVotedIsSilentAfterItsStart() {
        start(2, 1);
        assertThat(change(node(1), "1 2 3")).isEqualTo("done");
        assertThat(change(node(1), "1 2")).isEqualTo("done");
        cluster.diskIsFull(node(3), true);
        assertThat(change(node(1), "1 2 3")).isEqualTo("done");
        cluster.advance(1500);
        cluster.cut(node(1), node(2));
        cluster.advance(1500);
        assertThat(cluster.leaders(PATH)).containsExactly(node(1));
        cluster.crash(node(3));
        cluster.isolate(node(1));
        cluster.diskIsFull(node(3), false);
        cluster.start(node(3));
        cluster.await("another leads", 5000, () -> cluster.leaders(PATH).equals(List.of(node(2))));
    }

    // With thousands of paths its answers wait for the next step, and by then the node may vote no more.
    @Test
    void wordOfTheOwnVoterIsVoidWhenTheNodeStopsVoting() {
        Node node = new Node(
                VirtualCluster.settings(node(2), nodes("1")).joining(),
                new HighestUp(),
                new Birth(1, 0, true, 7, Optional.empty()),
                (min, max) -> min);
        List<NodeEffect> effects = new ArrayList<>(node.start(0));
        int paths = 10_000;
        for (int path = 0; path < paths; path++) {
            effects.addAll(node.step(1, new NodeEvent.Contend(PATH + path, path, "")));
        }
        VoterList without = VoterList.first(nodes("1"));
        Member added = new Member(node(2), 7, Optional.empty());
        VoterList with = new VoterList(2, 0, List.of(without.members().get(0), added));
        // Its quarantine is over, so it supports itself at once, and registers all that contend with its own voter.
        long later = 2_000_000_000L;
        effects.addAll(node.step(later, new NodeEvent.Received(node(1), 1, new DecidedVoters(with))));
        assertThat(node.nextWake()).as("there is more of its own to handle").isEqualTo(later);
        effects.addAll(node.step(
                later,
                new NodeEvent.Received(
                        node(1),
                        1,
                        new DecidedVoters(
                                new VoterList(3, 0, List.of(without.members().get(0)))))));
        assertThat(node.voters().number()).isEqualTo(3);
        assertThat(effects).noneMatch(effect -> effect instanceof NodeEffect.Failed);
    }

    // Sixteen are too many, so one leaves first.
    @Test
    void oneOfFifteenIsReplaced() {
        ChangingCluster nodes = new ChangingCluster(7);
        nodes.start(15, 16);
        List<NodeId> wanted = new ArrayList<>(ChangingCluster.from1to(16));
        wanted.remove(0);
        assertThat(nodes.change(2, wanted)).isEqualTo("done");
    }

    // After the switch it votes no more, and the settings of the others do not name it.
    @ParameterizedTest
    @CsvSource({"1 2 3 4, 4, 1 2 3", "1 2 3 4 5, 4, 1 2 3", "4 5 6, 4, 5 6 7"})
    void aVoterThatJoinedLaterRemovesItself(String first, int self, String wanted) {
        ChangingCluster nodes = new ChangingCluster(7);
        nodes.start(3, 7);
        assertThat(nodes.change(1, nodes(first))).isEqualTo("done");
        nodes.cluster.advance(3000);
        long began = nodes.cluster.nowMillis();
        assertThat(nodes.change(self, nodes(wanted))).isEqualTo("done");
        assertThat(nodes.cluster.nowMillis() - began)
                .as("no step waits in vain")
                .isLessThan(LIMIT_MILLIS);
    }

    // A voter that has just come was not heard yet, and a dead one is not either.
    @ParameterizedTest
    @CsvSource({"1, 0, 1 2", "3, 3, 1 2 3 4", "3, 0, 4 5 6", "3, 0, 1 2"})
    void nobodyIsSuspendedByAChange(int voters, int dead, String wanted) {
        ChangingCluster nodes = new ChangingCluster(7);
        nodes.start(voters, 7);
        if (dead > 0 && dead <= voters) {
            // The first change names the directories of all.
            assertThat(nodes.change(1, ChangingCluster.from1to(voters + 1))).isEqualTo("done");
            assertThat(nodes.change(1, ChangingCluster.from1to(voters))).isEqualTo("done");
            nodes.cluster.crash(node(dead));
            nodes.cluster.advance(3000);
        }
        nodes.cluster.changeVoters(node(1), nodes.number(1), nodes(wanted));
        for (int milli = 0; milli < 8000; milli++) {
            nodes.cluster.advance(1);
            for (int each = 1; each <= 7; each++) {
                assertThat(each == dead || nodes.cluster.node(node(each)).connection() == Connection.CONNECTED)
                        .as("n%d after %d ms: %s", each, milli, nodes.cluster.describe())
                        .isTrue();
            }
        }
        assertThat(nodes.cluster.changes(node(1))).endsWith("done");
    }

    // It hears no heartbeats any more, and what voters say of each other counts.
    @Test
    void formerVoterDoesNotSuspectOthers() {
        ChangingCluster nodes = new ChangingCluster(7);
        nodes.start(3, 5);
        nodes.cluster.changeVoters(node(1), 1, nodes("1 2"));
        for (int milli = 0; milli < 5000; milli++) {
            nodes.cluster.advance(1);
            for (NodeId each : nodes("1 2 4 5")) {
                assertThat(nodes.cluster.node(node(3)).isUp(each))
                        .as("%s after %d ms", each, milli)
                        .isTrue();
            }
        }
        assertThat(nodes.number(3)).isEqualTo(2);
    }

    // One of three voters has listed it, and that is a majority when it votes alone.
    @Test
    void contenderListedByAMajorityOfTheNextVotersHasJoined() {
        ChangingCluster nodes = new ChangingCluster(7);
        nodes.start(3, 5);
        nodes.cluster.drop(flight -> flight.message() instanceof Listings
                && flight.to().equals(node(5))
                && !flight.from().equals(node(1)));
        nodes.cluster.contend(node(5), PATH);
        nodes.cluster.advance(5000);
        assertThat(nodes.cluster.leaders(PATH)).isEmpty();
        assertThat(nodes.change(1, nodes("1"))).isEqualTo("done");
        nodes.cluster.await("it leads", 5000, () -> nodes.cluster.leaders(PATH).equals(nodes("5")));
    }

    // It would have to leave first, and who has left has no word in who votes.
    @Test
    void noVoterReplacesItselfInAFullList() {
        ChangingCluster changing = new ChangingCluster(7);
        VirtualCluster full = changing.cluster;
        changing.start(15, 17);
        int[] all = IntStream.rangeClosed(1, 15).toArray();
        all[14] = 16;
        assertThat(changing.change(1, all)).isEqualTo("done");
        full.advance(3000);
        VoterList before = full.node(node(1)).voters();
        all[14] = 17;
        assertThat(changing.change(16, all))
                .contains("n16 would have to leave before n17 comes", "Ask a voter that stays");
        assertThat(full.node(node(1)).voters()).isEqualTo(before);
        assertThat(changing.change(1, all)).isEqualTo("done");
    }

    // What one of two operators asked for was done, and the other one's list came after it.
    @Test
    void completedChangeCountsThoughAnotherFollows() {
        ChangingCluster changing = new ChangingCluster(7);
        VirtualCluster both = changing.cluster;
        changing.start(3, 5);
        both.drop(flight -> flight.message() instanceof Ready && flight.to().equals(node(1)) && changing.number(1) > 1);
        both.changeVoters(node(1), 1, ChangingCluster.nodes(1, 2, 3, 4));
        both.await("number 2", 20_000, () -> changing.number(2) == 2 && changing.number(1) == 2);
        assertThat(changing.change(2, 1, 2, 3, 4, 5)).isEqualTo("done");
        both.await("n1 knows", 20_000, () -> changing.number(1) == 3);
        assertThat(both.changes(node(1))).containsExactly("done");
    }
}
