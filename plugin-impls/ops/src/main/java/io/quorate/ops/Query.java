package io.quorate.ops;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The parameters of a request, decoded as those of a form are: in UTF-8, and a plus is a space. */
final class Query {

    private final Map<String, List<String>> values = new HashMap<>();

    private Query() {}

    /**
     * Reads what follows the question mark.
     *
     * @param raw not decoded; null if there is none
     * @throws Refused with 400 if it is not decodable
     */
    static Query of(@Nullable String raw) throws Refused {
        Query query = new Query();
        if (raw == null) {
            return query;
        }
        for (String part : raw.split("&", -1)) {
            int equals = part.indexOf('=');
            String name = equals < 0 ? part : part.substring(0, equals);
            String value = equals < 0 ? "" : part.substring(equals + 1);
            query.values
                    .computeIfAbsent(decoded(name), unknown -> new ArrayList<>())
                    .add(decoded(value));
        }
        return query;
    }

    private static String decoded(String text) throws Refused {
        try {
            return URLDecoder.decode(text, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw new Refused(400, "the query: each % must be followed by two hexadecimal digits");
        }
    }

    /**
     * A parameter that may be left out.
     *
     * @throws Refused with 400 if it is there more than once: nobody can tell which one is meant
     */
    Optional<String> optional(String name) throws Refused {
        List<String> found = values.getOrDefault(name, List.of());
        if (found.size() > 1) {
            throw new Refused(400, "parameter " + name + ": must be given once");
        }
        return found.stream().findFirst();
    }

    /**
     * A parameter that must be there.
     *
     * @throws Refused with 400 if it is missing, or there more than once
     */
    String required(String name) throws Refused {
        return optional(name)
                .orElseThrow(
                        () -> new Refused(400, "parameter " + name + ": is required, in the query of the address"));
    }

    /**
     * A parameter that may be left out, and is one of some words.
     *
     * @param words the first one counts if the parameter is left out
     * @throws Refused with 400 if it is another word, or there more than once
     */
    String oneOf(String name, List<String> words) throws Refused {
        return checked(name, optional(name).orElse(words.get(0)), words);
    }

    /**
     * A parameter that may be left out, and is a number from 1 on.
     *
     * @param usual counts if it is left out
     * @param max   the greatest number
     * @throws Refused with 400 if it is no such number, or there more than once
     */
    int number(String name, int usual, int max) throws Refused {
        Optional<String> text = optional(name);
        if (text.isEmpty()) {
            return usual;
        }
        try {
            int number = Integer.parseInt(text.get());
            if (1 <= number && number <= max) {
                return number;
            }
        } catch (NumberFormatException e) {
            // The rule below says it.
        }
        throw new Refused(400, "parameter " + name + ": must be a number from 1 to " + max);
    }

    /**
     * A parameter that must be there, and is a number from 1 on.
     *
     * @throws Refused with 400 if it is missing, no such number, or there more than once
     */
    long number(String name) throws Refused {
        try {
            long number = Long.parseLong(required(name));
            if (number >= 1) {
                return number;
            }
        } catch (NumberFormatException e) {
            // The rule below says it.
        }
        throw new Refused(400, "parameter " + name + ": must be a number from 1 on");
    }

    /**
     * A parameter that must be there, and is any number that an int can be.
     *
     * @throws Refused with 400 if it is missing, no such number, or there more than once
     */
    int anyNumber(String name) throws Refused {
        try {
            return Integer.parseInt(required(name));
        } catch (NumberFormatException e) {
            throw new Refused(
                    400,
                    "parameter " + name + ": must be a number from " + Integer.MIN_VALUE + " to " + Integer.MAX_VALUE);
        }
    }

    /**
     * A parameter that must be there, and is {@code true} or {@code false}.
     *
     * @throws Refused with 400 if it is missing, something else, or there more than once
     */
    boolean flag(String name) throws Refused {
        return checked(name, required(name), List.of("true", "false")).equals("true");
    }

    private static String checked(String name, String value, List<String> words) throws Refused {
        if (!words.contains(value)) {
            throw new Refused(400, "parameter " + name + ": must be " + String.join(" or ", words));
        }
        return value;
    }
}
