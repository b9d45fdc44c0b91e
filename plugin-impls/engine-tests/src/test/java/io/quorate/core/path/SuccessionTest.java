package io.quorate.core.path;

import static io.quorate.core.Contexts.N1;
import static io.quorate.core.Contexts.N2;
import static io.quorate.core.Contexts.N3;
import static io.quorate.core.LoneNode.N4;
import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.core.LoneNode;
import io.quorate.core.message.DirectoryMessage.Registrations;
import io.quorate.core.message.VoteMessage.Elect;
import io.quorate.core.message.VoteMessage.Handover;
import io.quorate.core.step.NodeEvent;
import io.quorate.spi.Effect;
import io.quorate.spi.Event;
import io.quorate.spi.Mark;
import io.quorate.spi.NodeId;
import io.quorate.spi.RankOrder;
import io.quorate.testkit.simulation.HighestUp;
import io.quorate.testkit.simulation.RecordingAlgorithm;
import org.junit.jupiter.api.Test;

/**
 * What n1 does when the leader of its path has gone: n2 led it, and n3 and n4 may stand before n1. Unless a test says
 * otherwise n2 is gone at 1000 ms, and until 1080 the path is left to a successor that was named.
 */
class SuccessionTest {

    private static final String PATH = "/app/leader";
    private static final String LEADS = " Leading: a majority of voters backs its claim";
    private static final String NOT_NOMINATED = " Electing: no leader is up, and it is not nominated";
    private static final String OTHERS_FIRST = " Electing: it is nominated, and others that are up rank better";
    private static final NodeId N5 = new NodeId("n5");
    private static final long MILLI = 1_000_000;

    private final RecordingAlgorithm recording = new RecordingAlgorithm();
    private LoneNode lone = new LoneNode(new HighestUp(), RankOrder.JOIN_ORDER, 0);

    private void electsBy(RecordingAlgorithm algorithm) {
        lone = new LoneNode(algorithm, RankOrder.JOIN_ORDER, 0);
    }

    /** n2 leads until now, 1000 ms; these wait, and then n1. */
    private void waitBehind(NodeId... better) {
        lone.areUp(N1, N2, N3, N4, N5);
        lone.list(PATH, N2, 1, 0, 1);
        for (NodeId node : better) {
            lone.list(PATH, node, 2, 0, 0);
        }
        lone.contend(1, PATH);
        lone.advance(1_000);
        lone.forget();
    }

    private void leaderLeaves(NodeId... better) {
        waitBehind(better);
        lone.unlist(PATH, N2);
    }

    private static Effect nominate(int nominee) {
        return new Effect.Nominate(nominee, Mark.NONE);
    }

    // ---------------------------------------------------------------- who claims, and when

    @Test
    void theOnlyContenderClaimsWhenTheSuccessorCouldHave() {
        leaderLeaves();
        lone.advance(2_000);
        assertThat(lone.states())
                .containsExactly(
                        "1000 ms 1" + NOT_NOMINATED, "1080 ms 1 Claiming: it is nominated", "1080 ms 1" + LEADS);
    }

    // A support time, and at random a quarter of it at most, here an eighth; then half of one for each that is better.
    @Test
    void patientContenderClaimsWithoutANomination() {
        leaderLeaves(N3);
        lone.advance(2_000);
        assertThat(lone.states())
                .containsExactly(
                        "1000 ms 1" + NOT_NOMINATED, "2625 ms 1 Claiming: its patience is over", "2625 ms 1" + LEADS);
    }

    @Test
    void patienceIsShorterWhenFewerOfThoseBeforeAreUp() {
        leaderLeaves(N3, N4, N5);
        lone.advance(1_200);
        lone.areUp(N1, N2, N3, N4);
        lone.advance(2_000);
        assertThat(lone.states()).contains("3125 ms 1 Claiming: its patience is over");
    }

    @Test
    void aNomineeLeavesTwoBetterOnesTheirTurnsAtMost() {
        electsBy(recording);
        recording.wants(nominate(0));
        leaderLeaves(N3, N4, N5);
        lone.advance(2_000);
        assertThat(lone.states()).contains("2080 ms 1 Claiming: it is nominated");
    }

    @Test
    void aNomineeClaimsAtOnceWhenWhoRanksBetterGoesDown() {
        electsBy(recording);
        recording.wants(nominate(0));
        leaderLeaves(N3);
        lone.advance(200);
        recording.forget();
        lone.areUp(N1, N2, N4);
        assertThat(lone.states()).contains("1200 ms 1 Claiming: it is nominated");
        assertThat(recording.events()).containsExactly(new Event.Suspected(1));
    }

