package io.quorate.threephase;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.algorithms.RandomRun;
import io.quorate.algorithms.RandomRun.Faults;
import io.quorate.algorithms.SnapshotChecks;
import io.quorate.spi.Options;
import io.quorate.spi.Variant;
import io.quorate.testkit.Effort;
import io.quorate.testkit.simulation.Seeds;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** docs/algorithms/common.md#measured-runs: random runs of one to five processes. */
class ThreePhaseRandomRunsTest {

    private static final Options WITH_P = new Options(Variant.HARDENED, false, true);
    private static final Options WITH_Q_AND_P = new Options(Variant.HARDENED, true, true);
    private static final int RUNS = Integer.getInteger("runs", Effort.of(80, 25));

    /** Option Q elects nobody without a majority, by intention. */
    private static Options options(Faults faults, long seed) {
        boolean isPlain = seed % 3 == 0;
        boolean isSmall = faults == Faults.CRASH_ALL_BUT_ONE || seed % 3 == 1;
        return isPlain ? Options.HARDENED : isSmall ? WITH_P : WITH_Q_AND_P;
    }

    private static void assertSettles(RandomRun run) {
        long sentAtTheEnd = run.run();
        run.agreedLeader();
        // A heartbeat to each other process every 2 delta, for 50 delta; as many answers; some are doubled.
        int others = run.cluster().contenders() - 1;
        assertThat(sentAtTheEnd).as("messages").isLessThanOrEqualTo(26L * 3 * others);
    }

    // Agreement on a live leader, election ended, marks that do not decrease (checked by the cluster), bounded rate.
    @ParameterizedTest
    @EnumSource(Faults.class)
    void hardenedSettlesOnOneLiveProcess(Faults faults) {
        Seeds.each(
                RUNS,
                1,
                seed -> assertSettles(new RandomRun(new ThreePhaseAlgorithm(), options(faults, seed), faults, seed)));
    }

    /** Class slow: 15 % of the messages take up to 10 delta, until the faults end at 120 delta. */
    private static RandomRun slow(Options options, Faults faults, long seed) {
        RandomRun run = new RandomRun(new ThreePhaseAlgorithm(), options, faults, seed);
        Random random = new Random(seed);
        run.cluster()
                .latency(() -> 1 + random.nextInt(run.cluster().now() < 1200 && random.nextInt(100) < 15 ? 100 : 10));
        return run;
    }

    @ParameterizedTest
    @EnumSource(
            value = Faults.class,
            names = {"NONE", "CRASH", "RESTART", "PARTITION"})
    void hardenedSettlesAlsoIfSomeMessagesAreSlow(Faults faults) {
        Seeds.each(RUNS / 3, 1, seed -> assertSettles(slow(options(faults, seed), faults, seed)));
    }

    // F under synchrony, reliable links and crashes only.
    @Test
    void faithfulAgreesIfProcessesOnlyCrash() {
        Seeds.each(RUNS, 1, seed -> {
            RandomRun run = new RandomRun(new ThreePhaseAlgorithm(), Options.FAITHFUL, Faults.CRASH_ALL_BUT_ONE, seed);
            run.run();
            run.agreedLeader();
        });
    }

    // ONE_LEADER_IF_FAIL_STOP, at every moment.
    @ParameterizedTest
    @EnumSource(Variant.class)
    void oneLeaderAtATimeIfProcessesOnlyCrash(Variant variant) {
        Seeds.each(RUNS, 1, seed -> {
            RandomRun run = new RandomRun(
                    new ThreePhaseAlgorithm(), new Options(variant, false, false), Faults.CRASH_ALL_BUT_ONE, seed);
            run.run();
            assertThat(run.leadersMax()).as("leaders at one time").isEqualTo(1);
        });
    }

    // F breaks where the document says so, which also shows that the runs above can fail.
    @Test
    void faithfulDoesNotSurvivePartitions() {
        int split = 0;
        for (long seed = 1; seed <= 100; seed++) {
            RandomRun run = new RandomRun(new ThreePhaseAlgorithm(), Options.FAITHFUL, Faults.PARTITION, seed);
            run.run();
            split += run.cluster().leaders().size() > 1 ? 1 : 0;
        }
        assertThat(split).isGreaterThan(30);
    }

    @ParameterizedTest
    @EnumSource(Variant.class)
    void restoredMachineBehavesTheSame(Variant variant) {
        Seeds.each(Effort.of(20, 8), 1, seed -> {
            Options options = new Options(variant, seed % 2 == 0, true);
            SnapshotChecks.assertRestored(new RandomRun(new ThreePhaseAlgorithm(), options, Faults.EVERYTHING, seed));
        });
    }
}
