package io.quorate.cdi;

import io.quorate.ElectionSettings;
import io.quorate.Health;
import jakarta.inject.Singleton;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.eclipse.microprofile.config.Config;
import org.eclipse.microprofile.config.ConfigProvider;
import org.eclipse.microprofile.config.ConfigValue;
import org.eclipse.microprofile.config.spi.ConfigSource;

/**
 * Takes the settings of a node from MicroProfile Config, and gives them to the library's own loader, which judges names
 * and values.
 */
@Singleton
class ConfigSettings {

    private static final String PREFIX = "quorate.";
    private static final String VARIABLE_PREFIX = "QUORATE_";

    private static final String ENABLED = PREFIX + "enabled";
    private static final String READINESS = PREFIX + "readiness";

    /** Those that the library does not know. */
    static final Set<String> OWN_KEYS = Set.of(ENABLED, READINESS);

    private static final Set<String> KNOWN =
            Stream.concat(ElectionSettings.keys().stream(), OWN_KEYS.stream()).collect(Collectors.toSet());

    private static final Pattern PLACEHOLDER = Pattern.compile("\\$\\{([^:}]+)(?::([^}]*))?}");
    /** How files of YAML give an element of a list. */
    private static final Pattern INDEX = Pattern.compile("\\[\\d+]$");

    private final Config config;

    ConfigSettings() {
        this(ConfigProvider.getConfig());
    }

    ConfigSettings(Config config) {
        this.config = config;
    }

    /** Makes the settings that the sources have; what is wrong with them is reported by {@code build()}. */
    <B extends ElectionSettings<B>> B make(B builder) {
        Properties properties = new Properties();
        for (String key : ElectionSettings.keys()) {
            setting(key).ifPresent(value -> properties.setProperty(key, value));
        }
        unknownKeys().forEach(key -> properties.setProperty(key, setting(key).orElse("")));
        // The Netty and Vert.x of a container are not those of the event bus; a key or an observer says otherwise.
        return builder.transport("tcp").from(foreignVariables()).from(properties);
    }

    /** The keys that are no settings; the library says which were meant. */
    private Stream<String> unknownKeys() {
        return names().filter(name -> name.startsWith(PREFIX) && isListed(name))
                .map(ConfigSettings::key)
                .filter(key -> !KNOWN.contains(key));
    }

    /** The variables {@code QUORATE_...} that are no settings, which the library judges: Kubernetes makes some. */
    private Map<String, String> foreignVariables() {
        Set<String> known = Stream.concat(KNOWN.stream(), names().filter(name -> KNOWN.contains(key(name))))
                .map(ConfigSettings::variable)
                .collect(Collectors.toSet());
        return names().filter(name -> name.startsWith(VARIABLE_PREFIX) && !known.contains(name))
                .collect(Collectors.toMap(name -> name, name -> value(name).orElse("")));
    }

    private Stream<String> names() {
        return StreamSupport.stream(config.getPropertyNames().spliterator(), false)
                .distinct();
    }

    /** The key of a setting or of an element. */
    private static String key(String name) {
        return INDEX.matcher(name).replaceFirst("");
    }

    /** Some implementations guess a key for each variable, and put dots where the library has hyphens. */
    private boolean isListed(String key) {
        return StreamSupport.stream(config.getConfigSources().spliterator(), false)
                .map(ConfigSource::getPropertyNames)
                // A profile is in front of the name.
                .anyMatch(names -> names.stream().anyMatch(name -> name.endsWith(key))
                        && names.stream().noneMatch(name -> name.endsWith(variable(key))));
    }

    private static String variable(String key) {
        return key.replaceAll("[^A-Za-z0-9]", "_").toUpperCase(Locale.ROOT);
    }

