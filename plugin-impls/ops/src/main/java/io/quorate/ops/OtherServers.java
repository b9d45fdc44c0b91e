package io.quorate.ops;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The servers of the other nodes, which are asked for the page: who hears whom is known to no single node. They are
 * asked at most once a second, however many pages are open.
 */
final class OtherServers {

    /** A server that does not answer within this is shown as one that does not. */
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private static final long KEPT_NANOS = 1_000_000_000;

    /** A status without paths has some hundred bytes. */
    private static final int ANSWER_LENGTH_MAX = 64 * 1024;

    private static final JsonFactory JSON = new JsonFactory();

    private final List<URI> others;

    // All are guarded by this.
    /** Null until somebody asks: it takes 15 MB, and most servers never need it. */
    private @Nullable HttpClient http;

    private List<Other> last = List.of();
    private long lastAt;

    /**
     * What another node's server has answered.
     *
     * @param url    its base
     * @param status one JSON object; empty if there is none
     * @param error  why there is none; empty if there is one
     */
    record Other(String url, String status, String error) {}

    /** @param others base addresses, with http or https */
    OtherServers(List<URI> others) {
        this.others = List.copyOf(others);
    }

    private HttpClient http() {
        HttpClient found = http;
        if (found == null) {
            found = HttpClient.newBuilder()
                    .version(HttpClient.Version.HTTP_1_1)
                    .connectTimeout(PATIENCE)
                    .followRedirects(HttpClient.Redirect.NEVER)
                    .build();
            http = found;
        }
        return found;
    }

    /** What they say now, or have said within the last second; in the order in which they were given. */
    synchronized List<Other> ask() throws InterruptedException {
        if (others.isEmpty()) {
            return List.of();
        }
        if (last.isEmpty() || System.nanoTime() - lastAt >= KEPT_NANOS) {
            last = askNow();
            lastAt = System.nanoTime();
        }
        return last;
    }

    private List<Other> askNow() throws InterruptedException {
        List<CompletableFuture<HttpResponse<InputStream>>> asked = new ArrayList<>();
        for (URI other : others) {
            HttpRequest request = HttpRequest.newBuilder(other.resolve("/status?leads=false"))
                    .timeout(PATIENCE)
                    .build();
            asked.add(http().sendAsync(request, BodyHandlers.ofInputStream()));
        }
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        List<Other> answers = new ArrayList<>();
        for (int i = 0; i < asked.size(); i++) {
            answers.add(answer(others.get(i), asked.get(i), deadline - System.nanoTime()));
        }
        return List.copyOf(answers);
    }

    private static Other answer(URI other, CompletableFuture<HttpResponse<InputStream>> asked, long nanosMax)
            throws InterruptedException {
        String url = other.toString();
        try {
            HttpResponse<InputStream> response = asked.get(Math.max(0, nanosMax), TimeUnit.NANOSECONDS);
            try (InputStream body = response.body()) {
                if (response.statusCode() != 200) {
                    return new Other(url, "", "it answers with status " + response.statusCode());
                }
                return new Other(url, object(body.readNBytes(ANSWER_LENGTH_MAX)), "");
            }
        } catch (ExecutionException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            return new Other(url, "", "it cannot be reached: " + cause);
        } catch (TimeoutException e) {
            asked.cancel(true);
            return new Other(url, "", "it has not answered for " + PATIENCE.toMillis() + " ms");
        } catch (IOException e) {
            return new Other(url, "", "its answer is no status: " + firstLine(e));
        }
    }

    private static String firstLine(IOException e) {
        return String.valueOf(e.getMessage()).lines().findFirst().orElse("");
    }

    /** The answer written anew: whatever a stranger on that port answers, the page gets one object. */
    private static String object(byte[] answer) throws IOException {
        StringWriter text = new StringWriter();
        try (JsonParser parser = JSON.createParser(answer);
                JsonGenerator json = Answer.generator(text)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw new IOException("it does not begin with {");
            }
            json.copyCurrentStructure(parser);
        }
        return text.toString();
    }
}
