package io.quorate.ballot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.quorate.algorithms.Machine;
import io.quorate.spi.Effect;
import io.quorate.spi.Event;
import io.quorate.spi.Mark;
import io.quorate.spi.Membership;
import io.quorate.spi.Options;
import io.quorate.spi.Timing;
import io.quorate.spi.Variant;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** docs/algorithms/ballot.md#hardened: H1 to H9, and witnesses. */
class BallotHardenedTest {

    private static final Options WITH_P = new Options(Variant.HARDENED, false, true);

    private static Machine process(int id, int size) {
        return process(Membership.of(id - 1, size), Options.HARDENED);
    }

    private static Machine process(Membership membership, Options options) {
        return new Machine(
                new BallotAlgorithm().create(membership, new Timing(10), options),
                new BallotNotation(Variant.HARDENED));
    }

    /** P1 of 3, in round 2, follows P3 with ballot (0,3,1). */
    private static Machine follower() {
        Machine p1 = process(1, 3);
        assertThat(p1.after(
                        "start",
                        "timer T",
                        "REQ(1,(0,3,1),1) from 3",
                        "REP(1,(0,2,1),1,-,T) from 2",
                        "REP(1,(0,3,1),1,-,T) from 3",
                        "timer T"))
                .contains("LEADER 3 (0,3,1)");
        return p1;
    }

    // H1.
    @Test
    void halfIsNoQuorum() {
        Machine p1 = process(1, 4);
        p1.after("start", "timer T", "REP(1,(0,2,1),1,-,T) from 2");
        assertThat(p1.on("timer T")).containsExactlyInAnyOrder("REQ(2,(0,1,1),1) ->2,3,4", "set T=30");
    }

    // Round 0 asked nobody. A process alone needs the second timer.
    @Test
    void firstTimerDecidesNothing() {
        Machine single = process(1, 1);
        assertThat(single.after("start", "timer T")).containsExactly("set T=30");
        assertThat(single.on("timer T")).containsExactlyInAnyOrder("LEADER 1 (0,1,1)", "set T=30");
        Machine p1 = process(1, 3);
        p1.after("start", "timer T");
        assertThat(p1.on("REQ(1,(0,3,1),1) from 3")).containsExactly("REP(1,(0,1,1),1,-,T) ->3");
    }

    // H2.
    @Test
    void leaderIsIndicatedOnlyWhenItChanges() {
        Machine p1 = follower();
        p1.on("REP(2,(0,3,1),1,(0,3,1),T) from 3");
        assertThat(p1.on("timer T")).containsExactlyInAnyOrder("REQ(3,(0,3,1),1) ->2,3", "set T=30");
    }

    // H3, both places.
    @Test
    void leaderThatIsGivenUpIsIndicatedAsNone() {
        Machine silentLeader = follower();
        assertThat(silentLeader.after("REP(2,(0,2,1),1,-,T) from 2", "timer T")).contains("LEADER -");
        Machine minority = follower();
        assertThat(minority.on("timer T")).contains("LEADER -");
        assertThat(minority.on("timer T")).doesNotContain("LEADER -");
    }

    // H4: a ballot that was not known when the requests left proves nothing; nothing happens this round.
    @Test
    void ballotLearntDuringTheRoundDethronesNobody() {
        Machine p1 = follower();
        p1.after("REP(2,(0,3,1),1,(0,3,1),T) from 3", "REQ(9,(1,2,1),1) from 2");
        assertThat(p1.on("timer T")).containsExactlyInAnyOrder("REQ(3,(1,2,1),1) ->2,3", "set T=30");
        assertThat(p1.leader()).isEqualTo(3);
        // In the next round it was known before, and its owner answers.
        p1.after("REP(3,(0,3,1),1,(0,3,1),T) from 3", "REP(3,(1,2,1),1,-,T) from 2");
        assertThat(p1.on("timer T")).contains("LEADER 2 (1,2,1)");
    }

    // H4, the other half: known before and missing in the round.
    @Test
    void ballotKnownBeforeTheRoundAndMissingInItIsRaisedAbove() {
        Machine p1 = follower();
        p1.after("REP(2,(0,2,1),1,-,T) from 2", "timer T");
        assertThat(p1.on("REQ(3,(0,3,1),1) from 2")).containsExactly("REP(3,(1,1,1),1,-,T) ->2");
    }