    /**
     * The text of the strongest source, whole or by its elements, which may be in several sources. An expression without
     * a value is returned as it stands, and the library refuses it.
     *
     * @throws IllegalArgumentException if sources of equal strength have another list and other elements
     */
    private Optional<String> setting(String key) {
        ConfigValue value = config.getConfigValue(key);
        Optional<String> whole = text(value);
        List<ConfigValue> elements = names().filter(
                        name -> !name.equals(key) && key(name).equals(key))
                .sorted(Comparator.comparingInt(String::length).thenComparing(Comparator.naturalOrder()))
                .map(config::getConfigValue)
                .toList();
        if (elements.isEmpty()) {
            return whole;
        }
        String list = elements.stream().map(each -> text(each).orElse("")).collect(Collectors.joining(","));
        int ofList =
                elements.stream().mapToInt(ConfigValue::getSourceOrdinal).max().getAsInt();
        int ofWhole = whole.isPresent() ? value.getSourceOrdinal() : Integer.MIN_VALUE;
        // A source of YAML has both forms, of which that of a profile may be shorter.
        if (ofList == ofWhole && !(list + ",").startsWith(whole.get() + ",")) {
            throw new IllegalArgumentException(
                    key + " '" + whole.get() + "': has the elements '" + list + "' too: give one of the two");
        }
        return ofList > ofWhole ? Optional.of(list) : whole;
    }

    private static Optional<String> text(ConfigValue value) {
        return Optional.ofNullable(value.getValue() == null ? value.getRawValue() : value.getValue());
    }

    private Optional<String> value(String name) {
        return Optional.ofNullable(config.getConfigValue(name).getValue());
    }

    // ---------------------------------------------------------------- those of this package

    /** @throws IllegalArgumentException if one of our own settings is not legal; the message names value and rule */
    void check() {
        readiness();
    }

    boolean isEnabled() {
        return switch (own(ENABLED, "true").toLowerCase(Locale.ROOT)) {
            case "true" -> true;
            case "false" -> false;
            default -> throw illegal(ENABLED, "must be true or false");
        };
    }

    /**
     * Checks that a channel can be paused, and is when it begins.
     *
     * @throws IllegalArgumentException if it is not; the message has the settings that are missing
     */
    void checkPausable(String channel) {
        String prefix = "mp.messaging.incoming." + channel + ".";
        String what = "channel '" + channel + "' of a @LeaderOnly method: ";
        if (value(prefix + "connector").isEmpty()) {
            throw new IllegalArgumentException(
                    what + "must come from a connector, because no other channel can be paused: set " + prefix
                            + "connector");
        }
        List<String> missing = Stream.of("pausable", "initially-paused")
                .map(prefix::concat)
                .filter(key -> !value(key).filter("true"::equals).isPresent())
                .toList();
        if (!missing.isEmpty()) {
            throw new IllegalArgumentException(what + "must be paused where this process does not lead: set "
                    + String.join("=true and ", missing) + "=true");
        }
        // Each copy is a channel with another name.
        if (!own(prefix + "concurrency", "1").equals("1")) {
            throw illegal(prefix + "concurrency", "must be 1 for a @LeaderOnly method");
        }
    }

    /** The condition under which the process is ready. */
    Predicate<Health> readiness() {
        return switch (own(READINESS, "joined").toLowerCase(Locale.ROOT)) {
            case "joined" -> health -> health.isReady(Health.Readiness.JOINED);
            case "connected" -> health -> health.isReady(Health.Readiness.CONNECTED);
            case "none" -> health -> true;
            default -> throw illegal(READINESS, "must be one of joined, connected and none");
        };
    }

    private String own(String key, String otherwise) {
        return setting(key).map(String::trim).orElse(otherwise);
    }

    private IllegalArgumentException illegal(String key, String rule) {
        return new IllegalArgumentException(key + " '" + own(key, "") + "': " + rule);
    }

    // ---------------------------------------------------------------- paths

    /**
     * The text with the values of its placeholders, such as <code>${app.name}</code> or <code>${app.name:shop}</code>.
     *
     * @throws IllegalArgumentException if one has neither a value nor a default, or is not of this form
     */
    String resolved(String text) {
        String path = PLACEHOLDER.matcher(text).replaceAll(found -> {
            String otherwise = found.group(2);
            return Matcher.quoteReplacement(value(found.group(1))
                    .or(() -> Optional.ofNullable(otherwise))
                    .orElseThrow(() -> new IllegalArgumentException("path '" + text + "': " + found.group(1)
                            + " has no value: set it, or write a default, as in ${name:default}")));
        });
        if (path.contains("${")) {
            throw new IllegalArgumentException("path '" + text + "': a placeholder must be ${name} or ${name:default},"
                    + " with no placeholder in the default");
        }
        return path;
    }
}
