package io.quorate.compare;

import io.quorate.compare.Metric.Goal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * One metric at one scale, on both sides.
 *
 * @param scale     as of {@link Sample}
 * @param algorithm Quorate's
 * @param settled   as of {@link Sample}
 * @param measured  in how many turns Quorate was
 * @param ratios    of the medians of each turn in which both sides have values, and Curator's median is not 0
 */
record Comparison(
        Metric metric,
        int scale,
        String algorithm,
        int settled,
        int measured,
        Distribution curator,
        Distribution quorate,
        List<Double> ratios,
        Goal goal)
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
                List<Sample> curator = of(samples, "");
                for (String algorithm :
                        samples.stream().map(Sample::algorithm).distinct().toList()) {
                    if (!algorithm.isEmpty() && !curator.isEmpty()) {
                        List<Sample> quorate = of(samples, algorithm);
                        comparisons.add(new Comparison(
                                metric,
                                scale,
                                algorithm,
                                Sample.settled(samples),
                                turns(quorate).size(),
                                distribution(curator),
                                distribution(quorate),
                                ratios(turns(curator), turns(quorate)),
                                metric.goal(detectionMillis)));
                    }
                }
            }
        }
        return comparisons;
    }

    private static List<Sample> of(List<Sample> samples, String algorithm) {
        return samples.stream().filter(s -> s.algorithm().equals(algorithm)).toList();
    }

    private static Distribution distribution(List<Sample> samples) {
        return new Distribution(samples.stream().map(Sample::value).toList());
    }

    private static Map<Integer, List<Sample>> turns(List<Sample> samples) {
        return samples.stream().collect(Collectors.groupingBy(Sample::round, TreeMap::new, Collectors.toList()));
    }

    private static List<Double> ratios(Map<Integer, List<Sample>> curator, Map<Integer, List<Sample>> quorate) {
        List<Double> ratios = new ArrayList<>();
        quorate.forEach((turn, samples) -> {
            double of =
                    curator.containsKey(turn) ? distribution(curator.get(turn)).median() : 0;
            if (of != 0) {
                ratios.add(distribution(samples).median() / of);
            }
        });
        return ratios;
    }

    @Override
    public String name() {
        return metric.name(scale, settled);
    }

    @Override
    public int turns() {
        return ratios.isEmpty() ? measured : ratios.size();
    }

    @Override
    public Optional<Ratio> ratio() {
        if (ratios.isEmpty()) {
            return Optional.empty();
        }
        Distribution all = new Distribution(ratios);
        return Optional.of(new Ratio(all.median(), all.min(), all.max()));
    }

    @Override
    public Optional<Verdict> verdict() {
        List<String> reached = new ArrayList<>();
        List<String> missed = new ArrayList<>();
        if (!Double.isNaN(goal.median())) {
            boolean isReached = ratio().map(ratio -> ratio.value() <= goal.median())
                    .orElse(quorate.median() <= goal.median() * curator.median());
            (isReached ? reached : missed).add("median at most " + goal.median() + " of Curator's");
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
