package io.quorate.cdi;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.testkit.ShownCode;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** What docs/quarkus.md shows compiles, and it names each setting. */
class DocumentTest {

    private static final ShownCode DOCUMENT = ShownCode.of("quarkus.md");
    private static final int LINES_MAX = 160;

    @Test
    void itsBlocksCompile() throws IOException {
        DOCUMENT.assertIsCompiled(3, "@LeaderOnly(");
    }

    @Test
    void itNamesTheSettingsAndIsShort() throws IOException {
        String document = DOCUMENT.text();
        assertThat(ConfigSettings.OWN_KEYS)
                .allSatisfy(key -> assertThat(document).contains("`" + key + "`"));
        assertThat(DOCUMENT.lines()).hasSizeLessThanOrEqualTo(LINES_MAX);
    }
}
