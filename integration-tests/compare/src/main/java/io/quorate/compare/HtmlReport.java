package io.quorate.compare;

import io.quorate.compare.Comparison.Verdict;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What was found, as one page that needs nothing else: tables, the ratios, all values, and who led when. */
final class HtmlReport {

    private HtmlReport() {}

    static String of(Findings findings, List<Timeline> timelines, String subtitle) {
        List<Comparison> comparisons = findings.comparisons();
        Charts charts = new Charts();
        String page = template();
        page = findings.alone().isEmpty() ? without(page, "alone") : page;
        page = findings.algorithms().isEmpty() ? without(page, "algorithms") : page;
        return page.replace("@subtitle@", text(subtitle))
                .replace("@remarks@", all(findings.remarks(), r -> "<p class=\"note\">" + text(r) + "</p>"))
                .replace("@rows@", all(comparisons, HtmlReport::row))
                .replace("@alone@", all(findings.alone(), HtmlReport::row))
                .replace("@algorithms@", all(findings.algorithms(), HtmlReport::rowWithAlgorithm))
                .replace(
                        "@ratios@",
                        ratios(
                                comparisons.stream()
                                        .filter(c -> c.ratio().isPresent())
                                        .toList(),
                                charts))
                .replace("@distributions@", all(comparisons, c -> values(c, charts)))
                .replace("@timelines@", all(timelines, t -> leaders(t, charts)));
    }

    private static String template() {
        try (InputStream in = HtmlReport.class.getResourceAsStream("report.html")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The page without that section. */
    private static String without(String page, String section) {
        String begin = "<!-- " + section + " -->";
        String end = "<!-- end of " + section + " -->";
        return page.substring(0, page.indexOf(begin)) + page.substring(page.indexOf(end) + end.length());
    }

    private static <T> String all(Collection<T> things, Function<T, String> html) {
        return things.stream().map(html).collect(Collectors.joining("\n"));
    }

    // ---------------------------------------------------------------- tables

    private static String row(Comparison comparison) {
        Metric metric = comparison.metric();
        return "<tr><td>" + text(comparison.name()) + "</td>"
                + numbers(
                        Summary.value(comparison.curator().median(), metric),
                        Summary.value(comparison.curator().quantile(0.99), metric),
                        Summary.value(comparison.quorate().median(), metric),
                        Summary.value(comparison.quorate().quantile(0.99), metric),
                        ratio(comparison),
                        sizes(comparison))
                + comparison.verdict().map(HtmlReport::cell).orElse("<td></td>") + "</tr>";
    }

    private static String rowWithAlgorithm(Comparison comparison) {
        return "<tr><td>" + text(comparison.name()) + "</td><td>" + text(comparison.algorithm()) + "</td>"
                + numbers(
                        Summary.value(comparison.curator().median(), comparison.metric()),
                        Summary.value(comparison.quorate().median(), comparison.metric()),
                        ratio(comparison),
                        comparison.ratio().map(Summary::bounds).orElse(""),
                        sizes(comparison))
                + "</tr>";
    }

    private static String row(QuorateAlone alone) {
        Distribution values = alone.values();
        return "<tr><td>" + text(alone.name()) + "</td>"
                + numbers(
                        Summary.value(values.median(), alone.metric()),
                        Summary.value(values.min(), alone.metric()),
                        Summary.value(values.max(), alone.metric()),
                        Integer.toString(values.size()))
                + "</tr>";
    }

    private static String ratio(Comparison comparison) {
        return comparison.ratio().map(ratio -> Summary.number(ratio.value())).orElse("");
    }

    private static String sizes(Comparison comparison) {
        return comparison.curator().size() + " / " + comparison.quorate().size();
    }

    private static String numbers(String... contents) {
        return Stream.of(contents)
                .map(content -> "<td class=\"number\">" + text(content) + "</td>")
                .collect(Collectors.joining());
    }

    private static String cell(Verdict verdict) {
        return "<td class=\"" + (verdict.isReached() ? "good\">reached: " : "bad\">missed: ") + text(verdict.goal())
                + "</td>";
    }

    // ---------------------------------------------------------------- charts

    private static String ratios(List<Comparison> comparisons, Charts charts) {
        return comparisons.isEmpty() ? "" : chart(charts.ratios(comparisons));
    }

    /** What is always 0 has no chart. */
    private static String values(Comparison comparison, Charts charts) {
        if (comparison.curator().max() == 0 && comparison.quorate().max() == 0) {
            return "";
        }
        String unit = comparison.metric().unit();
        return heading(comparison.name() + (unit.isEmpty() ? "" : ", " + unit)) + chart(charts.values(comparison));
    }

    private static String leaders(Timeline timeline, Charts charts) {
        return timeline.spells().isEmpty()
                ? ""
                : heading(timeline.trial() + ", " + timeline.side().label()) + chart(charts.leaders(timeline));
    }

    private static String heading(String content) {
        return "<h3>" + text(content) + "</h3>";
    }

    private static String chart(String svg) {
        return "<div class=\"chart\">" + svg + "</div>";
    }

    private static String text(String content) {
        return content.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }
}
