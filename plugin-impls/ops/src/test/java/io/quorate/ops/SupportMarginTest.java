package io.quorate.ops;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.ConnectionState;
import io.quorate.ops.SupportMargin.Second;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class SupportMarginTest {

    // Begins before 0, as the clock of a machine may.
    private long second = -100;
    private final SupportMargin margin = new SupportMargin(() -> TimeUnit.SECONDS.toNanos(second) + 999);

    @Test
    void itIsTheLeastOfTheLastMinute() {
        assertThat(margin.least()).isEmpty();
        margin.renewed(500);
        margin.renewed(300);
        margin.renewed(400);
        assertThat(margin.seconds()).containsExactly(new Second(-100, 300));
        for (int i = 1; i <= 59; i++) {
            second++;
            margin.renewed(600);
        }
        assertThat(margin.least()).hasValue(300);
        assertThat(margin.least()).as("a question takes nothing away").hasValue(300);
        second++;
        assertThat(margin.least()).hasValue(600);
        second += 59;
        assertThat(margin.least()).isEmpty();
    }

    @Test
    void nothingIsLeftOfALostSupport() {
        margin.renewed(500);
        margin.connectionChanged(ConnectionState.CONNECTED);
        assertThat(margin.least()).hasValue(500);
        margin.connectionChanged(ConnectionState.SUSPENDED);
        margin.renewed(600);
        assertThat(margin.least()).hasValue(0);
        second += 60;
        margin.renewed(600);
        assertThat(margin.least()).hasValue(600);
        margin.lost();
        assertThat(margin.least()).hasValue(0);
    }

    @Test
    void twoMinutesAreKept() {
        for (int i = 0; i < 300; i++) {
            second++;
            if (i != 250) {
                margin.renewed(i);
            }
        }
        assertThat(margin.seconds()).hasSize(SupportMargin.SECONDS_MAX - 1);
        assertThat(margin.seconds().get(0)).isEqualTo(new Second(second - 119, 180));
        assertThat(margin.seconds().get(118)).isEqualTo(new Second(second, 299));
        second += 119;
        assertThat(margin.seconds()).containsExactly(new Second(second - 119, 299));
        second++;
        assertThat(margin.seconds()).isEmpty();
    }
}
