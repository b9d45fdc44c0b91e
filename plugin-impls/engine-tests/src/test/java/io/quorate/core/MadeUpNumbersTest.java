package io.quorate.core;

import static io.quorate.core.ChangingCluster.from1to;
import static io.quorate.core.ChangingCluster.node;
import static io.quorate.core.ChangingCluster.nodes;
import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.core.message.NodeMessage;
import io.quorate.core.message.VotersMessage.Accept;
import io.quorate.core.message.VotersMessage.DecidedVoters;
import io.quorate.core.message.VotersMessage.NotPromised;
import io.quorate.core.message.VotersMessage.Prepare;
import io.quorate.core.message.VotersMessage.Promise;
import io.quorate.core.message.VotersMessage.Ready;
import io.quorate.core.message.VotersMessage.ReadyQuery;
import io.quorate.core.voters.Round;
import io.quorate.core.voters.VoterList;
import io.quorate.core.voters.VoterList.Member;
import io.quorate.spi.NodeId;
import io.quorate.testkit.simulation.VirtualCluster;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * One message of a member with a number that no honest node comes to: it shall not end all changes, nor all elections.
 * n1 to n3 vote, and n4 and n5 may.
 */
class MadeUpNumbersTest {

    private static final String PATH = "/app";
    private static final long MAX = NodeMessage.NUMBER_MAX;
    /** How far a round may be above the one before. */
    private static final long LEAP = 1L << 32;

    private ChangingCluster nodes;
    private VirtualCluster cluster;

    @BeforeEach
    void threeOfFiveVote() {
        start(3, 5);
    }

    private void start(int voters, int all) {
        nodes = new ChangingCluster(7);
        cluster = nodes.cluster;
        nodes.start(voters, all);
    }

    private void says(int from, int to, NodeMessage message) {
        cluster.inject(node(from), cluster.incarnation(node(from)), node(to), message);
    }

    /** These are asked again and again to promise a round, each as far above the one before as an honest one may be. */
    private void askForRounds(NodeId from, List<NodeId> voters, int many, int millisBetween) {
        VoterList base = cluster.node(node(1)).voters();
        for (int times = 1; times <= many; times++) {
            for (NodeId to : voters) {
                Prepare prepare = new Prepare(new Round(times * LEAP, from, 1), base);
                cluster.inject(from, cluster.incarnation(from), to, prepare);
            }
            cluster.advance(millisBetween);
        }
    }

    private Round firstOfN1() {
        return new Round(1, node(1), cluster.incarnation(node(1)));
    }

    /** n1 is asked for four voters; whatever answers it gets are those of the test. */
    private void askWithout(Class<?> answers) {
        cluster.drop(flight -> answers.isInstance(flight.message()));
        boolean[] isAsked = {false};
        cluster.network(flight -> isAsked[0] |= flight.message() instanceof Prepare);
        cluster.changeVoters(node(1), 1, nodes(1, 2, 3, 4));
        cluster.await("n1 asks for promises", 5000, () -> isAsked[0]);
    }

    private void assertChangesGoOn() {
        cluster.heal();
        cluster.advance(40_000);
        assertThat(nodes.change(1, 1, 2, 3, 4)).isEqualTo("done");
        cluster.contend(node(1), PATH);
        cluster.await("n1 leads", 20_000, () -> cluster.leaders(PATH).equals(nodes(1)));
        cluster.crash(node(1));
        cluster.start(node(1));
        cluster.await("it starts again", 20_000, () -> cluster.node(node(1))
                .describe()
                .contains("CONNECTED"));
    }

    @Test
    void aRoundThatIsAskedFor() {
        VoterList base = cluster.node(node(1)).voters();
        for (int to = 1; to <= 2; to++) {
            says(3, to, new Prepare(new Round(MAX, node(3), cluster.incarnation(node(3))), base));
        }
        assertChangesGoOn();
    }

    @Test
    void aRoundThatIsSaidToBePromised() {
        askWithout(Promise.class);
        Round madeUp = new Round(MAX, node(3), 1);
        says(3, 1, new NotPromised(2, firstOfN1(), Optional.of(madeUp), 0, ""));
        cluster.advance(3000);
        assertChangesGoOn();
    }

    @Test
    void aTermInAPromise() {
        askWithout(Promise.class);
        says(3, 1, new Promise(2, firstOfN1(), MAX, Optional.empty()));
        assertChangesGoOn();
    }

    @Test
    void theFloorOfAList() {
        List<Member> members = cluster.node(node(1)).voters().members();
        says(3, 1, new DecidedVoters(new VoterList(2, MAX, members)));
        assertChangesGoOn();
    }

    @Test
    void theNumberOfAList() {
        List<Member> members = cluster.node(node(1)).voters().members();
        says(3, 1, new DecidedVoters(new VoterList(MAX, 0, members)));
        assertChangesGoOn();
    }

