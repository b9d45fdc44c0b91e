package io.quorate.compare;

import io.quorate.compare.Metric.Goal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * One metric at one scale that Quorate alone has.
 *
 * @param turns   in how many it was measured
 * @param curator why the other side has none, if it was to have some
 */
record QuorateAlone(
        Metric metric,
        int scale,
        String algorithm,
        int settled,
        int turns,
        Distribution quorate,
        Goal goal,
        Optional<String> curator)
        implements Result {

    /** All that cannot be compared, for want of values of Curator, in the order of {@link Metric} and of scale. */
    static List<QuorateAlone> of(List<Sample> samples, List<NotDone> notDone, int detectionMillis) {
        List<QuorateAlone> all = new ArrayList<>();
        for (Metric metric : Metric.values()) {
            List<Sample> ofMetric =
                    samples.stream().filter(sample -> sample.metric() == metric).toList();
            for (int scale : ofMetric.stream()
                    .mapToInt(Sample::scale)
                    .distinct()
                    .sorted()
                    .toArray()) {
                List<Sample> found = ofMetric.stream()
                        .filter(sample -> sample.scale() == scale)
                        .toList();
                if (found.stream().allMatch(sample -> sample.side() == ComparedSide.QUORATE)) {
                    Optional<String> why = notDone.stream()
                            .filter(not -> not.side() == ComparedSide.CURATOR
                                    && not.metric() == metric
                                    && not.scale() == scale)
                            .map(NotDone::how)
                            .findFirst();
                    found.stream().map(Sample::algorithm).distinct().forEach(algorithm -> {
                        List<Sample> own = found.stream()
                                .filter(sample -> sample.algorithm().equals(algorithm))
                                .toList();
                        all.add(new QuorateAlone(
                                metric,
                                scale,
                                algorithm,
                                Sample.settled(own),
                                (int) own.stream().map(Sample::round).distinct().count(),
                                new Distribution(own.stream().map(Sample::value).toList()),
                                metric.goal(detectionMillis),
                                why));
                    });
                }
            }
        }
        return all;
    }

    @Override
    public String name() {
        return metric.name(scale, settled);
    }

    @Override
    public Optional<Ratio> ratio() {
        return Optional.empty();
    }

    /** Of what does not depend on the other side. */
    @Override
    public Optional<Verdict> verdict() {
        return Double.isNaN(goal.most())
                ? Optional.empty()
                : Optional.of(
                        new Verdict("at most " + Summary.value(goal.most(), metric), quorate.max() <= goal.most()));
    }
}
