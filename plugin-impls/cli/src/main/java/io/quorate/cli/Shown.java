package io.quorate.cli;

import io.quorate.jvm.Printable;

/** What comes from elsewhere, as it may stand on a terminal: in its line, and without escapes that move things. */
final class Shown {

    private static final int LENGTH_MAX = 300;

    private Shown() {}

    /** At most some 300 characters of it. */
    static String of(String text) {
        return Printable.of(text, LENGTH_MAX);
    }

    static String whole(String text) {
        return Printable.of(text, Integer.MAX_VALUE);
    }
}
