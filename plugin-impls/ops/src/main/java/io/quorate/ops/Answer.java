package io.quorate.ops;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.eclipse.jetty.http.HttpFields;

/**
 * The answer to a request.
 *
 * @param status  of HTTP
 * @param headers by name, the type of the body among them
 * @param body    usually one JSON object in one line
 */
record Answer(int status, Map<String, String> headers, String body) {

    static final String TYPE = "Content-Type";

    private static final Map<String, String> IS_JSON = Map.of(TYPE, "application/json");

    /** With every other character escaped the encoding cannot matter, nor half a surrogate pair in somebody's id. */
    private static final JsonFactory JSON =
            new JsonFactoryBuilder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();

    @FunctionalInterface
    interface Fields {
        void write(JsonGenerator json) throws IOException;
    }

    static Answer of(int status, Fields fields) throws IOException {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = generator(text)) {
            json.writeStartObject();
            fields.write(json);
            json.writeEndObject();
        }
        return new Answer(status, IS_JSON, text + "\n");
    }

    /** A refusal: an object with one field, {@code error}. */
    static Answer of(Refused refused) {
        try {
            Answer answer = of(refused.status(), json -> json.writeStringField("error", refused.reason()));
            Map<String, String> headers = new HashMap<>(answer.headers);
            headers.putAll(refused.headers());
            return new Answer(refused.status(), headers, answer.body);
        } catch (IOException e) {
            throw new UncheckedIOException("a string takes what is written", e);
        }
    }

    ByteBuffer bytes() {
        return ByteBuffer.wrap(body.getBytes(StandardCharsets.UTF_8));
    }

    /** Also what no browser may keep, nor take for another type. */
    void headersTo(HttpFields.Mutable sent) {
        headers.forEach(sent::put);
        sent.put("Cache-Control", "no-store");
        sent.put("X-Content-Type-Options", "nosniff");
    }

    static JsonGenerator generator(Writer text) throws IOException {
        return JSON.createGenerator(text);
    }

    static void write(JsonGenerator json, String name, List<String> values) throws IOException {
        json.writeArrayFieldStart(name);
        for (String value : values) {
            json.writeString(value);
        }
        json.writeEndArray();
    }
}
