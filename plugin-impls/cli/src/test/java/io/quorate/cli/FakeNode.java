package io.quorate.cli;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Endpoints that answer what a test has told them, well or badly; also those that quorate-ops does not have yet. */
final class FakeNode implements AutoCloseable {

    /** Answers a request, and may do anything else with it. */
    @FunctionalInterface
    interface Handler {
        void handle(HttpExchange exchange) throws IOException, InterruptedException;
    }

    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final CountDownLatch end = new CountDownLatch(1);
    private final Map<String, Handler> handlers = new ConcurrentHashMap<>();
    private final List<String> requests = new CopyOnWriteArrayList<>();

    static {
        // Otherwise each answer waits for 40 ms, because head and body are two packets.
        System.setProperty("sun.net.httpserver.nodelay", "true");
    }

    FakeNode() {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.createContext("/", this::handle);
        server.setExecutor(threads);
        server.start();
    }

    private void handle(HttpExchange exchange) throws IOException {
        String authorization = exchange.getRequestHeaders().getFirst("Authorization");
        requests.add(exchange.getRequestMethod() + " " + exchange.getRequestURI()
                + (authorization == null ? "" : " " + authorization));
        try (exchange) {
            handlers.getOrDefault(
                            exchange.getRequestURI().getPath(),
                            each -> send(each, 404, "{\"error\":\"unknown endpoint: there are /live\"}"))
                    .handle(exchange);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void send(HttpExchange exchange, int status, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
    }

    /** Answers this from now on. */
    FakeNode answer(String path, int status, String body) {
        return handle(path, exchange -> send(exchange, status, body.replace('\'', '"')));
    }

    FakeNode handle(String path, Handler handler) {
        handlers.put(path, handler);
        return this;
    }

    /** Sends nothing until the end of the test. */
    FakeNode hang(String path) {
        return handle(path, exchange -> end.await());
    }

    /** Sends the head of an answer, a part of its body, and nothing more until the end of the test. */
    FakeNode stall(String path) {
        return handle(path, exchange -> {
            exchange.sendResponseHeaders(200, 0);
            exchange.getResponseBody().write('{');
            exchange.getResponseBody().flush();
            end.await();
        });
    }

    /** Sends more than anybody can want. */
    FakeNode flood(String path) {
        return handle(path, exchange -> {
            exchange.sendResponseHeaders(200, 0);
            byte[] spaces = " ".repeat(1 << 16).getBytes(StandardCharsets.US_ASCII);
            try (OutputStream body = exchange.getResponseBody()) {
                for (long sent = 0; sent <= 2L * Nodes.LENGTH_MAX; sent += spaces.length) {
                    body.write(spaces);
                }
            }
        });
    }

    FakeNode status(String node, String state, String voters, String supporters, String more) {
        return answer(
                "/status",
                200,
                "{'node':'" + node + "','cluster':'c','state':'" + state + "','reason':'why','live':true,'ready':true,"
                        + "'voters':[" + voters + "],'supporters':[" + supporters + "],'leads':[]" + more + "}");
    }

    FakeNode leads(String id, String node, long token) {
        return answer(
                "/leader",
                200,
                "{'node':'" + node + "','path':'/p','leads':true,'leader':{'id':'" + id + "','node':'" + node
                        + "'},'token':" + token + ",'reason':'it leads with token " + token + "'}");
    }

    /** As an older node, which does not say its own id. */
    FakeNode follows(String id, String node, long token) {
        return answer(
                "/leader",
                503,
                "{'path':'/p','leads':false,'leader':{'id':'" + id + "','node':'" + node + "'},'token':" + token
                        + ",'reason':'another leads'}");
    }

    /** Contends, and knows of no leader; as an older node. */
    FakeNode knowsNobody() {
        return answer(
                "/leader", 503, "{'path':'/p','leads':false,'leader':null,'token':null,'reason':'it waits for votes'}");
    }

    /** Each with its method and its address, and with the token that was shown. */
    List<String> requests() {
        return List.copyOf(requests);
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    /** An address at which nobody listens. */
    static String nobody() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return "http://127.0.0.1:" + socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        end.countDown();
        server.stop(0);
        threads.shutdownNow();
    }
}
