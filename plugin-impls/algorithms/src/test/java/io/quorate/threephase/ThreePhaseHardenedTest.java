package io.quorate.threephase;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.algorithms.Machine;
import io.quorate.spi.Effect;
import io.quorate.spi.Mark;
import io.quorate.spi.Options;
import io.quorate.spi.Variant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** docs/algorithms/three-phase.md#hardened: variant H. */
class ThreePhaseHardenedTest {

    private static final Options WITH_Q = new Options(Variant.HARDENED, true, false);
    private static final String ALL = "{0:5,1:7,2:9}";

    private static Machine process(int self) {
        return Machines.of(self, "5,7,9", Options.HARDENED);
    }

    /** P0 of 3, judge of round 0 since 0; the given ones answered, and phase 3 began at 40. */
    private static Machine collectingJudge(int... answering) {
        Machine p0 = process(0);
        p0.on("start");
        for (int time = 9; time <= 39; time += 10) {
            for (int other : answering) {
                p0.on(time, "ACK(0) from " + other);
            }
            p0.on(time + 1, "timer TASK0");
        }
        return p0;
    }

    /** P0 of 3, judge of round 0, has just elected 2 at 50. */
    private static Machine decidedJudge() {
        Machine p0 = collectingJudge(1, 2);
        p0.on(49, "REPORT(0," + ALL + ",(-1,0),7) from 1");
        assertThat(p0.on(50, "REPORT(0," + ALL + ",(-1,0),9) from 2"))
                .containsExactlyInAnyOrder("cancel P3", "LEADER(2,0," + ALL + ") ->1,2", "LEADER 2 0");
        return p0;
    }

    /** P1 of 3 follows 0, elected in round 4, since 5. */
    private static Machine follower() {
        Machine p1 = process(1);
        p1.on("start leader=2");
        assertThat(p1.on(5, "LEADER(0,4," + ALL + ") from 0")).contains("LEADER 0 4");
        return p1;
    }

    // S3: the leader is given up when a round has failed; the next round is above the last decision.
    @Test
    void silentLeaderIsGivenUp() {
        Machine p1 = follower();
        assertThat(p1.on(55, "timer FRESH")).containsExactlyInAnyOrder("START(5) ->0,2", "set TMR=41");
        assertThat(p1.election().leader()).hasValue(0);
        assertThat(p1.on(96, "timer TMR")).containsExactlyInAnyOrder("LEADER -", "START(6) ->0,2", "set TMR=41");
        assertThat(p1.election().leader()).isEmpty();
    }

    // Joining because of others keeps the leader (START here, OK below).
    @Test
    void roundOfAnotherIsJoinedWithoutGivingUpTheLeader() {
        Machine p1 = follower();
        assertThat(p1.on(6, "START(5) from 2"))
                .containsExactlyInAnyOrder("START(5) ->0,2", "cancel FRESH", "set TMR=41");
        assertThat(p1.election().leader()).hasValue(0);
        assertThat(p1.on(7, "OK(6,(0,1,2)) from 0"))
                .containsExactlyInAnyOrder("ACK(6) ->0", "START(6) ->0,2", "set TMR=41");
        assertThat(p1.election().leader()).hasValue(0);
    }

    // Windows of 4 delta: one lost OK or ACK is survived.
    @Test
    void judgeWaitsFourDeltaForAcks() {
        Machine p0 = process(0);
        p0.on("start");
        p0.on(0, "ACK(0) from 1");
        assertThat(p0.on(10, "timer TASK0")).containsExactly("OK(0,(0,1,2)) ->1,2", "set TASK0=10");
        p0.on(20, "timer TASK0");
        assertThat(p0.on(30, "timer TASK0")).containsExactly("OK(0,(0,1,2)) ->1,2", "set TASK0=10");
        assertThat(p0.on(40, "timer TASK0"))
                .containsExactlyInAnyOrder("OK(0,(0,1)) ->1,2", "set TASK0=10", "COLLECT(0) ->1", "set P3=40");
    }

    // A restart: somebody may lead; the list is not known.
    @Test
    void restartedProcessListensBeforeItBegins() {
        Machine p1 = process(1);
        assertThat(p1.on("start inc=2")).containsExactly("set FRESH=50");
        assertThat(p1.election().isParticipating()).isFalse();
        assertThat(p1.on(50, "timer FRESH")).containsExactly("START(0) ->0,2", "set TMR=41");
        assertThat(p1.on(51, "COLLECT(0) from 0")).containsExactly("REPORT(0,{1:7},(-1,0),7) ->0");
    }

