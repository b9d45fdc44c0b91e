package io.quorate.ops;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.quorate.ElectionClient;
import io.quorate.testkit.CapturedLog;
import io.quorate.testkit.simulation.Clients;
import io.quorate.testkit.simulation.FakeEngine;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A registry is foreign code: it may hang, and throw anything. */
class OpsServerScrapeTest {

    private final ElectionClient client = Clients.over(new FakeEngine());

    @BeforeEach
    void start() {
        client.start();
    }

    @AfterEach
    void close() {
        client.close();
    }

    // Eight is what held all threads of a server that had eight.
    @Test
    void scrapesThatHangHoldUpNobodyElse() {
        CountDownLatch end = new CountDownLatch(1);
        AtomicInteger begun = new AtomicInteger();
        try (OpsServer server = OpsServer.builder(client)
                .port(0)
                .timeout(Duration.ofHours(1))
                .metrics(() -> {
                    begun.incrementAndGet();
                    while (end.getCount() > 0) {
                        try {
                            end.await();
                        } catch (InterruptedException e) {
                            // It is of the kind that does not care.
                        }
                    }
                    return "# late\n";
                })
                .start()) {
            List<CompletableFuture<HttpResponse<String>>> scrapes = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                scrapes.add(Web.later(Web.request(server, "/metrics")));
            }
            await().atMost(Duration.ofMinutes(10)).until(() -> begun.get() >= 2);
            assertThat(Web.get(server, "/live").statusCode()).isEqualTo(200);
            assertThat(Web.get(server, "/ready").statusCode()).isEqualTo(503);
            assertThat(Web.leader(server, "/app/leader").statusCode()).isEqualTo(404);
            assertThat(Web.get(server, "/status").statusCode()).isEqualTo(200);
            assertThat(Web.get(server, "/").statusCode()).isEqualTo(200);
            HttpResponse<String> third = Web.get(server, "/metrics");
            assertThat(third.statusCode()).isEqualTo(503);
            assertThat(third.body())
                    .isEqualTo("{\"error\":\"2 requests for the meters are being answered already\"}\n");
            assertThat(begun.get()).isEqualTo(2);
            await().atMost(Duration.ofMinutes(10))
                    .until(() ->
                            scrapes.stream().filter(CompletableFuture::isDone).count() >= 6);
            end.countDown();
            assertThat(scrapes)
                    .map(scrape -> scrape.join().statusCode())
                    .containsExactlyInAnyOrder(200, 200, 503, 503, 503, 503, 503, 503);
        } finally {
            end.countDown();
        }
    }

    // Its thread is there for the next one.
    @Test
    void aScrapeThatTakesTooLongIsCutOff() {
        AtomicBoolean takesTooLong = new AtomicBoolean(true);
        // Justification: the time has to end; what is cut off for a slow machine is asked again.
        try (OpsServer server = OpsServer.builder(client)
                .port(0)
                .timeout(Duration.ofSeconds(1))
                .metrics(() -> {
                    if (takesTooLong.get()) {
                        LockSupport.park();
                        return Thread.interrupted() ? "# too late\n" : "# woken\n";
                    }
                    return Thread.interrupted() ? "# an interrupt of another request\n" : "# in time\n";
                })
                .start()) {
            for (int i = 0; i < 4; i++) {
                String answer = scrape(server);
                for (int round = 1; round < Web.ROUNDS_MAX && answer.startsWith("HTTP/1.1 503 "); round++) {
                    // On a busy machine those that were cut off hold the threads for a while.
                    answer = scrape(server);
                }
                assertThat(answer).isIn("", "reset");
            }
            takesTooLong.set(false);
            assertThat(Web.answerInTurn(Web.request(server, "/metrics")).body()).isEqualTo("# in time\n");
        }
    }

    private static String scrape(OpsServer server) {
        return Web.received(Web.sent(server, "GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n"));
    }

    private static void fail(String kind) {
        switch (kind) {
            case "assertion" -> throw new AssertionError("of the registry");
            case "linkage" -> throw new NoClassDefFoundError("of/the/Registry");
            case "stack" -> fail(kind);
            default -> throw new IllegalStateException("of the registry");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"assertion", "linkage", "stack", "exception"})
    void whateverAScrapeThrowsIsAnAnswerAndALine(String kind) {
        try (CapturedLog log = new CapturedLog();
                OpsServer server = OpsServer.builder(client)
                        .port(0)
                        .timeout(Duration.ofHours(1))
                        .metrics(() -> {
                            fail(kind);
                            return "";
                        })
                        .start()) {
            HttpResponse<String> answer = Web.get(server, "/metrics");
            assertThat(answer.statusCode()).isEqualTo(500);
            assertThat(answer.body()).isEqualTo("{\"error\":\"internal error: the log of the node has the reason\"}\n");
            assertThat(log.text().lines().filter(line -> line.contains("a request of /metrics failed")))
                    .hasSize(1);
            assertThat(Web.get(server, "/live").statusCode()).isEqualTo(200);
        }
    }
}
