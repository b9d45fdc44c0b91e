package io.quorate.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.core.message.NodeMessage;
import io.quorate.core.message.VotersMessage.Accept;
import io.quorate.core.message.VotersMessage.DecidedVoters;
import io.quorate.core.message.VotersMessage.Prepare;
import io.quorate.core.message.VotersMessage.ReadyQuery;
import io.quorate.core.voters.Round;
import io.quorate.core.voters.VoterList;
import io.quorate.core.voters.VoterList.Member;
import io.quorate.spi.NodeId;
import io.quorate.testkit.simulation.HighestUp;
import io.quorate.testkit.simulation.VirtualCluster;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Somebody has the settings, the secret and the certificate of a voter that was replaced. */
class RemovedVoterTest {

    private static final String PATH = "/app/leader";
    private static final NodeId N1 = new NodeId("n1");
    private static final NodeId N2 = new NodeId("n2");
    private static final NodeId N3 = new NodeId("n3");
    private static final NodeId N4 = new NodeId("n4");
    private static final List<NodeId> VOTERS = List.of(N1, N2, N3);
    private static final List<NodeId> LATER = List.of(N1, N2, N4);

    private VirtualCluster cluster;

    private void start() {
        cluster = new VirtualCluster(7, new HighestUp());
        for (NodeId voter : VOTERS) {
            cluster.add(VirtualCluster.settings(voter, VOTERS));
            cluster.start(voter);
        }
        cluster.add(VirtualCluster.settings(N4, VOTERS).joining());
        cluster.start(N4);
    }

    private void replaceN3() {
        start();
        cluster.advance(4_000);
        cluster.contend(N1, PATH);
        cluster.await("n1 leads", 3_000, () -> cluster.leaders(PATH).equals(List.of(N1)));
        cluster.changeVoters(N1, 1, LATER);
        cluster.await("n3 is replaced", 20_000, () -> LATER.stream()
                .allMatch(voter -> cluster.node(voter).voters().ids().equals(LATER)));
    }

    /**
     * N3 has asked N1 once, long before, as whoever brings a change about does. N1 hears its own questions from nobody, so
     * that N3 is still the last that has asked it.
     */
    private void replaceN3AfterItHasAsked() {
        start();
        cluster.advance(3000);
        cluster.contend(N1, PATH);
        cluster.inject(N3, cluster.incarnation(N3), N1, new ReadyQuery(1));
        cluster.advance(60_000);
        cluster.changeVoters(N1, 1, LATER);
        cluster.await("the change ends", 60_000, () -> !cluster.changes(N1).isEmpty());
    }

    private static VoterList alone(long number) {
        return new VoterList(number, 0, List.of(new Member(N3, 0, Optional.empty())));
    }

    private void assertNobodyTakesN3InAgain() {
        VoterList now = cluster.node(N1).voters();
        List<Member> more = new ArrayList<>(now.members());
        more.add(new Member(N3, 4_711, Optional.empty()));
        VoterList back = new VoterList(now.number() + 1, now.floor(), more);
        for (int i = 0; i < 3; i++) {
            LATER.forEach(
                    voter -> cluster.inject(N3, 4_711, voter, new Accept(new Round(1_000, N3, 4_711), now, back)));
            cluster.advance(1_000);
        }
        cluster.advance(20_000);
        assertThat(LATER)
                .allSatisfy(voter -> assertThat(cluster.node(voter).voters()).isEqualTo(now));
    }

    /** Each message that carries a list says that it is decided. */
    private static List<NodeMessage> ofVoters() {
        Round round = new Round(1, N3, 4_711);
        return List.of(
                new DecidedVoters(alone(1_000)),
                new Prepare(round, alone(1_000)),
                new Accept(round, alone(1_000), alone(1_001)));
    }

