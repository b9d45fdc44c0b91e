package com.example.attack;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which lines of a log are held against an attack. */
class CountedLinesTest {

    private static final long SECOND = 1_000_000_000;
    private static final List<String> LINES = List.of(
            "node n1: SUSPENDED: n2 and n3 were not heard",
            "node n1: voter n2 does not answer: nothing was heard of it for 450 ms",
            "node n1: frames of node n2 are dropped",
            "node n1: RECONNECTED: n2 was heard",
            "node n1: voter n2 answers again");

    private static double others(long all, long involved) {
        return new Processors(11 * SECOND, 100 * SECOND + all, 50 * SECOND + involved)
                .othersSince(new Processors(SECOND, 100 * SECOND, 50 * SECOND));
    }

    // Two processors for ten seconds. However much attackers and attacked use of them, the machine is theirs.
    @Test
    void onAQuietMachineEveryLineCounts() {
        assertThat(others(20 * SECOND, 16 * SECOND)).isEqualTo(0.4);
        assertThat(AttackedCluster.counted(LINES, 0.4)).isEqualTo(LINES);
    }

    @Test
    void whileOthersKeepTheProcessorsBusyOnlyLinesOfTheAttackCount() {
        assertThat(others(20 * SECOND, 14 * SECOND)).isEqualTo(0.6);
        assertThat(AttackedCluster.counted(LINES, 0.6)).containsExactly(LINES.get(2));
    }

    @Test
    void aMachineThatDoesNotTellCountsAsBusy() {
        Processors unknown = new Processors(SECOND, Processors.UNKNOWN, 0);
        assertThat(new Processors(2 * SECOND, 1, 0).othersSince(unknown)).isInfinite();
    }

    // What this thread does is known as work of an attacker; it works until that shows.
    @Test
    void ownWorkIsNotThatOfOthers() {
        Processors before = Processors.now(Duration.ZERO);
        Processors after = before;
        while (after.involved() - before.involved() < SECOND / 20) {
            after = Processors.now(Duration.ZERO);
        }
        assertThat(after.all()).isGreaterThanOrEqualTo(before.all());
        assertThat(after.at()).isGreaterThan(before.at());
    }
}
