package io.quorate.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LogLimitTest {

    private static final int SUBJECTS = 100;
    private static final long MINUTE = LogLimit.PERIOD_NANOS;

    private final LogLimit lines = new LogLimit(SUBJECTS);

    @Test
    void onePassesPerMinuteWithTheCountOfTheOthers() {
        assertThat(lines.enter("a", 0)).hasValue(0);
        assertThat(lines.enter("a", 1)).isEmpty();
        assertThat(lines.enter("b", 1)).hasValue(0);
        assertThat(lines.enter("a", MINUTE - 1)).isEmpty();
        assertThat(lines.enter("a", MINUTE)).hasValue(2);
        assertThat(lines.enter("a", 2 * MINUTE)).hasValue(0);
    }

    @Test
    void beyondSoManySubjectsAllOthersShareOne() {
        for (int i = 0; i < SUBJECTS; i++) {
            assertThat(lines.enter("subject " + i, 0)).hasValue(0);
        }
        assertThat(lines.enter("one more", 0)).hasValue(0);
        for (int i = 0; i < 1_000; i++) {
            assertThat(lines.enter("another " + i, 1)).isEmpty();
        }
        assertThat(lines.enter("after a minute", MINUTE + 1)).hasValue(0);
    }

    @Test
    void textsAreEscapedAndCut() {
        assertThat(LogLimit.printable("a\nb")).isEqualTo("a\\u000ab");
        assertThat(LogLimit.printable("x".repeat(1_000))).hasSizeBetween(128, 131);
    }
}
