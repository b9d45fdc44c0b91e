package io.quorate.jvm;

import java.util.Locale;

/**
 * Text that may hold what came over the network, for a log: it stays in its line, and within bounds. For transports,
 * and other code that logs what strangers send.
 */
public final class Printable {

    private static final String CUT = "...";

    private Printable() {}

    /**
     * The text with control characters, ends of lines, marks that turn the direction of writing and the like as
     * escapes.
     *
     * @param text      any text
     * @param lengthMax the most characters of the answer, escapes included, before "..." says that it is cut
     * @return the text as it may stand in a log
     */
    public static String of(String text, int lengthMax) {
        StringBuilder printable = new StringBuilder(Math.min(text.length(), lengthMax));
        for (int i = 0; i < text.length(); i++) {
            char character = text.charAt(i);
            String shown = isPlain(character) ? null : String.format(Locale.ROOT, "\\u%04x", (int) character);
            if (printable.length() + (shown == null ? 1 : shown.length()) > lengthMax) {
                return printable.append(CUT).toString();
            }
            if (shown == null) {
                printable.append(character);
            } else {
                printable.append(shown);
            }
        }
        return printable.toString();
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
