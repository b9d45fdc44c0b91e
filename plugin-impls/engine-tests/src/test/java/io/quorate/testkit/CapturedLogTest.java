package io.quorate.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class CapturedLogTest {

    @Test
    void textOfThisLibraryHasNeitherLinesNorStackTracesOfOthers() {
        try (CapturedLog log = new CapturedLog()) {
            LoggerFactory.getLogger("io.quorate.Own").warn("one", new IllegalStateException("own fault"));
            LoggerFactory.getLogger("org.other.Library").error("two", new IllegalStateException("foreign fault"));
            LoggerFactory.getLogger("io.quorate.Own").warn("three");
            assertThat(log.text()).contains("foreign fault", "\tat ");
            assertThat(log.textOfThisLibrary())
                    .contains("one", "own fault", "\tat ", "three")
                    .doesNotContain("two", "foreign fault");
        }
    }
}
