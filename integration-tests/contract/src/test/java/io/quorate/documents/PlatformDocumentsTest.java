package io.quorate.documents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.source.Compiled;
import java.io.IOException;
import java.nio.file.Files;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The document for Vert.x shows marked parts of the application of integration-tests/platforms, word for word, and these
 * compile. The suite {@code platforms} compiles them with the platform itself, and runs them.
 */
class PlatformDocumentsTest {

    private static final String APPLICATIONS = "integration-tests/platforms/src/it/java/com/example/platforms/";
    private static final Pattern MARKED = Pattern.compile("(?s)// docs: begin\n(.*?) *// docs: end\n");

    private static final String DOCUMENT = "plugin-api/docs/vertx.md";
    private static final List<String> SOURCES =
            List.of("vertx/LeaderVerticle", "vertx5/Orders", "vertx/OnLeader", "vertx/Probes");

    private static String source(String file) throws IOException {
        return Files.readString(Markdown.ROOT.resolve(APPLICATIONS + file + ".java"));
    }

    /** Without the indent, which it has inside a class. */
    private static String marked(String source) {
        Matcher marked = MARKED.matcher(source);
        assertThat(marked.find()).as("marks").isTrue();
        String code = marked.group(1);
        return code.indent(-code.indexOf(code.strip()));
    }

    private static Map<String, String> sources() throws IOException {
        Map<String, String> sources = new LinkedHashMap<>();
        for (String file : SOURCES) {
            sources.put("com.example.platforms." + file.replace('/', '.'), source(file));
        }
        return sources;
    }

    @Test
    void theListingsAreTheApplicationThatRuns() throws IOException {
        List<String> listings = Markdown.read(DOCUMENT).blocks("java");
        assertThat(listings).hasSameSizeAs(SOURCES);
        for (int i = 0; i < listings.size(); i++) {
            assertThat(listings.get(i)).isEqualTo(marked(source(SOURCES.get(i))));
        }
    }

    @Test
    void theListingsCompile() throws IOException {
        assertThat(Compiled.of(sources())).isNotNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"closeAsync()", "startAsync()", "client.nodeId()", "client.health()"})
    void aCallThatDoesNotExistIsNoticed(String call) throws IOException {
        Map<String, String> changed = sources();
        changed.replaceAll((type, source) -> source.replace(call, "client.noSuchCall()"));
        assertThatThrownBy(() -> Compiled.of(changed)).hasMessageContaining("does not compile");
    }

    @Test
    void oneChangedLetterIsNoticed() throws IOException {
        String document = Markdown.read(DOCUMENT).blocks("java").get(0);
        assertThat(document).isNotEqualTo(marked(source(SOURCES.get(0)).replace("start", "begin")));
    }

    // Readers with five minutes first look for what to depend on.
    @ParameterizedTest
    @ValueSource(strings = {"quarkus.md", "vertx.md", "spring.md", "shedlock.md", "camel.md", "fencing.md"})
    void thePageBeginsWithTheDependency(String file) throws IOException {
        String document = Markdown.read("plugin-api/docs/" + file).text();
        String beginning = document.substring(0, document.indexOf("\n## "));
        assertThat(beginning)
                .contains("<artifactId>quorate-bom</artifactId>", "platform(\"io.quorate:quorate-bom:")
                .doesNotContain("```java");
    }
}
