package io.quorate.core.step;

/** Text that may hold what came over the network, for a log: it stays in its line, and within bounds. */
public final class Printable {

    /** Longer texts are cut, in characters. */
    static final int LENGTH_MAX = 2_000;

    private Printable() {}

    /** The text with control characters, line ends and the like as escapes, cut if longer than 2,000 characters. */
    public static String of(String text) {
        int length = Math.min(text.length(), LENGTH_MAX);
        StringBuilder printable = new StringBuilder(length);
        for (int i = 0; i < length; i++) {
            char character = text.charAt(i);
            if (isPlain(character)) {
                printable.append(character);
            } else {
                printable.append(String.format("\\u%04x", (int) character));
            }
        }
        return length < text.length() ? printable.append("...").toString() : printable.toString();
    }

    private static boolean isPlain(char character) {
        return switch (Character.getType(character)) {
            // Among them the marks that turn the direction of what follows, and the ends of lines beside the usual two.
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.SURROGATE,
                    Character.PRIVATE_USE,
                    Character.UNASSIGNED -> false;
            default -> true;
        };
    }
}
