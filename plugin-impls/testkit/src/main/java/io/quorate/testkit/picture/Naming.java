package io.quorate.testkit.picture;

import io.quorate.engine.Fatal;
import io.quorate.spi.Event;
import java.util.Locale;

/**
 * How a message is written: {@code VICTORY term=3} for a record {@code Victory[term=3]}. The documents write names in
 * capitals.
 *
 * @param name   its kind
 * @param fields what it says; empty if it says nothing
 */
public record Naming(String name, String fields) {

    /** More of a message than this is no help to a reader; those of the algorithms are shorter. */
    private static final int FIELDS_MAX = 200;

    /** Longer than the states of the algorithms; a recording and a page have thousands. */
    private static final int TEXT_MAX = 5_000;

    /** The name and the fields of a message, which is a record or speaks as one. */
    public static Naming of(Object message) {
        String text = written(message);
        String type = message.getClass().getSimpleName();
        String name = type.replaceAll("([a-z])([A-Z])", "$1-$2").toUpperCase(Locale.ROOT);
        boolean isOfRecord = text.startsWith(type + "[") && text.endsWith("]");
        String fields = isOfRecord ? text.substring(type.length() + 1, text.length() - 1) : text;
        return cut(name, fields);
    }

    /** A name, and fields of which the rest is left out if they are long. */
    public static Naming cut(String name, String fields) {
        return new Naming(name, cut(fields, FIELDS_MAX));
    }

    /** An event with its message, which may not even be able to say what it is. */
    public static String of(Event event) {
        return event instanceof Event.Received received
                ? "Received[from=" + received.from() + ", message="
                        + of(received.message()).text() + "]"
                : event.toString();
    }

    /** Both of them. */
    public String text() {
        return fields.isEmpty() ? name : name + " " + fields;
    }

    private static String cut(String text, int max) {
        return text.length() <= max ? text : text.substring(0, max) + "...";
    }

    /** A message or a state in its own words, if it has any; the rest is left out if they are long. */
    public static String written(Object message) {
        try {
            return cut(String.valueOf(message), TEXT_MAX);
            // Justification: code of others may throw anything, and a run is drawn without it.
        } catch (Throwable e) {
            Fatal.throwIfFatal(e);
            return "cannot be written: " + e.getClass().getName();
        }
    }
}
