package io.quorate.core.step;

/** Text that may hold what came over the network, for a note: it stays in its line, and within bounds. */
public final class Printable {

    /** Longer texts are cut, in characters. */
    static final int LENGTH_MAX = 2_000;

    private Printable() {}

    /** The text with control characters, line ends and the like as escapes, cut if longer than 2,000 characters. */
    public static String of(String text) {
        return io.quorate.jvm.Printable.of(text, LENGTH_MAX);
    }
}
