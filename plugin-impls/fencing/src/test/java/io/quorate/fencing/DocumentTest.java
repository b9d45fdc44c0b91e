package io.quorate.fencing;

import static org.assertj.core.api.Assertions.assertThat;

import com.example.docs.Examples;
import io.quorate.testkit.ShownCode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What docs/fencing.md shows compiles, and its last write is refused as it says. */
class DocumentTest {

    private static final ShownCode DOCUMENT = ShownCode.of("fencing.md");
    private static final int LINES_MAX = 180;

    @Test
    void itsBlocksCompile() throws IOException {
        DOCUMENT.assertIsCompiled(5, "fencingToken(");
    }

    @Test
    void itsTableIsTheOneThatIsMade() throws IOException {
        assertThat(DOCUMENT.printed("sql")).hasSize(1);
        assertThat(DOCUMENT.printed("sql")
                        .get(0)
                        .strip()
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
        assertThat(DOCUMENT.text()).endsWith("```\n" + printed.toString(StandardCharsets.UTF_8) + "```\n");
        assertThat(DOCUMENT.lines()).hasSizeLessThanOrEqualTo(LINES_MAX);
    }
}
