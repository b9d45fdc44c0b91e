package io.quorate.tla;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A configuration of TLC, as far as the tests look into it.
 *
 * @param properties what stands under PROPERTY
 * @param text       without comments
 */
record Cfg(String name, List<String> properties, String text) {

    private static final Pattern SECTION = Pattern.compile("(?m)^(PROPERTY|PROPERTIES)\\s+(.*)$");

    static Cfg of(String name) {
        String text = Tlc.configurationText(name).replaceAll("(?m)\\\\\\*.*$", "");
        List<String> properties = new ArrayList<>();
        for (Matcher section = SECTION.matcher(text); section.find(); ) {
            properties.addAll(Arrays.asList(section.group(2).trim().split("\\s+")));
        }
        return new Cfg(name, properties, text);
    }

    String onlyProperty() {
        if (properties.size() != 1) {
            throw new AssertionError(name + " must name exactly one property to tell which is broken: " + properties);
        }
        return properties.get(0);
    }

    /** The number that a constant has here. */
    int number(String constant) {
        return find(constant).orElseThrow(() -> new AssertionError(name + " does not set " + constant));
    }

    /** The number that a constant has here, or {@code otherwise} if the spec has no such constant. */
    int numberOr(String constant, int otherwise) {
        return find(constant).orElse(otherwise);
    }

    boolean has(String constant) {
        return find(constant).isPresent();
    }

    private Optional<Integer> find(String constant) {
        Matcher value = Pattern.compile("\\b" + constant + "\\s*=\\s*(\\d+)").matcher(text);
        return value.find() ? Optional.of(Integer.parseInt(value.group(1))) : Optional.empty();
    }

    boolean hasSymmetry() {
        return text.contains("SYMMETRY");
    }
}
