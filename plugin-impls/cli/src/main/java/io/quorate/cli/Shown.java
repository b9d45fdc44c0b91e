package io.quorate.cli;

import io.quorate.jvm.Printable;

/** Foreign text for a terminal: in one line, and without escape sequences. */
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
