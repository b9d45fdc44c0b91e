package io.quorate.lab;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Files that are a part of the lab. */
final class Resource {

    private Resource() {}

    static String text(String file) {
        try (InputStream in = Resource.class.getResourceAsStream(file)) {
            if (in == null) {
                throw new IllegalStateException(file + ": is missing in this program");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The lines of the file, without its comments. */
    static Stream<String> lines(String file) {
        return text(file).lines().filter(line -> !line.startsWith("#"));
    }

    /** The file with these texts in place of their names in braces. They are all put in at one time, because a text may have braces, too. */
    static String filled(String file, Map<String, String> parts) {
        return Pattern.compile("\\{(" + String.join("|", parts.keySet()) + ")}")
                .matcher(text(file))
                .replaceAll(found -> Matcher.quoteReplacement(parts.getOrDefault(found.group(1), "")));
    }

    /** Text as a page of HTML has it. */
    static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;");
    }
}
