package io.quorate.testkit.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.spi.NodeId;
import io.quorate.testkit.Effort;
import io.quorate.testkit.simulation.VirtualNetwork.Trouble;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Several processes of one voter id, all of which hear and are heard by everybody. Two never lead. */
class TwinSafetyTest extends TwinVoters {

    /** Lets time pass; two never lead. */
    private void watch(String what, int millis) {
        for (int i = 0; i < millis; i++) {
            cluster.advance(1);
            if (cluster.leaders(PATH).size() > 1) {
                throw new AssertionError(what + ": two lead: " + cluster.leaders(PATH));
            }
        }
    }

    /** n1 leads, and n2 contends. */
    private void n2Contends(long seed) {
        leads(N1, seed);
        cluster.contend(N2, PATH);
        cluster.advance(1_000);
    }

    /** The first process stands still for longer than its support lasts, and the second one is started. */
    private void secondBegins() {
        cluster.pause(N3);
        cluster.advance(4_000);
        start(SECOND);
    }

    /** The second one has voted for more than its quarantine before the first one goes on. */
    private void secondVotes() {
        secondBegins();
        cluster.advance(5_000);
    }

    private void firstGoesOn() {
        cluster.resume(N3);
        cluster.advance(5_000);
    }

    /** n1 dies, and n2 leads. */
    private void n2TakesOver() {
        cluster.contend(N2, PATH);
        cluster.advance(1_000);
        crash(N1);
        awaitLeader(N2, 5_000);
    }

    /** n1 begins anew, hears n3's processes and not n2, and claims. */
    private void n1ComesBack() {
        cluster.cut(N1, N2);
        start(N1);
        cluster.contend(N1, PATH);
        watch("n1 is back", 20_000);
    }

    private void resumes(boolean isBiased) {
        for (int after = 0; after <= 1_500; after += 100) {
            n2Contends(1);
            cluster.cut(N1, N2);
            cluster.pause(N3);
            cluster.advance(4_000);
            if (isBiased) {
                eachIsNearerToAnother();
            }
            start(SECOND);
            cluster.advance(after);
            cluster.resume(N3);
            watch("after " + after, 3_000);
        }
    }

    /** The first one stood still through the quarantine of the second one, and resumes at its end. */
    @Test
    void twoNeverLeadWhenTheFirstResumesAsTheSecondBeginsToVote() {
        resumes(false);
    }

    @Test
    void twoNeverLeadWhenTheFirstResumesAsTheSecondBeginsToVoteAndEachIsNearerToAnother() {
        resumes(true);
    }

    private void bothAreHeard(boolean isBiased) {
        Seeds.each(Effort.of(10, 4), 1, seed -> {
            leads(N1, seed);
            cluster.pause(N3);
            cluster.advance(10_000);
            start(SECOND);
            cluster.advance(5_000);
            assertThat(cluster.leaders(PATH)).containsExactly(N1);
            cluster.contend(N2, PATH);
            cluster.advance(1_000);
            cluster.cut(N1, N2);
            cluster.advance(3_000);
            assertThat(cluster.leaders(PATH)).containsExactly(N1);
            if (isBiased) {
                eachIsNearerToAnother();
            }
            cluster.resume(N3);
            watch("both", 20_000);
        });
    }

    @Test
    void twoNeverLeadThoughEachLeaderIsNearerToAnotherProcessOfAVoter() {
        bothAreHeard(true);
    }

    @Test
    void twoNeverLeadThoughTwoProcessesOfAVoterAreHeard() {
        bothAreHeard(false);
    }

    /** Both run and are heard, the second one votes. A voter restarts, and meets them in another order. */
    @Test
    void twoNeverLeadWhenAVoterRestartsWhileTwoProcessesAreHeard() {
        Seeds.each(Effort.of(8, 3), 1, seed -> {
            leads(N1, seed);
            secondVotes();
            firstGoesOn();
            n2TakesOver();
            n1ComesBack();
        });
    }

    /** The first one stood still while n2 was made the leader by the second one; n1 restarts, and meets it last. */
    @Test
    void twoNeverLeadWhenAVoterRestartsAndMeetsTheProcessThatHasNotVoted() {
        Seeds.each(Effort.of(8, 3), 1, seed -> {
            leads(N1, seed);
            secondVotes();
            n2TakesOver();
            firstGoesOn();
            n1ComesBack();
        });
    }

