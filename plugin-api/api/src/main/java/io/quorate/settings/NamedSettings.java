package io.quorate.settings;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The settings that properties or the environment name, as text, with what is wrong with the names. */
public final class NamedSettings {

    /** Where Kubernetes' downward API usually puts the name of a pod. */
    public static final String POD_NAME = "POD_NAME";

    /** Names of foreign variables in one warning. */
    private static final int FOREIGN_MAX = 16;

    /** A name that differs in more places is no slip of the pen. */
    private static final int SLIP_MAX = 3;

    private record Text(String name, String value) {}

    private final Map<String, NamedSetting> known;
    private final Map<NamedSetting, Text> texts = new EnumMap<>(NamedSetting.class);
    private final List<String> faults = new ArrayList<>();
    private final List<String> warnings = new ArrayList<>();

    private NamedSettings(Function<NamedSetting, String> name) {
        known = Arrays.stream(NamedSetting.values())
                .collect(Collectors.toMap(name, Function.identity(), (a, b) -> a, TreeMap::new));
    }

    /** Takes what begins with {@value NamedSetting#PREFIX}; everything else is somebody else's. */
    public static NamedSettings of(Properties properties) {
        NamedSettings named = new NamedSettings(NamedSetting::key);
        for (String key : new TreeSet<>(properties.stringPropertyNames())) {
            if (isKey(key) && !named.take(key, properties.getProperty(key))) {
                named.faults.add("key " + key + ": there is no such setting; the nearest is " + named.nearest(key));
            }
        }
        properties.forEach((key, value) -> {
            if (key instanceof String name && isKey(name) && !(value instanceof String)) {
                named.faults.add(
                        name + ": must be a string, is a " + value.getClass().getName());
            }
        });
        return named;
    }

    private static boolean isKey(String name) {
        return name.startsWith(NamedSetting.PREFIX);
    }

    /** Takes what begins with {@value NamedSetting#VARIABLE_PREFIX}, as the environment has it. */
    public static NamedSettings of(Map<String, String> environment) {
        NamedSettings named = new NamedSettings(NamedSetting::variable);
        List<String> foreign = new ArrayList<>();
        new TreeMap<>(environment).forEach((name, value) -> {
            if (isKey(name)) {
                named.faults.add("key " + name
                        + ": a map has the names of the environment, such as QUORATE_NODE_ID; give keys as Properties");
            } else if (!named.take(name, value)
                    && name.startsWith(NamedSetting.VARIABLE_PREFIX)
                    && !NamedSetting.OF_THE_COMMAND_LINE.contains(name)) {
                foreign.add(name);
            }
        });
        named.warnOf(foreign);
        return named;
    }

    private boolean take(String name, String value) {
        NamedSetting setting = known.get(name);
        if (setting != null) {
            texts.put(setting, new Text(name, value));
        }
        return setting != null;
    }

    /** Whether there is a text for this setting, right or wrong. */
    public boolean has(NamedSetting setting) {
        return texts.containsKey(setting);
    }

    /**
     * Gives each text to be read, and answers all that is wrong.
     *
     * @param reading makes the setting; an {@link IllegalArgumentException} that it throws has the rule that the text
     *                breaks
     */
    public List<String> read(BiConsumer<NamedSetting, String> reading) {
        List<String> found = new ArrayList<>(faults);
        texts.forEach((setting, text) -> {
            try {
                if (text.value.isBlank()) {
                    throw new IllegalArgumentException("must not be blank: give a value, or leave it out");
                }
                reading.accept(setting, text.value.trim());
            } catch (IllegalArgumentException e) {
                found.add(text.name + " '" + text.value + "': " + e.getMessage());
            }
        });
        if (has(NamedSetting.PEERS) && has(NamedSetting.PEERS_TEMPLATE)) {
            found.add("peers and peers-template: one of the two must be left out");
        }
        return found;
    }

    /** What is odd and no fault. */
    public List<String> warnings() {
        return List.copyOf(warnings);
    }

    /** Not a fault: Kubernetes puts variables for each service into each pod, and a service may be called quorate. */
    private void warnOf(List<String> foreign) {
        if (foreign.isEmpty()) {
            return;
        }
        List<String> texts = foreign.stream()
                .limit(FOREIGN_MAX)
                .map(name -> {
                    String nearest = nearest(name);
                    return difference(name, nearest) <= SLIP_MAX ? name + " (is " + nearest + " meant?)" : name;
                })
                .toList();
        warnings.add("variables of the environment that are no settings: " + String.join(", ", texts)
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
