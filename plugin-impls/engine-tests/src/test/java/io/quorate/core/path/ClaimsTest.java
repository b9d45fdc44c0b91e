package io.quorate.core.path;

import static io.quorate.core.Contexts.N1;
import static io.quorate.core.Contexts.N2;
import static io.quorate.core.Contexts.N3;
import static io.quorate.core.LoneNode.N4;
import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.core.LoneNode;
import io.quorate.core.message.VoteMessage.Claim;
import io.quorate.core.message.VoteMessage.Handover;
import io.quorate.core.message.VoteMessage.Nack;
import io.quorate.core.message.VoteMessage.Release;
import io.quorate.core.message.VoteMessage.Vote;
import io.quorate.core.message.VotersMessage.DecidedVoters;
import io.quorate.core.step.NodeEvent;
import io.quorate.core.voters.VoterList;
import io.quorate.core.voters.VoterList.Member;
import io.quorate.spi.NodeId;
import io.quorate.spi.RankOrder;
import io.quorate.testkit.simulation.HighestUp;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** When n1 claims, repeats its claim, and gives up; the voters answer claims as the test says. */
class ClaimsTest {

    private static final String PATH = "/app/leader";
    private static final String FAILED = "its claim has failed: ";
    private static final String UNANSWERED = FAILED + "too few voters have answered its claim";
    private static final String BLOCKED = FAILED + "too many votes are another's";
    private static final String NOMINATED = " Claiming: it is nominated";
    private static final String NAMED = " Claiming: a leader has named it as its successor";
    private static final String LEADS = " Leading: a majority of voters backs its claim";
    private static final NodeId N5 = new NodeId("n5");
    private static final long MILLI = 1_000_000;

    private LoneNode lone = new LoneNode(new HighestUp(), RankOrder.JOIN_ORDER, 0);

    private void unansweredClaims(Predicate<NodeId> voter) {
        lone.unanswered(send -> send.message() instanceof Claim && voter.test(send.to()));
    }

    /** n1 claims term 1 from 0 ms on, and nobody votes. */
    private void claimUnanswered() {
        unansweredClaims(voter -> true);
        lone.contend(1, PATH);
    }

    private void refuse(NodeId voter, long claimed, long term, long remainingMillis) {
        lone.receive(voter, new Nack(PATH, 1, claimed, term, remainingMillis * MILLI));
    }

    private List<Long> terms(NodeId voter) {
        return lone.sent(voter, Claim.class).stream().map(Claim::term).toList();
    }

    /** When n4 is asked for its vote in so many milliseconds from now on. */
    private List<Long> asked(long millis) {
        List<Long> asked = new ArrayList<>();
        for (long i = 0; i < millis; i++) {
            int before = terms(N4).size();
            lone.advance(1);
            for (int sent = before; sent < terms(N4).size(); sent++) {
                asked.add(lone.nowMillis());
            }
        }
        return asked;
    }

    // ---------------------------------------------------------------- the beginning

    // The others know after a heartbeat period that this node is up.
    @Test
    void aNodeThatDoesNotVoteAndIsNotAloneClaimsAHeartbeatAfterItsConnection() {
        lone = new LoneNode(new HighestUp(), RankOrder.PRIORITY, 3);
        lone.list(PATH, N2, 9, 0, 0);
        lone.contend(1, PATH);
        assertThat(lone.states())
                .last()
                .isEqualTo("0 ms 1 Waiting: its node has just connected, and the others must learn that first");
        assertThat(lone.node().explain(1).reason())
                .isEqualTo("no leader; it waits as number 1 of 2: its node has just connected, and the others"
                        + " must learn that first; it may claim in 200 ms");
        lone.advance(1_000);
        assertThat(lone.states()).endsWith("200 ms 1" + NOMINATED, "200 ms 1" + LEADS);
    }

