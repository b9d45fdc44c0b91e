package io.quorate.testkit.simulation;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** Which of several names somebody meant who wrote another one. */
public final class Nearest {

    private Nearest() {}

    /** The name that needs the fewest changes of one letter, if these are fewer than half of its letters. */
    public static Optional<String> of(String written, Collection<String> names) {
        return names.stream()
                .min(Comparator.comparingInt(name -> distance(written, name)))
                .filter(name -> 2 * distance(written, name) <= Math.max(written.length(), name.length()));
    }

    /** A question to put behind an error: {@code ; did you mean 'crash'?}, or nothing. */
    public static String question(String written, Collection<String> names) {
        return of(written, names).map(name -> "; did you mean '" + name + "'?").orElse("");
    }

    /** How many letters have to be added, taken away or replaced, without regard to capitals. */
    private static int distance(String one, String other) {
        String a = one.toLowerCase(Locale.ROOT);
        String b = other.toLowerCase(Locale.ROOT);
        int[] row = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int replaced = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(replaced, 1 + Math.min(row[j], row[j - 1]));
            }
        }
        return row[b.length()];
    }
}
