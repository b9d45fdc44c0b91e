package io.quorate.fencing;

import static org.assertj.core.api.Assertions.assertThat;

import com.example.docs.Examples;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What docs/fencing.md shows compiles, and its last write is refused as it says. */
class DocumentTest {

    private static final Path DOCUMENT = Path.of("..", "..", "plugin-api", "docs", "fencing.md");
    private static final Path EXAMPLES = Path.of("src", "test", "java", "com", "example", "docs", "Examples.java");
    private static final int LINES_MAX = 180;

    /** Without the indent, which is another in a class. */
    private static String stripped(String code) {
        return code.lines().map(String::strip).collect(Collectors.joining("\n"));
    }

    private static List<String> blocks(String language) throws IOException {
        return Pattern.compile("(?ms)^```" + language + "\\n(.*?)^```$")
                .matcher(Files.readString(DOCUMENT))
                .results()
                .map(block -> stripped(block.group(1)))
                .toList();
    }

    @Test
    void itsBlocksCompile() throws IOException {
        String examples = stripped(Files.readString(EXAMPLES));
        assertThat(blocks("java")).hasSize(5).allSatisfy(block -> assertThat(examples)
                .contains(block));
    }

    @Test
    void oneChangedLetterIsNoticed() throws IOException {
        String examples = stripped(Files.readString(EXAMPLES)).replace("fencingToken(", "token(");
        assertThat(blocks("java")).anySatisfy(block -> assertThat(examples).doesNotContain(block));
    }

    @Test
    void itsTableIsTheOneThatIsMade() throws IOException {
        assertThat(blocks("sql")).hasSize(1);
        assertThat(blocks("sql")
                        .get(0)
                        .replaceAll("\\s+", " ")
                        .replace("( ", "(")
                        .replace(" )", ")"))
                .isEqualTo(FencedTable.CREATE);
    }

    @Test
    void itEndsWithAWriteThatIsRefused(@TempDir Path directory) throws IOException {
        PrintStream before = System.out;
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
        try {
            Examples.late(new FencedFile(directory.resolve("report")), new byte[0]);
        } finally {
            System.setOut(before);
        }
        assertThat(Files.readString(DOCUMENT)).endsWith("```\n" + printed.toString(StandardCharsets.UTF_8) + "```\n");
        assertThat(Files.readAllLines(DOCUMENT)).hasSizeLessThanOrEqualTo(LINES_MAX);
    }
}
