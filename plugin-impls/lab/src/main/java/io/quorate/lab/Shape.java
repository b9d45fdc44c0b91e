package io.quorate.lab;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The text of a record, such as {@code Probe[id=2, attempt=Attempt[incarnation=1, number=3]]}, taken apart. */
sealed interface Shape {

    /** A number, a word, or anything else that has no parts. */
    record Plain(String text) implements Shape {}

    /** A record, by its components. */
    record Parts(String type, Map<String, Shape> byName) implements Shape {}

    /** A list or a set. */
    record Items(List<Shape> all) implements Shape {}

    /** A map, of which the keys have no parts. */
    record Pairs(Map<String, Shape> byKey) implements Shape {}

    /** Takes it apart; empty if it is not written as records are. */
    static Optional<Shape> of(String text) {
        Reader reader = new Reader(text);
        try {
            Shape shape = reader.read();
            return reader.at == text.length() ? Optional.of(shape) : Optional.empty();
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /** Follows a path such as {@code held.version.epoch}; in a list, it does so in each item. */
    default Optional<Shape> at(String path) {
        if (path.isEmpty()) {
            return Optional.of(this);
        }
        if (this instanceof Items items) {
            return Optional.of(new Items(
                    items.all().stream().flatMap(item -> item.at(path).stream()).toList()));
        }
        int dot = path.indexOf('.');
        String first = dot < 0 ? path : path.substring(0, dot);
        return this instanceof Parts parts
                ? Optional.ofNullable(parts.byName().get(first))
                        .flatMap(part -> part.at(dot < 0 ? "" : path.substring(dot + 1)))
                : Optional.empty();
    }

    /** Goes through a text once. */
    final class Reader {
        private static final String ENDS = ",[]{}=";
        private final String text;
        private int at;

        private Reader(String text) {
            this.text = text;
        }

        private Shape read() {
            if (isNext('[')) {
                List<Shape> all = new ArrayList<>();
                readAll(']', () -> all.add(read()));
                return new Items(all);
            }
            if (isNext('{')) {
                return new Pairs(named('}'));
            }
            String word = word();
            return isNext('[') ? new Parts(word, named(']')) : new Plain(word);
        }

        private Map<String, Shape> named(char end) {
            Map<String, Shape> named = new LinkedHashMap<>();
            readAll(end, () -> {
                String name = word();
                expect('=');
                named.put(name, read());
            });
            return named;
        }

        private void readAll(char end, Runnable one) {
            at++;
            while (!isNext(end)) {
                one.run();
                if (!isNext(end)) {
                    expect(',');
                    expect(' ');
                }
            }
            at++;
        }

        private String word() {
            int from = at;
            while (at < text.length() && ENDS.indexOf(text.charAt(at)) < 0) {
                at++;
            }
            return text.substring(from, at);
        }

        private boolean isNext(char wanted) {
            return at < text.length() && text.charAt(at) == wanted;
        }

        private void expect(char wanted) {
            if (!isNext(wanted)) {
                throw new IllegalArgumentException("column " + at + " of '" + text + "': must be '" + wanted + "'");
            }
            at++;
        }
    }
}
