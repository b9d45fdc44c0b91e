package io.quorate.ops;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Semaphore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Server-sent events for pages that are open: one each second, for as long as a page listens. Each stream has a thread,
 * and ends after some minutes; the page then asks again by itself.
 */
final class EventStream implements HttpHandler, AutoCloseable {

    static final String ADDRESS = "/events";

    /** Pages that listen at one time; a further one is told to ask again. */
    static final int STREAMS_MAX = HttpWorkers.THREADS;

    /** A page that was closed without a word is found out by then. */
    private static final Duration LENGTH = Duration.ofMinutes(2);

    private static final Duration PERIOD = Duration.ofSeconds(1);

    private static final Logger LOG = LoggerFactory.getLogger(OpsServer.class);

    private final HttpWorkers workers;
    private final Semaphore free = new Semaphore(STREAMS_MAX);
    private final Source source;

    /** What an event tells. */
    @FunctionalInterface
    interface Source {
        /** One line. */
        String next() throws IOException;
    }

    EventStream(String name, Source source) {
        this.workers = new HttpWorkers(name, LENGTH);
        this.source = source;
    }

    @Override
    public void handle(HttpExchange exchange) throws IOException {
        try {
            if (!exchange.getRequestURI().getPath().equals(ADDRESS)) {
                throw new Refused(404, "unknown endpoint: there is " + ADDRESS);
            }
            Endpoints.allow(exchange, List.of("GET"), "");
            begin(exchange);
        } catch (Refused e) {
            try (exchange) {
                Answer.error(e.status(), e.reason()).sendTo(exchange);
            }
        }
    }

    /** Sends events on a thread of its own, where the exchange is closed. */
    private void begin(HttpExchange exchange) throws Refused {
        if (!free.tryAcquire()) {
            throw new Refused(503, STREAMS_MAX + " pages listen already: close one");
        }
        try {
            workers.run(() -> {
                try (exchange) {
                    send(exchange);
                } catch (InterruptedException e) {
                    // Its time is over, or the server closes.
                    Thread.currentThread().interrupt();
                } catch (IOException e) {
                    LOG.debug("a page has gone", e);
                } finally {
                    free.release();
                }
            });
        } catch (RuntimeException e) {
            // Justification: the server closes, and nobody else gives the place back.
            free.release();
            throw e;
        }
    }

    private void send(HttpExchange exchange) throws IOException, InterruptedException {
        exchange.getResponseHeaders().set("Content-Type", "text/event-stream");
        exchange.getResponseHeaders().set("Cache-Control", "no-store");
        exchange.sendResponseHeaders(200, 0);
        OutputStream out = exchange.getResponseBody();
        // Pages come back so soon after the end of the stream.
        out.write("retry: 1000\n\n".getBytes(StandardCharsets.UTF_8));
        while (true) {
            out.write(("data: " + source.next() + "\n").getBytes(StandardCharsets.UTF_8));
            out.flush();
            Thread.sleep(PERIOD.toMillis());
        }
    }

    @Override
    public void close() {
        workers.close();
    }
}
