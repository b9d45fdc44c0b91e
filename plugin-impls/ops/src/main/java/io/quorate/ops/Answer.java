package io.quorate.ops;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.io.StringWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/**
 * What a request gets.
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

    /** Writes the fields of an object. */
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

    /** Sends it, without the body if the request is of the method HEAD. The exchange stays open. */
    void sendTo(HttpExchange exchange) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        Headers sent = exchange.getResponseHeaders();
        headers.forEach(sent::set);
        sent.set("Cache-Control", "no-store");
        sent.set("X-Content-Type-Options", "nosniff");
        boolean isBodyWanted = !exchange.getRequestMethod().equals("HEAD");
        exchange.sendResponseHeaders(status, isBodyWanted ? bytes.length : -1);
        if (isBodyWanted) {
            exchange.getResponseBody().write(bytes);
        }
    }

    /** Writes JSON in ASCII. */
    static JsonGenerator generator(Writer text) throws IOException {
        return JSON.createGenerator(text);
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
