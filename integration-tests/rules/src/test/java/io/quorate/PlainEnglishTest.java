package io.quorate;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * Phrases that readers have stumbled over do not come back: in documents, and in what the library, its command line and
 * its page say. The list only grows.
 */
class PlainEnglishTest {

    private static final Path ROOT = Path.of("..", "..");

    /** What is refused everywhere, and what to write. */
    private static final List<Phrase> EVERYWHERE = List.of(
            new Phrase("\\b[Ff]ull stop\\b", "stop the whole cluster first"),
            new Phrase("\\bwhoever reaches\\b[^.]*\\bbelieved\\b", "anyone who reaches the port is trusted"),
            new Phrase("\\b[Uu]pgrades roll\\b|\\bcan \\[?roll\\b", "rolling upgrades are supported"),
            new Phrase("\\bSomebody (sees|reads)\\b", "someone monitors"),
            new Phrase("\\bhow near\\b[^.]*\\bto their end\\b", "how close they come to expiring"),
            new Phrase("\\bcalled\\s+later wins\\b", "later calls win"),
            new Phrase("\\bWhat is left of [^.]* does not wait\\b", "all other methods return at once"),
            new Phrase("\\bis said without\\b", "error messages never show it"),
            new Phrase("\\bscrape takes nothing\\b", "scraping does not reset it"),
            new Phrase("\\b[Tt]rying on\\b", "retrying"),
            new Phrase("\\bcontends on( while\\b|[.;)\"]|$)", "it still contends"),
            new Phrase("\\bat leisure\\b", "as long as they like"),
            new Phrase("\\bon and on\\b", "without end"),
            new Phrase("\\bin the midst of\\b", "during"));

    /** What is refused in documents and in what the library says; Javadoc keeps it. */
    private static final List<Phrase> FOR_READERS = List.of(
            new Phrase("\\b[Ww]hoever\\b(?!\\w)", "anyone who, or the noun that is meant"),
            new Phrase("\\b(votes|leads|contends) no more\\b", "it no longer votes"));

    /** A test writes this document. */
    private static final String WRITTEN = "integration-tests/docs/scenarios.md";

    private static final Pattern STRING = Pattern.compile("\"((?:[^\"\\\\\\n]|\\\\.)*)\"");

    /** @param instead what to write */
    private record Phrase(Pattern refused, String instead) {
        private Phrase(String refused, String instead) {
            this(Pattern.compile(refused, Pattern.MULTILINE), instead);
        }
    }

    private static List<String> findings(String where, String text, List<Phrase> phrases) {
        List<String> findings = new ArrayList<>();
        for (Phrase phrase : phrases) {
            Matcher found = phrase.refused().matcher(text);
            while (found.find()) {
                findings.add(where + ": '" + found.group() + "'; write: " + phrase.instead());
            }
        }
        return findings;
    }

    private static List<String> findings(String file, String text) {
        if (file.endsWith(".java")) {
            List<String> findings = new ArrayList<>();
            STRING.matcher(text).results().forEach(found -> {
                findings.addAll(findings(file, found.group(1), EVERYWHERE));
                findings.addAll(findings(file, found.group(1), FOR_READERS));
            });
            return findings;
        }
        List<String> findings = findings(file, text, EVERYWHERE);
        if (!file.equals(WRITTEN)) {
            findings.addAll(findings(file, text, FOR_READERS));
        }
        return findings;
    }

    /** Documents, what the jars say, and the page. */
    private static List<String> files() throws IOException {
        return Wording.sources(ROOT).stream()
                .filter(file -> file.endsWith(".md")
                        || file.matches("plugin-[^/]+/.+/src/main/.+\\.(java|html|json|properties)"))
                .toList();
    }

    @Test
    void textsArePlainEnglish() throws IOException {
        List<String> files = files();
        assertThat(files)
                .contains(
                        "README.md",
                        "plugin-impls/ops/src/main/resources/io/quorate/ops/page.html",
                        "plugin-impls/tcp/src/main/java/io/quorate/tcp/Reports.java");
        List<String> findings = new ArrayList<>();
        for (String file : files) {
            findings.addAll(findings(file, Files.readString(ROOT.resolve(file))));
        }
        assertThat(findings).isEmpty();
    }

    @Test
    void eachPhraseIsFound() {
        for (String line : List.of(
                "A full stop is needed.",
                "Without, whoever reaches a port is believed.",
                "Upgrades roll.",
                "so that later releases can [roll](x)",
                "Somebody sees it",
                "how near the leases are to their end",
                "What is called\nlater wins",
                "What is left of latches does not wait.",
                "it is said without what it holds",
                "A scrape takes nothing away",
                "(refused); trying on",
                "it contends on.",
                "a latch contends on while it runs",
                "passwords at leisure",
                "works on and on",
                "in the midst of it")) {
            assertThat(findings(WRITTEN, line)).as(line).hasSize(1);
        }
        assertThat(findings("README.md", "whoever asks")).hasSize(1);
        assertThat(findings("README.md", "it contends on /a")).isEmpty();
        assertThat(findings(WRITTEN, "whoever asks")).isEmpty();
        String code = "plugin-api/api/src/main/java/A.java";
        assertThat(findings(code, "LOG.info(\"a \\\" b; trying on\"); // trying on"))
                .hasSize(1);
        assertThat(findings(code, "note(\"this node votes no more\")")).hasSize(1);
    }
}
