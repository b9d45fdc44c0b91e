package io.quorate.delays;

import io.quorate.spi.ElectionAlgorithm;
import io.quorate.spi.Variant;
import java.util.List;
import java.util.ServiceLoader;

/** The runs behind the table of delays. */
final class DelayTable {

    /** The shipped algorithms, in the order of the rows. */
    static final List<String> ALGORITHMS = List.of("ballot", "bully", "lcr", "token-ring", "three-phase");

    /** The columns. */
    static final List<Delay> DELAYS = List.of(
            new Delay(1, false),
            new Delay(2, false),
            new Delay(5, false),
            new Delay(10, false),
            new Delay(20, false),
            new Delay(50, false),
            new Delay(4, true));

    /** How many runs stand behind a cell. */
    static final int SEEDS = 20;

    private DelayTable() {}

    /** How long messages take, in delta: always, or in the mean. */
    record Delay(int deltas, boolean isRandom) {}

    /**
     * Some runs.
     *
     * @param settled in how many the leaders settled in time
     * @param runs how many there were
     * @param slowest when they settled at the latest, in delays; 0 if they never did
     */
    record Cell(int settled, int runs, long slowest) {

        boolean isSettled() {
            return settled == runs;
        }
    }

    /** The runs with the seeds from 0 on. */
    static Cell measure(String algorithm, Variant variant, Delay delay, int runs) {
        int settled = 0;
        long slowest = 0;
        for (int seed = 0; seed < runs; seed++) {
            long after =
                    new DelayRun(algorithm(algorithm), variant, delay.deltas(), delay.isRandom(), seed).settledAfter();
            if (after != DelayRun.NEVER) {
                settled++;
                slowest = Math.max(slowest, after);
            }
        }
        return new Cell(settled, runs, slowest);
    }

    private static ElectionAlgorithm algorithm(String name) {
        return ServiceLoader.load(ElectionAlgorithm.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(found -> found.name().equals(name))
                .findFirst()
                .orElseThrow();
    }
}
