package io.quorate.compare;

import java.util.ArrayList;
import java.util.List;

/** One metric at one scale that Quorate alone has. */
record QuorateAlone(Metric metric, int scale, Distribution values) {

    /** All that cannot be compared, for want of values of Curator, in the order of {@link Metric} and of scale. */
    static List<QuorateAlone> of(List<Sample> samples) {
        List<QuorateAlone> all = new ArrayList<>();
        for (Metric metric : Metric.values()) {
            List<Sample> ofMetric =
                    samples.stream().filter(sample -> sample.metric() == metric).toList();
            if (ofMetric.stream().allMatch(sample -> sample.side() == ComparedSide.QUORATE)) {
                ofMetric.stream()
                        .mapToInt(Sample::scale)
                        .distinct()
                        .sorted()
                        .forEach(scale -> all.add(new QuorateAlone(
                                metric,
                                scale,
                                new Distribution(ofMetric.stream()
                                        .filter(sample -> sample.scale() == scale)
                                        .map(Sample::value)
                                        .toList()))));
            }
        }
        return all;
    }

    String name() {
        return metric.name(scale);
    }
}
