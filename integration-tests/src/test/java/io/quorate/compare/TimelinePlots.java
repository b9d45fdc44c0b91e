package io.quorate.compare;

import io.quorate.compare.Timeline.Belief;
import io.quorate.compare.Timeline.Deed;
import java.util.List;
import java.util.Locale;
import java.util.stream.LongStream;

/** Who led when: a lane per node, a bar while it believes that it leads, a line for what was done to it. */
final class TimelinePlots {

    private static final int LEFT = 60;
    private static final int RIGHT = 980;
    private static final int LANE = 28;
    private static final int TOP = 18;
    private static final double SECOND = 1e9;

    private TimelinePlots() {
    }

    static String of(List<Timeline> timelines) {
        StringBuilder html = new StringBuilder();
        for (Timeline timeline : timelines) {
            if (!timeline.beliefs().isEmpty()) {
                html.append("<h3>").append(HtmlReport.text(timeline.trial())).append(", ")
                        .append(timeline.side().label()).append("</h3>\n").append(plot(timeline)).append('\n');
            }
        }
        return html.toString();
    }

    private static String plot(Timeline timeline) {
        List<String> nodes = timeline.beliefs().stream().map(Belief::node).distinct().sorted().toList();
        long begin = times(timeline).min().orElseThrow();
        long end = times(timeline).max().orElseThrow();
        int height = TOP + LANE * nodes.size() + LANE;
        StringBuilder svg = new StringBuilder(HtmlReport.begin(height));
        for (int lane = 0; lane < nodes.size(); lane++) {
            svg.append(HtmlReport.label("name", LEFT - 12, TOP + LANE * (lane + 0.6), nodes.get(lane)));
        }
        for (Belief belief : timeline.beliefs()) {
            double x = x(belief.from(), begin, end);
            svg.append(String.format(Locale.ROOT,
                    "<rect class=\"%s\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"><title>%.3f s</title>"
                            + "</rect>",
                    timeline.side().label(), x, (double) TOP + LANE * nodes.indexOf(belief.node()) + 4,
                    Math.max(1, x(belief.to(), begin, end) - x), LANE - 8.0, (belief.to() - belief.from()) / SECOND));
        }
        for (Deed deed : timeline.deeds()) {
            double x = x(deed.at(), begin, end);
            svg.append(HtmlReport.line("deed", x, TOP - 4, x, height - LANE))
                    .append(HtmlReport.label("deed", x, TOP - 6, deed.what()));
        }
        double seconds = (end - begin) / SECOND;
        for (int i = 0; i <= 5; i++) {
            svg.append(HtmlReport.label("tick", LEFT + (RIGHT - LEFT) * i / 5.0, height - 8,
                    Summary.number(seconds * i / 5) + " s"));
        }
        return svg.append("</svg>").toString();
    }

    private static LongStream times(Timeline timeline) {
        return LongStream.concat(timeline.beliefs().stream().flatMapToLong(b -> LongStream.of(b.from(), b.to())),
                timeline.deeds().stream().mapToLong(Deed::at));
    }

    private static double x(long nanos, long begin, long end) {
        return LEFT + (RIGHT - LEFT) * (double) (nanos - begin) / Math.max(1, end - begin);
    }
}
