package io.quorate.settings;

import io.quorate.spi.Check;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * One row of the table of settings. Builders, properties, the environment, errors, docs/settings.md and Spring's
 * metadata take everything from it. Its texts are Markdown, with links as in docs/settings.md.
 *
 * @param name         of the builder's method
 * @param key          in properties, without its prefix; empty if only the method makes the setting
 * @param type         of the value
 * @param parser       reads the value from text, or throws an {@link IllegalArgumentException} with the rule that the
 *                     text breaks
 * @param initial      the default; empty if there is none, or if it depends on other settings
 * @param check        throws an {@link IllegalArgumentException} with the rule that a value breaks
 * @param alternatives the settings that exclude this one, so that the last one that is made counts
 * @param otherwise    the default in words
 * @param cells        the last three cells of its row in the document, which are its range, whether it is equal on all
 *                     nodes, and its meaning
 */
public record Setting<T>(
        String name,
        String key,
        Class<?> type,
        Function<String, T> parser,
        Optional<T> initial,
        Consumer<T> check,
        List<Setting<?>> alternatives,
        String otherwise,
        String cells) {

    /** What each key begins with. */
    public static final String PREFIX = "quorate.";

    /** The values that were chosen. A value does not change; one thread at a time may put one. */
    public static final class Values {

        private final Map<Setting<?>, Object> values = new HashMap<>();

        /** The same values, which later calls do not change. */
        public Values copy() {
            Values copy = new Values();
            copy.values.putAll(values);
            return copy;
        }

        /** Chooses a value, in place of an earlier one and of those of the alternatives. */
        public <T> void put(Setting<T> setting, T value) {
            values.put(setting, Objects.requireNonNull(value, setting.name));
            values.keySet()
                    .removeIf(other -> other.alternatives.contains(setting) || setting.alternatives.contains(other));
        }

        /** Whether a value was chosen. */
        public boolean has(Setting<?> setting) {
            return values.containsKey(setting);
        }

        /** The value that was chosen, or else the default; empty if there is neither. */
        @SuppressWarnings("unchecked")
        public <T> Optional<T> find(Setting<T> setting) {
            return Optional.ofNullable((T) values.get(setting)).or(setting::initial);
        }

        /** The value of a setting that has a default. */
        public <T> T get(Setting<T> setting) {
            return find(setting).orElseThrow();
        }

        /** Returns the fault with name, value and rule; empty if the value keeps its rule. */
        public <T> Optional<String> fault(Setting<T> setting) {
            try {
                find(setting).ifPresent(setting.check);
                return Optional.empty();
            } catch (IllegalArgumentException e) {
                String quote = get(setting) instanceof String ? "'" : "";
                return Optional.of(setting.name + " " + quote + get(setting) + quote + ": " + e.getMessage());
            }
        }
    }

    /** A setting without a default, for which each value is legal that its parser takes. */
    public static <T> Setting<T> of(String name, String key, Class<?> type, Function<String, T> parser) {
        return new Setting<>(name, key, type, parser, Optional.empty(), value -> {}, List.of(), "none", "");
    }

    /** A setting that only the method makes. */
    public static <T> Setting<T> ofMethod(String name, Class<?> type) {
        return of(name, "", type, text -> {
            throw new IllegalStateException(name + " has no key");
        });
    }

    public Setting<T> initially(T value) {
        return new Setting<>(name, key, type, parser, Optional.of(value), check, alternatives, otherwise, cells);
    }

    public Setting<T> otherwise(String words) {
        return new Setting<>(name, key, type, parser, initial, check, alternatives, words, cells);
    }

    public Setting<T> insteadOf(Setting<?>... others) {
        return new Setting<>(name, key, type, parser, initial, check, List.of(others), otherwise, cells);
    }

    public Setting<T> checkedBy(Consumer<T> rule) {
        return new Setting<>(name, key, type, parser, initial, rule, alternatives, otherwise, cells);
    }

    public Setting<T> must(String be, Predicate<T> holds) {
        return checkedBy(value -> Check.argument(holds.test(value), "must be %s", be));
    }

    /** The last cells of its row, in the form {@code range | equal on all nodes | meaning}. */
    public Setting<T> says(String text) {
        return new Setting<>(name, key, type, parser, initial, check, alternatives, otherwise, text);
    }

    /** The key in properties; empty if there is none. */
    public Optional<String> property() {
        return key.isEmpty() ? Optional.empty() : Optional.of(PREFIX + key);
    }

    /** The variable of the environment; empty if there is none. */
    public Optional<String> variable() {
        return property().map(text -> text.replaceAll("[-.]", "_").toUpperCase(Locale.ROOT));
    }

    /** Chooses the value that the text says. */
    void read(String text, Values values) {
        values.put(this, parser.apply(text));
    }
}
