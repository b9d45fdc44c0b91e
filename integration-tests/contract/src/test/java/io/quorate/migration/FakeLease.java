package io.quorate.migration;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** One lease, as the API server of Kubernetes keeps it: a write needs the version of the last one. */
final class FakeLease implements AutoCloseable {

    private static final String PATH = "/apis/coordination.k8s.io/v1/namespaces/default/leases/app";
    private static final Pattern VERSION = Pattern.compile("\"resourceVersion\": \"(\\d+)\"");
    private static final Pattern HOLDER = Pattern.compile("\"holderIdentity\": \"([^\"]*)\"");

    private final HttpServer server;
    // All are guarded by this.
    private String spec = "{}";
    private int version = 1;
    private boolean refuses;

    FakeLease() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext(PATH, this::answer);
        server.start();
    }

    private synchronized void answer(HttpExchange exchange) throws IOException {
        int status = 200;
        if (refuses) {
            status = 503;
        } else if (exchange.getRequestMethod().equals("PUT")) {
            String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            status = write(body) ? 200 : 409;
        }
        byte[] answer = (status == 200 ? toString() : "{\"kind\": \"Status\", \"code\": " + status + "}")
                .getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, answer.length);
        exchange.getResponseBody().write(answer);
        exchange.close();
    }

    private boolean write(String body) {
        Matcher read = VERSION.matcher(body);
        if (!read.find() || Integer.parseInt(read.group(1)) != version) {
            return false;
        }
        spec = body.substring(body.indexOf("\"spec\": ") + "\"spec\": ".length(), body.lastIndexOf('}'));
        version++;
        return true;
    }

    HttpRequest.Builder request() {
        return HttpRequest.newBuilder(
                URI.create("http://127.0.0.1:" + server.getAddress().getPort() + PATH));
    }

    /** Somebody has written it, whom nobody knows. */
    synchronized void takenBy(String holder) {
        spec = "{\"holderIdentity\": \"" + holder + "\", \"renewTime\": \"2026-01-01T00:00:00.000000Z\"}";
        version++;
    }

    synchronized String holder() {
        Matcher holder = HOLDER.matcher(spec);
        return holder.find() ? holder.group(1) : "";
    }

    /** From now on it answers nobody. */
    synchronized void refuses() {
        refuses = true;
    }

    @Override
    public synchronized String toString() {
        return "{\"kind\": \"Lease\", \"metadata\": {\"name\": \"app\", \"resourceVersion\": \"" + version
                + "\"}, \"spec\": " + spec + "}";
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
