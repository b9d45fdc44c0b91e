package io.quorate.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.core.message.Accept;
import io.quorate.core.message.DecidedVoters;
import io.quorate.core.message.NodeMessage;
import io.quorate.core.message.Prepare;
import io.quorate.core.message.ReadyQuery;
import io.quorate.core.voters.Round;
import io.quorate.core.voters.VoterList;
import io.quorate.core.voters.VoterList.Member;
import io.quorate.spi.NodeId;
import io.quorate.testkit.simulation.HighestUp;
import io.quorate.testkit.simulation.VirtualCluster;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
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

    private void replaceN3() {
        cluster = new VirtualCluster(7, new HighestUp());
        for (NodeId voter : VOTERS) {
            cluster.add(VirtualCluster.settings(voter, VOTERS));
            cluster.start(voter);
        }
        cluster.add(VirtualCluster.settings(N4, VOTERS).joining());
        cluster.start(N4);
        cluster.advance(4_000);
        cluster.contend(N1, PATH);
        cluster.await("n1 leads", 3_000, () -> cluster.leaders(PATH).equals(List.of(N1)));
        cluster.changeVoters(N1, 1, LATER);
        cluster.await("n3 is replaced", 20_000, () -> LATER.stream()
                .allMatch(voter -> cluster.node(voter).voters().ids().equals(LATER)));
    }

    private static VoterList alone(long number) {
        return new VoterList(number, 0, List.of(new Member(N3, 0, Optional.empty())));
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

    /** The same, and one message that says which list is decided: with it N3 would be the only voter. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void aVoterThatHasAskedItsRemoverBeforeHasNoWordInWhoVotes(int which) {
        cluster = new VirtualCluster(7, new HighestUp());
        for (NodeId voter : VOTERS) {
            cluster.add(VirtualCluster.settings(voter, VOTERS));
            cluster.start(voter);
        }
        cluster.add(VirtualCluster.settings(N4, VOTERS).joining());
        cluster.start(N4);
        cluster.advance(3000);
        cluster.contend(N1, PATH);
        cluster.inject(N3, cluster.incarnation(N3), N1, new ReadyQuery(1));
        cluster.advance(60_000);
        cluster.changeVoters(N1, 1, LATER);
        cluster.await("the change ends", 60_000, () -> !cluster.changes(N1).isEmpty());
        cluster.crash(N3);
        cluster.inject(N3, 4_711, N1, ofVoters().get(which));
        cluster.advance(20_000);
        assertThat(LATER).as("%s", ofVoters().get(which)).allSatisfy(voter -> assertThat(
                        cluster.node(voter).voters().ids())
                .isEqualTo(LATER));
        assertThat(cluster.leaders(PATH)).containsExactly(N1);
    }

    /**
     * N3 has asked N1 once, long before, as whoever brings a change about does; N1 has removed it since. N1 hears its own
     * questions from nobody, so that N3 is still the last that has asked it.
     */
    @ParameterizedTest
    @ValueSource(ints = {0, 1_000})
    void aVoterThatHasAskedItsRemoverBeforeHasNobodyAcceptAnything(int later) {
        cluster = new VirtualCluster(7, new HighestUp());
        for (NodeId voter : VOTERS) {
            cluster.add(VirtualCluster.settings(voter, VOTERS));
            cluster.start(voter);
        }
        cluster.add(VirtualCluster.settings(N4, VOTERS).joining());
        cluster.start(N4);
        cluster.advance(3000);
        cluster.contend(N1, PATH);
        cluster.inject(N3, cluster.incarnation(N3), N1, new ReadyQuery(1));
        cluster.advance(60_000);
        cluster.changeVoters(N1, 1, LATER);
        cluster.await("the voters are others", 60_000, () -> LATER.stream()
                .allMatch(voter -> cluster.node(voter).voters().ids().equals(LATER)));
        cluster.await("the change ends", 60_000, () -> !cluster.changes(N1).isEmpty());
        cluster.crash(N3);
        cluster.advance(later);
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
}
