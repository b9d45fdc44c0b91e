package io.quorate.shedlock;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;

/** The names of locks as parts of paths. */
final class LockNames {

    private LockNames() {}

    /**
     * Answers a text of ASCII letters, digits and some signs that is a legal name in a path, and another one for each
     * name. Two names with halves of surrogate pairs may share one.
     */
    static String encoded(String name) {
        String encoded = URLEncoder.encode(name, StandardCharsets.UTF_8);
        // These two have a meaning of their own in a path.
        return encoded.equals(".") || encoded.equals("..") ? encoded.replace(".", "%2E") : encoded;
    }
}
