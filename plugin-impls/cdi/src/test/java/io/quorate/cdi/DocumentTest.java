package io.quorate.cdi;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What docs/quarkus.md shows compiles, and it names each setting. */
class DocumentTest {

    private static final Path DOCUMENT = Path.of("..", "..", "plugin-api", "docs", "quarkus.md");
    private static final Path EXAMPLES = Path.of("src", "test", "java", "com", "example", "docs", "Examples.java");
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
        String examples = stripped(Files.readString(EXAMPLES)).replace("@LeaderOnly(", "@Leader(");
        assertThat(blocks()).anySatisfy(block -> assertThat(examples).doesNotContain(block));
    }

    @Test
    void itNamesTheSettingsAndIsShort() throws IOException {
        String document = Files.readString(DOCUMENT);
        assertThat(ConfigSettings.OWN_KEYS)
                .allSatisfy(key -> assertThat(document).contains("`" + key + "`"));
        assertThat(Files.readAllLines(DOCUMENT)).hasSizeLessThanOrEqualTo(LINES_MAX);
    }
}