    /** Both run and are heard, the second one votes; a third one comes for a moment and dies. */
    @Test
    void twoNeverLeadWhenAThirdProcessComesForAMoment() {
        Seeds.each(Effort.of(8, 3), 1, seed -> {
            leads(N1, seed);
            cluster.contend(N2, PATH);
            secondVotes();
            firstGoesOn();
            cluster.cut(N1, N2);
            cluster.advance(5_000);
            assertThat(cluster.leaders(PATH)).hasSize(1);
            for (int i = 0; i < 10; i++) {
                start(THIRD);
                watch("with the third " + i, 100);
                crash(THIRD);
                watch("after the third " + i, 4_000);
            }
        });
    }

    /** Nobody is cut off. All of a cluster of three claim at once when the leader is gone. */
    @Test
    void twoNeverLeadWhenNobodyIsCutOff() {
        for (int after = 0; after <= 1_500; after += 100) {
            n2Contends(1);
            secondBegins();
            cluster.pause(N1);
            cluster.pause(N2);
            cluster.advance(after);
            cluster.resume(N3);
            cluster.advance(10);
            cluster.resume(N1);
            cluster.resume(N2);
            watch("after " + after, 3_000);
        }
    }

    /** Both processes contend. The first one stands still for longer or, below 0, for less than its support lasts. */
    @Test
    void theTwoNeverLeadBoth() {
        for (int after = -900; after <= 1_500; after += 120) {
            leads(N3, 1);
            cluster.pause(N3);
            cluster.advance(after < 0 ? -after : 4_000);
            start(SECOND);
            cluster.contend(SECOND, PATH);
            cluster.advance(Math.max(0, after));
            cluster.resume(N3);
            watch("after " + after, 3_000);
        }
    }

    /** They stand still in turns, each for longer than a support time, with somebody who claims all the time. */
    @Test
    void twoNeverLeadWhenTheProcessesStandStillInTurns() {
        Seeds.each(Effort.of(4, 2), 1, seed -> {
            leads(N1, seed);
            cluster.contend(N2, PATH);
            secondVotes();
            cluster.cut(N1, N2);
            for (int i = 0; i < 20; i++) {
                NodeId rests = i % 2 == 0 ? SECOND : N3;
                NodeId works = i % 2 == 0 ? N3 : SECOND;
                int overlap = (int) ((seed * 37 + i * 91) % 300);
                cluster.pause(rests);
                cluster.advance(seed % 2 == 0 ? 950 + overlap : 1_100 + overlap);
                cluster.resume(works);
                watch("turn " + i, 20 + overlap);
                if (i % 3 == 2) {
                    cluster.resume(rests);
                    watch("both in turn " + i, 2_000);
                    cluster.pause(works);
                    cluster.advance(1_100);
                    cluster.resume(works);
                    watch("after turn " + i, 1_000);
                }
            }
        });
    }

    /** The first one stood still for a short time only before the second one began. */
    @Test
    void twoNeverLeadWhenTheFirstStoodStillForAShortTime() {
        for (int before : new int[] {1, 50, 150, 250, 400, 600, 900}) {
            for (int after = 100; after <= 1_600; after += 150) {
                n2Contends(1);
                cluster.cut(N1, N2);
                cluster.advance(4_000);
                cluster.pause(N3);
                cluster.advance(before);
                start(SECOND);
                cluster.advance(after);
                cluster.resume(N3);
                watch("before " + before + ", after " + after, 3_000);
            }
        }
    }

    /** The second one is started beside the first one, and one of five messages is lost. */
    @Test
    void twoNeverLeadWhenASecondIsStartedAndMessagesAreLost() {
        Seeds.each(Effort.of(10, 4), 1, seed -> {
            n2Contends(seed);
            cluster.cut(N1, N2);
            trouble(List.of(N1, N2, N3, SECOND), Trouble.LOSS, 20);
            cluster.advance(3_000);
            start(SECOND);
            watch("loss", 8_000);
        });
    }

    /** The machine of the first one is cut off from all, and is back while the second one is in its quarantine. */
    @Test
    void twoNeverLeadWhenTheFirstWasCutOff() {
        for (int after = 0; after <= 1_500; after += 100) {
            n2Contends(1);
            cluster.isolate(N3);
            cluster.advance(4_000);
            start(SECOND);
            cluster.advance(after);
            cluster.heal();
            cluster.cut(N1, N2);
            watch("after " + after, 4_000);
        }
    }

