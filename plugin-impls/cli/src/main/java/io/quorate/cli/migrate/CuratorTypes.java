package io.quorate.cli.migrate;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Which types of Curator have a type of Quorate that stands for them: docs/curator.md#migration. */
final class CuratorTypes {

    /** Everything that is Curator's begins so. */
    static final String CURATOR = "org.apache.curator";

    static final String QUORATE = "io.quorate";

    /** The one type that applications name all over, and that has another name. */
    static final String CLIENT = "CuratorFramework";

    static final String CLIENT_OF_QUORATE = "ElectionClient";

    /** All public types of this package have a type that stands for them. */
    static final String RECIPES = CURATOR + ".framework.recipes.leader";

    private static final Map<String, List<String>> SAME_NAME = Map.of(
            RECIPES,
            List.of(
                    "CancelLeadershipException",
                    "LeaderLatch",
                    "LeaderLatchListener",
                    "LeaderSelector",
                    "LeaderSelectorListener",
                    "LeaderSelectorListenerAdapter",
                    "Participant"),
            CURATOR + ".framework.state",
            List.of(
                    "ConnectionState",
                    "ConnectionStateErrorPolicy",
                    "ConnectionStateListener",
                    "SessionConnectionStateErrorPolicy",
                    "StandardConnectionStateErrorPolicy"),
            CURATOR + ".framework.listen",
            List.of("Listenable"));

    /** From the full name in Curator to the name in {@code io.quorate}. */
    private static final Map<String, String> ALL = all();

    private CuratorTypes() {}

    private static Map<String, String> all() {
        Map<String, String> all = new TreeMap<>(Map.of(
                CURATOR + ".framework." + CLIENT,
                CLIENT_OF_QUORATE,
                CURATOR + ".framework.imps.CuratorFrameworkState",
                CLIENT_OF_QUORATE + ".State"));
        SAME_NAME.forEach((origin, names) -> names.forEach(name -> all.put(origin + "." + name, name)));
        return all;
    }

    /** The types of a package that have one that stands for them, by their names in Curator. */
    static Map<String, String> of(String origin) {
        Map<String, String> found = new TreeMap<>();
        ALL.forEach((type, name) -> {
            if (type.substring(0, type.lastIndexOf('.')).equals(origin)) {
                found.put(type, name);
            }
        });
        return found;
    }

    /**
     * The type of Quorate that stands for one of Curator's.
     *
     * @param type its full name
     * @return its name in {@code io.quorate}
     */
    static Optional<String> standsFor(String type) {
        return Optional.ofNullable(ALL.get(type));
    }

    /**
     * The type that a longer name begins with.
     *
     * @param name of a type, of one inside it, or of a member of that
     * @return the full name in Curator
     */
    static Optional<String> knownIn(String name) {
        return ALL.keySet().stream()
                .filter(type -> name.equals(type) || name.startsWith(type + "."))
                .findFirst();
    }
}