    @Test
    void listeningProcessFollowsTheLeaderItHears() {
        Machine p1 = process(1);
        p1.on("start inc=2");
        assertThat(p1.on(5, "MESSAGE(9," + ALL + ",3,4) from 2"))
                .containsExactlyInAnyOrder("LEADER 2 4", "set FRESH=50", "HBACK(9) ->2", "set FRESH=40");
        Machine joining = process(1);
        joining.on("start inc=2");
        assertThat(joining.on(5, "START(0) from 0")).containsExactly("START(0) ->0,2", "cancel FRESH", "set TMR=41");
    }

    // A leader that was configured has the epoch -1, and yet a mark that is no less than none.
    @Test
    void configuredLeaderIsFoundByARestartedProcess() {
        Machine p1 = process(1);
        p1.on("start inc=2");
        List<Effect> effects = p1.election()
                .on(5, new ThreePhaseNotation(Variant.HARDENED).parseEvent("MESSAGE(1," + ALL + ",0,-1) from 2"));
        assertThat(effects).contains(new Effect.Nominate(2, new Mark(0, 2, 0)));
    }

    // MESSAGE, first case; E6 for the rest.
    @Test
    void heartbeatOfAnOldLeaderIsAnsweredIfTheNewOneIsKnown() {
        Machine p1 = follower();
        assertThat(p1.on(6, "MESSAGE(3," + ALL + ",7,3) from 2")).containsExactly("LEADER(0,4," + ALL + ") ->2");
        p1.on(55, "timer FRESH");
        p1.on(96, "timer TMR");
        assertThat(p1.on(97, "MESSAGE(4," + ALL + ",7,3) from 2")).isEmpty();
    }

    // MESSAGE, second case: a decision of an older round than the one we are in says nothing.
    @Test
    void heartbeatOfAnOlderRoundDoesNotEndAnElection() {
        Machine p1 = follower();
        p1.on(55, "timer FRESH");
        p1.on(56, "START(8) from 2");
        assertThat(p1.on(57, "MESSAGE(1," + ALL + ",0,4) from 0")).containsExactly("HBACK(1) ->0");
        assertThat(p1.on(58, "MESSAGE(1," + ALL + ",0,7) from 2")).isEmpty();
        assertThat(p1.on(59, "MESSAGE(1," + ALL + ",0,8) from 2"))
                .containsExactlyInAnyOrder("LEADER 2 8", "cancel TMR", "set FRESH=50", "HBACK(1) ->2", "set FRESH=40");
    }

    // G5 with epochs.
    @Test
    void listIsKeptUnlessTheHeartbeatHasAnOlderOne() {
        Machine p1 = follower();
        p1.on(6, "MESSAGE(1,{0:1,1:1,2:1},2,4) from 0");
        p1.on(7, "MESSAGE(2,{0:2,1:2,2:2},1,4) from 0");
        p1.on(8, "START(5) from 2");
        assertThat(p1.on(9, "MESSAGE(3,{0:3,1:3,2:3},2,4) from 0"))
                .as("no phase 1 in an election")
                .containsExactly("HBACK(3) ->0");
        assertThat(p1.on(10, "COLLECT(5) from 2")).containsExactly("REPORT(5,{0:3,1:3,2:3},(4,2),7) ->2");
    }

    // OK(k) and START(k) in phase 1 with a leader.
    @Test
    void laggardsAreInformedInsteadOfFollowed() {
        Machine p1 = follower();
        assertThat(p1.on(6, "OK(4,(1,2)) from 1")).as("from ourselves").isEmpty();
        assertThat(p1.on(6, "OK(3,(0,1,2)) from 0")).containsExactly("LEADER(0,4," + ALL + ") ->0");
        assertThat(p1.on(7, "START(3) from 2")).containsExactly("LEADER(0,4," + ALL + ") ->2");
        assertThat(p1.on(8, "START(4) from 2")).containsExactly("LEADER(0,4," + ALL + ") ->2");
        Machine p0 = process(0);
        p0.on("start leader=2");
        p0.on(5, "LEADER(2,4," + ALL + ") from 1");
        assertThat(p0.on(6, "OK(4,(0,1)) from 1")).containsExactly("LACK(4) ->1");
    }

    // Weakness 2: a lost COLLECT or REPORT.
    @Test
    void collectIsRepeatedToThoseWhoHaveNotReported() {
        Machine p0 = collectingJudge(1, 2);
        p0.on(45, "REPORT(0," + ALL + ",(-1,0),7) from 1");
        p0.on(49, "ACK(0) from 2");
        assertThat(p0.on(50, "timer TASK0")).containsExactly("OK(0,(0,1,2)) ->1,2", "set TASK0=10");
        assertThat(p0.on(60, "timer TASK0")).containsExactly("OK(0,(0,1,2)) ->1,2", "set TASK0=10", "COLLECT(0) ->2");
        p0.on(70, "timer TASK0");
        // P3: whoever was asked in vain for 4 delta is elected all the same, as its priority is listed.
        assertThat(p0.on(80, "timer P3")).contains("LEADER(2,0," + ALL + ") ->1,2");
    }

