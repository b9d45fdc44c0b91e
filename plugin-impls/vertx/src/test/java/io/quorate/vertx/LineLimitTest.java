package io.quorate.vertx;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** One line, and the count of the others. */
class LineLimitTest {

    @Test
    void theFirstLinePassesAndTheNextAreLeftOut() {
        LineLimit lines = new LineLimit();
        assertThat(lines.enter()).contains("");
        assertThat(lines.enter()).isEmpty();
        assertThat(new LineLimit().enter()).contains("");
    }

    @Test
    void whatComesFromOutsideIsOneShortLine() {
        assertThat(LineLimit.printable("certificate of CN=n1")).isEqualTo("certificate of CN=n1");
        assertThat(LineLimit.printable("a\nINFO forged\u001b[0m\u00e9"))
                .isEqualTo("a\\u000aINFO forged\\u001b[0m\\u00e9");
        assertThat(LineLimit.printable("x".repeat(1000))).isEqualTo("x".repeat(128));
        assertThat(LineLimit.printable("\n".repeat(1000))).hasSize(128);
    }
}
