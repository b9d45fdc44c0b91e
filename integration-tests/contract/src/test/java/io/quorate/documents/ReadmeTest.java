package io.quorate.documents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.migration.Twins;
import io.quorate.source.Compiled;
import java.awt.Dimension;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
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
    private static final Pattern DEPENDENCY = Pattern.compile("<groupId>io.quorate</groupId>\\s*"
            + "<artifactId>([^<]+)</artifactId>(?:\\s*<version>([^<]+)</version>)?");
    private static final Pattern COORDINATES = Pattern.compile("\"io.quorate:([a-z-]+)(?::([^\"]+))?\"");
    private static final Pattern PICTURE = Pattern.compile("!\\[[^\\]]+]\\(([^)]+)\\)");
    private static final Pattern SVG_SIZE = Pattern.compile("^<svg [^>]*width=\"(\\d+)\" height=\"(\\d+)\"");
    private static final int WIDTH_SHOWN = 838;
    private static final Pattern LISTING = Pattern.compile("(?s)```java\n(.*?)```\n");
    private static final Pattern MARKED = Pattern.compile("(?s)// docs: begin\n(.*)// docs: end\n");

    private static final Path JOB = EXAMPLE.resolveSibling(
            Path.of("..", "..", "..", "..", "..", "main", "java", "com", "example", "app", "NightlyJob.java"));

    private static String example() throws IOException {
        return marked(EXAMPLE);
    }

    private static String marked(Path file) throws IOException {
        Matcher marked = MARKED.matcher(Files.readString(file));
        assertThat(marked.find()).as("marks in %s", file).isTrue();
        return marked.group(1);
    }

    private static void assertShows(String document, String code) {
        assertThat(document).contains("```java\n" + code + "```\n");
    }

    @Test
    void theExampleIsTheTest() throws IOException {
        assertShows(Files.readString(TESTING), example());
        assertShows(Files.readString(TESTING), marked(JOB));
    }

    // Whoever copies both listings into two files has all that they need.
    @Test
    void theListingsOfTheExampleCompileAsTheyArePrinted() throws IOException {
        List<String> listings = new ArrayList<>();
        Matcher blocks = LISTING.matcher(Files.readString(TESTING));
        while (blocks.find()) {
            listings.add(blocks.group(1));
        }
        assertThat(listings).hasSize(2);
        Map<String, String> sources = Map.of("NightlyJob", listings.get(0), "NightlyJobTest", listings.get(1));
        assertThat(Compiled.of(sources)).isNotNull();
        Map<String, String> withoutImports = Map.of(
                "NightlyJob", listings.get(0), "NightlyJobTest", listings.get(1).replaceAll("(?m)^import .*\n", ""));
        assertThatThrownBy(() -> Compiled.of(withoutImports)).hasMessageContaining("does not compile");
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

    // As wide as a page of code hosts shows it, with a window that is not high.
    @Test
    void eachPictureOfTheReadmeFitsAWindowAndIsSmall() throws IOException {
        Matcher pictures = PICTURE.matcher(Files.readString(README));
        int count = 0;
        while (pictures.find()) {
            Path file = README.resolveSibling(pictures.group(1));
            Dimension picture = size(file);
            assertThat(picture.height * WIDTH_SHOWN / picture.width)
                    .as("height of %s in pixels when shown", file)
                    .isLessThanOrEqualTo(600);
            assertThat(Files.size(file)).as(file.toString()).isLessThan(150_000);
            count++;
        }
        assertThat(count).isEqualTo(2);
    }

    private static Dimension size(Path file) throws IOException {
        if (file.toString().endsWith(".svg")) {
            Matcher size = SVG_SIZE.matcher(Files.readString(file));
            assertThat(size.find()).as("size of %s", file).isTrue();
            return new Dimension(Integer.parseInt(size.group(1)), Integer.parseInt(size.group(2)));
        }
        BufferedImage picture = ImageIO.read(file.toFile());
        return new Dimension(picture.getWidth(), picture.getHeight());
    }

    /** The version of this build, as the BOM has it, and its artifacts. */
    private static String bom() throws IOException {
        return Files.readString(Path.of("..", "..", "plugin-api", "bom", "pom.xml"))
                .replaceAll("\\s+", "");
    }

    private static String version(String bom) {
        return group("<artifactId>quorate-bom</artifactId><version>([^<]+)</version>", bom);
    }

    static String version() throws IOException {
        return version(bom());
    }

    /** The artifacts of Quorate that this document names and that are not there, or not with a version. */
    private static List<String> wrongArtifacts(String document, String bom) {
        String version = version(bom);
        boolean hasBom = document.contains("<artifactId>quorate-bom</artifactId>");
        List<String> wrong = new ArrayList<>();
        Matcher maven = DEPENDENCY.matcher(document);
        while (maven.find()) {
            boolean isVersionRight =
                    maven.group(2) == null ? hasBom : maven.group(2).equals(version);
            if (!isVersionRight || !bom.contains("<artifactId>" + maven.group(1) + "</artifactId>")) {
                wrong.add(maven.group(1));
            }
        }
        Matcher gradle = COORDINATES.matcher(document);
        while (gradle.find()) {
            boolean isVersionRight =
                    gradle.group(2) == null ? hasBom : gradle.group(2).equals(version);
            if (!isVersionRight || !bom.contains("<artifactId>" + gradle.group(1) + "</artifactId>")) {
                wrong.add(gradle.group(1));
            }
        }
        return wrong;
    }

    private static String group(String pattern, String text) {
        Matcher found = Pattern.compile(pattern).matcher(text);
        assertThat(found.find()).as(pattern).isTrue();
        return found.group(1);
    }

    @Test
    void theArtifactsAreThoseOfThisBuild() throws IOException {
        String bom = bom();
        try (Stream<Path> documents = Files.list(DOCUMENTS)) {
            for (Path document : Stream.concat(Stream.of(README), documents.filter(file -> file.toString()
                            .endsWith(".md")))
                    .toList()) {
                assertThat(wrongArtifacts(Files.readString(document), bom))
                        .as(document.toString())
                        .isEmpty();
            }
        }
        assertThat(Files.readString(README)).contains("<artifactId>quorate</artifactId>", "`quorate-bom`");
        assertThat(Files.readString(DOCUMENTS.resolve("spring.md")))
                .contains("<artifactId>quorate-spring-boot-starter</artifactId>");
    }

    @Test
    void anArtifactWithoutItsVersionIsNoticed() throws IOException {
        String dependency = "<dependency>\n  <groupId>io.quorate</groupId>\n  <artifactId>quorate-ops</artifactId>\n";
        assertThat(wrongArtifacts(dependency + "</dependency>", bom())).containsExactly("quorate-ops");
        assertThat(wrongArtifacts(dependency + "  <version>0.0.9</version>\n</dependency>", bom()))
                .containsExactly("quorate-ops");
        assertThat(wrongArtifacts("implementation(\"io.quorate:quorate-no:0.1.0\")", bom()))
                .containsExactly("quorate-no");
    }
}
