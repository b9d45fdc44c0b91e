package io.quorate.threephase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.quorate.algorithms.Machine;
import io.quorate.spi.Effect;
import io.quorate.spi.Event;
import io.quorate.spi.Mark;
import io.quorate.spi.Membership;
import io.quorate.spi.Options;
import io.quorate.spi.Variant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** docs/algorithms/three-phase.md#faithful: the lines of source 002 as reconstructed, and the guesses. */
class ThreePhaseFaithfulTest {

    private static final String ALL = "{0:5,1:7,2:9}";

    private static Machine process(int self) {
        return Machines.of(self, "5,7,9", Options.FAITHFUL);
    }

    /** P0 of 3, judge of round 0 since 0; both others answered, and phase 3 began at 20. */
    private static Machine collectingJudge() {
        Machine p0 = process(0);
        p0.on("start");
        for (int time = 9; time <= 19; time += 10) {
            p0.on(time, "ACK(0) from 1");
            p0.on(time, "ACK(0) from 2");
            p0.on(time + 1, "timer TASK0");
        }
        return p0;
    }

    // L1-3, L7-9: nothing is suspected at time 0 (G4); then phase 2 begins in round 0 (G6).
    @Test
    void leaderThatIsSilentIsReplacedInRoundZero() {
        Machine p1 = process(1);
        assertThat(p1.on("start leader=2")).containsExactly("set FRESH=50");
        assertThat(p1.election().isParticipating()).isFalse();
        assertThat(p1.on(50, "timer FRESH")).containsExactly("START(0) ->0,2", "set TMR=21");
        assertThat(p1.election().isParticipating()).isTrue();
    }

    // L4-6 and G2: with the list and its timestamp, which update() counts.
    @Test
    void leaderSendsItsListWithEveryHeartbeat() {
        Machine p2 = process(2);
        assertThat(p2.on("start leader=2")).containsExactly("set HB=20");
        assertThat(p2.on(20, "timer HB")).containsExactly("MESSAGE(1," + ALL + ",0) ->0,1", "set HB=20");
        assertThat(p2.on(30, "update(6,5,4)")).isEmpty();
        assertThat(p2.on(40, "timer HB")).containsExactly("MESSAGE(2,{0:6,1:5,2:4},1) ->0,1", "set HB=20");
    }

    @Test
    void onlyTheLeaderMaintainsTheList() {
        Machine p1 = process(1);
        p1.on("start leader=2");
        Object state = p1.election().snapshot();
        assertThat(p1.on("update(6,5,4)")).isEmpty();
        assertThat(p1.election().snapshot()).isEqualTo(state);
        assertThatIllegalStateException().isThrownBy(() -> p1.on("update(6,5)")).withMessageContaining("2 priorities");
    }

    // L11, L15 and G1: numbers begin at 1, and an old one changes nothing.
    @Test
    void heartbeatThatIsNotNewIsIgnored() {
        Machine p1 = process(1);
        p1.on("start leader=2");
        assertThat(p1.on(5, "MESSAGE(0," + ALL + ",0) from 2")).isEmpty();
        assertThat(p1.on(25, "MESSAGE(2," + ALL + ",0) from 2")).containsExactly("set FRESH=40");
        assertThat(p1.on(26, "MESSAGE(2," + ALL + ",0) from 2")).isEmpty();
        assertThat(p1.on(27, "MESSAGE(1," + ALL + ",0) from 2")).isEmpty();
    }

    // L14: a heartbeat that comes after the freshness point of the next one (the host was late) trusts nobody.
    @Test
    void heartbeatThatIsStaleOnArrivalStartsAnElection() {
        Machine p1 = process(1);
        p1.on("start leader=2");
        p1.on(5, "MESSAGE(1," + ALL + ",0) from 2");
        p1.on(25, "MESSAGE(2," + ALL + ",0) from 2");
        assertThat(p1.on(500, "MESSAGE(3," + ALL + ",0) from 2"))
                .containsExactly("START(0) ->0,2", "cancel FRESH", "set TMR=21");
    }

