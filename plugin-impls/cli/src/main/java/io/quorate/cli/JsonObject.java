package io.quorate.cli;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.jr.ob.JSON;
import java.io.IOException;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** An object that a node has answered. The caller says what a field must be; other fields are ignored. */
final class JsonObject {

    private static final JSON JACKSON = JSON.std.without(JSON.Feature.FAIL_ON_DUPLICATE_MAP_KEYS);

    private final Map<?, ?> fields;

    private JsonObject(Map<?, ?> fields) {
        this.fields = fields;
    }

    /**
     * Reads one object, and nothing behind it.
     *
     * @throws NoAnswer if it is something else
     */
    static JsonObject parse(byte[] bytes) throws NoAnswer {
        try (JsonParser json = JACKSON.createParser(bytes)) {
            if (JACKSON.anyFrom(json) instanceof Map<?, ?> fields && json.nextToken() == null) {
                return new JsonObject(fields);
            }
        } catch (IOException e) {
            throw new NoAnswer("answers, but not with a JSON object");
        }
        throw new NoAnswer("answers, but not with a JSON object");
    }

    private static NoAnswer wrong(String name, String rule) {
        return new NoAnswer("answers without a field '" + name + "' that is " + rule);
    }

    /** A field that may be missing or null. */
    private <T> Optional<T> optional(String name, Class<T> type, String rule) throws NoAnswer {
        Object value = fields.get(name);
        if (value == null) {
            return Optional.empty();
        }
        if (!type.isInstance(value)) {
            throw wrong(name, rule);
        }
        return Optional.of(type.cast(value));
    }

    Optional<String> optionalText(String name) throws NoAnswer {
        return optional(name, String.class, "a text");
    }

    String text(String name) throws NoAnswer {
        return optionalText(name).orElseThrow(() -> wrong(name, "a text"));
    }

    Optional<Long> optionalNumber(String name) throws NoAnswer {
        Optional<Number> number = optional(name, Number.class, "a number");
        if (number.isPresent() && number.get() instanceof BigInteger) {
            throw wrong(name, "a number of at most 64 bits");
        }
        return number.map(Number::longValue);
    }

    long number(String name) throws NoAnswer {
        return optionalNumber(name).orElseThrow(() -> wrong(name, "a number"));
    }

    boolean truth(String name) throws NoAnswer {
        return optional(name, Boolean.class, "true or false").orElseThrow(() -> wrong(name, "true or false"));
    }

    Optional<JsonObject> optionalObject(String name) throws NoAnswer {
        return optional(name, Map.class, "an object").map(JsonObject::new);
    }

    Optional<List<String>> optionalTexts(String name) throws NoAnswer {
        String rule = "an array of texts";
        Optional<List<?>> array = array(name, rule);
        return array.isEmpty() ? Optional.empty() : Optional.of(all(array.get(), String.class, name, rule));
    }

    List<String> texts(String name) throws NoAnswer {
        return optionalTexts(name).orElseThrow(() -> wrong(name, "an array of texts"));
    }

    Optional<List<JsonObject>> optionalObjects(String name) throws NoAnswer {
        String rule = "an array of objects";
        Optional<List<?>> array = array(name, rule);
        return array.isEmpty()
                ? Optional.empty()
                : Optional.of(all(array.get(), Map.class, name, rule).stream()
                        .map(JsonObject::new)
                        .toList());
    }

    List<JsonObject> objects(String name) throws NoAnswer {
        return optionalObjects(name).orElseThrow(() -> wrong(name, "an array of objects"));
    }

    private Optional<List<?>> array(String name, String rule) throws NoAnswer {
        return optional(name, List.class, rule).map(list -> (List<?>) list);
    }

    private static <T> List<T> all(List<?> values, Class<T> type, String name, String rule) throws NoAnswer {
        List<T> typed = new ArrayList<>();
        for (Object value : values) {
            if (!type.isInstance(value)) {
                throw wrong(name, rule);
            }
            typed.add(type.cast(value));
        }
        return typed;
    }
}