    // Nobody could lead before the votes for the dead one have ended.
    @Test
    void turnsCountFromTheMomentAtWhichTheDeadLeaderIsForgotten() {
        electsBy(recording);
        waitBehind(N3);
        recording.wants(nominate(0));
        lone.areUp(N1, N3);
        assertThat(lone.states()).containsExactly("1000 ms 1" + OTHERS_FIRST);
        lone.advance(300);
        lone.unlist(PATH, N2);
        lone.advance(200);
        lone.list(PATH, N3, 2, 0, 0);
        lone.advance(2_000);
        assertThat(lone.states()).contains("1800 ms 1 Claiming: it is nominated");
        assertThat(recording.memberships()).as("the election goes on").hasSize(1);
    }

    @Test
    void lastContenderIsTheNominee() {
        leaderLeaves(N3);
        lone.advance(500);
        lone.unlist(PATH, N3);
        assertThat(lone.states()).contains("1500 ms 1 Claiming: it is nominated");
    }

    @Test
    void messagesOfAnElectionReachItAndLeaveFromIt() {
        electsBy(recording);
        HighestUp.Ping ping = new HighestUp.Ping(1);
        recording.wants(new Effect.Send(1, ping));
        leaderLeaves(N3);
        lone.advance(80);
        Elect sent = lone.sent(N3, Elect.class).get(0);
        lone.receive(N3, new Elect(sent.election(), 9, 1, 0, false, ping));
        assertThat(recording.events()).last().isEqualTo(new Event.Received(1, ping));
    }

    @Test
    void failureOfAnAlgorithmIsExplainedUntilAnotherNodeLeads() {
        electsBy(recording);
        recording.wants(() -> {
            throw new IllegalStateException("on purpose");
        });
        leaderLeaves(N3);
        lone.advance(2_000);
        assertThat(lone.states()).last().isEqualTo("2625 ms 1" + LEADS);
        String failure = "algorithm highest-up failed at Start";
        assertThat(lone.notes())
                .singleElement()
                .asString()
                .startsWith("warning: /app/leader: " + failure)
                .endsWith("on purpose; contenders claim by patience");
        lone.step(new NodeEvent.TenureSeenEnded(1, lone.tenure(1)));
        lone.step(new NodeEvent.Rejoin(1));
        assertThat(lone.node().explain(1).reason())
                .startsWith(
                        "no leader; it waits as number 2 of 2: no leader is up, and it is not nominated; " + failure);
        lone.list(PATH, N3, 2, 0, 9);
        lone.list(PATH, N3, 2, 0, 0);
        assertThat(lone.node().explain(1).reason())
                .isEqualTo("no leader; it waits as number 2 of 2: no leader is up, and it is not nominated");
    }

    // ---------------------------------------------------------------- when there is nothing to do

    @Test
    void aLeaderThatIsUpEndsTheElectionAndTheNextOneBeginsAnew() {
        electsBy(recording);
        waitBehind(N3);
        int timers = lone.node().pendingTimers();
        lone.unlist(PATH, N2);
        lone.advance(100);
        lone.list(PATH, N3, 2, 0, 2);
        assertThat(lone.states()).last().isEqualTo("1100 ms 1 Resting: a leader is up");
        assertThat(lone.node().pendingTimers()).isEqualTo(timers);
        lone.list(PATH, N3, 2, 0, 0);
        lone.advance(100);
        assertThat(recording.memberships()).hasSize(2);
    }

    @Test
    void withdrawalDuringAnElectionLeavesNothingBehind() {
        int timers = lone.node().pendingTimers();
        leaderLeaves(N3);
        lone.advance(100);
        lone.step(new NodeEvent.RankLast(1, 500 * MILLI, "test"));
        lone.step(new NodeEvent.Withdraw(1));
        lone.advance(1_000);
        assertThat(lone.states()).last().isEqualTo("1100 ms 1 Gone: it was closed");
        assertThat(lone.node().pendingTimers()).isEqualTo(timers);
        assertThat(lone.node().isHere(PATH)).isFalse();
    }

    @Test
    void oneContenderOfANodeActsAndTheOthersRest() {
        waitBehind(N3);
        lone.contend(2, PATH);
        lone.unlist(PATH, N2);
        lone.advance(100);
        lone.forget();
        lone.unanswered(send -> send.message() instanceof Registrations);
        lone.step(new NodeEvent.RankLast(1, 10_000 * MILLI, "test"));
        assertThat(lone.states())
                .containsExactly(
                        "1100 ms 1 Resting: another contender of this node goes first", "1100 ms 2" + NOT_NOMINATED);
        lone.receive(N2, new Handover(PATH, 1, 1, 7));
        lone.advance(10);
        assertThat(lone.states().subList(2, 5))
                .containsExactly(
                        "1100 ms 1 Claiming: a leader has named it as its successor",
                        "1101 ms 1" + LEADS,
                        "1101 ms 2 Resting: another contender of this node leads");
        assertThat(lone.tenure(1).token()).isEqualTo(7);
    }
}
