package io.quorate.ring;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.algorithms.RandomRun;
import io.quorate.algorithms.RandomRun.Faults;
import io.quorate.algorithms.SnapshotChecks;
import io.quorate.spi.Options;
import io.quorate.spi.Variant;
import io.quorate.testkit.Effort;
import io.quorate.testkit.simulation.Seeds;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** docs/algorithms/common.md#measured-runs: random runs of one to five processes of either ring. */
@ParameterizedClass
@EnumSource
class RingRandomRunsTest {

    private static final Options WITH_Q_AND_P = new Options(Variant.HARDENED, true, true);

    @Parameter
    private Ring ring;

    private RandomRun run(Options options, Faults faults, long seed) {
        return new RandomRun(ring.algorithm, options, faults, seed);
    }

    // Agreement, HighestAliveProcessIsLeader, election ended, marks that do not decrease, bounded rate.
    @ParameterizedTest
    @EnumSource
    void hardenedSettlesOnTheHighestLiveProcess(Faults faults) {
        Seeds.each(Effort.of(200, 50), 1, seed -> {
            // Option Q elects nobody without a majority, by intention.
            boolean isPlain = seed % 2 == 0 || faults == Faults.CRASH_ALL_BUT_ONE;
            RandomRun run = run(isPlain ? Options.HARDENED : WITH_Q_AND_P, faults, seed);
            long sentAtTheEnd = run.run();
            int highest = run.cluster().running().get(run.cluster().running().size() - 1);
            assertThat(run.agreedLeader()).as("leader").isEqualTo(highest);
            // K3 only: one circulation every N delta, for 50 delta, and one at either end that falls in by half. A
            // fifth of the messages is doubled in two classes, and each copy is forwarded.
            int size = run.cluster().contenders();
            boolean isDoubled = faults == Faults.DUPLICATION || faults == Faults.EVERYTHING;
            assertThat(sentAtTheEnd).as("messages").isLessThanOrEqualTo((isDoubled ? 4L : 1L) * (50 + 2 * size));
        });
    }

    // OneLeader at every moment: nobody restarts or is suspected wrongly, all start together. That there is a leader
    // in the end, and a live one, is not asked of F (C3, C4, D3).
    @ParameterizedTest
    @EnumSource
    void oneLeaderAtATimeIfProcessesOnlyCrash(Variant variant) {
        Seeds.each(Effort.of(300, 75), 1, seed -> {
            Faults faults = variant == Variant.FAITHFUL ? Faults.CRASH : Faults.CRASH_ALL_BUT_ONE;
            RandomRun run = run(new Options(variant, false, false), faults, seed);
            run.run();
            assertThat(run.leadersMax()).as("leaders at one time").isLessThanOrEqualTo(1);
        });
    }

    // F breaks where the documents say so, which also shows that the runs above can fail.
    @ParameterizedTest
    @CsvSource({"CRASH, 2, 2", "PARTITION, 30, 30", "LOSS, 40, 30", "SPREAD_STARTS, 25, 15"})
    void faithfulDoesNotSurviveFaults(Faults faults, int failuresMinOfLcr, int failuresMinOfTokenRing) {
        int failures = 0;
        for (long seed = 1; seed <= 100; seed++) {
            RandomRun run = run(Options.FAITHFUL, faults, seed);
            run.run();
            failures += isAgreed(run) ? 0 : 1;
        }
        assertThat(failures).isGreaterThan(ring == Ring.LCR ? failuresMinOfLcr : failuresMinOfTokenRing);
    }

    private static boolean isAgreed(RandomRun run) {
        try {
            run.agreedLeader();
            return true;
        } catch (AssertionError e) {
            return false;
        }
    }

    @ParameterizedTest
    @EnumSource
    void restoredMachineBehavesTheSame(Variant variant) {
        // In F orphans circulate without end, and those of LCR multiply: a crash would take all the time there is.
        Faults faults = variant == Variant.FAITHFUL ? Faults.PARTITION : Faults.EVERYTHING;
        Seeds.each(
                Effort.of(20, 8),
                1,
                seed -> SnapshotChecks.assertRestored(run(new Options(variant, false, true), faults, seed)));
    }
}
