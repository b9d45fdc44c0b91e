package io.quorate.threephase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * docs/algorithms/three-phase.md#false-alarms: how often the shipped detector suspects a leader that lives, and how soon
 * one that has crashed, calculated and measured.
 */
class FalseAlarmsTest {

    private static final Path DOCUMENT = Path.of("../docs/algorithms/three-phase.md");
    private static final long DELTA = 100;
    private static final double HOUR = 3_600_000;
    private static final int HEARTBEATS = 100_000;
    private static final int CRASHES = 2_000;
    private static final double[] LOSSES = {0.01, 0.05, 0.20};

    /** T_D = (m+1) T_hb + delta bears m losses in a row. */
    private static Times times(int period, int losses) {
        return new Times(DELTA, period * DELTA, ((losses + 1L) * period + 1) * DELTA, 4 * DELTA);
    }

    private static long delay(Random random) {
        return 1 + random.nextInt((int) DELTA);
    }

    /** Each run of m+1 losses that follows a heartbeat that came is one alarm; delays within delta never are. */
    private static double calculated(Times times, int losses, double loss) {
        return HOUR / times.heartbeat() * (1 - loss) * Math.pow(loss, losses + 1);
    }

    private static double measured(Times times, double loss) {
        Random random = new Random(1);
        FreshnessDetector detector = FreshnessDetector.INITIAL;
        long fresh = Long.MAX_VALUE;
        int alarms = 0;
        for (int number = 1; number <= HEARTBEATS; number++) {
            long arrival = number * times.heartbeat() + delay(random);
            if (random.nextDouble() >= loss) {
                alarms += arrival > fresh ? 1 : 0;
                detector = detector.onHeartbeat(number, arrival);
                fresh = arrival + detector.freshFor(arrival, times);
            }
        }
        return alarms * HOUR / (HEARTBEATS * times.heartbeat());
    }

    /** After the crash: T_D and a mean delay, less the part of the period that had passed. */
    private static double calculatedDetection(Times times) {
        return times.detection() + DELTA / 2.0 - times.heartbeat() / 2.0;
    }

    private static double measuredDetection(Times times) {
        Random random = new Random(1);
        long sum = 0;
        for (int crash = 0; crash < CRASHES; crash++) {
            FreshnessDetector detector = FreshnessDetector.INITIAL;
            long arrival = 0;
            for (int number = 1; number <= FreshnessDetector.WINDOW; number++) {
                arrival = number * times.heartbeat() + delay(random);
                detector = detector.onHeartbeat(number, arrival);
            }
            long crashed = FreshnessDetector.WINDOW * times.heartbeat() + random.nextInt((int) times.heartbeat());
            sum += arrival + detector.freshFor(arrival, times) - crashed;
        }
        return (double) sum / CRASHES;
    }

    private static String row(int period, int losses) {
        Times times = times(period, losses);
        StringBuilder row = new StringBuilder(
                String.format("| %sδ | %d | %dδ |", period == 1 ? "" : period, losses, times.detection() / DELTA));
        for (double loss : LOSSES) {
            row.append(String.format(
                    Locale.ROOT, " %.1f / %.1f |", calculated(times, losses, loss), measured(times, loss)));
        }
        return row
                + String.format(
                        Locale.ROOT,
                        " %.1fδ / %.1fδ |",
                        calculatedDetection(times) / DELTA,
                        measuredDetection(times) / DELTA);
    }

    @Test
    void theTableIsWhatTheDetectorDoes() throws IOException {
        List<String> rows = new ArrayList<>();
        for (int period : new int[] {1, 2, 4}) {
            rows.add(row(period, 1));
        }
        rows.add(row(2, 2));
        assertThat(Files.readString(DOCUMENT)).contains(String.join("\n", rows));
    }

    // Rare alarms are counted in a sample; common ones have to be as many as calculated.
    @Test
    void theCalculationHolds() {
        Times shipped = times(2, 1);
        assertThat(shipped.detection()).isEqualTo(5 * DELTA);
        double calculated = calculated(shipped, 1, 0.20);
        assertThat(measured(shipped, 0.20)).isCloseTo(calculated, within(0.03 * calculated));
        assertThat(measured(shipped, 0)).isZero();
        assertThat(measured(times(2, 0), 0.05)).as("with a shorter T_D").isGreaterThan(5 * measured(shipped, 0.05));
        assertThat(measuredDetection(shipped)).isCloseTo(calculatedDetection(shipped), within(0.02 * 5 * DELTA));
    }
}
