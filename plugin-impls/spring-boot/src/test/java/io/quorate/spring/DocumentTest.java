package io.quorate.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What docs/spring.md shows compiles, and it names each setting of the starter. */
class DocumentTest {

    private static final Path DOCUMENT = Path.of("..", "..", "plugin-api", "docs", "spring.md");
    private static final Path EXAMPLES = Path.of("src", "test", "java", "com", "example", "docs", "Examples.java");
    private static final Pattern BLOCK = Pattern.compile("(?ms)^```java\\n(.*?)^```$");

    /** Without the indent, which is another in a nested class. */
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
        assertThat(blocks()).hasSizeGreaterThan(3).allSatisfy(block -> assertThat(examples)
                .contains(block));
    }

    @Test
    void oneChangedLetterIsNoticed() throws IOException {
        String examples = stripped(Files.readString(EXAMPLES)).replace("@LeaderOnly(", "@Leader(");
        assertThat(blocks()).anySatisfy(block -> assertThat(examples).doesNotContain(block));
    }

    @Test
    void itNamesTheSettingsOfTheStarter() throws IOException {
        String document = Files.readString(DOCUMENT);
        assertThat(EnvironmentSettings.OWN_KEYS)
                .allSatisfy(key -> assertThat(document).contains("| `" + key + "` |"));
    }
}
