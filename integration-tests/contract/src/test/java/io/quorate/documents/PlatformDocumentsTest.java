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
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The documents for Quarkus and Vert.x show marked parts of the applications of integration-tests/platforms, word for
 * word, and these compile. The suite {@code platforms} compiles them with the platforms themselves, and runs them.
 */
class PlatformDocumentsTest {

    private static final String APPLICATIONS = "integration-tests/platforms/src/it/java/com/example/platforms/";
    private static final Pattern MARKED = Pattern.compile("(?s)// docs: begin\n(.*?) *// docs: end\n");

    /** What this build has no jar of: the names that the listings use, with the shape that they have there. */
    private static final Map<String, String> STAND_INS = standIns();

    private enum Page {
        QUARKUS("plugin-api/docs/quarkus.md", "quarkus/Elections", "quarkus/NodeHealth"),
        VERTX("plugin-api/docs/vertx.md", "vertx/LeaderVerticle", "vertx5/Orders", "vertx/OnLeader", "vertx/Probes");

        private final String document;
        private final List<String> sources;

        Page(String document, String... sources) {
            this.document = document;
            this.sources = List.of(sources);
        }
    }

    private static Map<String, String> standIns() {
        Map<String, String> sources = new LinkedHashMap<>();
        for (String annotation : List.of(
                "jakarta.enterprise.context.ApplicationScoped",
                "jakarta.enterprise.event.Observes",
                "jakarta.enterprise.inject.Produces",
                "org.eclipse.microprofile.health.Liveness",
                "org.eclipse.microprofile.health.Readiness")) {
            add(sources, annotation, "public @interface %s {}");
        }
        add(sources, "io.quarkus.runtime.StartupEvent", "public class %s {}");
        add(sources, "io.quarkus.runtime.ShutdownEvent", "public class %s {}");
        add(
                sources,
                "org.eclipse.microprofile.health.HealthCheck",
                "public interface %s { HealthCheckResponse call(); }");
        add(
                sources,
                "org.eclipse.microprofile.health.HealthCheckResponse",
                "public class %s { public static HealthCheckResponseBuilder named(String name) { return null; } }");
        add(
                sources,
                "org.eclipse.microprofile.health.HealthCheckResponseBuilder",
                "public abstract class %s { public abstract HealthCheckResponseBuilder status(boolean isUp);"
                        + " public abstract HealthCheckResponse build(); }");
        try {
            Class.forName("jakarta.inject.Singleton");
        } catch (ClassNotFoundException e) {
            add(sources, "jakarta.inject.Singleton", "public @interface %s {}");
        }
        return sources;
    }

    private static void add(Map<String, String> sources, String type, String declaration) {
        int dot = type.lastIndexOf('.');
        sources.put(type, "package " + type.substring(0, dot) + ";\n" + declaration.formatted(type.substring(dot + 1)));
    }

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

    private static Map<String, String> sources(Page page) throws IOException {
        Map<String, String> sources = new LinkedHashMap<>(page == Page.QUARKUS ? STAND_INS : Map.of());
        for (String file : page.sources) {
            sources.put("com.example.platforms." + file.replace('/', '.'), source(file));
        }
        return sources;
    }

    @ParameterizedTest
    @EnumSource(Page.class)
    void theListingsAreTheApplicationsThatRun(Page page) throws IOException {
        List<String> listings = Markdown.read(page.document).blocks("java");
        assertThat(listings).hasSameSizeAs(page.sources);
        for (int i = 0; i < listings.size(); i++) {
            assertThat(listings.get(i)).isEqualTo(marked(source(page.sources.get(i))));
        }
    }

    @ParameterizedTest
    @EnumSource(Page.class)
    void theListingsCompile(Page page) throws IOException {
        assertThat(Compiled.of(sources(page))).isNotNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"closeAsync()", "startAsync()", "client.nodeId()", "client.health()"})
    void aCallThatDoesNotExistIsNoticed(String call) throws IOException {
        Map<String, String> changed = sources(Page.VERTX);
        changed.replaceAll((type, source) -> source.replace(call, "client.noSuchCall()"));
        assertThatThrownBy(() -> Compiled.of(changed)).hasMessageContaining("does not compile");
    }

    @Test
    void oneChangedLetterIsNoticed() throws IOException {
        String document = Markdown.read(Page.QUARKUS.document).blocks("java").get(0);
        assertThat(document).isNotEqualTo(marked(source("quarkus/Elections").replace("onStart", "onStarted")));
    }

    // Readers with five minutes first look for what to depend on.
    @ParameterizedTest
    @ValueSource(strings = {"quarkus.md", "vertx.md", "spring.md", "shedlock.md", "camel.md"})
    void thePageBeginsWithTheDependency(String file) throws IOException {
        String document = Markdown.read("plugin-api/docs/" + file).text();
        String beginning = document.substring(0, document.indexOf("\n## "));
        assertThat(beginning)
                .contains("<artifactId>quorate-bom</artifactId>", "platform(\"io.quorate:quorate-bom:")
                .doesNotContain("```java");
    }
}
