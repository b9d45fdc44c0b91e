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
 */
record Comparison(Metric metric, int scale, String algorithm, Distribution curator, Distribution quorate, Goal goal) {

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

    String name() {
        return metric.name(scale);
    }

    /** How many values there are on the side that has fewer. */
    int values() {
        return Math.min(curator.size(), quorate.size());
    }

    /** Of the medians; empty if Curator's is 0. */
    Optional<Distribution.Ratio> ratio() {
        return curator.median() == 0 ? Optional.empty() : Optional.of(quorate.ratioTo(curator));
    }

    /** What the goal says, only what is missed of it if so, and whether it is reached; empty without a goal. */
    Optional<Verdict> verdict() {
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

    /** A goal and whether it is reached. */
    record Verdict(String goal, boolean isReached) {}
}
