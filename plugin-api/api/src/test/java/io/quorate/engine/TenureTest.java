package io.quorate.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;

/** What {@code hasLeadership()} rests on: ADR-0009 and ADR-0010. */
class TenureTest {

    private final Lease lease = new Lease(new Epoch[0], 100);
    private final Tenure tenure = new Tenure("/p", 7, lease);

    private static Clock clock(LongSupplier time) {
        return new Clock() {
            @Override
            public long nanoTime() {
                return time.getAsLong();
            }

            @Override
            public long wallMillis() {
                return 0;
            }
        };
    }

    private static Clock at(long time) {
        return clock(() -> time);
    }

    @Test
    void validUntilTheLeaseEnds() {
        assertThat(tenure.isValid(at(99))).isTrue();
        assertThat(tenure.remainingNanos(at(60))).isEqualTo(40);
        assertThat(tenure.isValid(at(100))).isFalse();
        assertThat(tenure.remainingNanos(at(60))).as("ended").isZero();
    }

    // A renewal between reading the deadline and reading the clock must not lend its deadline to an old question.
    @Test
    void decision09_leaseIsReadBeforeTheClock() {
        Clock slow = clock(() -> {
            lease.setUntil(1000);
            return 500;
        });
        assertThat(tenure.isValid(slow)).isFalse();
    }

    @Test
    void decision10_onceFalseNeverTrueAgain() {
        assertThat(tenure.isValid(at(100))).isFalse();
        lease.setUntil(1000);
        assertThat(tenure.isValid(at(101))).isFalse();
        assertThat(tenure.isEnded()).isTrue();
    }

    @Test
    void endedTenureIsInvalidAlthoughItsLeaseRuns() {
        assertThat(tenure.end()).isTrue();
        assertThat(tenure.end()).isFalse();
        assertThat(tenure.isValid(at(1))).isFalse();
    }

    @Test
    void elapsedTimeMayWrap() {
        Lease late = new Lease(new Epoch[0], Long.MIN_VALUE + 10);
        Tenure wrapping = new Tenure("/p", 8, late);
        assertThat(wrapping.isValid(at(Long.MAX_VALUE - 5))).isTrue();
        assertThat(wrapping.isValid(at(Long.MIN_VALUE + 10))).isFalse();
    }
}
