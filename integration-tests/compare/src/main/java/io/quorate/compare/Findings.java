package io.quorate.compare;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * All that a run found.
 *
 * @param comparisons of the algorithm that all is measured with
 * @param algorithms  where others were measured too: of each, that one included
 * @param remarks     what a reader of the figures has to know
 */
record Findings(
        List<Comparison> comparisons, List<Comparison> algorithms, List<QuorateAlone> alone, List<String> remarks) {

    static Findings of(List<Sample> samples, String algorithm, int detectionMillis) {
        List<Comparison> all = Comparison.of(samples, detectionMillis);
        List<Comparison> algorithms = all.stream()
                .filter(one -> all.stream()
                        .anyMatch(other -> other.metric() == one.metric()
                                && other.scale() == one.scale()
                                && !other.algorithm().equals(one.algorithm())))
                .toList();
        return new Findings(
                all.stream().filter(c -> c.algorithm().equals(algorithm)).toList(),
                algorithms,
                QuorateAlone.of(samples),
                others(samples).stream().toList());
    }

    /** What else was on the wire; empty if nobody looked. */
    private static Optional<String> others(List<Sample> samples) {
        List<Double> others = samples.stream()
                .filter(sample -> sample.metric() == Metric.OTHER_BYTES)
                .map(Sample::value)
                .toList();
        if (others.isEmpty()) {
            return Optional.empty();
        }
        double most = new Distribution(others).max();
        return Optional.of(
                most == 0
                        ? "Nobody else used the loopback interface: bytes on the wire are exact."
                        : "Others sent up to " + Summary.value(most, Metric.OTHER_BYTES)
                                + " over the loopback interface while"
                                + " nothing of this ran: bytes on the wire include such.");
    }

    /** With more remarks. */
    Findings with(List<String> more) {
        return new Findings(
                comparisons,
                algorithms,
                alone,
                Stream.concat(remarks.stream(), more.stream()).toList());
    }

    /** All that has a ratio, each once. */
    List<Comparison> all() {
        return Stream.concat(comparisons.stream(), algorithms.stream())
                .distinct()
                .toList();
    }
}
