package io.quorate.ops;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import java.io.IOException;
import java.io.StringWriter;
import java.util.List;

/**
 * What a request gets.
 *
 * @param status of HTTP
 * @param body   one JSON object in one line
 */
record Answer(int status, String body) {

    /** With every other character escaped the encoding cannot matter, nor half a surrogate pair in somebody's id. */
    private static final JsonFactory JSON =
            new JsonFactoryBuilder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();

    /** Writes the fields of an object. */
    @FunctionalInterface
    interface Fields {
        void write(JsonGenerator json) throws IOException;
    }

    static Answer of(int status, Fields fields) throws IOException {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = JSON.createGenerator(text)) {
            json.writeStartObject();
            fields.write(json);
            json.writeEndObject();
        }
        return new Answer(status, text + "\n");
    }

    /** With one field, {@code error}. */
    static Answer error(int status, String reason) throws IOException {
        return of(status, json -> json.writeStringField("error", reason));
    }

    /** A field with an array of strings. */
    static void write(JsonGenerator json, String name, List<String> values) throws IOException {
        json.writeArrayFieldStart(name);
        for (String value : values) {
            json.writeString(value);
        }
        json.writeEndArray();
    }
}
