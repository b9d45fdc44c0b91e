package io.quorate.cli;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** Writes one JSON object in one line of ASCII: docs/command-line.md#json lists the fields. */
final class JsonLine {

    private static final JsonFactory JSON =
            new JsonFactoryBuilder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();

    private JsonLine() {}

    @FunctionalInterface
    interface Fields {
        void write(JsonGenerator json) throws IOException;
    }

    /** Writes the fields of an object that stands for something. */
    @FunctionalInterface
    interface FieldsOf<T> {
        void write(JsonGenerator json, T value) throws IOException;
    }

    static String of(Fields fields) {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = JSON.createGenerator(text)) {
            json.writeStartObject();
            fields.write(json);
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException("text in memory", e);
        }
        return text.toString();
    }

    static void texts(JsonGenerator json, String name, Collection<String> values) throws IOException {
        json.writeArrayFieldStart(name);
        for (String value : values) {
            json.writeString(value);
        }
        json.writeEndArray();
    }

    static <T> void objects(JsonGenerator json, String name, Collection<T> values, FieldsOf<? super T> fields)
            throws IOException {
        json.writeArrayFieldStart(name);
        for (T value : values) {
            json.writeStartObject();
            fields.write(json, value);
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    static void text(JsonGenerator json, String name, Optional<String> value) throws IOException {
        if (value.isPresent()) {
            json.writeStringField(name, value.get());
        } else {
            json.writeNullField(name);
        }
    }

    static void number(JsonGenerator json, String name, Optional<Long> value) throws IOException {
        if (value.isPresent()) {
            json.writeNumberField(name, value.get().longValue());
        } else {
            json.writeNullField(name);
        }
    }

    static void latch(JsonGenerator json, String name, Optional<LatchId> latch) throws IOException {
        if (latch.isEmpty()) {
            json.writeNullField(name);
            return;
        }
        json.writeObjectFieldStart(name);
        json.writeStringField("id", latch.get().id());
        json.writeStringField("node", latch.get().node());
        json.writeEndObject();
    }

    /** The addresses that have said nothing of use. */
    static void silent(JsonGenerator json, List<? extends Nodes.Said<?>> all) throws IOException {
        objects(
                json,
                "silent",
                all.stream().filter(each -> each.said().isEmpty()).toList(),
                (object, each) -> {
                    object.writeStringField("url", each.url().text());
                    object.writeStringField("reason", each.silence());
                });
    }
}
