package io.quorate.engine;

import io.quorate.jvm.NodeLog;
import io.quorate.spi.ElectionAlgorithm;
import io.quorate.spi.TransportProvider;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Finds algorithms, transports and the engine among the services of the class path.
 *
 * <p>Looks with the context class loader of the calling thread, then with the one that loaded this library. Ambiguity
 * is an error: which of two equal names would win is decided by the order of the class path. A provider that cannot be
 * loaded is passed over, and the log says so once for each look: a context class loader may have a broken one, or a
 * copy of this library with providers that are none of this one. Safe for any thread.
 */
public final class Plugins {

    private static final Logger LOG = NodeLog.of(Plugins.class);

    /**
     * After so many faults of one class loader the look at it ends: one that fails for ever would be asked for ever.
     */
    private static final int FAULTS_MAX = 100;

    private Plugins() {}

    private record Named<T>(String name, T provider) {}

    /** The providers that were found, and why others were not. */
    private record Found<T>(Map<Class<?>, Named<T>> providers, Set<String> faults) {

        private Found() {
            this(new LinkedHashMap<>(), new LinkedHashSet<>());
        }
    }

    /**
     * The algorithm of this name.
     *
     * @throws IllegalArgumentException if there is none, or more than one; the message lists all names that were found,
     *                                  with their classes, and what cannot be loaded
     */
    public static ElectionAlgorithm algorithm(String name) {
        return find(ElectionAlgorithm.class, ElectionAlgorithm::name, "algorithm", name);
    }

    /**
     * The engine.
     *
     * @throws IllegalArgumentException if there is none, or more than one; the message lists the classes that were
     *                                  found, and what cannot be loaded
     */
    public static EngineProvider engine() {
        Found<EngineProvider> found = all(EngineProvider.class, each -> "");
        if (found.providers.size() == 1) {
            return found.providers.values().iterator().next().provider();
        }
        String fault = found.providers.isEmpty()
                ? "no engine is on the class path: add io.quorate:quorate, or io.quorate:quorate-engine alone"
                : "more than one engine is on the class path: "
                        + String.join(
                                ", ",
                                found.providers.keySet().stream()
                                        .map(Class::getName)
                                        .toList());
        throw new IllegalArgumentException(
                fault + (found.faults.isEmpty() ? "" : "; cannot be loaded: " + String.join("; ", found.faults)));
    }

    /**
     * All algorithms that a class loader sees, by name.
     *
     * @throws IllegalArgumentException if two have one name, or one cannot be loaded; the message has their classes, or
     *                                  why
     */
    public static SortedMap<String, ElectionAlgorithm> algorithms(ClassLoader loader) {
        Found<ElectionAlgorithm> found = new Found<>();
        load(ElectionAlgorithm.class, ElectionAlgorithm::name, loader, found);
        if (!found.faults.isEmpty()) {
            throw new IllegalArgumentException("cannot be loaded: " + String.join("; ", found.faults));
        }
        SortedMap<String, ElectionAlgorithm> all = new TreeMap<>();
        found.providers.values().forEach(each -> all.put(each.name, choose(found, "algorithm", each.name)));
        return all;
    }

    /** The transport of this name; errors as with {@link #algorithm}. */
    public static TransportProvider transport(String name) {
        return find(TransportProvider.class, TransportProvider::name, "transport", name);
    }

    /** The only transport if there is one only, else that of this name; errors as with {@link #algorithm}. */
    public static TransportProvider transportOrOnly(String name) {
        Found<TransportProvider> found = all(TransportProvider.class, TransportProvider::name);
        return found.providers.size() == 1
                ? found.providers.values().iterator().next().provider
                : choose(found, "transport", name);
    }

    private static <T> T find(Class<T> service, Function<T, String> nameOf, String kind, String name) {
        return choose(all(service, nameOf), kind, name);
    }

    private static <T> Found<T> all(Class<T> service, Function<T, String> nameOf) {
        Found<T> found = new Found<>();
        // A class that both loaders see is one provider, not two.
        load(service, nameOf, Thread.currentThread().getContextClassLoader(), found);
        load(service, nameOf, Plugins.class.getClassLoader(), found);
        if (!found.faults.isEmpty()) {
            LOG.warn(
                    "Providers of {} that cannot be loaded are passed over: {}",
                    service.getName(),
                    String.join("; ", found.faults));
        }
        return found;
    }

    // Justification: catches everything that the node can survive. A provider is foreign code, and so is the class
    // path.
    private static <T> void load(
            Class<T> service, Function<T, String> nameOf, @Nullable ClassLoader loader, Found<T> found) {
        Iterator<ServiceLoader.Provider<T>> providers =
                ServiceLoader.load(service, loader).stream().iterator();
        for (int faults = 0; faults < FAULTS_MAX; ) {
            try {
                if (!providers.hasNext()) {
                    return;
                }
                ServiceLoader.Provider<T> next = providers.next();
                if (!found.providers.containsKey(next.type())) {
                    add(next, nameOf, found);
                }
            } catch (Throwable e) {
                Fatal.throwIfFatal(e);
                faults++;
                found.faults.add(e.toString());
            }
        }
    }

    private static <T> void add(ServiceLoader.Provider<T> next, Function<T, String> nameOf, Found<T> found) {
        T provider = next.get();
        try {
            found.providers.put(next.type(), new Named<>(nameOf.apply(provider), provider));
        } catch (Throwable e) {
            // Justification: as above.
            Fatal.throwIfFatal(e);
            found.faults.add(next.type().getName() + " has no name: " + e);
        }
    }

    private static <T> T choose(Found<T> found, String kind, String name) {
        List<T> named = found.providers.values().stream()
                .filter(each -> name.equals(each.name))
                .map(Named::provider)
                .toList();
        if (named.size() == 1) {
            return named.get(0);
        }
        String fault = named.isEmpty() ? "is not on the class path" : "is the name of " + named.size() + " providers";
        throw new IllegalArgumentException(kind + " '" + name + "': " + fault + "; found " + list(found.providers)
                + (found.faults.isEmpty() ? "" : "; cannot be loaded: " + String.join("; ", found.faults)));
    }

    private static <T> String list(Map<Class<?>, Named<T>> providers) {
        List<String> list = new ArrayList<>();
        providers.forEach((type, each) -> list.add(each.name + " (" + type.getName() + ')'));
        return list.isEmpty() ? "none" : String.join(", ", list);
    }
}