    @Test
    void aVoterClaimsAtItsFirstConnectionWhereNobodyLeads() {
        lone = new LoneNode(new HighestUp(), RankOrder.PRIORITY, 3, List.of(N1, N2, N3));
        lone.list(PATH, N2, 9, 0, 0);
        lone.contend(1, PATH);
        assertThat(lone.states()).endsWith("0 ms 1" + NOMINATED, "0 ms 1" + LEADS);
    }

    @Test
    void eightPathsAreClaimedAndTheNinthWaitsForTheAnswers() {
        unansweredClaims(voter -> true);
        for (int i = 1; i <= 9; i++) {
            lone.contend(i, PATH + i);
        }
        assertThat(lone.states()).last().isEqualTo("0 ms 9 Waiting: other paths are claimed before this one");
        assertThat(lone.node().explain(8).reason()).isEqualTo("it claims term 1: it is nominated");
        assertThat(lone.node().explain(9).reason())
                .isEqualTo("no leader; it waits as number 1 of 1: other paths are claimed before this one");
        lone.receive(N2, new Vote(PATH + 3, 3, 1, lone.epoch()));
        lone.receive(N4, new Vote(PATH + 3, 3, 1, lone.epoch()));
        assertThat(lone.states()).endsWith("0 ms 3" + LEADS, "0 ms 9" + NOMINATED);
        // That one was answered soon, so one more may wait for an answer.
        lone.contend(10, PATH + 10);
        lone.contend(11, PATH + 11);
        assertThat(lone.states()).last().isEqualTo("0 ms 11 Waiting: other paths are claimed before this one");
        lone.step(new NodeEvent.Withdraw(4));
        assertThat(lone.states()).last().isEqualTo("0 ms 11" + NOMINATED);
    }

    @Test
    void aPathThatNeedsNoClaimAnyMoreKeepsNobodyWaiting() {
        unansweredClaims(voter -> true);
        for (int i = 1; i <= 10; i++) {
            lone.contend(i, PATH + i);
        }
        lone.list(PATH + 9, N2, 5, 0, 1);
        lone.step(new NodeEvent.Withdraw(4));
        assertThat(lone.states()).endsWith("0 ms 4 Gone: it was closed", "0 ms 10" + NOMINATED);
    }

    // ---------------------------------------------------------------- answers

    // 40 ms at first; then twice what the last answers took, doubled with each repetition, up to half a support time.
    @Test
    void aClaimThatNobodyAnswersIsRepeatedThreeTimesAndThenGivenBack() {
        claimUnanswered();
        assertThat(terms(N4)).containsExactly(1L);
        assertThat(asked(1_205)).containsExactly(40L, 200L, 700L);
        assertThat(lone.states()).endsWith("1200 ms 1 Resting: " + UNANSWERED, "1200 ms 1 Waiting: " + UNANSWERED);
        assertThat(lone.node().explain(1).reason())
                .isEqualTo("no leader; it waits as number 1 of 1: " + UNANSWERED + "; it may claim in 12 ms");
        assertThat(lone.sent(N3, Release.class)).containsExactly(new Release(PATH, 1, 1, Optional.empty()));
        lone.advance(10);
        assertThat(lone.states()).last().isEqualTo("1212 ms 1" + NOMINATED);
        assertThat(terms(N4)).containsExactly(1L, 1L, 1L, 1L, 2L);
    }

    // Then it waits as long as after its first repetition: twice 80 ms, because the first answers took more than 40.
    @Test
    void aClaimWaitsForVotesThatAreFreeSoonAndAsksAgain() {
        claimUnanswered();
        lone.advance(45);
        assertThat(terms(N2)).hasSize(2);
        refuse(N2, 1, 1, 30);
        refuse(N3, 1, 1, 30);
        assertThat(asked(40)).containsExactly(75L);
        assertThat(terms(N2)).hasSize(3);
        refuse(N2, 1, 1, 300);
        assertThat(asked(200)).containsExactly(235L);
    }

