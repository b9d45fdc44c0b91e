package io.quorate.ballot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.quorate.algorithms.Machine;
import io.quorate.ballot.BallotRules.QuorumRule;
import io.quorate.spi.Membership;
import io.quorate.spi.Options;
import io.quorate.spi.Timing;
import io.quorate.spi.Variant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** docs/algorithms/ballot.md#faithful: the lines of source 000 and how its ambiguities were settled. */
class BallotFaithfulTest {

    private static Machine process(int id, int size) {
        return process(id, size, BallotRules.DEFAULT);
    }

    private static Machine process(int id, int size, BallotRules rules) {
        return new Machine(
                BallotElection.create(Membership.of(id - 1, size), new Timing(10), Options.FAITHFUL, rules),
                new BallotNotation(Variant.FAITHFUL));
    }

    /** P1 of 3, in round 2, follows P3 with ballot (0,3). */
    private static Machine follower() {
        Machine p1 = process(1, 3);
        assertThat(p1.after("start", "timer T", "REP(1,(0,2)) from 2", "REP(1,(0,3)) from 3", "timer T"))
                .contains("LEADER 3 (0,3)");
        return p1;
    }

    // L1-8.
    @Test
    void startSetsTheTimerOnly() {
        Machine p1 = process(1, 3);
        assertThat(p1.on("start")).containsExactly("set T=30");
        assertThat(p1.leader()).isZero();
        assertThat(p1.election().isParticipating()).isTrue();
    }

    // L10: the own entry is a candidate.
    @Test
    void greatestBallotLeadsAndMayBeTheOwn() {
        Machine p3 = process(3, 3);
        assertThat(p3.after("start", "timer T", "REP(1,(0,2)) from 2", "timer T"))
                .contains("LEADER 3 (0,3)");
        assertThat(p3.election().isParticipating()).isFalse();
    }

    // L11-14: silent; L12-13: the smallest own ballot above bmax.
    @Test
    void missingLeaderRaisesTheOwnBallotWithoutAnIndication() {
        Machine p1 = follower();
        p1.on("REP(2,(0,2)) from 2");
        assertThat(p1.on("timer T")).containsExactlyInAnyOrder("REQ(3,(0,3)) ->2,3", "set T=30");
        assertThat(p1.leader()).isZero();
        assertThat(p1.on("REQ(3,(0,3)) from 2")).containsExactly("REP(3,(1,1)) ->2");
    }

    // L12: n := max(n, bmax.n), and only then one more if that is not enough.
    @Test
    void ballotIsRaisedToTheTermOfBmaxIfThePidSuffices() {
        Machine p3 = process(3, 3);
        p3.after("start", "timer T", "REQ(1,(4,1)) from 2", "REP(1,(0,2)) from 2", "timer T");
        assertThat(p3.on("REQ(2,(4,1)) from 1")).containsExactly("REP(2,(4,3)) ->1");
    }

    // Pitfall: L17 updates bmax one check later, not when the own ballot is raised.
    @Test
    void raisedBallotBecomesBmaxOnlyWhenItLeads() {
        Machine p1 = follower();
        p1.after("REP(2,(0,2)) from 2", "timer T", "REP(3,(0,2)) from 2");
        assertThat(p1.on("timer T")).containsExactlyInAnyOrder("LEADER 1 (1,1)", "REQ(4,(1,1)) ->2,3", "set T=30");
    }

    // L16, quirk 1.
    @Test
    void leaderIsIndicatedOnlyWhenItChanges() {
        Machine p1 = follower();
        p1.on("REP(2,(0,3)) from 3");
        assertThat(p1.on("timer T")).containsExactlyInAnyOrder("REQ(3,(0,3)) ->2,3", "set T=30");
    }

    // Quirk 1: line 19 where it is printed. BLE3 is no longer strict.
    @Test
    void optionAnnounceEveryRoundIndicatesTheSameLeaderAgain() {
        Machine p1 = process(1, 3, new BallotRules(QuorumRule.LITERAL, true));
        p1.after("start", "timer T", "REP(1,(0,3)) from 3", "timer T", "REP(2,(0,3)) from 3");
        assertThat(p1.on("timer T")).contains("LEADER 3 (0,3)");
    }

    // Quirk 11: pid and ballot are compared.
    @Test
    void sameLeaderWithANewBallotIsIndicatedAgain() {
        Machine p1 = follower();
        p1.on("REP(2,(1,3)) from 3");
        assertThat(p1.on("timer T")).contains("LEADER 3 (1,3)", "REQ(3,(1,3)) ->2,3");
    }

    // Quirk 2: the literal line 21 takes half of an even number.
    @Test
    void halfOfAnEvenNumberIsAQuorumAsPrinted() {
        assertThat(process(1, 2).after("start", "timer T")).contains("LEADER 1 (0,1)");
        Machine p1 = process(1, 4);
        assertThat(p1.after("start", "timer T")).noneMatch(effect -> effect.startsWith("LEADER"));
        assertThat(p1.after("REP(1,(0,2)) from 2", "timer T")).contains("LEADER 2 (0,2)");
    }