    // H5: a round is doubled once, however many replies were late.
    @Test
    void roundWithLateRepliesIsFollowedByOneOfDoubleLength() {
        Machine p1 = follower();
        p1.after("REP(1,(0,2,1),1,-,T) from 2", "REP(1,(0,3,1),1,-,T) from 3");
        assertThat(p1.on("timer T")).contains("set T=60");
        assertThat(p1.on("timer T")).contains("set T=60");
        assertThat(p1.after("REP(2,(0,2,1),1,-,T) from 2", "timer T")).contains("set T=120");
    }

    // H5, K8: a reply that was lost, or to a round that was never asked, is not late.
    @Test
    void silenceAndRepliesToRoundsToComeDoubleNothing() {
        Machine p1 = follower();
        for (int round = 2; round < 100; round++) {
            p1.on("REP(" + (round + 1) + ",(0,2,1),1,-,T) from 2");
            assertThat(p1.on("timer T")).contains("set T=30");
        }
    }

    // H5: a peer that always lies drives the length to a million rounds, and no further.
    @Test
    void roundsHaveALongestLength() {
        Machine p1 = follower();
        for (int round = 2; round < 100; round++) {
            p1.after("REP(1,(0,2,1),1,-,T) from 2", "timer T");
        }
        assertThat(p1.on("timer T")).contains("set T=" + (30L << 20));
    }

    /** P1 of 3, whose rounds have become sixteen times as long, and the time at which its round began. */
    private static final class Slowed {
        private final Machine p1 = follower();
        private long length = 30;
        private long now;

        private Slowed() {
            for (int doubling = 0; doubling < 4; doubling++) {
                endRound("REP(1,(0,2,1),1,-,T) from 2", 10);
            }
        }

        /** The length of the rounds after {@code rounds} in which P2 answers this late, and P3 not at all. */
        private long after(int rounds, long latency) {
            for (int round = 0; round < rounds; round++) {
                long number = ((BallotState) p1.election().snapshot()).round();
                endRound("REP(" + number + ",(0,2,1),1,-,T) from 2", latency);
            }
            return length;
        }

        private void endRound(String reply, long latency) {
            p1.on(now + latency, reply);
            now += length;
            length = p1.on(now, "timer T").stream()
                    .filter(effect -> effect.startsWith("set T="))
                    .mapToLong(effect -> Long.parseLong(effect.substring("set T=".length())))
                    .sum();
        }
    }

    // H5: the way back, and that it ends at twice the slowest reply.
    @Test
    void roundsAreHalvedAfterTwentyCleanOnesUnlessRepliesNeedThem() {
        assertThat(new Slowed().after(19, 10)).isEqualTo(480);
        assertThat(new Slowed().after(20, 10)).isEqualTo(240);
        assertThat(new Slowed().after(20, 120)).isEqualTo(240);
        assertThat(new Slowed().after(200, 121)).isEqualTo(480);
        assertThat(new Slowed().after(200, 31)).isEqualTo(120);
        assertThat(new Slowed().after(200, 16)).isEqualTo(60);
        assertThat(new Slowed().after(200, 15)).isEqualTo(30);
    }

    // H5: the slowest of the twenty rounds counts, and one that comes too late begins a new row.
    @Test
    void oneSlowReplyKeepsTheRoundsLong() {
        Slowed slow = new Slowed();
        slow.after(3, 121);
        assertThat(slow.after(17, 10)).isEqualTo(480);
        assertThat(slow.after(20, 10)).isEqualTo(240);
        Slowed late = new Slowed();
        late.after(19, 10);
        late.endRound("REP(1,(0,2,1),1,-,T) from 2", 10);
        assertThat(late.after(19, 10)).isEqualTo(960);
        assertThat(late.after(1, 10)).isEqualTo(480);
    }

    // H6: by sender, the last reply wins.
    @Test
    void repliesOfOneSenderCountOnce() {
        Machine p1 = process(1, 5);
        p1.after("start", "timer T", "REP(1,(0,5,1),1,-,T) from 5", "REP(1,(1,5,1),1,-,T) from 5");
        assertThat(p1.on("timer T")).hasSize(2);
        p1.after("REP(2,(1,5,1),1,-,F) from 5", "REP(2,(0,4,1),1,-,T) from 4", "REP(2,(2,5,1),1,-,T) from 5");
        p1.on("timer T");
        p1.after("REP(3,(0,4,1),1,-,T) from 4", "REP(3,(2,5,1),1,-,T) from 5");
        assertThat(p1.on("timer T")).contains("LEADER 5 (2,5,1)");
    }

