package io.quorate.compare;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * One metric at one scale, on both sides.
 *
 * @param scale as of {@link Sample}
 */
record Comparison(Metric metric, int scale, Distribution curator, Distribution quorate) {

    private static final double P99 = 0.99;

    /** All that can be compared, in the order of {@link Metric} and of scale. */
    static List<Comparison> of(List<Sample> samples) {
        List<Comparison> comparisons = new ArrayList<>();
        for (Metric metric : Metric.values()) {
            for (int scale : samples.stream().filter(s -> s.metric() == metric).mapToInt(Sample::scale).distinct()
                    .sorted().toArray()) {
                List<Double> curator = values(samples, metric, scale, Side.CURATOR);
                List<Double> quorate = values(samples, metric, scale, Side.QUORATE);
                if (!curator.isEmpty() && !quorate.isEmpty()) {
                    comparisons.add(new Comparison(metric, scale, new Distribution(curator),
                            new Distribution(quorate)));
                }
            }
        }
        return comparisons;
    }

    private static List<Double> values(List<Sample> samples, Metric metric, int scale, Side side) {
        return samples.stream().filter(s -> s.metric() == metric && s.scale() == scale && s.side() == side)
                .map(Sample::value).toList();
    }

    String name() {
        return metric.name(scale);
    }

    /** Of the medians; empty if Curator's is 0. */
    Optional<Distribution.Ratio> ratio() {
        return curator.median() == 0 ? Optional.empty() : Optional.of(quorate.ratioTo(curator, 0.5));
    }

    /** What the goal says, and whether it is reached; empty without a goal. */
    Optional<Verdict> verdict() {
        Metric.Goal goal = metric.goal();
        List<String> said = new ArrayList<>();
        boolean isReached = true;
        if (!Double.isNaN(goal.median())) {
            said.add("median at most " + goal.median() + " of Curator's");
            isReached &= quorate.median() <= goal.median() * curator.median();
        }
        if (!Double.isNaN(goal.p99())) {
            said.add("p99 at most " + goal.p99());
            isReached &= quorate.quantile(P99) <= goal.p99() * curator.quantile(P99);
        }
        if (!Double.isNaN(goal.most())) {
            said.add("at most " + (long) goal.most() + (metric.unit().isEmpty() ? "" : " " + metric.unit()));
            isReached &= quorate.max() <= goal.most();
        }
        return said.isEmpty() ? Optional.empty() : Optional.of(new Verdict(String.join(", ", said), isReached));
    }

    /** A goal and whether it is reached. */
    record Verdict(String goal, boolean isReached) {
    }
}
