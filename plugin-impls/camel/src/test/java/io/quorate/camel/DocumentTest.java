package io.quorate.camel;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.testkit.ShownCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What docs/camel.md shows compiles, and it names each setting. */
class DocumentTest {

    private static final ShownCode DOCUMENT = ShownCode.of("camel.md");
    private static final Path METADATA =
            Path.of("src", "main", "resources", "META-INF", "spring-configuration-metadata.json");
    private static final Pattern KEY = Pattern.compile("camel\\.cluster\\.quorate\\.([a-z-]+)\"");
    private static final int LINES_MAX = 140;

    @Test
    void itsBlocksCompile() throws IOException {
        DOCUMENT.assertIsCompiled(2, "fencingToken(");
    }

    @Test
    void itNamesTheSettings() throws IOException {
        String document = DOCUMENT.text();
        String metadata = Files.readString(METADATA);
        assertThat(KEY.matcher(metadata).results().map(key -> key.group(1)))
                .hasSize(5)
                .allSatisfy(key -> assertThat(document).contains("." + key + "`"));
        assertThat(DOCUMENT.lines()).hasSizeLessThanOrEqualTo(LINES_MAX);
    }
}
