package io.quorate.process;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Optional;

/** Asks processes over HTTP. */
public final class Http {

    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    private Http() {}

    /** Returns the answer to a GET; empty if there is none in this time, or no process listens. */
    public static Optional<HttpResponse<String>> get(String url, Duration patience) {
        HttpRequest request =
                HttpRequest.newBuilder(URI.create(url)).timeout(patience).build();
        try {
            return Optional.of(CLIENT.send(request, BodyHandlers.ofString()));
        } catch (IOException e) {
            return Optional.empty();
        } catch (InterruptedException e) {
            throw new AssertionError("interrupted", e);
        }
    }
}
