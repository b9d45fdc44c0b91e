package io.quorate.compare;

import java.util.List;
import java.util.Locale;
import java.util.Random;

/** All values of each metric, one dot each, on both sides, with the medians. */
final class DistributionPlots {

    private static final int LEFT = 90;
    private static final int RIGHT = 980;
    private static final int LANE = 34;
    private static final int HEIGHT = 3 * LANE;
    private static final int TICKS = 5;
    private static final double JITTER = 0.5;

    private DistributionPlots() {
    }

    static String of(List<Comparison> comparisons) {
        StringBuilder html = new StringBuilder();
        for (Comparison comparison : comparisons) {
            double max = Math.max(comparison.curator().max(), comparison.quorate().max());
            if (max > 0) {
                html.append("<h3>").append(HtmlReport.text(comparison.name()));
                if (!comparison.metric().unit().isEmpty()) {
                    html.append(", ").append(comparison.metric().unit());
                }
                html.append("</h3>\n").append(plot(comparison, max)).append('\n');
            }
        }
        return html.toString();
    }

    private static String plot(Comparison comparison, double max) {
        StringBuilder svg = new StringBuilder(HtmlReport.begin(HEIGHT));
        for (int i = 0; i <= TICKS; i++) {
            double value = max * i / TICKS;
            double x = x(value, max);
            svg.append(HtmlReport.line("grid", x, 4, x, 2.0 * LANE))
                    .append(HtmlReport.label("tick", x, 2.5 * LANE, Summary.number(value)));
        }
        lane(svg, Side.CURATOR, comparison.curator(), max, LANE * 0.5);
        lane(svg, Side.QUORATE, comparison.quorate(), max, LANE * 1.5);
        return svg.append("</svg>").toString();
    }

    private static void lane(StringBuilder svg, Side side, Distribution values, double max, double y) {
        svg.append(HtmlReport.label("name", LEFT - 12, y + 4, side.label()));
        Random jitter = new Random(1);
        for (double value : values.values()) {
            svg.append(String.format(Locale.ROOT, "<circle class=\"%s\" cx=\"%.1f\" cy=\"%.1f\" r=\"3\"/>",
                    side.label(), x(value, max), y + (jitter.nextDouble() - JITTER) * LANE * JITTER));
        }
        double median = x(values.median(), max);
        svg.append(HtmlReport.line("median", median, y - LANE * 0.4, median, y + LANE * 0.4));
    }

    private static double x(double value, double max) {
        return LEFT + (RIGHT - LEFT) * value / max;
    }
}
