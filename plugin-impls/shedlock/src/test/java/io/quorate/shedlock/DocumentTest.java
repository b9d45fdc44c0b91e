package io.quorate.shedlock;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What docs/shedlock.md shows compiles, and its first sentence and its numbers are true. */
class DocumentTest {

    private static final Path DOCUMENT = Path.of("..", "..", "plugin-api", "docs", "shedlock.md");
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
        assertThat(blocks()).hasSize(3).allSatisfy(block -> assertThat(examples).contains(block));
    }

    @Test
    void oneChangedLetterIsNoticed() throws IOException {
        String examples = stripped(Files.readString(EXAMPLES)).replace("fencingToken(", "token(");
        assertThat(blocks()).anySatisfy(block -> assertThat(examples).doesNotContain(block));
    }

    @Test
    void itFirstSaysWhatIsLost() throws IOException {
        List<String> lines = Files.readAllLines(DOCUMENT);
        assertThat(lines.get(2)).startsWith("`lockAtLeastFor` does not survive the crash of its holder");
        assertThat(lines).hasSizeLessThanOrEqualTo(LINES_MAX);
    }

    @Test
    void itsLimitsAreThoseOfTheProvider() throws IOException {
        QuorateLockProvider.Limits limits = QuorateLockProvider.Limits.DEFAULT;
        assertThat(Files.readString(DOCUMENT).replaceAll("\\s+", " "))
                .contains("for " + limits.firstElection().toSeconds() + " s at most")
                .contains("in " + limits.idle().toDays() + " days is left")
                .contains(String.format("keeps %,d names at", limits.namesMax()));
    }
}
