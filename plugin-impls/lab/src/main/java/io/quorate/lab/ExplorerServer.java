package io.quorate.lab;

import static java.net.HttpURLConnection.HTTP_BAD_METHOD;
import static java.net.HttpURLConnection.HTTP_BAD_REQUEST;
import static java.net.HttpURLConnection.HTTP_FORBIDDEN;
import static java.net.HttpURLConnection.HTTP_INTERNAL_ERROR;
import static java.net.HttpURLConnection.HTTP_NOT_FOUND;
import static java.net.HttpURLConnection.HTTP_OK;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.quorate.testkit.model.AlgorithmFailed;
import io.quorate.testkit.model.Exploration;
import io.quorate.testkit.model.ModelChecker.Moment;
import io.quorate.testkit.model.ModelChecker.World;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.regex.Pattern;

/**
 * Serves an explorer's page to browsers of this machine, and the states that the page does not have:
 * docs/lab.md#explorer. It keeps nothing of a browser, because a question has all steps from the start. A slow
 * client does not delay the others, and only one question at a time is answered with states.
 */
final class ExplorerServer implements AutoCloseable {

    /** How many states the page has at first. */
    static final int STATES = 500;

    private static final int BACKLOG = 16;

    /** The machines' states that were met stay known, so after this many steps they are forgotten. */
    private static final int STEPS_KEPT = 5000;

    /** Places of steps among those of their state, by their words. */
    private static final Pattern QUESTION = Pattern.compile("steps=(|\\d{1,4}(\\.\\d{1,4}){0,999})");

    /** With any port, because it may be reached through a tunnel. */
    private static final Pattern HOST = Pattern.compile("(127\\.0\\.0\\.1|localhost|\\[::1])(:\\d{1,5})?");

    private record Answer(int status, String type, String body) {
        static Answer of(int status, String words) {
            return new Answer(status, "text/plain", words + "\n");
        }
    }

    private final Explorer explorer;
    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private Exploration exploration;
    private int steps;

    /**
     * Begins to serve.
     *
     * @param port 0 for any that is free
     */
    ExplorerServer(Explorer explorer, int port) throws IOException {
        this.explorer = explorer;
        exploration = new Exploration(explorer.model());
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), BACKLOG);
        server.createContext("/", this::handle);
        server.setExecutor(threads);
        server.start();
    }

    /** Returns the address of the page. */
    String url() {
        return "http://" + InetAddress.getLoopbackAddress().getHostAddress() + ":"
                + server.getAddress().getPort() + "/";
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
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
        if (!HOST.matcher(host).matches()) {
            return Answer.of(HTTP_FORBIDDEN, "Host '" + host + "': must be 127.0.0.1, localhost or [::1]");
        }
        if (!exchange.getRequestMethod().equals("GET")) {
            return Answer.of(HTTP_BAD_METHOD, exchange.getRequestMethod() + ": must be GET");
        }
        return switch (exchange.getRequestURI().getPath()) {
            case "/" -> new Answer(HTTP_OK, "text/html", explorer.html(true));
            case "/after" -> after(String.valueOf(exchange.getRequestURI().getRawQuery()));
            default -> Answer.of(HTTP_NOT_FOUND, "must be / or /after");
        };
    }

    private synchronized Answer after(String question) {
        if (!QUESTION.matcher(question).matches()) {
            return Answer.of(HTTP_BAD_REQUEST, "must be steps= and at most 1000 numbers with dots between them");
        }
        int[] places = Arrays.stream(question.split("[=.]"))
                .skip(1)
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
                List<Moment> next = exploration.next(at).stream()
                        .sorted(Comparator.comparing(moment -> explorer.graph().words(moment.step())))
                        .toList();
                if (places[number] >= next.size()) {
                    return Answer.of(
                            HTTP_BAD_REQUEST,
                            "steps[" + number + "] " + places[number] + ": must be below " + next.size());
                }
                at = next.get(places[number]).after();
            }
            return new Answer(
                    HTTP_OK,
                    "application/json",
                    "{" + explorer.graph().around(exploration, at).json() + "}");
        } catch (AlgorithmFailed e) {
            return Answer.of(HTTP_INTERNAL_ERROR, String.valueOf(e.getMessage()));
        }
    }
}
