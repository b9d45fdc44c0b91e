package io.quorate.lab;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
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
}
