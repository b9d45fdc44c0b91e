package io.quorate.compare;

import io.quorate.compare.Result.Verdict;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What was found, as one page that needs nothing else: tables, the ratios, all values, and who led when. */
final class HtmlReport {

    private HtmlReport() {}

    static String of(Findings findings, List<Timeline> timelines, String subtitle) {
        List<List<Comparison>> comparisons = byName(findings.comparisons().stream()
                .filter(comparison -> !comparison.metric().isOfContainers())
                .toList());
        List<QuorateAlone> alone = findings.alone().stream()
                .filter(one -> !one.metric().isOfContainers())
                .toList();
        Charts charts = new Charts();
        String page = template();
        page = alone.isEmpty() ? without(page, "alone") : page;
        page = findings.algorithms().isEmpty() ? without(page, "algorithms") : page;
        page = findings.containers().isEmpty() ? without(page, "containers") : page;
        return page.replace("@subtitle@", text(subtitle))
                .replace("@remarks@", all(findings.remarks(), r -> "<p class=\"note\">" + text(r) + "</p>"))
                .replace("@rows@", all(comparisons, HtmlReport::rows))
                .replace("@alone@", all(alone, HtmlReport::row))
                .replace("@containers@", all(findings.containers(), HtmlReport::row))
                .replace("@algorithms@", all(findings.algorithms(), HtmlReport::rowWithAlgorithm))
                .replace(
                        "@ratios@",
                        ratios(
                                comparisons.stream()
                                        .map(HtmlReport::withRatio)
                                        .filter(withRatio -> !withRatio.isEmpty())
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

    /** Those of one metric at one scale together. */
    private static List<List<Comparison>> byName(List<Comparison> comparisons) {
        return List.copyOf(comparisons.stream()
                .collect(Collectors.groupingBy(Comparison::name, LinkedHashMap::new, Collectors.toList()))
                .values());
    }

    private static List<Comparison> withRatio(List<Comparison> comparisons) {
        return comparisons.stream().filter(c -> c.ratio().isPresent()).toList();
    }

    /** Of one metric at one scale, a row for each algorithm and transport; the name and the other side only once. */
    private static String rows(List<Comparison> ofOne) {
        StringBuilder rows = new StringBuilder();
        for (Comparison comparison : ofOne) {
            Metric metric = comparison.metric();
            rows.append("<tr>");
            if (comparison == ofOne.get(0)) {
                String span = " rowspan=\"" + ofOne.size() + "\">";
                rows.append("<td class=\"name\"")
                        .append(span)
                        .append(text(comparison.name()))
                        .append("</td>");
                for (double curator : new double[] {
                    comparison.curator().median(), comparison.curator().quantile(0.99)
                }) {
                    rows.append("<td class=\"number\"")
                            .append(span)
                            .append(text(Summary.value(curator, metric)))
                            .append("</td>");
                }
            }
            rows.append("<td>")
                    .append(text(comparison.algorithm()))
                    .append("</td>")
                    .append(numbers(
                            Summary.value(comparison.quorate().median(), metric),
                            Summary.value(comparison.quorate().quantile(0.99), metric),
                            ratio(comparison),
                            comparison.ratio().map(Summary::bounds).orElse(""),
                            sizes(comparison)))
                    .append(cell(comparison.verdict()))
                    .append("</tr>\n");
        }
        return rows.toString();
    }

    private static String row(ContainerRow row) {
        return "<tr><td>" + text(row.container().label()) + "</td>" + numbers(Integer.toString(row.latches()))
                + "<td>" + text(row.who()) + "</td>"
                + numbers(row.led())
                + row.counts().stream().map(HtmlReport::numbers).collect(Collectors.joining())
                + cell(row.isReached().map(is -> new Verdict(row.container().goal, is))) + "</tr>";
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
        Distribution values = alone.quorate();
        return "<tr><td>" + text(alone.name()) + "</td><td>" + text(alone.algorithm()) + "</td>"
                + numbers(
                        Summary.value(values.median(), alone.metric()),
                        Summary.value(values.min(), alone.metric()),
                        Summary.value(values.max(), alone.metric()),
                        Integer.toString(values.size()))
                + cell(alone.verdict()) + "<td>" + text(alone.curator().orElse("")) + "</td></tr>";
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

    private static String cell(Optional<Verdict> goal) {
        return goal.map(verdict -> "<td class=\"" + (verdict.isReached() ? "good\">met: " : "bad\">missed: ")
                        + text(verdict.goal().replace("at most", "\u2264").replace(" of Curator's", "")) + "</td>")
                .orElse("<td></td>");
    }

    // ---------------------------------------------------------------- charts

    private static String ratios(List<List<Comparison>> comparisons, Charts charts) {
        return comparisons.isEmpty() ? "" : chart(charts.ratios(comparisons));
    }

    /** What is always 0 has no chart. */
    private static String values(List<Comparison> ofOne, Charts charts) {
        Comparison first = ofOne.get(0);
        if (first.curator().max() == 0
                && ofOne.stream().allMatch(c -> c.quorate().max() == 0)) {
            return "";
        }
        String unit = first.metric().unit();
        return heading(first.name() + (unit.isEmpty() ? "" : ", " + unit)) + chart(charts.values(ofOne));
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
