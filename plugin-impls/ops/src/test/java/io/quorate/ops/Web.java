package io.quorate.ops;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.quorate.ElectionClient;
import io.quorate.LeaderLatch;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** Asks servers over HTTP, as probes, proxies, operators and strangers do. */
final class Web {

    static final int PATIENCE_MILLIS = 600_000;

    /** A refusal comes after half a second, so these rounds take almost a minute. */
    static final int ROUNDS_MAX = 100;

    private static final HttpClient CLIENT =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private Web() {}

    static HttpRequest.Builder request(OpsServer server, String target) {
        return HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + server.address().getPort() + target))
                .timeout(Duration.ofMillis(PATIENCE_MILLIS));
    }

    static HttpResponse<String> answer(HttpRequest.Builder request) {
        try {
            return CLIENT.send(request.build(), BodyHandlers.ofString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new AssertionError("interrupted", e);
        }
    }

    /**
     * As {@link #answer}, from a server with little time: what a busy machine does not answer within it is cut off, and
     * asked again.
     */
    static HttpResponse<String> answerInTime(HttpRequest.Builder request) {
        while (true) {
            try {
                return answer(request);
            } catch (UncheckedIOException e) {
                if (!isCutOff(e.getCause())) {
                    throw e;
                }
            }
        }
    }

    private static boolean isCutOff(IOException failure) {
        return !(failure instanceof ConnectException || failure instanceof HttpTimeoutException);
    }

    /**
     * As {@link #answerInTime}, asked again if other requests, or those that were cut off, hold all threads. A server
     * that refuses each time has a fault, and its last answer is returned.
     */
    static HttpResponse<String> answerInTurn(HttpRequest.Builder request) {
        HttpResponse<String> answer = answerInTime(request);
        for (int round = 1; round < ROUNDS_MAX && isCrowd(answer); round++) {
            answer = answerInTime(request);
        }
        return answer;
    }

    static boolean isCrowd(HttpResponse<String> answer) {
        return answer.statusCode() == 503 && answer.body().contains(" already");
    }

    static CompletableFuture<HttpResponse<String>> later(HttpRequest.Builder request) {
        return CLIENT.sendAsync(request.build(), BodyHandlers.ofString());
    }

    /** As {@link #later}, asked again if other requests hold all threads, as on a busy machine. */
    static CompletableFuture<HttpResponse<String>> laterInTurn(HttpRequest.Builder request) {
        return laterInTurn(request, 1);
    }

    private static CompletableFuture<HttpResponse<String>> laterInTurn(HttpRequest.Builder request, int round) {
        return later(request)
                .thenCompose(answer -> round < ROUNDS_MAX && isCrowd(answer)
                        ? laterInTurn(request, round + 1)
                        : CompletableFuture.completedFuture(answer));
    }

    static HttpResponse<String> get(OpsServer server, String target) {
        return answerInTime(request(server, target));
    }

    static HttpRequest.Builder post(OpsServer server, String target) {
        return request(server, target).POST(BodyPublishers.noBody());
    }

    static HttpResponse<String> leader(OpsServer server, String path) {
        return get(server, "/leader?path=" + encoded(path));
    }

    static String encoded(String value) {
        return URLEncoder.encode(value, StandardCharsets.UTF_8);
    }

    /** The first field of this name, wherever it stands; "null" for null. */
    static String field(HttpResponse<String> answer, String name) {
        try (JsonParser json = new JsonFactory().createParser(answer.body())) {
            while (json.nextToken() != null) {
                if (json.currentToken() == JsonToken.FIELD_NAME
                        && json.currentName().equals(name)) {
                    json.nextToken();
                    return json.getText();
                }
            }
        } catch (IOException e) {
            throw new AssertionError("no JSON: " + answer.body(), e);
        }
        throw new AssertionError("no field " + name + ": " + answer.body());
    }

    /** A connection on which these bytes were sent. */
    static Socket sent(OpsServer server, byte... bytes) {
        try {
            Socket socket =
                    new Socket(server.address().getAddress(), server.address().getPort());
            socket.setSoTimeout(PATIENCE_MILLIS);
            try {
                socket.getOutputStream().write(bytes);
            } catch (SocketException e) {
                // The server has seen enough: what it says of that is read next.
            }
            return socket;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Socket sent(OpsServer server, String text) {
        return sent(server, text.getBytes(StandardCharsets.ISO_8859_1));
    }

    /** Everything that comes until the server closes the connection, which is closed then. */
    static String received(Socket connection) {
        try (connection) {
            return new String(connection.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
        } catch (SocketException e) {
            return "reset";
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static LeaderLatch latch(ElectionClient client, String path, String id) {
        LeaderLatch latch = new LeaderLatch(client, path, id);
        try {
            latch.start();
        } catch (Exception e) {
            throw new AssertionError("never thrown", e);
        }
        return latch;
    }
}