    private void cold(boolean isCut, int apart, boolean isBiased) {
        Seeds.each(3, 1, seed -> {
            cluster(seed);
            if (isBiased) {
                eachIsNearerToAnother();
            }
            VOTERS.forEach(this::start);
            cluster.advance(apart);
            start(SECOND);
            cluster.contend(N1, PATH);
            cluster.contend(N2, PATH);
            if (isCut) {
                cluster.cut(N1, N2);
            }
            watch("apart " + apart + ", cut " + isCut, 6_000);
        });
    }

    /** Two pods were given one id, and all are started at once. */
    @Test
    void twoNeverLeadWhenAllAreStartedAtOnceAndAVoterTwice() {
        for (int apart : new int[] {0, 1, 100, 300, 700}) {
            cold(false, apart, false);
            cold(true, apart, false);
            cold(true, apart, true);
        }
    }

    /** n3 runs, n2 is down. Others of n3's id are started by turns, each before the one before has died. */
    @Test
    void theFirstIsAVoterThoughTwoOthersAreStartedByTurns() {
        Seeds.each(2, 1, seed -> {
            leadsWithoutN2(seed);
            int without = 0;
            start(SECOND);
            for (int i = 0; i < 20; i++) {
                without += without(150);
                start(THIRD);
                without += without(100);
                crash(SECOND);
                without += without(150);
                start(SECOND);
                without += without(100);
                crash(THIRD);
            }
            assertThat(without).as("ms without a leader of 10,000").isZero();
        });
    }

    /** n2 is down. The process of n3 is replaced by another one every so often, by turns on two machines. */
    @Test
    void eachIsAVoterSoonWhenTwoReplaceEachOther() {
        Seeds.each(2, 1, seed -> {
            for (int gap : new int[] {0, 50, 400, 1_200}) {
                leadsWithoutN2(seed);
                for (int i = 0; i < 8; i++) {
                    crash(i % 2 == 0 ? N3 : SECOND);
                    cluster.advance(gap);
                    start(i % 2 == 0 ? SECOND : N3);
                    cluster.advance(i % 2 == 0 ? 300 : 3_000);
                }
                int without = 0;
                for (; without < 6_000 && cluster.leaders(PATH).isEmpty(); without += 5) {
                    cluster.advance(5);
                }
                assertThat(without).as("ms, gap %d", gap).isLessThan(3_000);
            }
        });
    }

    /** n2 is down. A second one takes the place of the first, votes, and dies; the first one was cut off or stood still. */
    @Test
    void theFirstIsAVoterSoonAfterASecondHasVotedAndDied() {
        Seeds.each(2, 1, seed -> {
            for (int overlap : new int[] {0, 300, 1_500, 4_000}) {
                leads(N1, seed);
                crash(N2);
                cluster.pause(N3);
                cluster.advance(3_000);
                start(SECOND);
                cluster.advance(4_000);
                assertThat(cluster.leaders(PATH)).containsExactly(N1);
                cluster.resume(N3);
                cluster.advance(overlap);
                crash(SECOND);
                cluster.advance(800);
                start(THIRD);
                cluster.advance(200);
                crash(THIRD);
                cluster.advance(1_500);
                assertThat(without(20_000)).as("ms, overlap %d", overlap).isLessThan(3_000);
            }
        });
    }

    /** No second process: all are restarted by turns, soon and late, and frames are late, doubled and lost. */
    @Test
    void nobodyStopsForASecondProcessWhenThereIsNone() {
        Seeds.each(3, 1, seed -> {
            leads(N1, seed);
            cluster.contend(N2, PATH);
            cluster.contend(N3, PATH);
            trouble(VOTERS, Trouble.DELAY, (int) (10 * (seed % 20)));
            trouble(VOTERS, Trouble.DUPLICATION, 30);
            trouble(VOTERS, Trouble.LOSS, 10);
            for (int i = 0; i < 12; i++) {
                NodeId victim = VOTERS.get((int) ((i + seed) % 3));
                crash(victim);
                cluster.advance(1 + (i * 37 + seed * 11) % 400);
                start(victim);
                cluster.contend(victim, PATH);
                cluster.advance(i % 2 == 0 ? 150 : 1_700);
                for (NodeId each : VOTERS) {
                    assertThat(cluster.process(each).host().describe()).doesNotContain("stopped");
                }
            }
        });
    }
}
