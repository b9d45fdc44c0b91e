package io.quorate.spring;

import io.quorate.ElectionSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.BindContext;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.UnboundConfigurationPropertiesException;
import org.springframework.boot.context.properties.bind.handler.NoUnboundElementsBindHandler;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.core.convert.ConverterNotFoundException;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/**
 * Takes the settings of a node from the environment of Spring, by Boot's relaxed rules, and gives them to the library's
 * own loader, which judges names and values.
 */
final class EnvironmentSettings {

    private static final String PREFIX = QuorateProperties.PREFIX;

    /** Those that the library does not know. */
    static final List<String> OWN_KEYS = List.of(PREFIX + ".enabled", PREFIX + ".readiness");

    /** Those that YAML may give as a list. */
    private static final List<String> LISTS = List.of(PREFIX + ".peers", PREFIX + ".voters");

    private EnvironmentSettings() {}

    /** Makes the settings that the environment has; what is wrong with them is reported by {@code build()}. */
    static <B extends ElectionSettings<B>> B make(
            ConfigurableEnvironment environment, QuorateProperties bound, B builder) {
        Properties properties = new Properties();
        QuorateProperties.addTo(properties, PREFIX, bound);
        OWN_KEYS.forEach(properties::remove);
        // The library says which key was meant. Its value does not matter.
        unknownKeys(environment).forEach(key -> properties.setProperty(key, ""));
        // Its Netty is that of Boot's line, on which Vert.x does not run in Boot 3; a key or a customizer says
        // otherwise.
        B made = builder.transport("tcp").from(properties);
        Map<String, String> foreign = foreignVariables(environment);
        return foreign.isEmpty() ? made : made.from(foreign);
    }

    /** The names that are given beside those that there are, in all sources but the environment of the process. */
    private static List<String> unknownKeys(ConfigurableEnvironment environment) {
        List<String> unknown = new ArrayList<>();
        BindHandler strict =
                new NoUnboundElementsBindHandler(
                        BindHandler.DEFAULT,
                        source -> !(source.getUnderlyingSource() instanceof SystemEnvironmentPropertySource)) {
                    // A text with the name of a group, such as quorate.tls, has no converter, and remains unbound.
                    @Override
                    public @Nullable Object onFailure(
                            ConfigurationPropertyName name, Bindable<?> target, BindContext context, Exception error)
                            throws Exception {
                        if (error instanceof UnboundConfigurationPropertiesException found) {
                            found.getUnboundProperties()
                                    .forEach(each -> unknown.add(each.getName().toString()));
                        } else if (!(error instanceof ConverterNotFoundException)) {
                            throw error;
                        }
                        return null;
                    }
                };
        Binder.get(environment).bindOrCreate(PREFIX, Bindable.of(QuorateProperties.class), strict);
        return unknown;
    }

    /** The variables {@code QUORATE_...} that are no settings, which the library judges: Kubernetes makes some. */
    static Map<String, String> foreignVariables(ConfigurableEnvironment environment) {
        Map<String, String> foreign = new TreeMap<>();
        environment.getPropertySources().stream()
                .filter(SystemEnvironmentPropertySource.class::isInstance)
                .map(SystemEnvironmentPropertySource.class::cast)
                .flatMap(source -> source.getSource().entrySet().stream())
                .filter(variable -> variable.getKey().startsWith("QUORATE_"))
                .filter(variable -> Stream.concat(ElectionSettings.keys().stream(), OWN_KEYS.stream())
                        .noneMatch(key -> isVariableOf(key, variable.getKey())))
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