    // G5: equal timestamps count as newer; shown by the REPORT.
    @Test
    void listOfAHeartbeatIsKeptUnlessItIsOlder() {
        Machine p1 = process(1);
        p1.on("start leader=2");
        p1.on(5, "MESSAGE(1,{0:1,1:1,2:1},3) from 2");
        p1.on(6, "MESSAGE(2,{0:2,1:2,2:2},3) from 2");
        p1.on(7, "MESSAGE(3,{0:3,1:3,2:3},2) from 2");
        p1.on(8, "START(0) from 2");
        assertThat(p1.on(9, "COLLECT(0) from 0")).containsExactly("REPORT(1,{0:2,1:2,2:2},3) ->0");
    }

    // G18.
    @Test
    void heartbeatOfAnotherOrDuringAnElectionIsIgnored() {
        Machine p1 = process(1);
        p1.on("start leader=2");
        assertThat(p1.on(5, "MESSAGE(1," + ALL + ",0) from 0")).isEmpty();
        p1.on(6, "START(0) from 0");
        assertThat(p1.on(7, "MESSAGE(1,{0:1,1:1,2:1},9) from 2")).isEmpty();
        assertThat(p1.on(8, "COLLECT(0) from 0")).containsExactly("REPORT(1," + ALL + ",0) ->0");
    }

    // L16-21, L22-24, G7 and G9: a START to everybody, unless the process is the judge itself; no TMR there.
    @Test
    void roundIsAnnouncedByAllButItsJudge() {
        assertThat(process(1).on("start")).containsExactly("START(0) ->0,2", "set TMR=21");
        assertThat(process(0).on("start")).containsExactly("OK(0,(0,1,2)) ->1,2", "set TASK0=10");
    }

    // L27, L30.
    @Test
    void judgeSendsAnOkEveryDelta() {
        Machine p0 = process(0);
        p0.on("start");
        assertThat(p0.on(10, "timer TASK0")).containsExactly("OK(0,(0,1,2)) ->1,2", "set TASK0=10");
    }

    // L28-29 and G8: windows are inclusive; the judge needs no ACK of its own (G9).
    @Test
    void judgeDropsWhoeverDidNotAcknowledgeWithinTwoDelta() {
        Machine p0 = process(0);
        p0.on("start");
        p0.on(0, "ACK(0) from 1");
        p0.on(10, "timer TASK0");
        assertThat(p0.on(20, "timer TASK0")).contains("OK(0,(0,1)) ->1,2");
        assertThat(p0.on(30, "timer TASK0")).contains("OK(0,(0)) ->1,2");
        // It never comes back into trust within the round.
        p0.on(31, "ACK(0) from 1");
        assertThat(p0.on(40, "timer TASK0")).contains("OK(0,(0)) ->1,2");
    }

    @Test
    void ackOfAnotherRoundDoesNotCount() {
        Machine p0 = process(0);
        p0.on("start");
        p0.on(9, "ACK(3) from 1");
        p0.on(10, "timer TASK0");
        assertThat(p0.on(20, "timer TASK0")).contains("OK(0,(0)) ->1,2");
    }

    // L31-37: also E4.
    @Test
    void okOfTheRoundIsAcknowledgedAndRestartsTheTimer() {
        Machine p1 = process(1);
        p1.on("start");
        assertThat(p1.on(5, "OK(0,(0,1)) from 0")).containsExactly("ACK(0) ->0", "set TMR=21");
        // L35: line 46 will use this trust.
        assertThat(p1.on(6, "COLLECT(0) from 0")).containsExactly("REPORT(1,{0:5,1:7},0) ->0");
    }

    // Pitfall: a START does not set TMR again.
    @Test
    void startOfTheSameRoundChangesNothing() {
        Machine p1 = process(1);
        p1.on("start");
        assertThat(p1.on(5, "START(0) from 2")).isEmpty();
    }

    // L33.
    @Test
    void distrustedCoordinatorStartsTheNextRound() {
        Machine p2 = process(2);
        p2.on("start");
        assertThat(p2.on(5, "OK(0,(0,1)) from 0")).containsExactly("START(1) ->0,1", "set TMR=21");
    }

    // L38-39; the next judge is 1 (L19), and it is the number of processes that counts, not that of the trusted ones.
    @Test
    void silentJudgeIsFollowedByTheNext() {
        Machine p1 = process(1);
        p1.on("start");
        p1.on(5, "OK(0,(0,1)) from 0");
        assertThat(p1.on(26, "timer TMR")).containsExactly("OK(1,(0,1,2)) ->0,2", "set TASK0=10");
        Machine p2 = process(2);
        p2.on("start");
        assertThat(p2.on(21, "timer TMR")).containsExactly("START(1) ->0,1", "set TMR=21");
        assertThat(p2.on(42, "timer TMR")).containsExactly("OK(2,(0,1,2)) ->0,1", "set TASK0=10");
    }

