package io.quorate.compare;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What a small share of a processor did to one side.
 *
 * @param who       the side, or the algorithm and transport of Quorate
 * @param led       how long it took until all were led; says so if they were not
 * @param counts    of {@link Container#counted}; empty for what was not counted, because not all were led
 * @param isReached whether the goal is
 */
record ContainerRow(
        Container container, int latches, String who, String led, List<String> counts, Optional<Boolean> isReached) {

    /** A row for each share, number of latches, and side that has values; the greatest one where there are several. */
    static List<ContainerRow> of(List<Sample> samples, List<NotDone> notDone, int detectionMillis) {
        List<ContainerRow> rows = new ArrayList<>();
        for (Container container : Container.values()) {
            List<Sample> counted = samples.stream()
                    .filter(s -> s.metric() == container.before.losses())
                    .toList();
            for (int latches :
                    counted.stream().mapToInt(Sample::scale).distinct().sorted().toArray()) {
                counted.stream()
                        .filter(s -> s.scale() == latches)
                        .map(Sample::algorithm)
                        .distinct()
                        .forEach(algorithm -> rows.add(row(
                                container,
                                latches,
                                algorithm,
                                samples.stream()
                                        .filter(s -> s.algorithm().equals(algorithm) && s.scale() == latches)
                                        .toList(),
                                notDone,
                                detectionMillis)));
            }
        }
        return rows;
    }

    private static ContainerRow row(
            Container container,
            int latches,
            String algorithm,
            List<Sample> samples,
            List<NotDone> notDone,
            int detectionMillis) {
        return new ContainerRow(
                container,
                latches,
                algorithm.isEmpty() ? ComparedSide.CURATOR.label() : algorithm,
                most(samples, container.led)
                        .map(seconds -> Summary.value(seconds, container.led))
                        .or(() -> notDone.stream()
                                .filter(not -> not.metric() == container.led
                                        && not.scale() == latches
                                        && not.algorithm().equals(algorithm))
                                .map(NotDone::how)
                                .findFirst())
                        .orElse(""),
                container.counted().stream()
                        .map(metric -> most(samples, metric)
                                .map(Math::round)
                                .map(Object::toString)
                                .orElse(""))
                        .toList(),
                algorithm.isEmpty()
                        ? Optional.empty()
                        : Optional.of(container.counted().stream()
                                .allMatch(metric -> isReached(metric, samples, detectionMillis))));
    }

    /** What was not counted is not reached. */
    private static boolean isReached(Metric metric, List<Sample> samples, int detectionMillis) {
        double goal = metric.goal(detectionMillis).most();
        return Double.isNaN(goal)
                || most(samples, metric).filter(most -> most <= goal).isPresent();
    }

    private static Optional<Double> most(List<Sample> samples, Metric metric) {
        return samples.stream()
                .filter(sample -> sample.metric() == metric)
                .map(Sample::value)
                .max(Double::compare);
    }
}