    /** At once, and long after. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1_000, 100_000})
    void aVoterThatWasReplacedHasNoWordInWhoVotes(int later) {
        for (NodeMessage message : ofVoters()) {
            replaceN3();
            cluster.crash(N3);
            cluster.advance(later);
            for (int i = 0; i < 3; i++) {
                LATER.forEach(voter -> cluster.inject(N3, 4_711, voter, message));
                cluster.advance(1_000);
            }
            cluster.advance(10_000);
            assertThat(LATER).as("%s", message).allSatisfy(voter -> assertThat(
                            cluster.node(voter).voters().ids())
                    .isEqualTo(LATER));
            assertThat(cluster.leaders(PATH)).containsExactly(N1);
        }
    }

    /** What voters have accepted they bring to its end by themselves: nobody else may have them accept anything. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1_000, 100_000})
    void aVoterThatWasReplacedHasNobodyAcceptAnything(int later) {
        replaceN3();
        cluster.crash(N3);
        cluster.advance(later);
        assertNobodyTakesN3InAgain();
    }

    /** The same, and one message that says which list is decided: with it N3 would be the only voter. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void aVoterThatHasAskedItsRemoverBeforeHasNoWordInWhoVotes(int which) {
        replaceN3AfterItHasAsked();
        cluster.crash(N3);
        cluster.inject(N3, 4_711, N1, ofVoters().get(which));
        cluster.advance(20_000);
        assertThat(LATER).as("%s", ofVoters().get(which)).allSatisfy(voter -> assertThat(
                        cluster.node(voter).voters().ids())
                .isEqualTo(LATER));
        assertThat(cluster.leaders(PATH)).containsExactly(N1);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1_000})
    void aVoterThatHasAskedItsRemoverBeforeHasNobodyAcceptAnything(int later) {
        replaceN3AfterItHasAsked();
        cluster.await("the voters are others", 60_000, () -> LATER.stream()
                .allMatch(voter -> cluster.node(voter).voters().ids().equals(LATER)));
        cluster.crash(N3);
        cluster.advance(later);
        assertNobodyTakesN3InAgain();
    }

    /** n4 has left, and n1 proposes to go on without n3: nobody but n1 has accepted that, and it is cut off. */
    private static VoterList proposedByN1Alone(ChangingCluster nodes) {
        VirtualCluster own = nodes.cluster;
        nodes.start(4, 4);
        assertThat(nodes.change(1, 1, 2, 3)).isEqualTo("done");
        own.advance(2000);
        List<VoterList> proposed = new ArrayList<>();
        own.network(flight -> {
            if (flight.message() instanceof Accept accept && flight.from().equals(N1)) {
                proposed.add(accept.value());
            }
        });
        own.drop(flight -> flight.message() instanceof Accept && flight.from().equals(N1));
        own.changeVoters(N1, 2, ChangingCluster.nodes(1, 2));
        own.await("n1 proposes", 5000, () -> !proposed.isEmpty());
        own.advance(100);
        own.isolate(N1);
        return proposed.get(0);
    }

    /**
     * n4 votes no more. n1 proposes to go on without n3, and nobody but n1 has accepted that; n2 and n3 decide otherwise. The
     * list is no secret: n4 knows the voters and their directories, and the floor is the highest term that there is.
     */
    @Test
    void aVoterThatWasRemovedMakesNoListOfAMinorityBeInForce() {
        ChangingCluster nodes = new ChangingCluster(7);
        VirtualCluster own = nodes.cluster;
        VoterList proposed = proposedByN1Alone(nodes);
        NodeId n1 = ChangingCluster.node(1);
        NodeId n4 = ChangingCluster.node(4);
        own.inject(n4, own.incarnation(n4), n1, new DecidedVoters(proposed));
        assertThat(nodes.number(1))
                .as("the list that n1 goes by: %s", own.node(n1).voters())
                .isEqualTo(2);
        String others = nodes.change(2, 2, 3);
        assertThat(own.node(n1).voters())
                .as("n2 and n3 go by %s (%s)", own.node(ChangingCluster.node(2)).voters(), others)
                .satisfies(list -> assertThat(list.number() < 3
                                || list.equals(own.node(ChangingCluster.node(2)).voters()))
                        .isTrue());
    }

    /** The same when the others have decided: there would be two lists of one number. */
    @Test
    void aVoterThatWasRemovedBringsNoTwoListsOfOneNumberAbout() {
        ChangingCluster nodes = new ChangingCluster(7);
        VirtualCluster own = nodes.cluster;
        VoterList proposed = proposedByN1Alone(nodes);
        NodeId n1 = ChangingCluster.node(1);
        String others = nodes.change(2, 2, 3);
        NodeId n4 = ChangingCluster.node(4);
        own.inject(n4, own.incarnation(n4), n1, new DecidedVoters(proposed));
        own.advance(1000);
        assertThat(own.node(n1).voters().number())
                .as(
                        "n1 goes by %s, n2 by %s (%s)",
                        own.node(n1).voters(), own.node(ChangingCluster.node(2)).voters(), others)
                .isEqualTo(2);
    }

    /** It has left, and a wanted voter turns out to have another directory: two steps are left, in which it has no word. */
    @Test
    void aCoordinatorThatHasLeftSaysAtOnceThatOthersHaveToGoOn() {
        ChangingCluster nodes = new ChangingCluster(7);
        VirtualCluster own = nodes.cluster;
        nodes.start(3, 5);
        NodeId n1 = ChangingCluster.node(1);
        NodeId n4 = ChangingCluster.node(4);
        assertThat(nodes.change(1, 1, 2, 3, 4)).isEqualTo("done");
        own.advance(3000);
        boolean[] isAccepting = {false};
        own.network(flight -> isAccepting[0] |= flight.message() instanceof Accept);
        own.changeVoters(n1, nodes.number(1), ChangingCluster.nodes(2, 3, 4));
        own.await("it is accepted", 20_000, () -> isAccepting[0]);
        own.crash(n4);
        own.wipe(n4);
        own.start(n4);
        own.await("n1 has left", 20_000, () -> nodes.number(1) == 3);
        long begun = own.nowMillis();
        own.await("the change ends", 100_000, () -> own.changes(n1).size() > 1);
        assertThat(own.changes(n1).get(1)).doesNotContain("may say why");
        assertThat(own.nowMillis() - begun).isLessThan(10_000);
    }
}
