package io.quorate.history;

import io.quorate.spi.Check;
import java.util.Locale;

/**
 * One line of a history. What it tells of happened at some instant from {@code invoked} to {@code completed}; closer
 * than that nobody outside can know.
 *
 * @param client    one life of a process: a restarted one is another client
 * @param path      what was led, or which resource was written to
 * @param token     the fencing token; {@link #UNKNOWN} if the reply that had it was lost
 * @param invoked   when the client asked
 * @param completed when it had the reply; {@link #NEVER} if that was lost
 */
public record HistoryEvent(Kind kind, String client, String path, long token, long invoked, long completed) {

    /** What happened. */
    public enum Kind {
        /** A tenure of the client began. */
        ACQUIRED,
        /** The client was told that it leads. */
        BELIEVED_FROM,
        /** The client was told so again; only the last one of a tenure counts. */
        BELIEVED_TO,
        /** The client's tenure ended. */
        RELEASED,
        /** The resource took the client's write. Written down by the resource, so no reply can be lost. */
        ACCEPTED,
        /** The resource refused the client's write. */
        REJECTED
    }

    /** A token that nobody knows. Tokens are positive. */
    public static final long UNKNOWN = 0;

    /** After every instant: the reply was lost. */
    public static final long NEVER = Long.MAX_VALUE;

    private static final String LOST = "-";

    public HistoryEvent {
        Check.argument(isWord(client), "client '%s': must not be empty, and have no blanks", client);
        Check.argument(isWord(path), "path '%s': must not be empty, and have no blanks", path);
        Check.argument(token >= 0, "token %d: must be positive, or %d if unknown", token, UNKNOWN);
        Check.argument(
                invoked <= completed, "event from %d to %d ns: must not end before it begins", invoked, completed);
    }

    private static boolean isWord(String text) {
        return !text.isEmpty() && text.chars().noneMatch(Character::isWhitespace);
    }

    /** Whether it is not known that it happened. */
    boolean isIndeterminate() {
        return completed == NEVER;
    }

    /**
     * Reads what {@link #toString} writes.
     *
     * @throws IllegalArgumentException if it is no event; says why
     */
    public static HistoryEvent parse(String line) {
        String[] words = line.split(" ");
        Check.argument(
                words.length == 6, "event '%s': must be '<kind> <client> <path> <token> <invoked> <completed>'", line);
        try {
            return new HistoryEvent(
                    Kind.valueOf(words[0].toUpperCase(Locale.ROOT).replace('-', '_')),
                    words[1],
                    words[2],
                    words[3].equals(LOST) ? UNKNOWN : Long.parseLong(words[3]),
                    Long.parseLong(words[4]),
                    words[5].equals(LOST) ? NEVER : Long.parseLong(words[5]));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("event '" + line + "': " + e.getMessage(), e);
        }
    }

    @Override
    public String toString() {
        return kind.name().toLowerCase(Locale.ROOT).replace('_', '-') + " " + client + " " + path + " "
                + (token == UNKNOWN ? LOST : token) + " " + invoked + " " + (completed == NEVER ? LOST : completed);
    }
}
