package io.quorate.camel;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What docs/camel.md shows compiles, and it names each setting. */
class DocumentTest {

    private static final Path DOCUMENT = Path.of("..", "..", "plugin-api", "docs", "camel.md");
    private static final Path EXAMPLES = Path.of("src", "test", "java", "com", "example", "docs", "Examples.java");
    private static final Path METADATA =
            Path.of("src", "main", "resources", "META-INF", "spring-configuration-metadata.json");
    private static final Pattern KEY = Pattern.compile("camel\\.cluster\\.quorate\\.([a-z-]+)\"");
    private static final Pattern BLOCK = Pattern.compile("(?ms)^```java\\n(.*?)^```$");
    private static final int LINES_MAX = 100;

    /** Without the indent, which is another in a class. */
    private static String stripped(String code) {
        return code.lines().map(String::strip).collect(Collectors.joining("\n"));
    }

    private static List<String> blocks() throws IOException {
        return BLOCK.matcher(Files.readString(DOCUMENT))
                .results()
                .map(block -> stripped(block.group(1)))
                .toList();
    }

    @Test
    void itsBlocksCompile() throws IOException {
        String examples = stripped(Files.readString(EXAMPLES));
        assertThat(blocks()).hasSize(2).allSatisfy(block -> assertThat(examples).contains(block));
    }

    @Test
    void oneChangedLetterIsNoticed() throws IOException {
        String examples = stripped(Files.readString(EXAMPLES)).replace("fencingToken(", "token(");
        assertThat(blocks()).anySatisfy(block -> assertThat(examples).doesNotContain(block));
    }

    @Test
    void itNamesTheSettings() throws IOException {
        String document = Files.readString(DOCUMENT);
        String metadata = Files.readString(METADATA);
        assertThat(KEY.matcher(metadata).results().map(key -> key.group(1)))
                .hasSize(5)
                .allSatisfy(key -> assertThat(document).contains("." + key + "`"));
        assertThat(Files.readAllLines(DOCUMENT)).hasSizeLessThanOrEqualTo(LINES_MAX);
    }
}