    @Test
    void theFloorOfAListThatIsProposed() {
        VoterList base = cluster.node(node(1)).voters();
        List<Member> members = new ArrayList<>(base.members());
        members.add(new Member(node(5), 1, Optional.empty()));
        for (int to = 1; to <= 2; to++) {
            says(
                    3,
                    to,
                    new Accept(
                            new Round(1, node(3), cluster.incarnation(node(3))), base, new VoterList(2, MAX, members)));
        }
        assertChangesGoOn();
    }

    @Test
    void theDirectoryOfANewcomer() {
        cluster.drop(flight -> flight.from().equals(node(4)) && flight.message() instanceof Ready);
        long[] query = {0};
        cluster.network(flight -> {
            if (flight.message() instanceof ReadyQuery asked && flight.to().equals(node(4))) {
                query[0] = asked.query();
            }
        });
        cluster.changeVoters(node(1), 1, nodes(1, 2, 3, 4));
        cluster.await("n4 is asked", 5000, () -> query[0] > 0);
        NodeId newcomer = node(4);
        long refused = cluster.node(node(1)).messagesRefused();
        cluster.inject(newcomer, cluster.incarnation(newcomer), node(1), new Ready(query[0], -1, 0, 0, ""));
        cluster.advance(100);
        assertThat(cluster.node(node(1)).messagesRefused()).isEqualTo(refused + 1);
        assertChangesGoOn();
    }

    @Test
    void severalRoundsThatAreAskedFor() {
        askForRounds(node(1), nodes(2, 3), 3, 1000);
        assertThat(nodes.change(1, 1, 2)).isEqualTo("done");
    }

    // As many as a voter likes, and the next change is done in time all the same.
    @Test
    void manyRoundsThatAreAskedFor() {
        askForRounds(node(1), nodes(2, 3), 1000, 10);
        assertThat(nodes.change(1, 1, 2)).isEqualTo("done");
        assertThat(nodes.change(1, 1, 2, 3)).isEqualTo("done");
    }

    // The others do promise: one voter alone does not keep them from it, however fast and often it says so, if
    // they answer within the suspicion time.
    @ParameterizedTest
    @ValueSource(ints = {1, 120, 200})
    void oneVoterThatClaimsALaterRoundEachTime(int oneWayMillis) {
        cluster.delays(1000 * oneWayMillis - 500, 1000 * oneWayMillis);
        cluster.network(flight -> {
            if (flight.message() instanceof Prepare asked
                    && flight.to().equals(node(3))
                    && !flight.from().equals(node(3))) {
                Round later = new Round(MAX, node(3), 1);
                says(3, 1, new NotPromised(2, asked.round(), Optional.of(later), 0, ""));
            }
        });
        assertThat(nodes.change(1, 1, 2, 3, 4)).isEqualTo("done");
    }

    // The other has promised nothing, and follows step by step: both are needed.
    @Test
    void severalRoundsThatOneVoterIsAskedFor() {
        askForRounds(node(1), nodes(2), 3, 1000);
        cluster.crash(node(3));
        cluster.advance(2000);
        assertThat(nodes.change(1, 1, 2)).isEqualTo("done");
    }

    // The others were away while n1 came up to what n2 had promised.
    @Test
    void absentVoterCatchesUpWithTheRounds() {
        askForRounds(node(1), nodes(2), 5, 1000);
        cluster.drop(flight -> flight.to().equals(node(3)) && flight.message() instanceof Prepare);
        assertThat(nodes.change(1, 1, 2, 3, 4)).isEqualTo("done");
        cluster.heal();
        cluster.crash(node(2));
        assertThat(nodes.change(1, 1, 2, 3)).isEqualTo("done");
    }

    // n3 was not asked to promise, and is needed to accept: it comes up to the round all the same.
    @Test
    void unaskedVoterCatchesUpWithTheRounds() {
        askForRounds(node(1), nodes(2), 5, 1000);
        boolean[] isAccepting = {false};
        cluster.network(flight -> isAccepting[0] |= flight.message() instanceof Accept);
        cluster.drop(flight -> flight.to().equals(node(3)) && flight.message() instanceof Prepare
                || flight.to().equals(node(2)) && isAccepting[0]);
        assertThat(nodes.change(1, 1, 2, 3, 4)).isEqualTo("done");
    }

    // And the change after that goes on, in which nobody has promised anything.
    @ParameterizedTest
    @CsvSource({"2, 1000", "2, 61000", "3, 1000"})
    void ofFiveSomeHavePromisedMadeUpRounds(int some, int delayMicros) {
        start(5, 6);
        cluster.delays(delayMicros - 1000, delayMicros);
        askForRounds(node(1), from1to(5).subList(5 - some, 5), 3, 1000);
        cluster.crash(node(3));
        cluster.advance(2000);
        assertThat(nodes.change(1, 1, 2, 4, 5)).isEqualTo("done");
        assertThat(nodes.change(1, 1, 2, 4, 5, 6)).isEqualTo("done");
        assertThat(nodes.change(1, 1, 2, 4)).isEqualTo("done");
    }

