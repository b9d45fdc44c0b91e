package io.quorate.settings;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;

/** The settings that properties or the environment name, as text, with what is wrong with the names. */
public final class NamedSettings {

    /** Where Kubernetes' downward API usually puts the name of a pod. */
    public static final String POD_NAME = "POD_NAME";

    /** What each variable of the environment begins with. */
    private static final String VARIABLE_PREFIX = "QUORATE_";

    /** Variables that the command line reads, and that are no settings of a client: docs/command-line.md. */
    private static final Set<String> OF_THE_COMMAND_LINE = Set.of("QUORATE_URLS", "QUORATE_TOKEN_FILE");

    /** Names of foreign variables in one warning. */
    private static final int FOREIGN_MAX = 16;

    /** A name that differs in more places is no slip of the pen. */
    private static final int SLIP_MAX = 3;

    private record Text(String name, String value) {}

    private final Map<String, Setting<?>> known = new TreeMap<>();
    private final Map<Setting<?>, Text> texts = new LinkedHashMap<>();
    private final List<String> faults = new ArrayList<>();
    private final List<String> foreign = new ArrayList<>();

    private NamedSettings(List<Setting<?>> rows, Function<Setting<?>, Optional<String>> name) {
        rows.forEach(row -> name.apply(row).ifPresent(each -> known.put(each, row)));
    }

    /** Takes what begins with {@value Setting#PREFIX}; everything else is somebody else's. */
    public static NamedSettings of(Properties properties, List<Setting<?>> rows) {
        NamedSettings named = new NamedSettings(rows, Setting::property);
        for (String key : new TreeSet<>(properties.stringPropertyNames())) {
            if (key.startsWith(Setting.PREFIX) && !named.take(key, properties.getProperty(key))) {
                named.faults.add("key " + key + ": there is no such setting; the nearest is " + named.nearest(key));
            }
        }
        properties.forEach((key, value) -> {
            if (key instanceof String name && name.startsWith(Setting.PREFIX) && !(value instanceof String)) {
                named.faults.add(
                        name + ": must be a string, is a " + value.getClass().getName());
            }
        });
        return named;
    }

    /** Takes what begins with {@value #VARIABLE_PREFIX}, as the environment has it. */
    public static NamedSettings of(Map<String, String> environment, List<Setting<?>> rows) {
        NamedSettings named = new NamedSettings(rows, Setting::variable);
        new TreeMap<>(environment).forEach((name, value) -> {
            if (name.startsWith(Setting.PREFIX)) {
                named.faults.add("key " + name
                        + ": a map has the names of the environment, such as QUORATE_NODE_ID; give keys as Properties");
            } else if (!named.take(name, value)
                    && name.startsWith(VARIABLE_PREFIX)
                    && !OF_THE_COMMAND_LINE.contains(name)) {
                named.foreign.add(name);
            }
        });
        return named;
    }

    private boolean take(String name, String value) {
        if (known.containsKey(name)) {
            texts.put(known.get(name), new Text(name, value));
        }
        return known.containsKey(name);
    }

    /** Whether there is a text for this setting, right or wrong. */
    public boolean has(Setting<?> setting) {
        return texts.containsKey(setting);
    }

    /** Chooses the value of each text that can be read, and returns what is wrong with the others. */
    public List<String> read(Setting.Values values) {
        List<String> found = new ArrayList<>(faults);
        texts.forEach((setting, text) -> {
            try {
                if (text.value.isBlank() || text.value.contains("${")) {
                    String what = text.value.isBlank() ? "blank" : "a placeholder without a value";
                    throw new IllegalArgumentException("must not be " + what + ": give a value, or leave it out");
                }
                setting.read(text.value.trim(), values);
            } catch (IllegalArgumentException e) {
                found.add(text.name + " '" + text.value + "': " + e.getMessage());
            }
            setting.alternatives().stream()
                    .filter(this::has)
                    .forEach(other ->
                            found.add(other.key() + " and " + setting.key() + ": one of the two must be left out"));
        });
        return found;
    }

    /** Warns of unknown variables. Kubernetes makes some for each service, and a service may be called quorate. */
    public List<String> warnings() {
        if (foreign.isEmpty()) {
            return List.of();
        }
        List<String> texts = foreign.stream()
                .limit(FOREIGN_MAX)
                .map(name -> {
                    String nearest = nearest(name);
                    return difference(name, nearest) <= SLIP_MAX ? name + " (is " + nearest + " meant?)" : name;
                })
                .toList();
        return List.of("variables of the environment that are no settings: " + String.join(", ", texts)
                + (foreign.size() > FOREIGN_MAX ? " and " + (foreign.size() - FOREIGN_MAX) + " more" : ""));
    }

    private String nearest(String name) {
        return known.keySet().stream()
                .min(Comparator.comparingInt(each -> difference(name, each)))
                .orElseThrow();
    }

    /** A name that is cut short differs in one place. */
    private static int difference(String name, String known) {
        return letters(known).startsWith(letters(name)) ? 1 : distance(name, known);
    }

    private static String letters(String name) {
        return name.replaceAll("[-_]", "");
    }

    /** How many letters must be added, left out or replaced to make one of the other. */
    private static int distance(String one, String other) {
        int[] row = new int[other.length() + 1];
        Arrays.setAll(row, i -> i);
        for (int i = 1; i <= one.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= other.length(); j++) {
                int replaced = diagonal + (one.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(replaced, 1 + Math.min(row[j], row[j - 1]));
            }
        }
        return row[other.length()];
    }
}