    // All of trust have reported, which is tested again when trust shrinks.
    @Test
    void shrunkTrustMayEndTheCollection() {
        Machine p0 = collectingJudge(1, 2);
        p0.on(41, "ACK(0) from 1");
        p0.on(42, "REPORT(0," + ALL + ",(-1,0),7) from 1");
        for (int time = 50; time <= 70; time += 10) {
            assertThat(p0.on(time, "timer TASK0")).noneMatch(effect -> effect.startsWith("LEADER"));
        }
        assertThat(p0.on(80, "timer TASK0"))
                .contains("OK(0,(0,1)) ->1,2", "LEADER(1,0," + ALL + ") ->1", "LEADER 1 0", "cancel P3");
    }

    @Test
    void collectOfAnotherRoundIsIgnored() {
        Machine p1 = process(1);
        p1.on("start");
        assertThat(p1.on(5, "COLLECT(3) from 0")).isEmpty();
        assertThat(p1.on(6, "COLLECT(0) from 0")).containsExactly("REPORT(0," + ALL + ",(-1,0),7) ->0");
        assertThat(follower().on(7, "COLLECT(4) from 1")).isEmpty();
    }

    @Test
    void reportOfAnotherRoundIsIgnored() {
        Machine p0 = collectingJudge(1);
        assertThat(p0.on(45, "REPORT(3," + ALL + ",(-1,0),7) from 1")).isEmpty();
        assertThat(p0.on(46, "REPORT(0," + ALL + ",(-1,0),7) from 1")).contains("LEADER 1 0");
    }

    // G14: the version is copied with the list, so that the order of the reports does not matter.
    @Test
    void newestListWinsInWhateverOrderItIsReported() {
        Machine p0 = collectingJudge(1, 2);
        assertThat(p0.on(45, "REPORT(0,{0:1,1:9,2:3},(-1,5),7) from 1")).isEmpty();
        assertThat(p0.on(46, "REPORT(0,{0:1,1:2,2:8},(-1,3),9) from 2"))
                .contains("LEADER(1,0,{0:1,1:9,2:3}) ->1,2", "LEADER 1 0");
    }

    // Weakness 3: whoever missed a LEADER has an old list with a large timestamp, but of an older epoch.
    @Test
    void listOfAnOlderEpochIsOlderWhateverItsTimestamp() {
        Machine p0 = process(0);
        p0.on("start leader=2");
        p0.on(5, "LEADER(2,4," + ALL + ") from 1");
        p0.on(6, "START(6) from 1");
        for (int time = 16; time <= 46; time += 10) {
            p0.on(time, "ACK(6) from 1");
            p0.on(time, "timer TASK0");
        }
        assertThat(p0.on(47, "REPORT(6,{0:9,1:1},(2,77),7) from 1")).contains("LEADER(1,6," + ALL + ") ->1");
    }

    // Weakness 1: no line 46. Whoever is back in trust may lead, with the priority it reports if need be.
    @Test
    void evictedProcessMayLeadLater() {
        Machine p0 = process(0);
        p0.on("start inc=2");
        p0.on(5, "START(3) from 2");
        for (int time = 15; time <= 45; time += 10) {
            p0.on(time, "ACK(3) from 1");
            p0.on(time, "ACK(3) from 2");
            p0.on(time, "timer TASK0");
        }
        p0.on(46, "REPORT(3,{1:7},(-1,0),7) from 1");
        assertThat(p0.on(47, "REPORT(3,{2:9},(-1,0),9) from 2"))
                .contains("LEADER(2,3," + ALL + ") ->1,2", "LEADER 2 3");
    }

    // A listed priority goes before the reported one; a tie goes to the higher process (G17).
    @Test
    void listDecidesBeforeOwnPriorities() {
        Machine p0 = collectingJudge(1, 2);
        p0.on(45, "REPORT(0,{0:6,1:6},(-1,1),99) from 1");
        assertThat(p0.on(46, "REPORT(0," + ALL + ",(-1,0),6) from 2")).contains("LEADER(2,0,{0:6,1:6,2:6}) ->1,2");
    }

