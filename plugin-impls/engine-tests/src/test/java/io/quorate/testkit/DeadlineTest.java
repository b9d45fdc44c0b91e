package io.quorate.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import org.junit.jupiter.api.Test;

/** A wait ends when somebody interrupts it, as JUnit does at the end of a test's time. */
class DeadlineTest {

    @Test
    void interruptEndsTheWait() {
        Thread.currentThread().interrupt();
        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(() -> Deadline.until(() -> false, "the end of time"))
                .withMessage("interrupted: the end of time");
        Thread.currentThread().interrupt();
        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(() -> Deadline.await(() -> false, () -> "the end of time"))
                .withMessage("interrupted: the end of time");
        assertThat(Thread.interrupted()).isFalse();
    }
}
