package io.quorate.testkit.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.testkit.simulation.VirtualNetwork.Trouble;
import org.junit.jupiter.api.Test;

/**
 * A voter stands still, or its machine is cut off; another process is started in its place, which nobody can tell of the
 * first; and the first one comes back. Everybody hears both. One other voter is down.
 */
class SecondVoterTest extends TwinVoters {

    private void leadsForAMinute(String what) {
        awaitLeader(N1, 10_000);
        cluster.advance(60_000);
        assertThat(cluster.leaders(PATH)).as(what).containsExactly(N1);
    }

    /** The second one exits at once, as one does that is told that its id is taken, and is started again. */
    @Test
    void itIsStartedAgainAndAgain() {
        Seeds.each(5, 1, seed -> {
            leadsWithoutN2(seed);
            assertThat(cluster.leaders(PATH)).containsExactly(N1);
            int without = 0;
            for (int i = 0; i < 20; i++) {
                start(SECOND);
                cluster.advance(200);
                crash(SECOND);
                without += without(600);
            }
            assertThat(without).as("ms without a leader of 12,000").isZero();
        });
    }

    @Test
    void theFirstOneResumesAndTheSecondOneDies() {
        Seeds.each(5, 1, seed -> {
            leads(N1, seed);
            cluster.pause(N3);
            cluster.advance(120_000);
            start(SECOND);
            cluster.advance(5_000);
            crash(N2);
            leadsForAMinute("with the second one");
            cluster.resume(N3);
            leadsForAMinute("with both");
            assertThat(cluster.process(N3).host().describe()).contains("stopped");
            crash(N3);
            start(N3);
            cluster.advance(1_000);
            crash(SECOND);
            leadsForAMinute("with the first one, started again");
            // And once more, from the other side.
            start(SECOND);
            leadsForAMinute("with another one");
        });
    }

    /** The second one is told that its id is taken, stops, and its process stays: the first one is a voter as before. */
    @Test
    void theSecondOneHasStoppedAndItsProcessStays() {
        Seeds.each(5, 1, seed -> {
            leadsWithoutN2(seed);
            start(SECOND);
            cluster.advance(120_000);
            assertThat(cluster.process(SECOND).host().describe()).contains("stopped");
            assertThat(cluster.leaders(PATH)).as(cluster::describe).containsExactly(N1);
        });
    }

    /** Each of the others has met another one first. */
    @Test
    void theOthersDisagree() {
        Seeds.each(5, 1, seed -> {
            leads(N1, seed);
            start(SECOND);
            cluster.advance(5_000);
            cluster.network().trouble(N3, N1, Trouble.DELAY, 60);
            crash(N1);
            cluster.advance(3_000);
            start(N1);
            cluster.advance(100);
            crash(N2);
            cluster.advance(3_000);
            cluster.contend(N1, PATH);
            leadsForAMinute("n1 and both");
            crash(SECOND);
            leadsForAMinute("n1 and the first one");
        });
    }

    /** No second one: n3 is restarted soon, as an operator does it. */
    @Test
    void nobodySpeaksOfASecondProcessWhenAVoterIsRestarted() {
        Seeds.each(40, 1, seed -> {
            leads(N1, seed);
            cluster.delays(15_000, 25_000);
            for (int i = 0; i < 40; i++) {
                cluster.contend(N1, "/p" + i);
                cluster.contend(N2, "/p" + i);
            }
            cluster.advance(100);
            crash(N3);
            cluster.advance(20 * seed);
            start(N3);
            cluster.advance(2_500);
            assertThat(cluster.process(N3).host().describe())
                    .doesNotContain("another process under this node's id", "stopped");
        });
    }
}
