package io.quorate.compare;

import java.util.Arrays;
import java.util.List;
import org.apache.commons.statistics.descriptive.Quantile;
import org.apache.commons.statistics.descriptive.Quantile.EstimationMethod;

/** Values, in order of size. */
final class Distribution {

    // Between the two nearest values, in proportion: a median of two values lies halfway.
    private static final Quantile QUANTILE = Quantile.withDefaults().with(EstimationMethod.HF7);
    private final double[] sorted;

    Distribution(List<Double> values) {
        this.sorted = values.stream().mapToDouble(Double::doubleValue).toArray();
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
}
