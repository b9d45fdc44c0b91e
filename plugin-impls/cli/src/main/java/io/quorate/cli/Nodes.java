package io.quorate.cli;

import io.quorate.ops.web.BoundedBody;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.channels.UnresolvedAddressException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.stream.Collectors;
import javax.net.ssl.SSLException;

/** The nodes of a cluster, over HTTP. All are asked at the same time, and none holds up the others. Thread-safe. */
final class Nodes {

    /** The longest answer, in bytes: some 200,000 paths that one node leads. */
    static final int LENGTH_MAX = 16 * 1024 * 1024;

    /** Follows what keeps a command from showing the token. */
    static final String NOT_AGREED = ", so the token is not sent; ask again, or give the one --url that you trust";

    /** How often somebody who watches is shown that a change is being waited for. */
    private static final Duration TICK = Duration.ofSeconds(1);

    // No proxy: a token goes to its node and to nobody else.
    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .followRedirects(HttpClient.Redirect.NEVER)
            .proxy(HttpClient.Builder.NO_PROXY)
            .build();

    private final List<Url> urls;
    private final Duration timeout;

    /** @param timeout for the whole answer of a node, more than 0 */
    Nodes(List<Url> urls, Duration timeout) {
        this.urls = List.copyOf(urls);
        this.timeout = timeout;
    }

    @FunctionalInterface
    interface Reader<T> {
        /**
         * Reads one answer.
         *
         * @param status of HTTP
         * @throws NoAnswer if it is of no use, with the reason
         */
        T read(int status, JsonObject body) throws NoAnswer;
    }

    /**
     * The answer of one address.
     *
     * @param said    empty if it has said nothing of use
     * @param silence why it has not; empty if it has
     */
    record Said<T>(Url url, Optional<T> said, String silence) {

        /** The id of the node, for people; where it is, if it has not said its id. */
        String name(Function<T, Optional<String>> id) {
            return said.flatMap(id).map(Shown::of).orElse(url.toString());
        }
    }

    /** The answer of one address to a request for a change. */
    record Answer(int status, JsonObject body) {}

    /** A query with these parameters, of a name and a value each in turn. */
    static String query(String... parameters) {
        StringBuilder query = new StringBuilder();
        for (int i = 0; i < parameters.length; i += 2) {
            query.append(i == 0 ? '?' : '&')
                    .append(parameters[i])
                    .append('=')
                    .append(URLEncoder.encode(parameters[i + 1], StandardCharsets.UTF_8));
        }
        return query.toString();
    }

    /**
     * Asks all nodes, and waits for each as long as the time-out says.
     *
     * @param target begins with a slash
     * @return in the order of the addresses
     */
    <T> List<Said<T>> ask(String target, Reader<T> reader) throws InterruptedException {
        return ask(urls, url -> target, reader);
    }

    /** As the other, of some of the nodes, with a target for each. */
    <T> List<Said<T>> ask(List<Url> asked, Function<Url, String> target, Reader<T> reader) throws InterruptedException {
        List<CompletableFuture<HttpResponse<byte[]>>> exchanges = asked.stream()
                .map(url -> send(
                        HttpRequest.newBuilder(url.endpoint(target.apply(url))).GET(), timeout))
                .toList();
        List<Said<T>> all = new ArrayList<>();
        for (int i = 0; i < asked.size(); i++) {
            Url url = asked.get(i);
            try {
                Answer answer = answer(exchanges.get(i), timeout);
                all.add(new Said<>(url, Optional.of(reader.read(answer.status, answer.body)), ""));
            } catch (NoAnswer e) {
                all.add(new Said<>(url, Optional.empty(), e.reason()));
            }
        }
        return all;
    }

    List<Url> urls() {
        return urls;
    }

    /**
     * Finds the nodes that may be shown a token: those that say what more than half of all say, and two at least if
     * there are two. So one address that says something of its own gets nothing. A silent node counts, or a single one
     * would decide as soon as the others are down.
     *
     * @param word what they have to agree on; empty of a node that has nothing to say, which does not count
     * @return in the order of the addresses; empty if they do not agree
     */
    static <T> List<Said<T>> agreed(List<Said<T>> all, Function<T, Optional<?>> word) {
        Map<Optional<?>, List<Said<T>>> byWord = all.stream()
                .filter(each -> each.said().isPresent())
                .collect(Collectors.groupingBy(each -> word.apply(each.said().orElseThrow())));
        int mute = byWord.getOrDefault(Optional.empty(), List.of()).size();
        return byWord.entrySet().stream()
                .filter(each -> each.getKey().isPresent())
                .map(Map.Entry::getValue)
                .filter(those -> 2 * those.size() > all.size() - mute && those.size() >= Math.min(2, all.size()))
                .findFirst()
                .orElse(List.of());
    }

    /**
     * Asks one node for a change.
     *
     * @param wait for the whole answer
     * @param tick run about each second while it waits
     * @throws NoAnswer if there is none: the change may have been made all the same
     */
    Answer change(Url url, String target, String token, Duration wait, Runnable tick)
            throws NoAnswer, InterruptedException {
        CompletableFuture<HttpResponse<byte[]>> exchange = send(
                HttpRequest.newBuilder(url.endpoint(target))
                        .header("Authorization", "Bearer " + token)
                        .POST(BodyPublishers.noBody()),
                wait);
        while (true) {
            try {
                exchange.get(TICK.toNanos(), TimeUnit.NANOSECONDS);
                return answer(exchange, wait);
            } catch (TimeoutException e) {
                tick.run();
            } catch (ExecutionException e) {
                return answer(exchange, wait);
            }
        }
    }

    /** The client's own time-out ends with the headers, so this one counts until the end of the body. */
    private CompletableFuture<HttpResponse<byte[]>> send(HttpRequest.Builder request, Duration wait) {
        CompletableFuture<HttpResponse<byte[]>> exchange =
                http.sendAsync(request.build(), information -> new BoundedBody(LENGTH_MAX));
        CompletableFuture<HttpResponse<byte[]>> inTime =
                exchange.copy().orTimeout(wait.toNanos(), TimeUnit.NANOSECONDS);
        inTime.whenComplete((answer, cause) -> {
            if (cause instanceof TimeoutException) {
                exchange.cancel(true);
            }
        });
        return inTime;
    }

    private static Answer answer(CompletableFuture<HttpResponse<byte[]>> exchange, Duration wait)
            throws NoAnswer, InterruptedException {
        try {
            HttpResponse<byte[]> response = exchange.get();
            return new Answer(response.statusCode(), JsonObject.parse(response.body()));
        } catch (ExecutionException e) {
            throw new NoAnswer(reason(e, wait));
        }
    }

    private static String reason(Throwable failure, Duration wait) {
        boolean isUnreached = false;
        String said = "";
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof TimeoutException) {
                return "no answer within " + Durations.shown(wait);
            }
            if (cause instanceof UnresolvedAddressException) {
                return "its name does not resolve";
            }
            String message = cause.getMessage();
            if (cause instanceof BoundedBody.TooLong) {
                return "answers with " + message;
            }
            if (cause instanceof SSLException) {
                return "TLS: " + Shown.of(String.valueOf(message));
            }
            isUnreached |= cause instanceof ConnectException;
            if (cause instanceof IOException && message != null) {
                said = ": " + Shown.of(message);
            }
        }
        return (isUnreached ? "cannot be reached" : "the connection broke") + said;
    }
}
