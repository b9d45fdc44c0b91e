package io.quorate.cli;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** An object that a node has answered. The caller says what a field must be; other fields are ignored. */
final class JsonObject {

    private static final JsonFactory JSON = new JsonFactory();

    /** Text, a number, a truth, null, a list or an object, by the name of the field. */
    private final Map<String, @Nullable Object> fields;

    private JsonObject(Map<String, @Nullable Object> fields) {
        this.fields = fields;
    }

    /**
     * Reads one object, and nothing behind it.
     *
     * @throws NoAnswer if it is something else
     */
    static JsonObject parse(byte[] bytes) throws NoAnswer {
        try (JsonParser json = JSON.createParser(bytes)) {
            if (json.nextToken() == JsonToken.START_OBJECT) {
                JsonObject object = object(json);
                if (json.nextToken() == null) {
                    return object;
                }
            }
        } catch (IOException e) {
            throw new NoAnswer("answers, but not with a JSON object");
        }
        throw new NoAnswer("answers, but not with a JSON object");
    }

    private static JsonObject object(JsonParser json) throws IOException {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        while (json.nextToken() == JsonToken.FIELD_NAME) {
            String name = json.currentName();
            fields.put(name, value(json, json.nextToken()));
        }
        return new JsonObject(fields);
    }

    private static @Nullable Object value(JsonParser json, JsonToken first) throws IOException {
        return switch (first) {
            case START_OBJECT -> object(json);
            case START_ARRAY -> array(json);
            case VALUE_STRING -> json.getText();
            case VALUE_NUMBER_INT -> json.getLongValue();
            case VALUE_NUMBER_FLOAT -> (long) json.getDoubleValue();
            case VALUE_TRUE -> true;
            case VALUE_FALSE -> false;
            default -> null;
        };
    }

    private static List<@Nullable Object> array(JsonParser json) throws IOException {
        List<@Nullable Object> values = new ArrayList<>();
        JsonToken next = json.nextToken();
        while (next != null && next != JsonToken.END_ARRAY) {
            values.add(value(json, next));
            next = json.nextToken();
        }
        return values;
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
        return optional(name, Long.class, "a number");
    }

    long number(String name) throws NoAnswer {
        return optionalNumber(name).orElseThrow(() -> wrong(name, "a number"));
    }

    boolean truth(String name) throws NoAnswer {
        return optional(name, Boolean.class, "true or false").orElseThrow(() -> wrong(name, "true or false"));
    }

    Optional<JsonObject> optionalObject(String name) throws NoAnswer {
        return optional(name, JsonObject.class, "an object");
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
        return array.isEmpty() ? Optional.empty() : Optional.of(all(array.get(), JsonObject.class, name, rule));
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
