package io.quorate.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.testkit.ShownCode;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** What docs/spring.md shows compiles, and it names each setting of the starter. */
class DocumentTest {

    private static final ShownCode DOCUMENT = ShownCode.of("spring.md");

    @Test
    void itsBlocksCompile() throws IOException {
        DOCUMENT.assertIsCompiled(6, "@LeaderOnly(");
    }

    @Test
    void itNamesTheSettingsOfTheStarter() throws IOException {
        String document = DOCUMENT.text();
        assertThat(EnvironmentSettings.OWN_KEYS)
                .allSatisfy(key -> assertThat(document).contains("| `" + key + "` |"));
    }
}