    @Test
    void oneVoteThatIsAnothersIsInNobodysWay() {
        claimUnanswered();
        refuse(N2, 1, 1, 300);
        assertThat(asked(60)).containsExactly(40L);
    }

    private void failFor300Millis() {
        claimUnanswered();
        refuse(N2, 1, 1, 500);
        refuse(N3, 1, 1, 300);
        lone.unanswered(send -> false);
        assertThat(lone.states()).endsWith("0 ms 1 Resting: " + BLOCKED, "0 ms 1 Waiting: " + BLOCKED);
    }

    @Test
    void aClaimFailsIfTooManyVotesAreAnothersAndIsMadeAgainWhenTheyMayBeFree() {
        failFor300Millis();
        assertThat(lone.sent(N4, Release.class)).containsExactly(new Release(PATH, 1, 1, Optional.empty()));
        lone.advance(1_000);
        assertThat(lone.states()).endsWith("300 ms 1" + NOMINATED, "300 ms 1" + LEADS);
    }

    @Test
    void failuresBeforeALeaderAreForgotten() {
        failFor300Millis();
        lone.list(PATH, N2, 9, 0, 5);
        lone.unlist(PATH, N2);
        lone.advance(1_000);
        assertThat(lone.states()).endsWith("80 ms 1" + NOMINATED, "80 ms 1" + LEADS);
    }

    @Test
    void failuresBeforeANominationAreForgotten() {
        failFor300Millis();
        lone.receive(N2, new Handover(PATH, 1, 5, 6));
        lone.advance(1_000);
        assertThat(lone.states()).endsWith("0 ms 1" + NAMED, "1 ms 1" + LEADS);
        assertThat(lone.tenure(1).token()).isEqualTo(6);
    }

    @Test
    void failuresBeforeAnotherOwnContenderLedAreForgotten() {
        failFor300Millis();
        lone.contend(2, PATH);
        lone.receive(N2, new Handover(PATH, 2, 5, 6));
        lone.advance(10);
        lone.step(new NodeEvent.TenureSeenEnded(2, lone.tenure(2)));
        lone.advance(1_000);
        assertThat(lone.states()).endsWith("90 ms 1" + NOMINATED, "90 ms 1" + LEADS);
    }

    // The votes are free for it, so it asks again at once, and does not give up.
    @Test
    void aClaimGoesOnWhenALeaderNamesTheClaimant() {
        claimUnanswered();
        lone.advance(10);
        lone.receive(N2, new Handover(PATH, 1, 5, 6));
        assertThat(terms(N4)).containsExactly(1L, 1L);
        refuse(N2, 1, 1, 300);
        refuse(N3, 1, 1, 300);
        assertThat(asked(60)).containsExactly(50L);
        assertThat(lone.states()).last().isEqualTo("0 ms 1" + NOMINATED);
    }

    @Test
    void aTermThatIsTooLowIsRaisedAtOnceEightTimesAtMost() {
        claimUnanswered();
        refuse(N2, 7, 1, 0);
        assertThat(terms(N4)).as("of another claim").containsExactly(1L);
        for (long term = 1; term < 12; term++) {
            refuse(N2, 2 * term - 1, 2 * term, 0);
        }
        assertThat(terms(N4)).containsExactly(1L, 3L, 5L, 7L, 9L, 11L, 13L, 15L, 17L);
    }

    // ---------------------------------------------------------------- terms

    @Test
    void aTermInWhichALeaderNamedNobodyOfThisNodeIsUsedUp() {
        lone.unanswered(send -> true);
        lone.contend(1, PATH);
        lone.receive(N2, new Handover(PATH, 9, 40, 41));
        assertThat(lone.sent(N3, Release.class)).containsExactly(new Release(PATH, 9, 41, Optional.empty()));
        lone.unanswered(send -> false);
        lone.advance(1_000);
        assertThat(lone.tenure(1).token()).isEqualTo(41);
    }

