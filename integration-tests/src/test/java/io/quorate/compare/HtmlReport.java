package io.quorate.compare;

import io.quorate.compare.Comparison.Verdict;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** What was found, as one page that needs nothing else: a table, the ratios, all values, and who led when. */
final class HtmlReport {

    private static final int WIDTH = 1000;
    private static final int LABEL = 430;
    private static final int RIGHT = 20;
    private static final int ROW = 34;
    private static final int LINE = 13;
    /** So many characters fit left of {@link #LABEL}, also in a wide font. */
    static final int LABEL_CHARACTERS = 56;
    private static final double RATIO_MIN = 0.001;
    private static final double RATIO_MAX = 100;
    private static final double[] RATIO_TICKS = {0.001, 0.01, 0.1, 0.3, 1, 3, 10, 100};

    private HtmlReport() {
    }

    static String of(Findings findings, List<Timeline> timelines, String subtitle) {
        String page = template();
        page = findings.alone().isEmpty() ? without(page, "alone") : page;
        page = findings.algorithms().isEmpty() ? without(page, "algorithms") : page;
        return page.replace("@subtitle@", text(subtitle))
                .replace("@remarks@", remarks(findings.remarks()))
                .replace("@rows@", rows(findings.comparisons()))
                .replace("@alone@", alone(findings.alone()))
                .replace("@algorithms@", algorithms(findings.algorithms()))
                .replace("@ratios@", ratios(findings.comparisons()))
                .replace("@distributions@", DistributionPlots.of(findings.comparisons()))
                .replace("@timelines@", TimelinePlots.of(timelines));
    }

    /** The page without that section. */
    private static String without(String page, String section) {
        String begin = "<!-- " + section + " -->";
        String end = "<!-- end of " + section + " -->";
        return page.substring(0, page.indexOf(begin)) + page.substring(page.indexOf(end) + end.length());
    }

    private static String remarks(List<String> remarks) {
        return remarks.stream().map(remark -> "<p class=\"note\">" + text(remark) + "</p>\n")
                .collect(Collectors.joining());
    }

    private static String algorithms(List<Comparison> comparisons) {
        StringBuilder html = new StringBuilder();
        for (Comparison comparison : comparisons) {
            html.append("<tr><td>").append(text(comparison.name())).append("</td><td>")
                    .append(text(comparison.algorithm())).append("</td>")
                    .append(cell(Summary.value(comparison.curator().median(), comparison.metric())))
                    .append(cell(Summary.value(comparison.quorate().median(), comparison.metric())))
                    .append(cell(comparison.ratio().map(r -> Summary.number(r.value())).orElse("")))
                    .append(cell(comparison.ratio().map(Summary::bounds).orElse("")))
                    .append(cell(comparison.curator().size() + " / " + comparison.quorate().size()))
                    .append("</tr>\n");
        }
        return html.toString();
    }

