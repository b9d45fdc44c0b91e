package io.quorate.compare;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.apache.commons.statistics.descriptive.Quantile;
import org.apache.commons.statistics.descriptive.Quantile.EstimationMethod;

/** Values, in order of size. */
final class Distribution {

    // Between the two nearest values, in proportion: a median of two values lies halfway.
    private static final Quantile QUANTILE = Quantile.withDefaults().with(EstimationMethod.HF7);
    private static final int RESAMPLES = 1000;
    /** What lies between these is nineteen of twenty. */
    private static final double LOW = 0.025;

    private static final double HIGH = 0.975;

    private final double[] sorted;

    Distribution(List<Double> values) {
        this(values.stream().mapToDouble(Double::doubleValue).toArray());
    }

    /** @param values of which a copy is kept */
    private Distribution(double... values) {
        this.sorted = values.clone();
        Arrays.sort(sorted);
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

    /** The value below which this share of the values lies, between the two nearest ones in proportion. */
    double quantile(double share) {
        return QUANTILE.evaluate(sorted.length, i -> sorted[i], share);
    }

    double[] values() {
        return sorted.clone();
    }

    /** A ratio, and between what bounds it lies in nineteen of twenty cases. */
    record Ratio(double value, double low, double high) {}

    /**
     * The ratio of the medians. Its bounds come from a bootstrap: as many values as there are on each side are drawn
     * from that side's own values, each as often as chance wants it, and the ratio of their medians is taken, 1,000
     * times. The draws are the same in each run.
     */
    Ratio ratioTo(Distribution other) {
        Random random = new Random(1);
        double[] ratios = new double[RESAMPLES];
        for (int i = 0; i < RESAMPLES; i++) {
            ratios[i] = resample(random).median() / other.resample(random).median();
        }
        Distribution all = new Distribution(ratios);
        return new Ratio(median() / other.median(), all.quantile(LOW), all.quantile(HIGH));
    }

    private Distribution resample(Random random) {
        return new Distribution(Arrays.stream(sorted)
                .map(value -> sorted[random.nextInt(sorted.length)])
                .toArray());
    }
}
