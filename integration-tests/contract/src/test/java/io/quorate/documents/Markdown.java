package io.quorate.documents;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A Markdown file, and what stands in it.
 *
 * @param file relative to the root of the repository
 */
record Markdown(Path file, String text) {

    static final Path ROOT = Path.of("..", "..");

    private static final Pattern BLOCK = Pattern.compile("(?ms)^```(\\w*)\\n(.*?)^```$");
    private static final Pattern INLINE = Pattern.compile("`([^`\\n]+)`");
    private static final Pattern LINK = Pattern.compile("\\[[^\\]\\n]+\\]\\(([^)\\s]+)\\)");
    private static final Pattern HEADING = Pattern.compile("(?m)^#+ (.*)$");

    /** One of this repository. */
    static Markdown read(String file) throws IOException {
        return new Markdown(Path.of(file), Files.readString(ROOT.resolve(file)));
    }

    /** The blocks of code in this language. */
    List<String> blocks(String language) {
        return BLOCK.matcher(text)
                .results()
                .filter(block -> block.group(1).equals(language))
                .map(block -> block.group(2))
                .toList();
    }

    /** What stands between single back quotes. */
    List<String> inlineCode() {
        return groups(INLINE, prose());
    }

    /** The targets of links. */
    List<String> links() {
        return groups(LINK, prose());
    }

    /** The targets that a link may have within this text. */
    List<String> anchors() {
        return groups(HEADING, prose()).stream()
                .map(heading -> "#"
                        + heading.toLowerCase(Locale.ROOT)
                                .replaceAll("[^\\w -]", "")
                                .replace(' ', '-'))
                .toList();
    }

    /** Where a link of this text leads, relative to the root of the repository; without the anchor. */
    Path target(String link) {
        String path = link.replaceAll("#.*", "");
        return path.isEmpty() ? file : file.resolveSibling(path).normalize();
    }

    /** The calls of Maven, in blocks and in lines. */
    List<String> mavenCommands() {
        return Stream.concat(blocks("").stream().flatMap(String::lines), inlineCode().stream())
                .filter(line -> line.startsWith("mvn "))
                .map(line -> line.replaceAll("\\s+#.*", ""))
                .toList();
    }

    private String prose() {
        return BLOCK.matcher(text).replaceAll("");
    }

    private static List<String> groups(Pattern pattern, String text) {
        Matcher matcher = pattern.matcher(text);
        return matcher.results().map(found -> found.group(1)).toList();
    }
}