    private static String template() {
        try (InputStream in = HtmlReport.class.getResourceAsStream("report.html")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String rows(List<Comparison> comparisons) {
        StringBuilder html = new StringBuilder();
        for (Comparison comparison : comparisons) {
            Metric metric = comparison.metric();
            Optional<Verdict> verdict = comparison.verdict();
            html.append("<tr><td>").append(text(comparison.name())).append("</td>")
                    .append(cell(Summary.value(comparison.curator().median(), metric)))
                    .append(cell(Summary.value(comparison.curator().quantile(0.99), metric)))
                    .append(cell(Summary.value(comparison.quorate().median(), metric)))
                    .append(cell(Summary.value(comparison.quorate().quantile(0.99), metric)))
                    .append(cell(comparison.ratio().map(r -> Summary.number(r.value())).orElse("")))
                    .append(cell(comparison.curator().size() + " / " + comparison.quorate().size()))
                    .append(verdict.map(HtmlReport::verdict).orElse("<td></td>")).append("</tr>\n");
        }
        return html.toString();
    }

    private static String alone(List<Alone> all) {
        StringBuilder html = new StringBuilder();
        for (Alone alone : all) {
            html.append("<tr><td>").append(text(alone.name())).append("</td>")
                    .append(cell(Summary.value(alone.values().median(), alone.metric())))
                    .append(cell(Summary.value(alone.values().min(), alone.metric())))
                    .append(cell(Summary.value(alone.values().max(), alone.metric())))
                    .append(cell(Integer.toString(alone.values().size()))).append("</tr>\n");
        }
        return html.toString();
    }

    private static String cell(String content) {
        return "<td class=\"number\">" + text(content) + "</td>";
    }

    private static String verdict(Verdict verdict) {
        return "<td class=\"" + (verdict.isReached() ? "good\">reached: " : "bad\">missed: ") + text(verdict.goal())
                + "</td>";
    }

    /** One row per metric, on a logarithmic scale: left of 1, Quorate is better. */
    private static String ratios(List<Comparison> comparisons) {
        List<Comparison> shown = comparisons.stream().filter(c -> c.ratio().isPresent()).toList();
        int height = ROW * shown.size() + 2 * ROW;
        StringBuilder svg = new StringBuilder(begin(height));
        for (double tick : RATIO_TICKS) {
            svg.append(line(tick == 1 ? "one" : "grid", x(tick), ROW / 2.0, x(tick), height - ROW))
                    .append(label("tick", x(tick), height - ROW / 2.0, Summary.number(tick)));
        }
        for (int row = 0; row < shown.size(); row++) {
            Comparison comparison = shown.get(row);
            Distribution.Ratio ratio = comparison.ratio().orElseThrow();
            double y = ROW * (row + 1);
            svg.append(wrapped(y, comparison.name())).append(line("spread", x(ratio.low()), y, x(ratio.high()), y));
            double goal = comparison.goal().median();
            if (!Double.isNaN(goal)) {
                svg.append(line("goal", x(goal), y - 9, x(goal), y + 9));
            }
            svg.append(String.format(Locale.ROOT, "<circle class=\"dot\" cx=\"%.1f\" cy=\"%.1f\" r=\"5\"><title>%s"
                    + "</title></circle>", x(ratio.value()), y, Summary.number(ratio.value())));
        }
        return svg.append("</svg>").toString();
    }

    private static String wrapped(double y, String name) {
        List<String> lines = wrap(name);
        StringBuilder svg = new StringBuilder();
        for (int i = 0; i < lines.size(); i++) {
            svg.append(label("name", LABEL - 12, y + 4 + LINE * (i - (lines.size() - 1) / 2.0), lines.get(i)));
        }
        return svg.toString();
    }

    /** In lines that fit, broken between words. */
    static List<String> wrap(String name) {
        List<String> lines = new ArrayList<>();
        StringBuilder line = new StringBuilder();
        for (String word : name.split(" ")) {
            if (!line.isEmpty() && line.length() + 1 + word.length() > LABEL_CHARACTERS) {
                lines.add(line.toString());
                line.setLength(0);
            }
            line.append(line.isEmpty() ? "" : " ").append(word);
        }
        lines.add(line.toString());
        return lines;
    }

    private static double x(double ratio) {
        double bounded = Math.max(RATIO_MIN, Math.min(RATIO_MAX, ratio));
        return LABEL + (WIDTH - RIGHT - LABEL) * Math.log(bounded / RATIO_MIN) / Math.log(RATIO_MAX / RATIO_MIN);
    }

    // ---------------------------------------------------------------- what the plots consist of

    static String begin(int height) {
        return "<svg viewBox=\"0 0 " + WIDTH + " " + height + "\" role=\"img\">";
    }

    static String line(String type, double x1, double y1, double x2, double y2) {
        return String.format(Locale.ROOT, "<line class=\"%s\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>", type,
                x1, y1, x2, y2);
    }

    static String label(String type, double x, double y, String content) {
        return String.format(Locale.ROOT, "<text class=\"%s\" x=\"%.1f\" y=\"%.1f\">%s</text>", type, x, y,
                text(content));
    }

    static String text(String content) {
        return content.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("\"", "&quot;");
    }
}
