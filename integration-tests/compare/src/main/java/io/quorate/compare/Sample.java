package io.quorate.compare;

import java.util.List;
import java.util.Locale;

/**
 * One value.
 *
 * @param round     in which turn of both sides, from 1
 * @param algorithm Quorate's, with its transport if that is not the event bus; empty on the other side
 * @param scale     the number of latches, or of contenders; 1 where that is not varied
 * @param settled   how many seconds nothing was done before; 0 where that does not matter
 * @param load      the machine's load average at that moment
 */
record Sample(
        int round,
        ComparedSide side,
        String algorithm,
        Metric metric,
        int scale,
        double value,
        int settled,
        double load) {

    static final String HEADER = "round,side,algorithm,metric,scale,value,settled,load";

    /** How long nothing was done before these, at most. */
    static int settled(List<Sample> samples) {
        return samples.stream().mapToInt(Sample::settled).max().orElse(0);
    }

    /** The same of another algorithm. */
    Sample with(String other) {
        return new Sample(round, side, other, metric, scale, value, settled, load);
    }

    String toCsv() {
        return String.format(
                Locale.ROOT,
                "%d,%s,%s,%s,%d,%.6f,%d,%.2f",
                round,
                side.label(),
                algorithm,
                metric.name(),
                scale,
                value,
                settled,
                load);
    }
}
