package io.quorate.lab;

import io.quorate.lab.Situation.Order;
import io.quorate.spi.ElectionAlgorithm;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * The messages of an election over the number of processes, beside the formula of the algorithm's document:
 * docs/lab.md#messages-over-the-number-of-processes.
 *
 * @param seeds how many runs each point has
 */
record Curve(String title, int seeds, List<Series> all) {

    /**
     * One way of an algorithm in one situation.
     *
     * @param points by the number of processes
     */
    record Series(Situation situation, LabWay way, List<Point> points) {

        String words() {
            return way.words() + ": " + situation.words();
        }
    }

    /**
     * The runs with one number of processes.
     *
     * @param counts  the messages of each run that elected a leader, in ascending order
     * @param formula not a number if there is none
     */
    record Point(int processes, long[] counts, double formula) {
        long median() {
            return counts[counts.length / 2];
        }

        double mean() {
            return Arrays.stream(counts).average().orElse(Double.NaN);
        }

        long max() {
            return counts[counts.length - 1];
        }

        boolean isEmpty() {
            return counts.length == 0;
        }

        /** Exactly, or within three standard errors, as the mean of drawn runs should be. */
        private boolean isAsTheFormula() {
            double mean = mean();
            double variance = Arrays.stream(counts)
                            .mapToDouble(count -> (count - mean) * (count - mean))
                            .sum()
                    / counts.length;
            return Math.abs(mean - formula) <= 3 * Math.sqrt(variance / counts.length) + 1e-6;
        }

        private double deviation() {
            return Math.abs(mean() - formula) / formula;
        }

        private String against() {
            return (isEmpty() ? "no leader" : number(mean())) + " instead of " + number(formula);
        }
    }

    /** Measures it. */
    static Curve of(
            ElectionAlgorithm algorithm, String title, int from, int until, Order order, List<LabWay> ways, int seeds) {
        List<Series> all = new ArrayList<>();
        for (Situation situation : Situation.ofAlgorithm(algorithm.name())) {
            // Without a ring all cases are shown, and those that are drawn only if there are several seeds.
            Order own = situation.order();
            boolean isShown =
                    own == Order.ANY || (Ring.isPossible(algorithm) ? own == order : own != Order.RANDOM || seeds > 1);
            situation.ways().stream()
                    .filter(way -> isShown && ways.contains(way))
                    .forEach(way -> {
                        List<Point> points = IntStream.rangeClosed(from, until)
                                .mapToObj(size -> point(algorithm, situation, way, size, order, seeds))
                                .toList();
                        all.add(new Series(situation, way, points));
                    });
        }
        return new Curve(title, seeds, all);
    }

    private static Point point(
            ElectionAlgorithm algorithm, Situation situation, LabWay way, int size, Order order, int seeds) {
        long[] counts = LongStream.rangeClosed(1, seeds)
                .mapToObj(seed -> situation.count(algorithm, way, size, order, seed, seeds > 1))
                .flatMapToLong(OptionalLong::stream)
                .sorted()
                .toArray();
        return new Point(size, counts, situation.messages(size));
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, value == Math.rint(value) ? "%.0f" : "%.1f", value);
    }

    /** The counts at the first, the middle and the last number, and the largest differences from the formula. */
    String text() {
        return title + "\n" + all.stream().map(series -> text(series)).collect(Collectors.joining());
    }

    private String text(Series series) {
        List<Point> points = series.points;
        String few = List.of(0, points.size() / 2, points.size() - 1).stream()
                .distinct()
                .map(points::get)
                .map(point -> "N=" + point.processes + ": " + measured(point))
                .collect(Collectors.joining("; "));
        return "\n" + series.words() + "\n  " + few + "\n  " + verdict(series) + "\n";
    }

    private String measured(Point point) {
        if (point.isEmpty()) {
            return "no leader";
        }
        String failed = point.counts.length == seeds ? "" : ", " + (seeds - point.counts.length) + " without a leader";
        return seeds == 1
                ? String.valueOf(point.median())
                : "median " + point.median() + " (" + point.counts[0] + " to " + point.max() + failed + ")";
    }

    private String verdict(Series series) {
        if (!series.situation().hasFormula()) {
            return "the document has no formula";
        }
        List<Point> others =
                series.points.stream().filter(point -> !point.isAsTheFormula()).toList();
        String formula = "formula " + series.situation.formula() + ": ";
        if (others.isEmpty()) {
            return formula + "holds"
                    + (series.points.size() == 1 ? "" : " at all " + series.points.size() + " numbers");
        }
        String most = others.stream()
                .sorted(Comparator.comparingDouble(Point::deviation).reversed())
                .limit(2)
                .map(point -> "N=" + point.processes + ": " + point.against())
                .collect(Collectors.joining("; "));
        return formula + (seeds > 1 ? "the mean differs at " : "differs at ") + others.size() + " of "
                + series.points.size() + " numbers, most at " + most;
    }

    /** One line for each point. */
    String csv() {
        StringBuilder text =
                new StringBuilder("processes,way,situation,formula,seeds,min,median,mean,max,without a leader\n");
        for (Series series : all) {
            String words = series.way.words() + "," + series.situation.words() + ",";
            for (Point point : series.points) {
                text.append(point.processes + "," + words)
                        .append((Double.isNaN(point.formula) ? "" : number(point.formula)) + "," + seeds + ",")
                        .append(point.isEmpty() ? ",," : point.counts[0] + "," + point.median() + ",")
                        .append(point.isEmpty() ? ",," : number(point.mean()) + "," + point.max() + ",")
                        .append(seeds - point.counts.length + "\n");
            }
        }
        return text.toString();
    }
}
