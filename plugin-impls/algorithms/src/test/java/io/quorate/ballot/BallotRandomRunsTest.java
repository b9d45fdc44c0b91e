package io.quorate.ballot;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.algorithms.RandomRun;
import io.quorate.algorithms.RandomRun.Faults;
import io.quorate.algorithms.SnapshotChecks;
import io.quorate.spi.Options;
import io.quorate.spi.Variant;
import io.quorate.testkit.Effort;
import io.quorate.testkit.simulation.Seeds;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** BLE1 to BLE3 (docs/algorithms/common.md#properties) over random runs of one to five processes. */
class BallotRandomRunsTest {

    // BLE1 and BLE2, which need a live majority; the cluster checks BLE3 as non-decreasing marks.
    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "CRASH_ALL_BUT_ONE")
    void hardenedSettlesOnALiveProcess(Faults faults) {
        Seeds.each(Effort.of(120, 40), 1, seed -> {
            RandomRun run = new RandomRun(
                    new BallotAlgorithm(), new Options(Variant.HARDENED, false, seed % 2 == 0), faults, seed);
            long sentAtTheEnd = run.run();
            run.agreedLeader();
            // At most 18 rounds of 3 delta begin. N(N-1) requests each, as many replies, and some requests are doubled.
            int others = run.cluster().contenders() - 1;
            assertThat(sentAtTheEnd).as("messages").isLessThanOrEqualTo(3L * 18 * (others + 1) * others);
        });
    }

    @ParameterizedTest
    @EnumSource(Variant.class)
    void restoredMachineBehavesTheSame(Variant variant) {
        Seeds.each(Effort.of(20, 8), 1, seed -> {
            Options options = new Options(variant, false, true);
            SnapshotChecks.assertRestored(new RandomRun(new BallotAlgorithm(), options, Faults.EVERYTHING, seed));
        });
    }
}