    @Test
    void quorumRuleMajorityMendsIt() {
        BallotRules majority = new BallotRules(QuorumRule.MAJORITY, false);
        assertThat(process(1, 2, majority).after("start", "timer T")).hasSize(2);
        Machine p1 = process(1, 4, majority);
        assertThat(p1.after("start", "timer T", "REP(1,(0,2)) from 2", "timer T"))
                .hasSize(2);
        assertThat(p1.after("REP(2,(0,2)) from 2", "REP(2,(0,3)) from 3", "timer T"))
                .contains("LEADER 3 (0,3)");
    }

    @Test
    void singleProcessLeadsAfterTheFirstTimer() {
        assertThat(process(1, 1).after("start", "timer T")).containsExactlyInAnyOrder("LEADER 1 (0,1)", "set T=30");
    }

    // L23-28 whatever line 21 says; quirk 4: the leader stays.
    @Test
    void minorityKeepsItsLeaderAndGoesOnAsking() {
        Machine p1 = follower();
        assertThat(p1.on("timer T")).containsExactlyInAnyOrder("REQ(3,(0,3)) ->2,3", "set T=30");
        assertThat(p1.leader()).isEqualTo(3);
    }

    // L23.
    @Test
    void repliesCountForTheirRoundOnly() {
        Machine p1 = process(1, 5);
        p1.after("start", "timer T", "REP(1,(0,5)) from 5", "timer T", "REP(2,(0,4)) from 4");
        assertThat(p1.on("timer T")).hasSize(2);
    }

    // L30-31.
    @Test
    void greaterBallotOfARequestBecomesBmax() {
        Machine p1 = process(1, 3);
        p1.after("start", "timer T", "REQ(1,(3,2)) from 3", "REQ(1,(2,3)) from 2");
        assertThat(p1.on("timer T")).contains("REQ(2,(3,2)) ->2,3");
    }

    // L32; pitfall: not with bmax, and not with the leader's ballot.
    @Test
    void requestIsAnsweredWithTheOwnBallotAndItsOwnRound() {
        assertThat(follower().on("REQ(77,(5,2)) from 2")).containsExactly("REP(77,(0,1)) ->2");
    }

    // L37 and quirk 7: each late reply, without a bound.
    @Test
    void everyLateReplyLengthensTheRound() {
        Machine p1 = follower();
        for (int late = 0; late < 20; late++) {
            assertThat(p1.on("REP(1,(0,2)) from 2")).isEmpty();
        }
        assertThat(p1.on("timer T")).contains("set T=630");
    }

    // L35 is a set of pairs: what H6 mends.
    @Test
    void twoBallotsOfOneSenderCountTwice() {
        Machine p1 = process(1, 5);
        p1.after("start", "timer T", "REP(1,(0,5)) from 5", "REP(1,(0,5)) from 5");
        assertThat(p1.on("timer T")).hasSize(2);
        p1.after("REP(2,(0,5)) from 5", "REP(2,(1,5)) from 5");
        assertThat(p1.on("timer T")).contains("LEADER 5 (1,5)");
    }

    // Peer input is never an exception.
    @ParameterizedTest
    @EnumSource(Variant.class)
    void messagesThatMakeNoSenseAreIgnored(Variant variant) {
        Machine p1 = new Machine(
                new BallotAlgorithm().create(Membership.of(0, 3), new Timing(10), new Options(variant, false, false)),
                new BallotNotation(variant));
        p1.after("start", "timer T");
        long inc = variant == Variant.HARDENED ? 1 : 0;
        Object state = p1.election().snapshot();
        for (int from : new int[] {0, 1, 4, 99}) {
            assertThat(p1.on("REQ(1,(9,2)) from " + from))
                    .as("request from %d", from)
                    .isEmpty();
            assertThat(p1.on("REP(1,(0," + from + ")," + inc + ",-,T) from " + from))
                    .isEmpty();
        }
        assertThat(p1.on("REQ(1,(9,4)) from 2")).as("bmax of nobody").isEmpty();
        assertThat(p1.on("REP(1,(0,3)," + inc + ",-,T) from 2"))
                .as("ballot of another")
                .isEmpty();
        assertThat(p1.after("suspect(2)", "restore(2)")).isEmpty();
        assertThat(p1.election().snapshot()).isEqualTo(state);
    }

    @Test
    void secondStartAndUnknownTimerAreBugs() {
        Machine p1 = follower();
        assertThatIllegalStateException().isThrownBy(() -> p1.on("start"));
        assertThatIllegalStateException().isThrownBy(() -> p1.on("timer T2"));
    }
}