    // L40-42: the trust of the OK is not taken over. G6: a process in phase 1 joins as well.
    @Test
    void okOfAHigherRoundIsAcknowledgedAndJoined() {
        Machine p2 = process(2);
        p2.on("start leader=1");
        assertThat(p2.on(5, "OK(3,(0,1)) from 0"))
                .containsExactlyInAnyOrder("ACK(3) ->0", "START(3) ->0,1", "cancel FRESH", "set TMR=21");
        assertThat(p2.on(6, "COLLECT(3) from 0")).containsExactly("REPORT(2," + ALL + ",0) ->0");
    }

    @Test
    void startOfAHigherRoundIsJoinedAndNotAcknowledged() {
        Machine p0 = process(0);
        p0.on("start");
        assertThat(p0.on(5, "START(3) from 2"))
                .containsExactlyInAnyOrder("cancel TASK0", "OK(3,(0,1,2)) ->1,2", "set TASK0=10");
        assertThat(p0.on(6, "START(4) from 2"))
                .containsExactlyInAnyOrder("START(4) ->1,2", "cancel TASK0", "set TMR=21");
    }

    // L43-44.
    @Test
    void lowerRoundIsAnsweredWithTheOwn() {
        Machine p1 = process(1);
        p1.after("start", "START(5) from 2");
        assertThat(p1.on("START(3) from 0")).containsExactly("START(5) ->0");
        assertThat(p1.on("OK(3,(0,1,2)) from 0")).containsExactly("START(5) ->0");
    }

    // G10: a round change aborts phase 3.
    @Test
    void roundChangeEndsTheCollection() {
        Machine p0 = collectingJudge();
        assertThat(p0.on(25, "START(1) from 2"))
                .containsExactlyInAnyOrder("START(1) ->1,2", "cancel TASK0", "cancel P3", "set TMR=21");
        assertThat(p0.on(26, "REPORT(1,{0:1},9) from 1")).isEmpty();
    }

    // L46, L49-52, G10: once, right after pruning, without the priorities of those who are not trusted.
    @Test
    void judgeCollectsOnceFromThoseItTrusts() {
        Machine p0 = process(0);
        p0.on("start");
        p0.on(9, "ACK(0) from 1");
        p0.on(10, "timer TASK0");
        assertThat(p0.on(20, "timer TASK0"))
                .containsExactlyInAnyOrder("OK(0,(0,1)) ->1,2", "set TASK0=10", "COLLECT(0) ->1", "set P3=20");
        p0.on(21, "ACK(0) from 1");
        assertThat(p0.on(30, "timer TASK0")).containsExactly("OK(0,(0,1)) ->1,2", "set TASK0=10");
        assertThat(p0.on(40, "timer P3")).contains("LEADER(1) ->1");
    }

    // L53-57 and G11: without a newer REPORT the judge's own list decides, 2 delta after the COLLECT (G12).
    @Test
    void judgeElectsTheHighestPriority() {
        Machine p0 = collectingJudge();
        assertThat(p0.on(40, "timer P3"))
                .containsExactlyInAnyOrder("LEADER(2) ->1,2", "LEADER 2", "cancel TASK0", "set FRESH=50");
        assertThat(p0.election().leader()).hasValue(2);
        assertThat(p0.election().isParticipating()).isFalse();
    }

    // L58-63, G12 and G13: a newer list is adopted, and the time starts again; others change nothing.
    @Test
    void newerReportIsAdoptedAndAcknowledgedToTheReporter() {
        Machine p0 = collectingJudge();
        assertThat(p0.on(25, "REPORT(2,{0:1,1:8,2:2},0) from 2")).isEmpty();
        assertThat(p0.on(26, "REPORT(1,{0:1,1:8,2:2},1) from 1"))
                .containsExactly("ACK_REPORT(" + ALL + ",0) ->1", "set P3=20");
        assertThat(p0.on(46, "timer P3")).contains("LEADER(1) ->1,2");
    }

    // G13.
    @Test
    void ackOfAReportIsIgnored() {
        Machine p1 = process(1);
        p1.on("start");
        assertThat(p1.on(5, "ACK_REPORT(" + ALL + ",9) from 0")).isEmpty();
    }

