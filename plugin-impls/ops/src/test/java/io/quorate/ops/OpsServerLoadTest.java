package io.quorate.ops;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.ElectionClient;
import io.quorate.testkit.RealTime;
import io.quorate.testkit.simulation.Clients;
import io.quorate.testkit.simulation.FakeEngine;
import io.quorate.testkit.simulation.Histogram;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** A hundred thousand requests on connections that are kept, as an eager proxy and many probes send them. */
@RealTime
class OpsServerLoadTest {

    private static final int CLIENTS = 16;
    private static final int REQUESTS = 100_000;
    private static final int WARM_UP = 8_000;
    /** An answer that leaves one object of 16 bytes behind takes more. */
    private static final long GROWTH_MAX = 1_000_000;

    private static final List<String> TARGETS = List.of(
            "/live",
            "/ready",
            "/status",
            "/leader?path=/app/leader",
            "/metrics",
            "/unknown",
            "/explain?path=/app/leader",
            "/paths",
            "/log",
            "/cluster",
            "/");
    private static final List<Integer> STATUSES = List.of(200, 503, 200, 503, 200, 404, 200, 200, 200, 200, 200);

    /** Sends so many requests on one connection, one after the other. */
    private static void ask(OpsServer server, int requests) throws IOException {
        try (Socket socket = Web.sent(server);
                InputStream answers = new BufferedInputStream(socket.getInputStream())) {
            socket.setTcpNoDelay(true);
            for (int i = 0; i < requests; i++) {
                int kind = i % TARGETS.size();
                socket.getOutputStream()
                        .write(("GET " + TARGETS.get(kind) + " HTTP/1.1\r\nHost: localhost\r\n\r\n")
                                .getBytes(StandardCharsets.US_ASCII));
                assertThat(status(answers)).as(TARGETS.get(kind)).isEqualTo(STATUSES.get(kind));
            }
        }
    }

    /** Reads one answer, whole. */
    private static int status(InputStream answers) throws IOException {
        String first = line(answers);
        int length = 0;
        for (String header = line(answers); !header.isEmpty(); header = line(answers)) {
            if (header.regionMatches(true, 0, "Content-length:", 0, 15)) {
                length = Integer.parseInt(header.substring(15).strip());
            }
        }
        assertThat(answers.readNBytes(length)).hasSize(length);
        return Integer.parseInt(first.split(" ")[1]);
    }

    private static String line(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0) {
                throw new IOException("the server has closed the connection after '" + line + "'");
            }
            if (next != '\r') {
                line.append((char) next);
            }
        }
        return line.toString();
    }

    private static void askAll(OpsServer server, int requests) throws Exception {
        ExecutorService clients = Executors.newFixedThreadPool(CLIENTS);
        try {
            List<Future<?>> asked = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                asked.add(clients.submit(() -> {
                    ask(server, requests / CLIENTS);
                    return null;
                }));
            }
            for (Future<?> each : asked) {
                each.get();
            }
        } finally {
            clients.shutdownNow();
        }
    }

    /** The bytes of all objects but those with which the collector fills gaps, a megabyte more or less. */
    private static long kept() {
        return Histogram.take()
                .where(type -> !type.equals("[I") && !type.contains("jdk.internal.vm.Filler"))
                .bytes();
    }

    @Test
    void aHundredThousandRequestsLeaveNothingBehind() throws Exception {
        FakeEngine engine = new FakeEngine();
        try (ElectionClient client = Clients.over(engine)) {
            client.start();
            Web.latch(client, "/app/leader", "me");
            try (OpsServer server = OpsServer.builder(client)
                    .port(0)
                    .metrics(() -> "# nothing\n")
                    .start()) {
                askAll(server, WARM_UP);
                long before = kept();
                askAll(server, REQUESTS);
                assertThat(kept() - before).isLessThan(GROWTH_MAX);
                // Eight of the server, one for the time, one for probes, eight of the lanes for what has no token.
                assertThat(Thread.getAllStackTraces().keySet())
                        .filteredOn(thread -> thread.getName().startsWith("quorate-http-fake"))
                        .hasSizeBetween(2, 8 + 1 + 1 + 8);
            }
        }
    }
}
