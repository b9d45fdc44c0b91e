package io.quorate.compare;

import io.quorate.compare.Result.Ratio;
import io.quorate.compare.Result.Verdict;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** What was found, as text. */
final class Summary {

    private Summary() {}

    static String of(Findings findings) {
        StringBuilder text = new StringBuilder(of(findings.comparisons())).append(ofAlone(findings.alone()));
        if (!findings.algorithms().isEmpty()) {
            text.append("\nEach algorithm by Curator, where there must be an election:\n")
                    .append(ofAlgorithms(findings.algorithms()));
        }
        if (!findings.others().isEmpty()) {
            text.append("\nThis code by that of the other commit, which stands first:\n")
                    .append(ofAlgorithms(findings.others()));
        }
        findings.remarks().forEach(remark -> text.append('\n').append(remark).append('\n'));
        return text.toString();
    }

    private static String ofAlgorithms(List<Comparison> comparisons) {
        StringBuilder text = new StringBuilder();
        for (Comparison comparison : comparisons) {
            text.append(String.format(
                    Locale.ROOT,
                    "%-84s %-24s %11s %11s %6s %13s%n",
                    comparison.name(),
                    comparison.algorithm(),
                    value(comparison.curator().median(), comparison.metric()),
                    value(comparison.quorate().median(), comparison.metric()),
                    comparison.ratio().map(r -> number(r.value())).orElse("-"),
                    comparison.ratio().map(Summary::bounds).orElse("")));
        }
        return text.toString();
    }

    static String bounds(Ratio ratio) {
        return number(ratio.low()) + " - " + number(ratio.high());
    }

    static String of(List<Comparison> comparisons) {
        StringBuilder text = new StringBuilder();
        text.append(String.format(
                Locale.ROOT, "%-84s %-24s %11s %11s %6s %13s%n", "", "", "Curator", "Quorate", "ratio", "of turns"));
        for (Comparison comparison : comparisons) {
            Optional<Ratio> ratio = comparison.ratio();
            text.append(String.format(
                    Locale.ROOT,
                    "%-84s %-24s %11s %11s %6s %13s %s%n",
                    comparison.name(),
                    comparison.algorithm(),
                    value(comparison.curator().median(), comparison.metric()),
                    value(comparison.quorate().median(), comparison.metric()),
                    ratio.map(r -> number(r.value())).orElse("-"),
                    ratio.map(Summary::bounds).orElse(""),
                    comparison.verdict().map(Summary::said).orElse("")));
            if (comparison.curator().size() >= 20) {
                text.append(String.format(
                        Locale.ROOT,
                        "%-84s %-24s %11s %11s%n",
                        "    99th percentile",
                        "",
                        value(comparison.curator().quantile(0.99), comparison.metric()),
                        value(comparison.quorate().quantile(0.99), comparison.metric())));
            }
        }
        return text.toString();
    }

    /** What Quorate alone has. */
    static String ofAlone(List<QuorateAlone> all) {
        StringBuilder text = new StringBuilder();
        for (QuorateAlone alone : all) {
            text.append(String.format(
                    Locale.ROOT,
                    "%-84s %-24s %11s %11s %6s %13s %s%n",
                    alone.name(),
                    alone.algorithm(),
                    "-",
                    value(alone.quorate().median(), alone.metric()),
                    "-",
                    "",
                    alone.verdict().map(Summary::said).orElse("")));
        }
        return text.toString();
    }

    private static String said(Verdict verdict) {
        return (verdict.isReached() ? "reached: " : "MISSED: ") + verdict.goal();
    }

    static String value(double value, Metric metric) {
        return number(value) + (metric.unit().isEmpty() ? "" : " " + metric.unit());
    }

    /** With three significant digits. */
    static String number(double value) {
        if (value == 0) {
            return "0";
        }
        int decimals = Math.max(0, 2 - (int) Math.floor(Math.log10(Math.abs(value))));
        return String.format(Locale.ROOT, "%." + Math.min(decimals, 4) + "f", value);
    }
}
