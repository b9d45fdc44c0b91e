package io.quorate.compare;

import io.quorate.compare.Metric.Goal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * One metric at one scale, on both sides.
 *
 * @param scale     as of {@link Sample}
 * @param algorithm Quorate's
 * @param settled   as of {@link Sample}
 */
record Comparison(
        Metric metric, int scale, String algorithm, int settled, Distribution curator, Distribution quorate, Goal goal)
        implements Result {

    private static final double P99 = 0.99;

    /** All that can be compared, in the order of {@link Metric}, of scale, and in which the algorithms came. */
    static List<Comparison> of(List<Sample> all, int detectionMillis) {
        List<Comparison> comparisons = new ArrayList<>();
        for (Metric metric : Metric.values()) {
            List<Sample> ofMetric = all.stream()
                    .filter(s -> s.metric() == metric && metric != Metric.OTHER_BYTES)
                    .toList();
            for (int scale : ofMetric.stream()
                    .mapToInt(Sample::scale)
                    .distinct()
                    .sorted()
                    .toArray()) {
                List<Sample> samples =
                        ofMetric.stream().filter(s -> s.scale() == scale).toList();
                List<Double> curator = values(samples, "");
                for (String algorithm :
                        samples.stream().map(Sample::algorithm).distinct().toList()) {
                    if (!algorithm.isEmpty() && !curator.isEmpty()) {
                        comparisons.add(new Comparison(
                                metric,
                                scale,
                                algorithm,
                                Sample.settled(samples),
                                new Distribution(curator),
                                new Distribution(values(samples, algorithm)),
                                metric.goal(detectionMillis)));
                    }
                }
            }
        }
        return comparisons;
    }

    private static List<Double> values(List<Sample> samples, String algorithm) {
        return samples.stream()
                .filter(s -> s.algorithm().equals(algorithm))
                .map(Sample::value)
                .toList();
    }

    @Override
    public String name() {
        return metric.name(scale, settled);
    }

    @Override
    public int values() {
        return Math.min(curator.size(), quorate.size());
    }

    @Override
    public Optional<Distribution.Ratio> ratio() {
        return curator.median() == 0 ? Optional.empty() : Optional.of(quorate.ratioTo(curator));
    }

    @Override
    public Optional<Verdict> verdict() {
        List<String> reached = new ArrayList<>();
        List<String> missed = new ArrayList<>();
        if (!Double.isNaN(goal.median())) {
            (quorate.median() <= goal.median() * curator.median() ? reached : missed)
                    .add("median at most " + goal.median() + " of Curator's");
        }
        if (!Double.isNaN(goal.p99())) {
            (quorate.quantile(P99) <= goal.p99() * curator.quantile(P99) ? reached : missed)
                    .add("p99 at most " + goal.p99() + " of Curator's");
        }
        if (!Double.isNaN(goal.most())) {
            (quorate.max() <= goal.most() ? reached : missed).add("at most " + Summary.value(goal.most(), metric));
        }
        if (reached.isEmpty() && missed.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(new Verdict(String.join(", ", missed.isEmpty() ? reached : missed), missed.isEmpty()));
    }
}
