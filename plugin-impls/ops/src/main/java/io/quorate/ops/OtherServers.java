package io.quorate.ops;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import io.quorate.ops.web.BoundedBody;
import java.io.IOException;
import java.io.StringWriter;
import java.net.ConnectException;
import java.net.URI;
import java.net.UnknownHostException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The servers of the other nodes, which are asked for the page: who hears whom is known to no single node. They are
 * asked at most once a second, however many pages are open, and one request at most waits for them: the others get what
 * was answered last.
 */
final class OtherServers {

    /** A server whose answer has not ended within this is shown as one that does not answer. */
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private static final long KEPT_NANOS = 1_000_000_000;

    /** A status without paths has some hundred bytes. */
    private static final int ANSWER_LENGTH_MAX = 64 * 1024;

    /** The type of a field, which the script of the page relies on. */
    private enum Kind {
        TEXT,
        NUMBER,
        NUMBER_OR_NULL,
        TEXTS
    }

    /** What the page uses of a status. */
    private static final Map<String, Kind> FIELDS = Map.of(
            "node", Kind.TEXT,
            "state", Kind.TEXT,
            "reason", Kind.TEXT,
            "voters", Kind.TEXTS,
            "votersNumber", Kind.NUMBER,
            "supporters", Kind.TEXTS,
            "hears", Kind.TEXTS,
            "led", Kind.NUMBER,
            "margin", Kind.NUMBER_OR_NULL);

    /** What an older server may lack. */
    private static final Set<String> LATER = Set.of("reason", "votersNumber");

    private static final JsonFactory JSON = new JsonFactory();

    private static final Logger LOG = LoggerFactory.getLogger(OpsServer.class);

    private final List<URI> others;
    private final @Nullable SSLContext keys;

    // All are guarded by this.
    /** Null until somebody asks: it takes 15 MB, and most servers never need it. */
    private @Nullable HttpClient http;

    private List<Other> last = List.of();
    private boolean isAsking;
    private long askedAt;

    /**
     * The answer of another node's server.
     *
     * @param url    its base
     * @param status one JSON object; empty if there is none
     * @param error  why there is none; empty if there is one
     */
    record Other(String url, String status, String error) {}

    /**
     * @param others base addresses, with http or https
     * @param keys   what https is spoken with; null for what the JVM trusts
     */
    OtherServers(List<URI> others, @Nullable SSLContext keys) {
        this.others = others.stream()
                .map(other -> URI.create(other.toString().replaceAll("/+$", "")))
                .toList();
        this.keys = keys;
    }

    /** Returns their present or last answers, in the order of the builder. */
    List<Other> ask() throws InterruptedException {
        HttpClient client;
        synchronized (this) {
            boolean isFresh = !last.isEmpty() && System.nanoTime() - askedAt < KEPT_NANOS;
            if (others.isEmpty() || isAsking || isFresh) {
                return last;
            }
            isAsking = true;
            client = http();
        }
        List<Other> answers = List.of();
        try {
            answers = ask(client);
            return answers;
        } finally {
            synchronized (this) {
                isAsking = false;
                askedAt = System.nanoTime();
                last = answers;
            }
        }
    }

    private HttpClient http() {
        HttpClient found = http;
        if (found == null) {
            HttpClient.Builder builder = HttpClient.newBuilder()
                    .version(HttpClient.Version.HTTP_1_1)
                    .connectTimeout(PATIENCE)
                    .followRedirects(HttpClient.Redirect.NEVER);
            if (keys != null) {
                builder.sslContext(keys);
            }
            found = builder.build();
            http = found;
        }
        return found;
    }