    // H6: replies to a former life are neither counted nor late.
    @Test
    void repliesToAFormerLifeAreDropped() {
        Machine p1 = process(1, 3);
        p1.after("start inc=2", "timer T", "REP(1,(0,3,1),1,-,T) from 3", "REP(8,(0,3,1),1,-,T) from 3");
        assertThat(p1.on("timer T")).containsExactlyInAnyOrder("REQ(2,(0,1,2),2) ->2,3", "set T=30");
    }

    // H6: the incarnation makes every ballot new.
    @Test
    void laterLifeHasAGreaterBallotOfTheSameNumber() {
        Machine p3 = process(3, 3);
        p3.after("start inc=2", "timer T", "REQ(1,(0,3,1),1) from 1", "REP(1,(0,2,1),2,-,T) from 2");
        assertThat(p3.on("timer T")).contains("LEADER 3 (0,3,2)");
    }

    // H7.
    @Test
    void nobodyRaisesWhileSomebodyStillHearsTheLeader() {
        Machine p1 = follower();
        p1.after("REP(2,(0,2,1),1,(0,3,1),T) from 2", "timer T");
        assertThat(p1.leader()).isZero();
        assertThat(p1.on("REQ(3,(0,3,1),1) from 2")).containsExactly("REP(3,(0,1,1),1,-,T) ->2");
    }

    // H7: a leader below what we knew before the round is no reason to wait.
    @Test
    void lowerLeaderHoldsNobody() {
        Machine p1 = follower();
        p1.after("REP(2,(0,2,1),1,(0,2,1),T) from 2", "timer T");
        assertThat(p1.on("REQ(3,(0,3,1),1) from 2")).containsExactly("REP(3,(1,1,1),1,-,T) ->2");
    }

    // H8: a sender without a quorum is counted, is no candidate and holds nobody.
    @Test
    void replyWithoutQuorumCountsAndDoesNothingElse() {
        Machine p1 = follower();
        p1.after("REP(2,(0,2,1),1,(0,3,1),F) from 2", "timer T");
        assertThat(p1.on("REQ(3,(0,3,1),1) from 2")).containsExactly("REP(3,(1,1,1),1,-,T) ->2");
        p1.after("REP(3,(9,2,1),1,-,F) from 2");
        assertThat(p1.on("timer T")).contains("LEADER 1 (1,1,1)");
    }

    // H8: qc goes out, and the first good round only warms up.
    @Test
    void firstRoundAfterAnOutageElectsNobody() {
        Machine p1 = follower();
        p1.on("timer T");
        assertThat(p1.on("REQ(3,(0,3,1),1) from 2")).containsExactly("REP(3,(0,1,1),1,-,F) ->2");
        p1.on("REP(3,(0,3,1),1,-,T) from 3");
        assertThat(p1.on("timer T")).hasSize(2);
        assertThat(p1.on("REQ(4,(0,3,1),1) from 2")).containsExactly("REP(4,(0,1,1),1,-,T) ->2");
        p1.on("REP(4,(0,3,1),1,-,T) from 3");
        assertThat(p1.on("timer T")).contains("LEADER 3 (0,3,1)");
    }

    // H7 needs it: the reply tells whom its sender follows.
    @Test
    void replyNamesTheLeadersBallot() {
        assertThat(follower().on("REQ(4,(0,3,1),7) from 2")).containsExactly("REP(4,(0,1,1),7,(0,3,1),T) ->2");
    }

    // H9.
    @Test
    void bmaxIsSavedBeforeItIsShownAndRestored() {
        Machine p1 = process(Membership.of(0, 3), WITH_P);
        assertThat(p1.on("start").get(0)).startsWith("save");
        List<Effect> effects = p1.on(new BallotNotation(Variant.HARDENED).parseEvent("REQ(1,(4,3,1),1) from 3"));
        Event.Saved saved = ((Effect.Save) effects.get(0)).saved();
        assertThat(p1.on("REQ(1,(4,2,1),1) from 2")).containsExactly("REP(1,(0,1,1),1,-,T) ->2");
        Machine secondLife = process(Membership.of(0, 3), WITH_P);
        secondLife.on(new Event.Start(2, saved, OptionalInt.empty()));
        assertThat(secondLife.on("timer T")).contains("REQ(1,(4,3,1),2) ->2,3");
        // H4: it was known before the round.
        secondLife.after("REP(1,(0,2,1),2,-,T) from 2", "timer T");
        assertThat(secondLife.on("REQ(2,(0,2,1),1) from 2")).containsExactly("REP(2,(5,1,2),1,-,T) ->2");
    }