    @Test
    void noTwoContendersOfANodeClaimInOneTerm() {
        claimUnanswered();
        lone.contend(2, PATH);
        lone.contend(3, PATH);
        lone.step(new NodeEvent.Withdraw(1));
        lone.receive(N2, new Nack(PATH, 2, 2, 9, 0));
        lone.step(new NodeEvent.Withdraw(2));
        assertThat(terms(N4)).containsExactly(1L, 2L, 10L, 11L);
    }

    @Test
    void aTermIsBelievedUpToTwoToThe32AboveAllThatAreKnown() {
        lone.contend(1, PATH);
        lone.receive(N2, new Handover(PATH, 9, 40, 40));
        long highest = 40 + (1L << 32);
        lone.receive(N2, new Handover(PATH, 9, highest, 41));
        assertThat(lone.sent(N3, Release.class)).last().isEqualTo(new Release(PATH, 9, 41, Optional.empty()));
        assertThat(lone.notes()).isEmpty();
    }

    @Test
    void aTermFarAboveAllThatAreKnownIsNotBelieved() {
        claimUnanswered();
        lone.receive(N2, new Handover(PATH, 1, 1L << 33, 5));
        assertThat(lone.notes())
                .containsExactly("warning: /app/leader: the hand-over in term 8589934592 by n2 is not believed: it is"
                        + " more than 2^32 above 1, the highest term that is known here");
        assertThat(terms(N4)).containsExactly(1L);
    }

    @Test
    void theNextTokenIsAboveATermThatAVoterHasToldALeader() {
        lone.contend(1, PATH);
        lone.receive(N2, new Vote(PATH, 1, 40, lone.epoch()));
        lone.step(new NodeEvent.Resign(1, lone.tenure(1)));
        lone.step(new NodeEvent.Rejoin(1));
        lone.advance(1_000);
        assertThat(lone.tenure(1).token()).isEqualTo(41);
    }

    // ---------------------------------------------------------------- votes that a leader lacks

    @Test
    void aLeaderWinsAVoterThatIsAheadBackByAHigherTermAndKeepsItsToken() {
        unansweredClaims(N4::equals);
        lone.contend(1, PATH);
        refuse(N4, 1, 9, 0);
        unansweredClaims(voter -> false);
        lone.advance(200);
        assertThat(terms(N4)).containsExactly(1L, 10L);
        assertThat(lone.tenure(1).token()).isEqualTo(1);
        lone.step(new NodeEvent.Resign(1, lone.tenure(1)));
        lone.step(new NodeEvent.Rejoin(1));
        lone.advance(1_000);
        assertThat(lone.tenure(1).token()).isEqualTo(11);
    }

    /** Answers how often n3 was asked for its vote since then. */
    private int askedOfN3() {
        int asked = terms(N3).size();
        lone.forget();
        return asked;
    }

    private void leadFortyWithoutN3() {
        lone.advance(5_000);
        unansweredClaims(N3::equals);
        IntStream.rangeClosed(1, 40).forEach(i -> lone.contend(i, PATH + i));
        assertThat(askedOfN3()).isEqualTo(40);
    }

    @Test
    void aVoterThatVotesIsAskedForTheNextVotesAtTheNextHeartbeat() {
        leadFortyWithoutN3();
        unansweredClaims(voter -> false);
        lone.advance(200);
        assertThat(askedOfN3()).isEqualTo(16);
        lone.advance(200);
        assertThat(askedOfN3()).isEqualTo(24);
    }

    // The leases run out that rest on the former voters.
    @Test
    void afterAChangeOfTheVotersTheNextVotesAreAskedForAtOnce() {
        leadFortyWithoutN3();
        unansweredClaims(voter -> false);
        votersChange(0);
        assertThat(askedOfN3()).isEqualTo(40);
    }