    private List<Other> ask(HttpClient client) throws InterruptedException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        List<CompletableFuture<HttpResponse<byte[]>>> exchanges =
                others.stream().map(other -> exchange(client, other)).toList();
        try {
            List<Other> answers = new ArrayList<>();
            for (int i = 0; i < others.size(); i++) {
                answers.add(answer(others.get(i), exchanges.get(i), deadline));
            }
            return List.copyOf(answers);
        } finally {
            // Cancels all that have not ended, even if this thread is interrupted.
            exchanges.forEach(exchange -> exchange.cancel(true));
        }
    }

    private static CompletableFuture<HttpResponse<byte[]>> exchange(HttpClient client, URI other) {
        HttpRequest request = HttpRequest.newBuilder(URI.create(other + "/status?leads=false"))
                .timeout(PATIENCE)
                .build();
        return client.sendAsync(request, head -> new BoundedBody(ANSWER_LENGTH_MAX));
    }

    /**
     * The time-out of the client ends with the head of the answer; the deadline counts until the end of the body. It
     * needs no timer: that of the JDK lives as long as the JVM, and keeps the class loader of its first user.
     */
    private static Other answer(URI other, CompletableFuture<HttpResponse<byte[]>> exchange, long deadline)
            throws InterruptedException {
        try {
            return answer(other, exchange.get(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS));
        } catch (ExecutionException | TimeoutException e) {
            return new Other(other.toString(), "", reason(e));
        }
    }

    private static Other answer(URI other, HttpResponse<byte[]> response) {
        if (response.statusCode() != 200) {
            return new Other(other.toString(), "", "it answers with status " + response.statusCode());
        }
        try {
            return new Other(other.toString(), status(response.body()), "");
        } catch (JsonProcessingException e) {
            return new Other(other.toString(), "", "its answer is no status: it is no JSON");
        } catch (IOException e) {
            return new Other(other.toString(), "", "its answer is no status: " + e.getMessage());
        }
    }

    private static String reason(Throwable failure) {
        Throwable cause =
                failure instanceof ExecutionException && failure.getCause() != null ? failure.getCause() : failure;
        if (cause instanceof TimeoutException || cause instanceof HttpTimeoutException) {
            return "it has not answered for " + PATIENCE.toMillis() + " ms";
        }
        if (cause instanceof BoundedBody.TooLong) {
            return "its answer is no status: " + cause.getMessage();
        }
        LOG.debug("another server", cause);
        return "it cannot be reached: " + why(cause);
    }

    /** For an operator, who need not know the exceptions of Java. */
    private static String why(Throwable cause) {
        for (Throwable each = cause; each != null; each = each.getCause()) {
            if (each instanceof UnresolvedAddressException || each instanceof UnknownHostException) {
                return "its name is not known";
            }
            if (each instanceof SSLException) {
                return "TLS fails: it speaks none, or its certificate is not trusted or has another name";
            }
        }
        return cause instanceof ConnectException
                ? "no connection could be made"
                : "the connection ended, or what came is no answer of HTTP";
    }

    /**
     * The answer written anew: a stranger on that port may answer anything, and the page still gets an object in which
     * each of these fields is there once, and of its kind.
     */
    private static String status(byte[] answer) throws IOException {
        StringWriter text = new StringWriter();
        Set<String> missing = new TreeSet<>(FIELDS.keySet());
        try (JsonParser parser = JSON.createParser(answer);
                JsonGenerator json = Answer.generator(text)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw new IOException("it does not begin with {");
            }
            json.writeStartObject();
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                String name = parser.currentName();
                parser.nextToken();
                json.writeFieldName(name);
                Kind kind = FIELDS.get(name);
                if (kind == null) {
                    json.copyCurrentStructure(parser);
                } else if (missing.remove(name)) {
                    copy(parser, json, name, kind);
                } else {
                    throw new IOException("its field " + name + " is there twice");
                }
            }
            if (parser.currentToken() != JsonToken.END_OBJECT) {
                throw new IOException("it has no end");
            }
            json.writeEndObject();
        }
        missing.removeAll(LATER);
        if (!missing.isEmpty()) {
            throw new IOException("it has no field " + missing);
        }
        return text.toString();
    }

    private static void copy(JsonParser parser, JsonGenerator json, String name, Kind kind) throws IOException {
        JsonToken token = parser.currentToken();
        boolean isRight =
                switch (kind) {
                    case TEXT -> token == JsonToken.VALUE_STRING;
                    case NUMBER -> token == JsonToken.VALUE_NUMBER_INT;
                    case NUMBER_OR_NULL -> token == JsonToken.VALUE_NUMBER_INT || token == JsonToken.VALUE_NULL;
                    case TEXTS -> token == JsonToken.START_ARRAY;
                };
        if (!isRight) {
            throw wrong(name, kind);
        }
        json.copyCurrentEvent(parser);
        if (kind == Kind.TEXTS) {
            while (parser.nextToken() != JsonToken.END_ARRAY) {
                if (parser.currentToken() != JsonToken.VALUE_STRING) {
                    throw wrong(name, kind);
                }
                json.copyCurrentEvent(parser);
            }
            json.writeEndArray();
        }
    }

    private static IOException wrong(String name, Kind kind) {
        return new IOException("its field " + name + " is no "
                + switch (kind) {
                    case TEXT -> "text";
                    case NUMBER -> "whole number";
                    case NUMBER_OR_NULL -> "whole number or null";
                    case TEXTS -> "list of texts";
                });
    }
}
