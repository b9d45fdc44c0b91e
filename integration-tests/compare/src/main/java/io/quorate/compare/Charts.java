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

    /** The part of a lane that algorithms share: the rest tells lanes apart. */
    private static final double USED = 0.8;

    private static final double RATIO_MIN = 0.001;
    private static final double RATIO_MAX = 100;

    private static final Color INK = new Color(0x1c2430);
    private static final Color CURATOR = new Color(0xc2571a);
    private static final Color QUORATE = new Color(0x1763a6);
    private static final Color OTHER_QUORATE = new Color(0x7a3fa0);
    private static final Color OTHER_COMMIT = new Color(0x6b7280);
    private static final Color GOAL = new Color(0x1d7a3e);
    private static final Color DEED = new Color(0xb3261e);
    private static final int TRANSLUCENT = 128;

    private static final Shape LARGE_DOT = new Ellipse2D.Double(-5, -5, 10, 10);
    private static final Shape SMALL_DOT = new Ellipse2D.Double(-3, -3, 6, 6);
    private static final Shape GOAL_MARK = new Rectangle2D.Double(-1.5, -9, 3, 18);
    private static final Shape MEDIAN_MARK = new Rectangle2D.Double(-1, -13, 2, 26);

    private final SVGIDGenerator ids = new SVGIDGenerator();

    /**
     * A lane for each metric at each scale, on a logarithmic scale: left of 1, Quorate is better. A lane holds the
     * algorithms and transports in the order of the first lane that has them. All must have a ratio.
     */
    String ratios(List<List<Comparison>> comparisons) {
        List<String> algorithms = comparisons.stream()
                .flatMap(List::stream)
                .map(Comparison::algorithm)
                .distinct()
                .toList();
        List<Point> goals = new ArrayList<>();
        for (int row = 0; row < comparisons.size(); row++) {
            double goal = comparisons.get(row).get(0).goal().median();
            if (!Double.isNaN(goal)) {
                goals.add(new Point(row, goal));
            }
        }
        LogAxis scale = new LogAxis();
        scale.setRange(RATIO_MIN / 1.1, RATIO_MAX * 1.1);
        scale.setTickUnit(new NumberTickUnit(1));
        scale.setNumberFormatOverride(new DecimalFormat("0.###", DecimalFormatSymbols.getInstance(Locale.ROOT)));
        LaneChart chart = new LaneChart(
                scale, comparisons.stream().map(c -> c.get(0).name()).toList());
        chart.addLine(Layer.BACKGROUND, 1, INK, "equal");
        chart.addPoints(GOAL_MARK, GOAL, goals);
        for (int i = 0; i < algorithms.size(); i++) {
            addRatios(
                    chart,
                    comparisons,
                    algorithms.get(i),
                    color(algorithms.get(i)),
                    ((i + 0.5) / algorithms.size() - 0.5) * USED);
        }
        return chart.toSvg(ids);
    }

    /** @param beside where in a lane: 0 is its middle, and 1 would be the middle of the next one */
    private static void addRatios(
            LaneChart chart, List<List<Comparison>> comparisons, String algorithm, Color color, double beside) {
        List<Bar> spreads = new ArrayList<>();
        List<Point> ratios = new ArrayList<>();
        for (int row = 0; row < comparisons.size(); row++) {
            for (Comparison comparison : comparisons.get(row)) {
                if (comparison.algorithm().equals(algorithm)) {
                    Result.Ratio ratio = comparison.ratio().orElseThrow();
                    spreads.add(new Bar(row + beside, shown(ratio.low()), shown(ratio.high())));
                    ratios.add(new Point(row + beside, shown(ratio.value())));
                }
            }
        }
        chart.addBars(0.12, translucent(color), spreads);
        chart.addPoints(LARGE_DOT, color, ratios);
    }

    /** Of its transport: one that is not the event bus stands behind the algorithm. Another commit stands last. */
    private static Color color(String algorithm) {
        if (algorithm.contains("@")) {
            return OTHER_COMMIT;
        }
        return algorithm.contains("/") ? OTHER_QUORATE : QUORATE;
    }

    /** Within the scale. A logarithmic one has no place for 0, nor for what has no bound. */
    private static double shown(double ratio) {
        return ratio <= RATIO_MAX ? Math.max(RATIO_MIN, ratio) : RATIO_MAX;
    }

    /** All values of both sides, one dot each, with the medians. All are of one metric at one scale. */
    String values(List<Comparison> ofOne) {
        Distribution curator = ofOne.get(0).curator();
        double most = curator.max();
        List<String> lanes = new ArrayList<>(List.of(ComparedSide.CURATOR.label()));
        for (Comparison comparison : ofOne) {
            most = Math.max(most, comparison.quorate().max());
            lanes.add(comparison.algorithm());
        }
        LaneChart chart = new LaneChart(fromZero(most), lanes);
        chart.addPoints(SMALL_DOT, translucent(CURATOR), scattered(0, curator));
        List<Point> medians = new ArrayList<>(List.of(new Point(0, curator.median())));
        for (int i = 0; i < ofOne.size(); i++) {
            Distribution quorate = ofOne.get(i).quorate();
            chart.addPoints(SMALL_DOT, translucent(color(ofOne.get(i).algorithm())), scattered(i + 1, quorate));
            medians.add(new Point(i + 1, quorate.median()));
        }
        chart.addPoints(MEDIAN_MARK, INK, medians);
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
