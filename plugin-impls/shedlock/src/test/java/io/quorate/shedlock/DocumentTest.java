package io.quorate.shedlock;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.testkit.ShownCode;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What docs/shedlock.md shows compiles, and its first sentence and its numbers are true. */
class DocumentTest {

    private static final ShownCode DOCUMENT = ShownCode.of("shedlock.md");
    private static final int LINES_MAX = 130;

    @Test
    void itsBlocksCompile() throws IOException {
        DOCUMENT.assertIsCompiled(3, "fencingToken(");
    }

    @Test
    void itFirstSaysWhatIsLost() throws IOException {
        List<String> lines = DOCUMENT.lines();
        assertThat(lines.get(2)).startsWith("`lockAtLeastFor` does not survive the crash of its holder");
        assertThat(lines).hasSizeLessThanOrEqualTo(LINES_MAX);
    }

    @Test
    void itsLimitsAreThoseOfTheProvider() throws IOException {
        QuorateLockProvider.Limits limits = QuorateLockProvider.Limits.DEFAULT;
        assertThat(DOCUMENT.text().replaceAll("\\s+", " "))
                .contains("at most " + limits.firstElection().toSeconds() + " s for a leader")
                .contains("in " + limits.idle().toDays() + " days")
                .contains(String.format("keeps at most %,d names", limits.namesMax()));
    }
}
