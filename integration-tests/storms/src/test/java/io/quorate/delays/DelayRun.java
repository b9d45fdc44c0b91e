package io.quorate.delays;

import io.quorate.spi.ElectionAlgorithm;
import io.quorate.spi.Membership;
import io.quorate.spi.Options;
import io.quorate.spi.Timing;
import io.quorate.spi.Variant;
import io.quorate.testkit.simulation.ElectionCluster;
import java.util.List;
import java.util.OptionalInt;
import java.util.Random;

/**
 * One run of an algorithm alone, on links that are whole and slow: 3 to 5 processes start within one delta, and nothing
 * else happens. Everything follows from the arguments.
 */
final class DelayRun {

    /** In place of a time, if the leaders change later than {@link #SETTLED_MAX} or do not agree. */
    static final long NEVER = Long.MAX_VALUE;

    /** By when the leaders must have stopped changing, in delays. */
    static final int SETTLED_MAX = 100;
    /** How long a run is, in delays: long enough for rounds of the ballot election to become shorter twice. */
    static final int LENGTH = 400;

    private static final int DELTA = 10;

    private final ElectionCluster cluster;
    private final long unit;
    private List<OptionalInt> leaders = List.of();
    private long lastChange;

    /**
     * A run that has not begun.
     *
     * @param delay how long messages take, in delta
     * @param isRandom whether the delay is the mean of uniform ones, and not that of each message
     */
    DelayRun(ElectionAlgorithm algorithm, Variant variant, int delay, boolean isRandom, long seed) {
        Random random = new Random(seed);
        int size = 3 + (int) (seed % 3);
        unit = (long) delay * DELTA;
        Options options = new Options(variant, false, variant == Variant.HARDENED);
        cluster = new ElectionCluster(
                algorithm,
                size,
                size,
                process -> algorithm.create(Membership.of(process, size), new Timing(DELTA), options));
        cluster.latency(() -> isRandom ? 1 + random.nextInt((int) (2 * unit) - 1) : unit);
        cluster.observe((process, event, effects) -> look());
        for (int process = 0; process < size; process++) {
            int starting = process;
            // A random message may be faster than a later start, and would be lost.
            cluster.at(isRandom ? 0 : random.nextInt(DELTA), () -> cluster.start(starting));
        }
    }

    private void look() {
        List<OptionalInt> now = cluster.running().stream()
                .map(process -> cluster.election(process).leader())
                .toList();
        if (!now.equals(leaders)) {
            leaders = now;
            lastChange = cluster.now();
        }
    }

    /** When some process changed its leader for the last time, in delays, rounded up; or {@link #NEVER}. */
    long settledAfter() {
        cluster.runUntil(SETTLED_MAX * unit);
        if (leaders.get(0).isEmpty() || leaders.stream().distinct().count() > 1) {
            return NEVER;
        }
        cluster.runUntil(LENGTH * unit);
        return lastChange <= SETTLED_MAX * unit ? (lastChange + unit - 1) / unit : NEVER;
    }
}