    // Of two voters one refuses each round at once, with a ballot that it makes up.
    @Test
    void theLimitOfAStepIsKeptAlthoughAVoterRefusesEachRoundAtOnce() {
        start(2, 3);
        long[] rounds = {0};
        List<Round> asked = new ArrayList<>();
        cluster.network(flight -> {
            if (flight.message() instanceof Prepare prepare && flight.to().equals(node(2))) {
                rounds[0]++;
                asked.add(prepare.round());
            }
        });
        cluster.drop(flight -> flight.from().equals(node(2)) && flight.message() instanceof Promise);
        cluster.changeVoters(node(1), 1, nodes(1, 2, 3));
        for (int millis = 0; millis < 60_000; millis += 5) {
            cluster.advance(5);
            List<Round> now = List.copyOf(asked);
            asked.clear();
            for (Round each : now) {
                Round later = new Round(MAX, node(2), 1);
                says(2, 1, new NotPromised(2, each, Optional.of(later), 0, ""));
            }
        }
        assertThat(cluster.changes(node(1)))
                .as("after a minute and %d rounds", rounds[0])
                .hasSize(1);
    }

    // Nobody lies any more, but the way is long.
    @Test
    void theLimitOfAStepIsKeptOverALongWay() {
        start(2, 3);
        askForRounds(node(1), nodes(2), 1000, 10);
        cluster.delays(30_000, 31_000);
        long begun = cluster.nowMillis();
        cluster.changeVoters(node(1), 1, nodes(1, 2, 3));
        cluster.await(
                "the change ends", 600_000, () -> !cluster.changes(node(1)).isEmpty());
        assertThat(cluster.nowMillis() - begun)
                .as(cluster.changes(node(1)).toString())
                .isLessThan(32_000);
    }

    // The usual reason of a change: one voter is dead. Of the others one has promised made-up rounds.
    @ParameterizedTest
    @CsvSource({"100", "1000"})
    void manyRoundsThatOneVoterIsAskedForAndAnotherIsDead(int many) {
        askForRounds(node(1), nodes(2), many, 10);
        cluster.crash(node(3));
        cluster.advance(2000);
        assertThat(nodes.change(1, 1, 2)).isEqualTo("done");
    }

    // Of four two have, so no majority is left; the other two must come up.
    @ParameterizedTest
    @CsvSource({"1000, 1000", "50, 61000"})
    void ofFourTwoHavePromisedManyMadeUpRounds(int many, int delayMicros) {
        start(4, 5);
        askForRounds(node(1), nodes(3, 4), many, 10);
        cluster.delays(delayMicros - 1000, delayMicros);
        assertThat(nodes.change(1, 1, 2, 3, 4, 5)).isEqualTo("done");
    }

    // The own voter has promised them: all rounds up to there are begun in one step.
    @Test
    void oneStepBeginsNotAllRounds() {
        start(2, 3);
        askForRounds(node(2), nodes(1), 20_000, 5);
        cluster.takeWork(node(1));
        cluster.changeVoters(node(1), 1, nodes(1, 2, 3));
        cluster.advance(60_000);
        VirtualCluster.Work work = cluster.takeWork(node(1));
        assertThat(work.effectsMax())
                .as("effects of one step; changes %s", cluster.changes(node(1)))
                .isLessThan(1000);
    }

    private void askForRoundsOfTheThirdList(int many) {
        assertThat(nodes.change(1, 1, 2, 3, 4)).isEqualTo("done");
        cluster.advance(3000);
        assertThat(nodes.change(1, 1, 2, 3)).isEqualTo("done");
        cluster.advance(3000);
        askForRounds(node(1), nodes(2), many, 10);
    }

    // n3 has lost its directory: it answers, and can promise nothing. It is to be taken in anew.
    @ParameterizedTest
    @CsvSource({"5", "1000"})
    void aVoterWithAnotherDirectoryIsNoneThatMayAgree(int many) {
        askForRoundsOfTheThirdList(many);
        cluster.crash(node(3));
        cluster.wipe(node(3));
        cluster.start(node(3));
        cluster.advance(5000);
        assertThat(nodes.change(1, 1, 2, 3)).isEqualTo("done");
    }

    // n3 answers, and its disk is full: it promises nothing, and says so.
    @ParameterizedTest
    @CsvSource({"5", "1000"})
    void aVoterThatCannotStoreIsNoneThatMayAgree(int many) {
        askForRoundsOfTheThirdList(many);
        cluster.diskIsFull(node(3), true);
        assertThat(nodes.change(1, 1, 2)).isEqualTo("done");
    }
}
