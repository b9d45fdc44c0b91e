package io.quorate.bully;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.algorithms.RandomRun;
import io.quorate.algorithms.RandomRun.Faults;
import io.quorate.algorithms.SnapshotChecks;
import io.quorate.spi.Options;
import io.quorate.spi.Variant;
import io.quorate.testkit.Effort;
import io.quorate.testkit.simulation.Seeds;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** docs/algorithms/common.md#measured-runs: random runs of one to five processes. */
class BullyRandomRunsTest {

    private static final Options WITH_Q_AND_P = new Options(Variant.HARDENED, true, true);

    // Agreement, HighestAliveProcessIsLeader, election ended, marks that do not decrease, bounded rate.
    @ParameterizedTest
    @EnumSource(Faults.class)
    void hardenedSettlesOnTheHighestLiveProcess(Faults faults) {
        Seeds.each(Effort.of(300, 75), 1, seed -> {
            // Option Q elects nobody without a majority, by intention.
            boolean isPlain = seed % 2 == 0 || faults == Faults.CRASH_ALL_BUT_ONE;
            Options options = isPlain ? Options.HARDENED : WITH_Q_AND_P;
            RandomRun run = new RandomRun(new BullyAlgorithm(), options, faults, seed);
            long sentAtTheEnd = run.run();
            int highest = run.cluster().running().get(run.cluster().running().size() - 1);
            assertThat(run.agreedLeader()).as("leader").isEqualTo(highest);
            // K3 only: one VICTORY to each other process every 2 delta, for 50 delta.
            assertThat(sentAtTheEnd)
                    .as("messages")
                    .isLessThanOrEqualTo(26L * (run.cluster().contenders() - 1));
        });
    }

    // OneLeader at every moment: nobody restarts or is suspected wrongly, all start together. That the leader is alive
    // in the end is not asked of F, because of quirk 3 (with seed 1252, for one).
    @ParameterizedTest
    @EnumSource(Variant.class)
    void oneLeaderAtATimeIfProcessesOnlyCrash(Variant variant) {
        Seeds.each(Effort.of(500, 125), 1, seed -> {
            RandomRun run = new RandomRun(
                    new BullyAlgorithm(), new Options(variant, false, false), Faults.CRASH_ALL_BUT_ONE, seed);
            run.run();
            assertThat(run.leadersMax()).as("leaders at one time").isEqualTo(1);
        });
    }

    // F breaks where the document says so, which also shows that the runs above can fail.
    @Test
    void faithfulDoesNotSurvivePartitions() {
        AtomicInteger split = new AtomicInteger();
        for (long seed = 1; seed <= 100; seed++) {
            RandomRun run = new RandomRun(new BullyAlgorithm(), Options.FAITHFUL, Faults.PARTITION, seed);
            run.run();
            if (run.cluster().leaders().size() > 1) {
                split.incrementAndGet();
            }
        }
        assertThat(split.get()).isGreaterThan(30);
    }

    @ParameterizedTest
    @EnumSource(Variant.class)
    void restoredMachineBehavesTheSame(Variant variant) {
        Seeds.each(Effort.of(20, 8), 1, seed -> {
            Options options = new Options(variant, false, true);
            SnapshotChecks.assertRestored(new RandomRun(new BullyAlgorithm(), options, Faults.EVERYTHING, seed));
        });
    }
}
