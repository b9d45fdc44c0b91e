package io.quorate.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

/** A document that shows code, of which a module of the plug-ins compiles each line in {@code com.example.docs.Examples}. */
public record ShownCode(Path document) {

    private static final Path EXAMPLES = Path.of("src", "test", "java", "com", "example", "docs", "Examples.java");

    /** The one with this name, such as {@code camel.md}. */
    public static ShownCode of(String name) {
        return new ShownCode(Path.of("..", "..", "plugin-api", "docs", name));
    }

    /** All that it says. */
    public String text() throws IOException {
        return Files.readString(document);
    }

    /** Its lines. */
    public List<String> lines() throws IOException {
        return Files.readAllLines(document);
    }

    /** Its blocks of this language, as a reader copies them. */
    public List<String> printed(String language) throws IOException {
        return Pattern.compile("(?ms)^```(\\w*)\\n(.*?)^```$")
                .matcher(text())
                .results()
                .filter(block -> block.group(1).equals(language))
                .map(block -> block.group(2))
                .toList();
    }

    /** Without imports, which others in a class add to, and without spaces, which differ in a class. */
    private static String stripped(String code) {
        return code.replaceAll("(?m)^import .*\n", "").replaceAll("\\s+", "");
    }

    /**
     * It has so many blocks of Java, and each stands in the examples; in those without this piece of code one does not.
     */
    public void assertIsCompiled(int count, String piece) throws IOException {
        String examples = stripped(Files.readString(EXAMPLES));
        List<String> blocks = printed("java").stream().map(ShownCode::stripped).toList();
        assertThat(blocks).hasSize(count).allSatisfy(block -> assertThat(examples)
                .contains(block));
        assertThat(blocks)
                .anySatisfy(block -> assertThat(examples.replace(piece, "")).doesNotContain(block));
    }
}
