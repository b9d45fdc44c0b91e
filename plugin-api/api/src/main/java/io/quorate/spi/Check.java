package io.quorate.spi;

/** Checks of our own invariants; always on. A failed check is a bug of this library or of a plug-in, never input. */
public final class Check {

    private Check() {
    }

    /** @throws IllegalStateException with the formatted message if {@code condition} does not hold */
    public static void state(boolean condition, String message, Object... arguments) {
        if (!condition) {
            throw new IllegalStateException(String.format(message, arguments));
        }
    }

    /** @throws IllegalArgumentException with the formatted message if {@code condition} does not hold */
    public static void argument(boolean condition, String message, Object... arguments) {
        if (!condition) {
            throw new IllegalArgumentException(String.format(message, arguments));
        }
    }
}
