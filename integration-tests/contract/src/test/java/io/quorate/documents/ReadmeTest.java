package io.quorate.documents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.migration.Twins;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The documents show code that is compiled and run: a marked part of a test, word for word. */
class ReadmeTest {

    private static final Path README = Path.of("..", "..", "README.md");
    private static final Path DOCUMENTS = Path.of("..", "..", "plugin-api", "docs");
    private static final Path TESTING = DOCUMENTS.resolve("testing.md");
    private static final Path CURATOR = DOCUMENTS.resolve("curator.md");
    private static final Path EXAMPLE = Path.of(
            "..",
            "foreign",
            "src",
            "it",
            "class-path",
            "src",
            "test",
            "java",
            "com",
            "example",
            "app",
            "NightlyJobTest.java");
    private static final Pattern MARKED = Pattern.compile("(?s)// docs: begin\n(.*)// docs: end\n");

    private static String example() throws IOException {
        Matcher marked = MARKED.matcher(Files.readString(EXAMPLE));
        assertThat(marked.find()).as("marks in %s", EXAMPLE).isTrue();
        return marked.group(1);
    }

    private static void assertShows(String document, String code) {
        assertThat(document).contains("```java\n" + code + "```\n");
    }

    @Test
    void theExampleIsTheTest() throws IOException {
        assertShows(Files.readString(TESTING), example());
    }

    private static void assertShowsChanges(String document, String changes) {
        assertThat(document).contains("```diff\n" + changes + "```\n");
    }

    @Test
    void theChangesOfTheMigrationAreThoseOfTheExample() throws IOException {
        assertShowsChanges(Files.readString(CURATOR), Twins.read().changes());
    }

    @Test
    void oneChangedLineOfTheMigrationIsNoticed() throws IOException {
        String document = Files.readString(CURATOR);
        String changes = Twins.read().changes();
        String changed = changes.replace("+import io.quorate.Participant;\n", "");
        assertThat(changed).isNotEqualTo(changes);
        assertThatThrownBy(() -> assertShowsChanges(document, changed)).isInstanceOf(AssertionError.class);
    }

    @Test
    void oneChangedCharacterIsNoticed() throws IOException {
        String document = Files.readString(TESTING);
        String changed = example().replace("isFalse", "isfalse");
        assertThat(changed).isNotEqualTo(example()).contains("class NightlyJobTest");
        assertThatThrownBy(() -> assertShows(document, changed)).isInstanceOf(AssertionError.class);
    }

    // The snippets of the build name what the example is compiled with.
    @Test
    void theArtifactsAreThoseOfThisBuild() throws IOException {
        assertThat(Files.readString(README).replaceAll("\\s+", ""))
                .contains("<groupId>io.quorate</groupId>"
                        + "<artifactId>quorate-impls</artifactId><version>0.1.0</version>");
        String dependency = Files.readString(TESTING).replaceAll("\\s+", "");
        assertThat(dependency)
                .contains("<artifactId>quorate-testkit</artifactId><version>0.1.0</version>" + "<scope>test</scope>");
        assertThat(Files.readString(Path.of("pom.xml")).replaceAll("\\s+", ""))
                .contains("<artifactId>quorate-testkit</artifactId><scope>test</scope>", "<version>0.1.0</version>");
    }
}