    // G14, one REPORT at a time: see E3 for the consequence.
    @Test
    void timestampOfAReportIsNotCopiedAsPrinted() {
        Machine p0 = collectingJudge();
        p0.on(25, "REPORT(1,{0:1,1:8,2:2},5) from 1");
        assertThat(p0.on(26, "REPORT(2,{0:1,1:2,2:8},3) from 2")).contains("ACK_REPORT({0:1,1:8,2:2},0) ->2");
        Machine corrected = Machines.machine(
                new FaithfulThreePhaseElection(Machines.setup(Membership.of(0, 2), Options.FAITHFUL, "5,7"), true),
                Variant.FAITHFUL);
        corrected.on("start");
        corrected.on(9, "ACK(0) from 1");
        corrected.on(10, "timer TASK0");
        corrected.on(20, "timer TASK0");
        assertThat(corrected.on(25, "REPORT(1,{0:1},5) from 1")).isNotEmpty();
        assertThat(corrected.on(26, "REPORT(1,{0:2},5) from 1")).isEmpty();
    }

    // L64-66 and G15: phases 2 and 3 end, the timestamp is forgotten, and l begins anew.
    @Test
    void leaderEndsTheElectionOfAMember() {
        Machine p1 = process(1);
        p1.on("start leader=2");
        p1.on(5, "MESSAGE(7," + ALL + ",4) from 2");
        p1.on(6, "START(0) from 2");
        assertThat(p1.on(9, "LEADER(2) from 0")).containsExactlyInAnyOrder("LEADER 2", "cancel TMR", "set FRESH=50");
        assertThat(p1.on(29, "MESSAGE(1," + ALL + ",0) from 2")).containsExactly("set FRESH=40");
        p1.on(30, "START(3) from 2");
        assertThat(p1.on(31, "COLLECT(3) from 0")).containsExactly("REPORT(1," + ALL + ",0) ->0");
    }

    // G15: T_hb after the election, and with numbers that go on.
    @Test
    void electedLeaderBeginsToSendHeartbeats() {
        Machine p1 = process(1);
        p1.on("start leader=1");
        assertThat(p1.on(20, "timer HB")).contains("MESSAGE(1," + ALL + ",0) ->0,2");
        assertThat(p1.on(21, "LEADER(0) from 0")).containsExactlyInAnyOrder("LEADER 0", "cancel HB", "set FRESH=50");
        assertThat(p1.on(22, "LEADER(1) from 0")).containsExactlyInAnyOrder("LEADER 1", "cancel FRESH", "set HB=20");
        assertThat(p1.on(42, "timer HB")).contains("MESSAGE(2," + ALL + ",0) ->0,2");
    }

    // G16: sent once.
    @Test
    void decisionIsSentOnce() {
        Machine p0 = collectingJudge();
        p0.on(40, "timer P3");
        assertThat(p0.on(45, "OK(0,(0,1,2)) from 0")).isEmpty();
        assertThat(p0.on(46, "REPORT(1,{0:1},9) from 1")).isEmpty();
        assertThat(p0.on(47, "COLLECT(1) from 1")).isEmpty();
    }

    // G17.
    @Test
    void tieGoesToTheHigherProcess() {
        assertThat(Priorities.of(List.of(4L, 9L, 9L, 1L)).best()).hasValue(2);
        assertThat(Priorities.of(List.of(-4L, -9L)).best()).hasValue(0);
        assertThat(Priorities.NONE.best()).isEmpty();
    }

    // L67-68: in an election only.
    @Test
    void collectOutsideOfAnElectionIsIgnored() {
        Machine p1 = process(1);
        p1.on("start leader=2");
        assertThat(p1.on(5, "COLLECT(0) from 0")).isEmpty();
    }

    @Test
    void nominationsCarryNoMark() {
        Machine p0 = collectingJudge();
        assertThat(p0.election().on(40, new Event.TimerFired("P3"))).contains(new Effect.Nominate(2, Mark.NONE));
    }

    @Test
    void singleProcessElectsItself() {
        Machine p0 = Machines.of(0, "1", Options.FAITHFUL);
        p0.on("start");
        p0.on(10, "timer TASK0");
        p0.on(20, "timer TASK0");
        assertThat(p0.on(40, "timer P3")).containsExactlyInAnyOrder("LEADER 0", "cancel TASK0", "set HB=20");
    }
}
