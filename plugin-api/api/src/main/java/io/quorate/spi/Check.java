package io.quorate.spi;

import java.util.Locale;

/**
 * Checks that are always on: of our own invariants, and of arguments. A failed check is a bug of this library, of a
 * plug-in or of a caller, and never the effect of what a peer has sent. All methods may be called from any thread.
 */
public final class Check {

    private Check() {}

    /**
     * Checks an invariant.
     *
     * @param condition must hold
     * @param message   the rule and the values, as a {@linkplain String#format(String, Object...) format}; it is
     *                  formatted only if the check fails
     * @param arguments the values
     * @throws IllegalStateException if {@code condition} does not hold, with the formatted message
     */
    public static void state(boolean condition, String message, Object... arguments) {
        if (!condition) {
            throw new IllegalStateException(String.format(Locale.ROOT, message, arguments));
        }
    }

    /**
     * Checks an argument.
     *
     * @param condition must hold
     * @param message   the argument, its value and its rule, as a {@linkplain String#format(String, Object...) format};
     *                  it is formatted only if the check fails
     * @param arguments the values
     * @throws IllegalArgumentException if {@code condition} does not hold, with the formatted message
     */
    public static void argument(boolean condition, String message, Object... arguments) {
        if (!condition) {
            throw new IllegalArgumentException(String.format(Locale.ROOT, message, arguments));
        }
    }
}
