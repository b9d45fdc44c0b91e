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
}