    @Test
    void withoutPersistenceNothingIsSavedOrRestored() {
        assertThat(process(1, 3).after("start", "REQ(1,(4,3,1),1) from 3")).hasSize(1);
        Machine p1 = process(1, 3);
        p1.on(new Event.Start(2, new Event.Saved(new byte[] {9}), OptionalInt.empty()));
        assertThat(p1.on("timer T")).contains("REQ(1,(0,1,2),2) ->2,3");
    }

    @Test
    void savedStateOfSomethingElseIsRefused() {
        Machine p1 = process(Membership.of(0, 3), WITH_P);
        Event start = new Event.Start(2, new Event.Saved(new byte[] {1, 2}), OptionalInt.empty());
        assertThatIllegalStateException().isThrownBy(() -> p1.on(start)).withMessageContaining("saved state");
    }

    // ---------------------------------------------------------------- ADR-0025: voters and contenders

    /** P1 and P2 contend; P2, and the witnesses P3 and P4, vote. */
    private static Machine nonVoter() {
        return process(new Membership(0, 2, 2, List.of(0, 1), Set.of(1, 2, 3)), Options.HARDENED);
    }

    @Test
    void witnessesAreAskedAndCountButDoNotLead() {
        Machine p1 = nonVoter();
        p1.on("start");
        assertThat(p1.on("timer T")).contains("REQ(1,(0,1,1),1) ->2,3,4");
        p1.after("REP(1,(0,3,0),1,-,F) from 3", "REP(1,(0,4,0),1,-,F) from 4");
        assertThat(p1.on("timer T")).contains("LEADER 1 (0,1,1)");
    }

    // Whatever a witness says of itself.
    @Test
    void witnessIsNoCandidate() {
        Machine p1 = nonVoter();
        p1.after("start", "timer T", "REP(1,(9,3,0),1,-,T) from 3", "REP(1,(0,2,1),1,-,T) from 2");
        assertThat(p1.on("timer T")).contains("LEADER 2 (0,2,1)");
        assertThat(p1.on("REQ(1,(9,3,0),1) from 2")).isEmpty();
        assertThat(p1.on("REQ(1,(9,2,0),1) from 3")).isEmpty();
    }

    // H1: one voter of three, the own reply does not count.
    @Test
    void processThatIsNoVoterDoesNotCountItself() {
        Machine p1 = nonVoter();
        p1.after("start", "timer T", "REP(1,(0,2,1),1,-,T) from 2");
        assertThat(p1.on("timer T")).hasSize(2);
        assertThat(p1.on("REQ(1,(0,2,1),1) from 2")).containsExactly("REP(1,(0,1,1),1,-,F) ->2");
    }

    // H1: P1 and P2 vote, P3 does not: its reply makes it a candidate and is not counted.
    @Test
    void contenderThatIsNoVoterMayLeadAndIsNotCounted() {
        Membership membership = new Membership(0, 3, 0, List.of(0, 1, 2), Set.of(0, 1));
        Machine p1 = process(membership, Options.HARDENED);
        p1.after("start", "timer T", "REP(1,(0,3,1),1,-,T) from 3");
        assertThat(p1.on("timer T")).hasSize(2);
        p1.after("REP(2,(0,3,1),1,-,T) from 3", "REP(2,(0,2,1),1,-,T) from 2", "timer T");
        p1.after("REP(3,(0,3,1),1,-,T) from 3", "REP(3,(0,2,1),1,-,T) from 2");
        assertThat(p1.on("timer T")).contains("LEADER 3 (0,3,1)");
    }

    @Test
    void witnessAnswersRequestsOnly() {
        BallotAlgorithm algorithm = new BallotAlgorithm();
        BallotNotation notation = new BallotNotation(Variant.HARDENED);
        assertThat(algorithm.countsVoters()).isTrue();
        assertThat(algorithm.answerAsWitness(4, notation.parse("REQ(7,(1,2,3),3)")))
                .hasValue(new BallotMessage.Reply(7, new Mark(0, 4, 0), 3, Mark.NONE, false));
        assertThat(algorithm.answerAsWitness(4, notation.parse("REP(1,(0,2,1),1,-,T)")))
                .isEmpty();
    }
}
