package io.quorate.compare;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Map.Entry;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * How what many latches cost grows with their number. The exponent is the slope of the straight line that fits the
 * medians best when both are drawn on logarithmic scales: 1 for twice as much at twice the number, 2 for four times.
 */
final class Growth {

    /** With fewer latches what does not depend on them hides the rest. */
    static final int LATCHES_MIN = 1000;

    private Growth() {}

    /** An exponent up to each number of latches but the least, for each side and algorithm. */
    static List<Sample> of(List<Sample> samples) {
        List<Sample> growth = new ArrayList<>();
        for (Metric metric : Metric.values()) {
            metric.growsAs().ifPresent(exponent -> samples.stream()
                    .filter(sample -> sample.metric() == metric && sample.scale() >= LATCHES_MIN)
                    .collect(Collectors.groupingBy(Sample::algorithm, TreeMap::new, Collectors.toList()))
                    .values()
                    .forEach(ofOne -> growth.addAll(of(metric, exponent, ofOne))));
        }
        return growth;
    }

    private static List<Sample> of(Metric metric, Metric exponent, List<Sample> samples) {
        TreeMap<Integer, Double> medians = new TreeMap<>();
        samples.stream()
                .collect(Collectors.groupingBy(Sample::scale, Collectors.mapping(Sample::value, Collectors.toList())))
                .forEach((scale, values) -> {
                    double median = new Distribution(values).median();
                    medians.put(scale, metric.isPerLatch() ? median * scale : median);
                });
        // What took no time, or less than none, has no logarithm.
        medians.values().removeIf(median -> median <= 0);
        Sample any = samples.get(0);
        return medians.keySet().stream()
                .skip(1)
                .map(most -> new Sample(
                        any.round(),
                        any.side(),
                        any.algorithm(),
                        exponent,
                        most,
                        slope(medians.headMap(most, true)),
                        0,
                        any.load()))
                .toList();
    }

    /** Of the line of least squares through the logarithms. There must be two points. */
    static double slope(Map<Integer, Double> points) {
        double meanX = points.keySet().stream().mapToDouble(Math::log).average().orElseThrow();
        double meanY = points.values().stream().mapToDouble(Math::log).average().orElseThrow();
        double both = 0;
        double square = 0;
        for (Entry<Integer, Double> point : points.entrySet()) {
            double x = Math.log(point.getKey()) - meanX;
            both += x * (Math.log(point.getValue()) - meanY);
            square += x * x;
        }
        return both / square;
    }
}
