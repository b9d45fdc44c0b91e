package io.quorate.compare;

import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** Values, in order of size. */
final class Distribution {

    private static final int RESAMPLES = 1000;

    private final double[] sorted;

    Distribution(List<Double> values) {
        this.sorted = values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    }

    private Distribution(double[] sorted) {
        this.sorted = sorted;
    }

    int size() {
        return sorted.length;
    }

    double min() {
        return sorted[0];
    }

    double max() {
        return sorted[sorted.length - 1];
    }

    double median() {
        return quantile(0.5);
    }

    /** Between the two nearest values, in proportion. */
    double quantile(double share) {
        double position = share * (sorted.length - 1);
        int below = (int) position;
        int above = Math.min(below + 1, sorted.length - 1);
        return sorted[below] + (position - below) * (sorted[above] - sorted[below]);
    }

    double[] values() {
        return sorted.clone();
    }

    /** A ratio, and between what bounds it lies in nineteen of twenty cases. */
    record Ratio(double value, double low, double high) {
    }

    /** The ratio of the quantiles; its bounds by drawing from both anew, as often as there are values. */
    Ratio ratioTo(Distribution other, double share) {
        Random random = new Random(1);
        double[] ratios = new double[RESAMPLES];
        for (int i = 0; i < RESAMPLES; i++) {
            ratios[i] = resample(random).quantile(share) / other.resample(random).quantile(share);
        }
        Arrays.sort(ratios);
        return new Ratio(quantile(share) / other.quantile(share), ratios[RESAMPLES / 40],
                ratios[RESAMPLES - 1 - RESAMPLES / 40]);
    }

    private Distribution resample(Random random) {
        double[] drawn = new double[sorted.length];
        for (int i = 0; i < drawn.length; i++) {
            drawn[i] = sorted[random.nextInt(sorted.length)];
        }
        Arrays.sort(drawn);
        return new Distribution(drawn);
    }
}
