package io.quorate.lab;

import io.quorate.lab.Curve.Point;
import io.quorate.lab.Curve.Series;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** A {@link Curve} as an image, with the measured points over the lines of the formulas. */
final class CurvePicture {

    private static final int WIDTH = 760;
    private static final int LEFT = 60;
    private static final int PLOT = 380;
    private static final int LINE = 18;
    private static final int MARGIN = 40;
    private static final int TICKS_MAX = 8;

    private final Curve curve;
    private final int top;
    private final int from;
    private final int until;
    private final double highest;
    private final StringBuilder svg = new StringBuilder();

    private CurvePicture(Curve curve) {
        this.curve = curve;
        List<Point> points = curve.all().get(0).points();
        from = points.get(0).processes();
        until = points.get(points.size() - 1).processes();
        top = MARGIN + LINE * curve.all().size();
        highest = curve.all().stream()
                .flatMap(series -> series.points().stream())
                .mapToDouble(point -> Math.max(
                        point.isEmpty() ? 0 : point.max(), Double.isNaN(point.formula()) ? 0 : point.formula()))
                .max()
                .orElse(1);
    }

    static String svg(Curve curve) {
        return new CurvePicture(curve).draw();
    }

    private String draw() {
        int height = top + PLOT + MARGIN;
        add(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" role=\"img\">",
                WIDTH, height, WIDTH, height);
        svg.append("<style>\n" + Resource.text("curve.css") + "</style>\n");
        add("<text x=\"%d\" y=\"16\">%s</text>", LINE / 2, Resource.escaped(curve.title()));
        double step = step(highest);
        for (int tick = 0; tick * step <= highest; tick++) {
            double y = y(tick * step);
            line("grid", String.valueOf(LEFT), y, String.valueOf(WIDTH - MARGIN), y);
            tick(LEFT - 6, tenths(y + 3), "end", String.format(Locale.ROOT, "%.0f", tick * step));
        }
        int every = (int) Math.max(1, step(until - from));
        for (int size = from; size <= until; size++) {
            if (size % every == 0 || from == until) {
                tick(tenths(x(size)), top + PLOT + LINE, "middle", size);
            }
        }
        tick(WIDTH - LINE / 2, top + PLOT + LINE, "end", "N");
        for (int number = 0; number < curve.all().size(); number++) {
            draw(number, curve.all().get(number));
        }
        return svg.append("</svg>\n").toString();
    }

    private void draw(int number, Series series) {
        String legend = series.words()
                + (series.situation().hasFormula()
                        ? ", line " + series.situation().formula()
                        : ", no formula");
        int y = MARGIN + LINE * number;
        mark(number, LINE, y - 4);
        add("<text x=\"%d\" y=\"%d\">%s</text>", 2 * LINE, y, Resource.escaped(legend));
        if (series.situation().hasFormula()) {
            String points = series.points().stream()
                    .map(point -> tenths(x(point.processes())) + "," + tenths(y(point.formula())))
                    .collect(Collectors.joining(" "));
            add("<polyline class=\"formula s%d\" points=\"%s\"/>", number, points);
        }
        for (Point point : series.points()) {
            if (!point.isEmpty()) {
                long min = point.counts()[0];
                double x = x(point.processes());
                add("<g><title>N=%d: %d, from %d to %d</title>", point.processes(), point.median(), min, point.max());
                line("range s" + number, tenths(x), y(min), tenths(x), y(point.max()));
                mark(number, x, y(point.median()));
                svg.append("</g>\n");
            }
        }
    }

    private static String tenths(double value) {
        return String.format(Locale.ROOT, "%.1f", value);
    }

    private void tick(Object x, Object y, String anchor, Object words) {
        add("<text class=\"tick\" x=\"%s\" y=\"%s\" text-anchor=\"%s\">%s</text>", x, y, anchor, words);
    }

    private void line(String style, String x1, double y1, String x2, double y2) {
        add("<line class=\"%s\" x1=\"%s\" y1=\"%.1f\" x2=\"%s\" y2=\"%.1f\"/>", style, x1, y1, x2, y2);
    }

    /** Points of the second way are rings, because they often lie on those of the first. */
    private void mark(int number, double x, double y) {
        boolean isSecond = number % 2 == 1;
        add(
                "<circle class=\"s%d\" cx=\"%.1f\" cy=\"%.1f\" r=\"%s\"%s/>",
                number, x, y, isSecond ? "4.5" : "2.5", isSecond ? " fill-opacity=\"0\"" : "");
    }

    private double x(int size) {
        double part = from == until ? 0.5 : (size - from) / (double) (until - from);
        return LEFT + part * (WIDTH - MARGIN - LEFT);
    }

    private double y(double messages) {
        return top + PLOT * (1 - messages / highest);
    }

    /** A round number that divides the range into few parts. */
    private static double step(double range) {
        double power = Math.pow(10, Math.floor(Math.log10(Math.max(1, range / TICKS_MAX))));
        return List.of(1, 2, 5, 10).stream()
                .mapToDouble(factor -> factor * power)
                .filter(step -> range / step <= TICKS_MAX)
                .findFirst()
                .orElse(10 * power);
    }

    private void add(String format, Object... values) {
        svg.append(String.format(Locale.ROOT, format, values)).append('\n');
    }
}
