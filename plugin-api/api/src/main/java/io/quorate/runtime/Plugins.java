package io.quorate.runtime;

import io.quorate.spi.ElectionAlgorithm;
import io.quorate.spi.TransportProvider;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.function.Function;

/**
 * Finds algorithms and transports by name among the services of the class path.
 *
 * <p>Looks with the context class loader of the calling thread, then with the one that loaded this library. Ambiguity
 * is an error: which of two equal names would win is decided by the order of the class path. Safe for any thread.
 */
public final class Plugins {

    private Plugins() {}

    /**
     * The algorithm of this name.
     *
     * @throws IllegalArgumentException if there is none, or more than one, or a provider cannot be loaded; the message
     *                                  lists all names that were found, with their classes
     */
    public static ElectionAlgorithm algorithm(String name) {
        return find(ElectionAlgorithm.class, ElectionAlgorithm::name, "algorithm", name);
    }

    /** The transport of this name; errors as with {@link #algorithm}. */
    public static TransportProvider transport(String name) {
        return find(TransportProvider.class, TransportProvider::name, "transport", name);
    }

    /** The only transport if there is one only, else that of this name; errors as with {@link #algorithm}. */
    public static TransportProvider transportOrOnly(String name) {
        Map<Class<?>, TransportProvider> found = all(TransportProvider.class, "transport", name);
        return found.size() == 1
                ? found.values().iterator().next()
                : choose(found, TransportProvider::name, "transport", name);
    }

    private static <T> T find(Class<T> service, Function<T, String> nameOf, String kind, String name) {
        return choose(all(service, kind, name), nameOf, kind, name);
    }

    private static <T> Map<Class<?>, T> all(Class<T> service, String kind, String name) {
        Map<Class<?>, T> found = new LinkedHashMap<>();
        try {
            // A class that both loaders see is one provider, not two.
            load(service, Thread.currentThread().getContextClassLoader(), found);
            load(service, Plugins.class.getClassLoader(), found);
        } catch (ServiceConfigurationError e) {
            throw new IllegalArgumentException(kind + " '" + name + "': " + e.getMessage(), e);
        }
        return found;
    }

    private static <T> T choose(Map<Class<?>, T> found, Function<T, String> nameOf, String kind, String name) {
        List<T> named = found.values().stream()
                .filter(provider -> nameOf.apply(provider).equals(name))
                .toList();
        if (named.size() == 1) {
            return named.get(0);
        }
        String fault = named.isEmpty() ? "is not on the class path" : "is the name of " + named.size() + " providers";
        throw new IllegalArgumentException(
                kind + " '" + name + "': " + fault + "; found " + list(found.values(), nameOf));
    }

    private static <T> void load(Class<T> service, ClassLoader loader, Map<Class<?>, T> found) {
        ServiceLoader.load(service, loader).stream()
                .filter(provider -> !found.containsKey(provider.type()))
                .forEach(provider -> found.put(provider.type(), provider.get()));
    }

    private static <T> String list(Iterable<T> providers, Function<T, String> nameOf) {
        StringBuilder list = new StringBuilder();
        for (T provider : providers) {
            list.append(list.isEmpty() ? "" : ", ")
                    .append(nameOf.apply(provider))
                    .append(" (")
                    .append(provider.getClass().getName())
                    .append(')');
        }
        return list.isEmpty() ? "none" : list.toString();
    }
}
