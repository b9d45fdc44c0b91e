package io.quorate.testkit.simulation;

import io.quorate.engine.Plugins;
import io.quorate.spi.ElectionAlgorithm;
import java.util.List;
import java.util.SortedMap;

/**
 * The algorithms that a class loader sees, by name.
 *
 * @param byName as a client would find them
 */
public record FoundAlgorithms(SortedMap<String, ElectionAlgorithm> byName) {

    /**
     * Finds them.
     *
     * @throws IllegalArgumentException if two have one name, or one cannot be loaded; says which
     */
    public static FoundAlgorithms of(ClassLoader loader) {
        return new FoundAlgorithms(Plugins.algorithms(loader));
    }

    /** Their names, in order. */
    public List<String> names() {
        return List.copyOf(byName.keySet());
    }

    /**
     * The one of this name.
     *
     * @throws IllegalArgumentException if there is none; says which there are, and the nearest one
     */
    public ElectionAlgorithm of(String name) {
        ElectionAlgorithm found = byName.get(name);
        if (found == null) {
            throw new IllegalArgumentException("algorithm '" + name + "': must be one of " + String.join(", ", names())
                    + Nearest.question(name, names()));
        }
        return found;
    }
}
