package io.quorate.threephase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.quorate.spi.Timing;
import io.quorate.spi.Variant;
import io.quorate.spi.WireReader;
import org.junit.jupiter.api.Test;

/** Phase 1, lines 10 to 15 with G1 and G3. */
class FreshnessDetectorTest {

    /** The profile of the traces in sixths, so that the thirds and halves of E5 are whole numbers. */
    private static final Times SIXTHS = new Times(60, 120, 240, 120);

    private static long freshnessPoint(FreshnessDetector detector, long now) {
        return now + detector.freshFor(now, SIXTHS);
    }

    // E5: 66, 85.5 and 125 1/3.
    @Test
    void freshnessPointsOfE5AreExact() {
        FreshnessDetector detector = FreshnessDetector.INITIAL.onHeartbeat(1, 26 * 6);
        assertThat(freshnessPoint(detector, 26 * 6)).isEqualTo(66 * 6);
        detector = detector.onHeartbeat(2, 45 * 6);
        assertThat(freshnessPoint(detector, 45 * 6)).isEqualTo(85 * 6 + 3);
        detector = detector.onHeartbeat(4, 85 * 6);
        assertThat(freshnessPoint(detector, 85 * 6)).isEqualTo(125 * 6 + 2);
    }

    // "No false alarm without loss needs T_D >= T_hb + delta", whatever the delays up to delta are.
    @Test
    void heartbeatsWithinDeltaAreAlwaysInTime() {
        Times times = new Times(10, 20, 30, 20);
        FreshnessDetector detector = FreshnessDetector.INITIAL;
        long fresh = Long.MAX_VALUE;
        for (int number = 1; number < 500; number++) {
            long arrival = 20L * number + number * 7919L % 11;
            assertThat(arrival).as("heartbeat %d", number).isLessThanOrEqualTo(fresh);
            detector = detector.onHeartbeat(number, arrival);
            fresh = arrival + detector.freshFor(arrival, times);
        }
    }

    // The default bears m = 1 heartbeat in a row that gets lost.
    @Test
    void oneLostHeartbeatIsNoCrash() {
        Times times = Times.of(new Timing(10), Variant.HARDENED);
        FreshnessDetector detector = FreshnessDetector.INITIAL;
        for (int number = 1; number < 20; number++) {
            detector = detector.onHeartbeat(number, 20L * number);
        }
        long now = 19 * 20;
        assertThat(now + detector.freshFor(now, times)).isGreaterThanOrEqualTo(21 * 20 + times.delta());
        assertThat(detector.freshFor(now, times)).isEqualTo(times.detection());
    }

    @Test
    void averageIsTakenOverTheLastArrivalsOnly() {
        FreshnessDetector detector = FreshnessDetector.INITIAL.onHeartbeat(1, 1_000_000);
        for (int number = 2; number <= 1 + FreshnessDetector.WINDOW; number++) {
            detector = detector.onHeartbeat(number, 1_000_000);
        }
        assertThat(detector.arrivals()).hasSize(FreshnessDetector.WINDOW);
        assertThat(detector.arrivals().get(0).number()).isEqualTo(2);
    }

    // A peer may send any number. The estimate then starts anew, and nothing overflows.
    @Test
    void numberThatIsFarAheadCannotExtendTheFreshness() {
        FreshnessDetector detector =
                FreshnessDetector.INITIAL.onHeartbeat(1, 20).onHeartbeat(WireReader.NUMBER_MAX, 40);
        assertThat(detector.freshFor(40, SIXTHS)).isEqualTo(SIXTHS.detection());
        assertThat(FreshnessDetector.INITIAL
                        .onHeartbeat(1, 20)
                        .onHeartbeat(2, 40)
                        .arrivals())
                .hasSize(2);
    }

    @Test
    void oldNumberIsABugHere() {
        assertThatIllegalStateException().isThrownBy(() -> FreshnessDetector.INITIAL.onHeartbeat(0, 1));
        assertThatIllegalStateException().isThrownBy(() -> FreshnessDetector.INITIAL.freshFor(0, SIXTHS));
    }
}
