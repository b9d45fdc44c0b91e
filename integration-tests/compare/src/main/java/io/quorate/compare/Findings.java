package io.quorate.compare;

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * All that a run found.
 *
 * @param comparisons with the algorithm that all is measured with, over each transport
 * @param algorithms  where other algorithms were measured too: of each, the one that all is measured with included
 * @param others      the code of another commit in place of Curator, where it was measured too
 * @param containers  what small shares of a processor did
 * @param remarks     what a reader of the figures has to know
 */
record Findings(
        List<Comparison> comparisons,
        List<Comparison> algorithms,
        List<Comparison> others,
        List<QuorateAlone> alone,
        List<ContainerRow> containers,
        List<String> remarks) {

    /** @param variants the words for what all is measured with */
    static Findings of(List<Sample> samples, List<NotDone> notDone, List<String> variants, int detectionMillis) {
        List<Sample> found =
                Stream.concat(samples.stream(), Growth.of(samples).stream()).toList();
        List<Comparison> all = Comparison.of(found, detectionMillis);
        List<Comparison> algorithms = all.stream()
                .filter(one -> all.stream()
                                .anyMatch(other -> other.metric() == one.metric()
                                        && other.scale() == one.scale()
                                        && !variants.contains(other.algorithm()))
                        && (one.algorithm().equals(variants.get(0)) || !variants.contains(one.algorithm())))
                .toList();
        return new Findings(
                all.stream().filter(c -> variants.contains(c.algorithm())).toList(),
                algorithms,
                variants.stream()
                        .flatMap(variant -> againstOther(found, variant, detectionMillis).stream())
                        .toList(),
                QuorateAlone.of(found, notDone, detectionMillis),
                ContainerRow.of(samples, notDone, detectionMillis),
                Stream.concat(
                                others(samples).stream(),
                                notDone.stream().map(NotDone::toString).distinct())
                        .toList());
    }

    /** What is compared where Curator stands is the same variant of another commit. */
    private static List<Comparison> againstOther(List<Sample> samples, String variant, int detectionMillis) {
        return Comparison.of(
                samples.stream()
                        .filter(sample -> sample.algorithm().matches(Pattern.quote(variant) + "(@.*)?"))
                        .map(sample -> sample.algorithm().equals(variant) ? sample : sample.with(""))
                        .toList(),
                detectionMillis);
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
    Findings with(Collection<String> more) {
        return new Findings(
                comparisons,
                algorithms,
                others,
                alone,
                containers,
                Stream.concat(remarks.stream(), more.stream()).toList());
    }

    /** All that is worth remembering, each once. */
    List<Result> all() {
        return Stream.of(comparisons, algorithms, alone)
                .<Result>flatMap(Collection::stream)
                .distinct()
                .toList();
    }
}