    // It is slow, or not there, if it does not even refuse.
    @Test
    void aVoterThatRefusesHasAnswered() {
        leadFortyWithoutN3();
        lone.advance(200);
        for (Claim claim : lone.sent(N3, Claim.class)) {
            lone.receive(N3, new Nack(claim.path(), claim.number(), claim.term(), 1, 300 * MILLI));
        }
        assertThat(askedOfN3()).isEqualTo(16);
        lone.advance(200);
        assertThat(askedOfN3()).isEqualTo(32);
    }

    @Test
    void aVoterThatHasBegunAnewIsAskedForItsVotesAgain() {
        lone.contend(1, PATH);
        lone.list("/other", N2, 1, 0, 1);
        lone.contend(2, "/other");
        lone.unanswered(send -> send.to().equals(N3));
        lone.advance(1_000);
        lone.beginsAnew(N3);
        lone.forget();
        lone.advance(200);
        assertThat(lone.sent(N3, Claim.class)).containsExactly(new Claim(PATH, 1, 1));
    }

    @Test
    void aVoteCountsAsSoonAsTheSupportInItsEpochIsKnown() {
        claimUnanswered();
        lone.receive(N2, new Vote(PATH, 1, 1, LoneNode.ANEW));
        lone.receive(N4, new Vote(PATH, 1, 1, lone.epoch()));
        lone.unanswered(send -> send.to().equals(N2) || send.message() instanceof Claim);
        lone.advance(200);
        assertThat(lone.states()).last().isEqualTo("0 ms 1" + NOMINATED);
        lone.beginsAnew(N2);
        assertThat(lone.states()).last().isEqualTo("200 ms 1" + LEADS);
    }

    // ---------------------------------------------------------------- a change of the voters

    /** n5 votes in the place of n4. */
    private void votersChange(long floor) {
        List<Member> members = new ArrayList<>(VoterList.first(List.of(N2, N3)).members());
        members.add(new Member(N5, 7, Optional.empty()));
        lone.receive(N2, new DecidedVoters(new VoterList(3, floor, members)));
        lone.receive(N3, new DecidedVoters(new VoterList(3, floor, members)));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 5})
    void aClaimGoesOnAmongTheNewVotersInATermAboveTheirFloor(long floor) {
        claimUnanswered();
        lone.receive(N4, new Vote(PATH, 1, 1, lone.epoch()));
        votersChange(floor);
        assertThat(terms(N5))
                .as("whether it supports this node is not known yet")
                .isEmpty();
        lone.advance(100);
        assertThat(terms(N5)).containsExactly(floor + 1);
        lone.receive(N2, new Vote(PATH, 1, floor + 1, lone.epoch()));
        assertThat(lone.states()).last().isEqualTo("0 ms 1" + NOMINATED);
        lone.receive(N5, new Vote(PATH, 1, floor + 1, lone.epoch()));
        assertThat(lone.tenure(1).token()).isEqualTo(floor + 1);
    }

    @Test
    void theVoteOfAFormerVoterIsInNobodysWay() {
        claimUnanswered();
        refuse(N4, 1, 1, 300);
        votersChange(0);
        refuse(N2, 1, 1, 300);
        assertThat(lone.states()).last().isEqualTo("0 ms 1" + NOMINATED);
        refuse(N5, 1, 1, 300);
        assertThat(lone.states()).contains("0 ms 1 Resting: " + BLOCKED);
    }

    // Its lease ends with the support of the former voters.
    @Test
    void aLeaderAsksTheNewVotersForTheirVotesAtOnce() {
        lone.contend(1, PATH);
        lone.advance(50);
        unansweredClaims(voter -> true);
        votersChange(5);
        assertThat(terms(N5)).containsExactly(1L);
        unansweredClaims(voter -> false);
        lone.advance(200);
        assertThat(terms(N5)).containsExactly(1L, 1L);
        assertThat(terms(N2)).as("has voted").hasSize(1);
        lone.unanswered(send -> send.to().equals(N2));
        lone.advance(5_000);
        assertThat(lone.tenure(1).isEnded()).isFalse();
    }
}