    // Weakness 2: a lost LEADER. The judge goes on until all know.
    @Test
    void leaderIsRepeatedToThoseWhoHaveNotConfirmedIt() {
        Machine p0 = decidedJudge();
        assertThat(p0.election().leader()).hasValue(2);
        assertThat(p0.election().isParticipating()).isTrue();
        assertThat(p0.on(51, "LACK(0) from 1")).isEmpty();
        assertThat(p0.on(52, "LACK(3) from 2")).isEmpty();
        p0.on(59, "ACK(0) from 2");
        assertThat(p0.on(60, "timer TASK0")).containsExactly("OK(0,(0,1,2)) ->1,2", "set TASK0=10");
        assertThat(p0.on(70, "timer TASK0"))
                .containsExactly("OK(0,(0,1,2)) ->1,2", "set TASK0=10", "LEADER(2,0," + ALL + ") ->2");
        assertThat(p0.on(72, "LACK(0) from 2")).containsExactlyInAnyOrder("cancel TASK0", "set FRESH=50");
        assertThat(p0.election().isParticipating()).isFalse();
    }

    @Test
    void judgeEndsAfterEightDeltaAtTheLatest() {
        Machine p0 = decidedJudge();
        p0.on(55, "LACK(0) from 1");
        for (int time = 60; time < 130; time += 10) {
            p0.on(time - 1, "ACK(0) from 2");
            p0.on(time, "timer TASK0");
        }
        p0.on(129, "ACK(0) from 2");
        // 1 is in phase 1 and acknowledges no OK any more, so it is out of trust.
        assertThat(p0.on(130, "timer TASK0"))
                .containsExactlyInAnyOrder("OK(0,(0,2)) ->1,2", "set TASK0=10", "cancel TASK0", "set FRESH=50");
    }

    @Test
    void judgeDecidesOnce() {
        Machine p0 = decidedJudge();
        assertThat(p0.on(51, "REPORT(0,{0:9},(-1,7),7) from 1")).isEmpty();
        assertThat(p0.on(52, "LEADER(2,0," + ALL + ") from 2")).containsExactly("LACK(0) ->2");
    }

    // adopt: heartbeats at once, or none any more.
    @Test
    void electedLeaderSendsAHeartbeatAtOnce() {
        Machine p2 = process(2);
        p2.on("start");
        assertThat(p2.on(50, "LEADER(2,0," + ALL + ") from 0"))
                .containsExactlyInAnyOrder(
                        "LACK(0) ->0", "LEADER 2 0", "MESSAGE(1," + ALL + ",0,0,F) ->0,1", "set HB=20", "cancel TMR");
        assertThat(p2.on(60, "LEADER(2,0," + ALL + ") from 0")).containsExactly("LACK(0) ->0");
        assertThat(p2.on(61, "update(1,2,3)")).isEmpty();
        assertThat(p2.on(70, "timer HB")).contains("MESSAGE(2,{0:1,1:2,2:3},1,0,F) ->0,1");
    }

    // LEADER: outdated, lower, equal, and higher.
    @Test
    void onlyANewerLeaderIsAccepted() {
        Machine p1 = follower();
        assertThat(p1.on(6, "LEADER(2,3," + ALL + ") from 2")).isEmpty();
        assertThat(p1.on(7, "LEADER(0,4," + ALL + ") from 2")).containsExactly("LACK(4) ->2");
        assertThat(p1.on(8, "LEADER(2,4," + ALL + ") from 0")).contains("LACK(4) ->0", "LEADER 2 4");
        p1.on(9, "START(7) from 0");
        assertThat(p1.on(10, "LEADER(0,6," + ALL + ") from 0")).containsExactly("LEADER -");
        assertThat(p1.on(11, "LEADER(0,7," + ALL + ") from 0")).contains("LACK(7) ->0", "LEADER 0 7");
    }

    // l := 0 with every LEADER: the new leader's numbers are its own.
    @Test
    void heartbeatsOfANewLeaderAreCountedAnew() {
        Machine p1 = follower();
        assertThat(p1.on(25, "MESSAGE(70," + ALL + ",0,4) from 0")).containsExactly("HBACK(70) ->0", "set FRESH=40");
        p1.on(26, "LEADER(2,5," + ALL + ") from 0");
        assertThat(p1.on(45, "MESSAGE(1," + ALL + ",0,5) from 2")).containsExactly("HBACK(1) ->2", "set FRESH=40");
    }

    // n = 1.
    @Test
    void singleProcessElectsItself() {
        for (Options options : List.of(Options.HARDENED, WITH_Q)) {
            Machine p0 = Machines.of(0, "1", options);
            p0.on("start");
            for (int time = 10; time <= 30; time += 10) {
                p0.on(time, "timer TASK0");
            }
            assertThat(p0.on(40, "timer TASK0")).contains("LEADER 0 0", "set HB=20", "cancel TASK0");
            assertThat(p0.election().leader()).hasValue(0);
        }
    }
}
