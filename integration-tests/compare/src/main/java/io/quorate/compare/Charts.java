package io.quorate.compare;

import io.quorate.compare.LaneChart.Bar;
import io.quorate.compare.LaneChart.Point;
import java.awt.Color;
import java.awt.Shape;
import java.awt.geom.Ellipse2D;
import java.awt.geom.Rectangle2D;
import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.apache.batik.svggen.SVGIDGenerator;
import org.jfree.chart.axis.LogAxis;
import org.jfree.chart.axis.NumberAxis;
import org.jfree.chart.axis.NumberTickUnit;
import org.jfree.chart.ui.Layer;

/** What was found, as pictures of one page. */
final class Charts {

    private static final double RATIO_MIN = 0.001;
    private static final double RATIO_MAX = 100;

    private static final Color INK = new Color(0x1c2430);
    private static final Color CURATOR = new Color(0xc2571a);
    private static final Color QUORATE = new Color(0x1763a6);
    private static final Color GOAL = new Color(0x1d7a3e);
    private static final Color DEED = new Color(0xb3261e);
    private static final int TRANSLUCENT = 128;

    private static final Shape LARGE_DOT = new Ellipse2D.Double(-5, -5, 10, 10);
    private static final Shape SMALL_DOT = new Ellipse2D.Double(-3, -3, 6, 6);
    private static final Shape GOAL_MARK = new Rectangle2D.Double(-1.5, -9, 3, 18);
    private static final Shape MEDIAN_MARK = new Rectangle2D.Double(-1, -13, 2, 26);

    private final SVGIDGenerator ids = new SVGIDGenerator();

    /** One row each, on a logarithmic scale: left of 1, Quorate is better. All of them must have a ratio. */
    String ratios(List<Comparison> comparisons) {
        List<Bar> spreads = new ArrayList<>();
        List<Point> goals = new ArrayList<>();
        List<Point> ratios = new ArrayList<>();
        for (int row = 0; row < comparisons.size(); row++) {
            Distribution.Ratio ratio = comparisons.get(row).ratio().orElseThrow();
            spreads.add(new Bar(row, shown(ratio.low()), shown(ratio.high())));
            ratios.add(new Point(row, shown(ratio.value())));
            double goal = comparisons.get(row).goal().median();
            if (!Double.isNaN(goal)) {
                goals.add(new Point(row, goal));
            }
        }
        LogAxis scale = new LogAxis();
        scale.setRange(RATIO_MIN / 1.1, RATIO_MAX * 1.1);
        scale.setTickUnit(new NumberTickUnit(1));
        scale.setNumberFormatOverride(new DecimalFormat("0.###", DecimalFormatSymbols.getInstance(Locale.ROOT)));
        LaneChart chart =
                new LaneChart(scale, comparisons.stream().map(Comparison::name).toList());
        chart.addLine(Layer.BACKGROUND, 1, INK, "equal");
        chart.addBars(0.12, translucent(QUORATE), spreads);
        chart.addPoints(GOAL_MARK, GOAL, goals);
        chart.addPoints(LARGE_DOT, QUORATE, ratios);
        return chart.toSvg(ids);
    }

    /** Within the scale. A logarithmic one has no place for 0, nor for what has no bound. */
    private static double shown(double ratio) {
        return ratio <= RATIO_MAX ? Math.max(RATIO_MIN, ratio) : RATIO_MAX;
    }

    /** All values of both sides, one dot each, with the medians. */
    String values(Comparison comparison) {
        NumberAxis scale = fromZero(
                Math.max(comparison.curator().max(), comparison.quorate().max()));
        LaneChart chart = new LaneChart(scale, List.of(ComparedSide.CURATOR.label(), ComparedSide.QUORATE.label()));
        chart.addPoints(SMALL_DOT, translucent(CURATOR), scattered(0, comparison.curator()));
        chart.addPoints(SMALL_DOT, translucent(QUORATE), scattered(1, comparison.quorate()));
        chart.addPoints(
                MEDIAN_MARK,
                INK,
                List.of(
                        new Point(0, comparison.curator().median()),
                        new Point(1, comparison.quorate().median())));
        return chart.toSvg(ids);
    }

    // Over a half of the lane: else equal values would hide each other.
    private static List<Point> scattered(int lane, Distribution values) {
        Random random = new Random(1);
        List<Point> points = new ArrayList<>();
        for (double value : values.values()) {
            points.add(new Point(lane + (random.nextDouble() - 0.5) / 2, value));
        }
        return points;
    }

    /** Who led when: a bar while a node leads, a line for what was done to it. Somebody must have led. */
    String leaders(Timeline timeline) {
        List<String> nodes = timeline.nodes();
        LaneChart chart = new LaneChart(fromZero(timeline.seconds()), nodes);
        chart.addBars(
                0.7,
                timeline.side() == ComparedSide.CURATOR ? CURATOR : QUORATE,
                timeline.spells().stream()
                        .map(spell -> new Bar(
                                nodes.indexOf(spell.node()),
                                timeline.seconds(spell.from()),
                                timeline.seconds(spell.to())))
                        .toList());
        timeline.deeds()
                .forEach(deed -> chart.addLine(Layer.FOREGROUND, timeline.seconds(deed.at()), DEED, deed.what()));
        return chart.toSvg(ids);
    }

    private static NumberAxis fromZero(double max) {
        NumberAxis scale = new NumberAxis();
        scale.setStandardTickUnits(NumberAxis.createStandardTickUnits(Locale.ROOT));
        scale.setRange(0, max * 1.01);
        return scale;
    }

    private static Color translucent(Color color) {
        return new Color(color.getRed(), color.getGreen(), color.getBlue(), TRANSLUCENT);
    }
}
