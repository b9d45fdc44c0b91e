package io.quorate.spring;

import io.quorate.ElectionSettings;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/**
 * Takes the settings of a node from the environment of Spring, by Boot's relaxed rules, and gives them to the library's
 * own loader, which judges names and values.
 */
final class EnvironmentSettings {

    private static final String PREFIX = "quorate";

    /** Those that the library does not know. */
    static final List<String> OWN_KEYS = List.of(PREFIX + ".enabled", PREFIX + ".readiness");

    /** Those that YAML may give as a list. */
    private static final List<String> LISTS = List.of(PREFIX + ".peers", PREFIX + ".voters");

    private final ConfigurableEnvironment environment;
    private final Binder binder;

    private EnvironmentSettings(ConfigurableEnvironment environment) {
        this.environment = environment;
        this.binder = Binder.get(environment);
    }

    /** Makes the settings that the environment has; what is wrong with them is reported by {@code build()}. */
    static <B extends ElectionSettings<B>> B make(ConfigurableEnvironment environment, B builder) {
        EnvironmentSettings settings = new EnvironmentSettings(environment);
        // Its Netty is that of Boot's line, on which Vert.x does not run in Boot 3; a key or a customizer says
        // otherwise.
        B made = builder.transport("tcp").from(settings.properties());
        Map<String, String> foreign = foreignVariables(environment);
        return foreign.isEmpty() ? made : made.from(foreign);
    }

    private Properties properties() {
        Properties properties = new Properties();
        for (String key : ElectionSettings.keys()) {
            value(key).ifPresent(value -> properties.setProperty(key, value));
        }
        // The library says which key was meant. What it would have been is of no interest.
        unknownKeys().forEach(key -> properties.setProperty(key, ""));
        return properties;
    }

    private Optional<String> value(String key) {
        return LISTS.contains(key)
                ? Optional.ofNullable(
                                binder.bind(key, Bindable.listOf(String.class)).orElse(null))
                        .map(values -> String.join(",", values))
                : Optional.ofNullable(binder.bind(key, String.class).orElse(null));
    }

    /** The names that are given beside those that there are, in all sources but the environment of the process. */
    private Stream<String> unknownKeys() {
        ConfigurationPropertyName prefix = ConfigurationPropertyName.of(PREFIX);
        return StreamSupport.stream(
                        ConfigurationPropertySources.get(environment).spliterator(), false)
                .filter(source -> !isProcessEnvironment(source))
                .filter(IterableConfigurationPropertySource.class::isInstance)
                .map(IterableConfigurationPropertySource.class::cast)
                .flatMap(IterableConfigurationPropertySource::stream)
                .filter(prefix::isAncestorOf)
                .filter(name -> !isKnown(name))
                .map(ConfigurationPropertyName::toString);
    }

    private static boolean isProcessEnvironment(ConfigurationPropertySource source) {
        return source.getUnderlyingSource() instanceof SystemEnvironmentPropertySource;
    }

    private static Stream<String> allKeys() {
        return Stream.concat(ElectionSettings.keys().stream(), OWN_KEYS.stream());
    }

    private static boolean isKnown(ConfigurationPropertyName name) {
        return allKeys()
                .anyMatch(key -> ConfigurationPropertyName.of(key).equals(name)
                        || LISTS.contains(key)
                                && ConfigurationPropertyName.of(key).isAncestorOf(name));
    }

    /** The variables {@code QUORATE_...} that are no settings, which the library judges: Kubernetes makes some. */
    static Map<String, String> foreignVariables(ConfigurableEnvironment environment) {
        Map<String, String> foreign = new TreeMap<>();
        environment.getPropertySources().stream()
                .filter(SystemEnvironmentPropertySource.class::isInstance)
                .map(SystemEnvironmentPropertySource.class::cast)
                .flatMap(source -> source.getSource().entrySet().stream())
                .filter(variable -> variable.getKey().startsWith("QUORATE_"))
                .filter(variable -> allKeys().noneMatch(key -> isVariableOf(key, variable.getKey())))
                .forEach(variable -> foreign.put(variable.getKey(), String.valueOf(variable.getValue())));
        return foreign;
    }

    /** The library puts an underscore in place of a hyphen, Boot leaves the hyphen out, and reads both; or a list. */
    private static boolean isVariableOf(String key, String variable) {
        String upper = key.toUpperCase(Locale.ROOT).replace('.', '_');
        String name = LISTS.contains(key) ? variable.replaceFirst("_\\d+_?$", "") : variable;
        return name.equals(upper.replace('-', '_')) || name.equals(upper.replace("-", ""));
    }
}
