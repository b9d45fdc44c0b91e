package io.quorate.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** From what many latches took to how that grows. */
class GrowthTest {

    private static final double EXACT = 1e-9;

    private static Sample sample(Metric metric, int scale, double value) {
        return new Sample(1, ComparedSide.QUORATE, "ballot", metric, scale, value, 0, 1);
    }

    private static double exponent(List<Sample> samples) {
        return Growth.of(samples).get(0).value();
    }

    @Test
    void theExponentIsTheSlopeOnLogarithmicScales() {
        assertThat(Growth.slope(Map.of(1000, 2.0, 10_000, 20.0))).isEqualTo(1, within(EXACT));
        assertThat(Growth.slope(Map.of(1000, 2.0, 100_000, 20_000.0))).isEqualTo(2, within(EXACT));
        assertThat(Growth.slope(Map.of(1000, 3.0, 10_000, 3.0, 100_000, 3.0))).isZero();
        // The point in the middle of three has no leverage; the outer two decide.
        assertThat(Growth.slope(Map.of(1000, 1.0, 10_000, 50.0, 100_000, 100.0)))
                .isEqualTo(1, within(EXACT));
    }

    @Test
    void eachNumberOfLatchesButTheLeastHasAnExponent() {
        List<Sample> samples = new ArrayList<>();
        // Too few to say anything.
        samples.add(sample(Metric.ALL_LED, 100, 77));
        for (double factor : new double[] {1, 3, 2}) {
            samples.add(sample(Metric.ALL_LED, 1000, factor));
        }
        samples.add(sample(Metric.ALL_LED, 10_000, 20));
        samples.add(sample(Metric.ALL_LED, 100_000, 20_000));
        List<Sample> growth = Growth.of(samples);
        assertThat(growth).extracting(Sample::metric).containsOnly(Metric.GROWTH_ALL_LED);
        assertThat(growth).extracting(Sample::scale).containsExactly(10_000, 100_000);
        assertThat(growth.get(0).value()).as("from the median on").isEqualTo(1, within(EXACT));
        assertThat(growth.get(1).value()).isEqualTo(2, within(EXACT));
    }

    @Test
    void heapIsThatOfAllLatches() {
        assertThat(exponent(List.of(sample(Metric.HEAP_LEADER, 1000, 900), sample(Metric.HEAP_LEADER, 10_000, 900))))
                .as("as much for each")
                .isEqualTo(1, within(EXACT));
        assertThat(exponent(List.of(sample(Metric.HEAP_LEADER, 1000, 900), sample(Metric.HEAP_LEADER, 10_000, 9000))))
                .as("ten times as much for each")
                .isEqualTo(2, within(EXACT));
    }

    @Test
    void sidesAndTransportsGrowApart() {
        List<Sample> samples = List.of(
                sample(Metric.TAKEN_OVER, 1000, 1),
                sample(Metric.TAKEN_OVER, 10_000, 10),
                new Sample(1, ComparedSide.QUORATE, "ballot/tcp", Metric.TAKEN_OVER, 1000, 1, 0, 1),
                new Sample(1, ComparedSide.QUORATE, "ballot/tcp", Metric.TAKEN_OVER, 10_000, 100, 0, 1),
                new Sample(1, ComparedSide.CURATOR, "", Metric.TAKEN_OVER, 1000, 5, 0, 1));
        assertThat(Growth.of(samples)).extracting(Sample::algorithm).containsExactly("ballot", "ballot/tcp");
        assertThat(Growth.of(samples).get(1).value()).isEqualTo(2, within(EXACT));
    }

    @Test
    void zeroTimesHaveNoExponent() {
        assertThat(Growth.of(List.of(sample(Metric.HEAP_LEADER, 1000, -3), sample(Metric.HEAP_LEADER, 10_000, 900))))
                .isEmpty();
    }
}
