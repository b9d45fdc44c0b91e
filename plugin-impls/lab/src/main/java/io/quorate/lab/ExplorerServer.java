package io.quorate.lab;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.quorate.testkit.model.AlgorithmFailed;
import io.quorate.testkit.model.Exploration;
import io.quorate.testkit.model.ModelChecker.World;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Serves an explorer's page to browsers of this machine, and the states that the page does not have:
 * docs/lab.md#explorer. It keeps nothing of a browser, because a question has all steps from the start. Its one thread
 * answers one question after the other.
 */
final class ExplorerServer implements AutoCloseable {

    /** How many states the page has at first. */
    static final int STATES = 500;

    private static final int BACKLOG = 16;

    /** The machines' states that were met stay known, so after this many steps they are forgotten. */
    private static final int STEPS_KEPT = 5000;

    /** Places of steps among those of their state, by their words. */
    private static final Pattern QUESTION = Pattern.compile("steps=(|\\d{1,4}(\\.\\d{1,4}){0,999})");

    private static final int OK = 200;
    private static final int BAD_REQUEST = 400;
    private static final int FORBIDDEN = 403;
    private static final int NOT_FOUND = 404;
    private static final int METHOD_NOT_ALLOWED = 405;
    private static final int FAILED = 500;

    private record Answer(int status, String type, String body) {
        static Answer of(int status, String words) {
            return new Answer(status, "text/plain", words + "\n");
        }
    }

    private final Explorer explorer;
    private final LabWords words;
    private final HttpServer server;
    private Exploration exploration;
    private int steps;

    /**
     * Begins to serve.
     *
     * @param port 0 for any that is free
     */
    ExplorerServer(Explorer explorer, int port) throws IOException {
        this.explorer = explorer;
        words = LabWords.ofCheck(explorer.algorithm(), explorer.way(), explorer.size());
        exploration = new Exploration(explorer.model());
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), BACKLOG);
        server.createContext("/", this::handle);
        server.start();
    }

    /** Returns the address of the page. */
    String url() {
        return "http://" + InetAddress.getLoopbackAddress().getHostAddress() + ":" + port() + "/";
    }

    private int port() {
        return server.getAddress().getPort();
    }

    @Override
    public void close() {
        server.stop(0);
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            Answer answer = answer(exchange);
            byte[] body = answer.body.getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", answer.type + "; charset=utf-8");
            exchange.getResponseHeaders().set("X-Content-Type-Options", "nosniff");
            exchange.getResponseHeaders().set("Cache-Control", "no-store");
            exchange.sendResponseHeaders(answer.status, body.length);
            exchange.getResponseBody().write(body);
        }
    }

    private Answer answer(HttpExchange exchange) {
        String host = String.valueOf(exchange.getRequestHeaders().getFirst("Host"));
        // The name of another site may resolve to this machine, and its pages could then read the answers.
        List<String> hosts = List.of("127.0.0.1:" + port(), "localhost:" + port(), "[::1]:" + port());
        if (!hosts.contains(host)) {
            return Answer.of(FORBIDDEN, "Host '" + host + "': must be one of " + String.join(", ", hosts));
        }
        if (!exchange.getRequestMethod().equals("GET")) {
            return Answer.of(METHOD_NOT_ALLOWED, exchange.getRequestMethod() + ": must be GET");
        }
        return switch (exchange.getRequestURI().getPath()) {
            case "/" -> new Answer(OK, "text/html", explorer.html(true));
            case "/after" -> after(String.valueOf(exchange.getRequestURI().getRawQuery()));
            default -> Answer.of(NOT_FOUND, "must be / or /after");
        };
    }

    private Answer after(String question) {
        if (!QUESTION.matcher(question).matches()) {
            return Answer.of(BAD_REQUEST, "must be steps= and at most 1000 numbers with dots between them");
        }
        String written = question.substring(question.indexOf('=') + 1);
        int[] places = written.isEmpty()
                ? new int[0]
                : Arrays.stream(written.split("\\."))
                        .mapToInt(Integer::parseInt)
                        .toArray();
        steps += places.length + 1;
        if (steps > STEPS_KEPT) {
            steps = 0;
            exploration = new Exploration(explorer.model());
        }
        try {
            World at = exploration.first();
            for (int number = 0; number < places.length; number++) {
                List<String> next = exploration.next(at).stream()
                        .map(moment -> StateGraph.words(words, moment.step()))
                        .sorted()
                        .toList();
                if (places[number] >= next.size()) {
                    return Answer.of(
                            BAD_REQUEST, "steps[" + number + "] " + places[number] + ": must be below " + next.size());
                }
                String place = "steps[" + number + "]";
                at = StateGraph.step(exploration, words, at, next.get(places[number]), place);
            }
            return new Answer(
                    OK,
                    "application/json",
                    "{" + new StateGraph(exploration, words, explorer.notes(), at).json() + "}");
        } catch (AlgorithmFailed e) {
            return Answer.of(FAILED, String.valueOf(e.getMessage()));
        }
    }
}
