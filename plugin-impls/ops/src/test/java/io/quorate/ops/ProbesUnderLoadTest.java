package io.quorate.ops;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.ElectionClient;
import io.quorate.testkit.RealTime;
import io.quorate.testkit.simulation.Clients;
import io.quorate.testkit.simulation.FakeEngine;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A platform restarts a process that does not answer a probe within a second, so strangers must not delay one. */
@RealTime
class ProbesUnderLoadTest {

    private static final Logger LOG = LoggerFactory.getLogger(ProbesUnderLoadTest.class);

    private static final int LED = 10_000;
    private static final int STRANGERS = 200;
    private static final int PER_SECOND = 20;
    private static final int PROBES = 100;
    private static final int PERIOD_MILLIS = 50;
    /** What Kubernetes grants a probe unless it is told otherwise. */
    private static final int LIMIT_MILLIS = 1000;
    /** In a flood that takes all processors, from the test too, an answer may come later, but it comes. */
    private static final int FLOOD_LIMIT_MILLIS = 10_000;

    /** The test has failed by then. */
    private static final int ENOUGH = 3;

    private static final String[] DEAR = {"/live", "/status", "/led?limit=1000", "/cluster", "/ready"};

    private final FakeEngine engine = new FakeEngine();
    private final ElectionClient client = Clients.over(engine);

    @BeforeEach
    void lead() throws Exception {
        client.start();
        for (int i = 0; i < LED; i++) {
            Web.latch(client, "/app/" + i, "me");
            engine.last().grant(i + 1);
        }
        assertThat(client.health().leads()).hasSize(LED);
    }

    @AfterEach
    void close() {
        client.close();
    }

    /** The time from the connection to the end of the answer; {@link Long#MAX_VALUE} if it is longer than the limit. */
    private static long probeMicros(OpsServer server, String target, int limitMillis) {
        long begun = System.nanoTime();
        try (Socket socket = new Socket()) {
            socket.connect(
                    new InetSocketAddress(
                            server.address().getAddress(), server.address().getPort()),
                    limitMillis);
            socket.setSoTimeout(limitMillis);
            socket.getOutputStream()
                    .write(("GET " + target + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
            long took = TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - begun);
            return answer.startsWith("HTTP/1.1 ") && took <= TimeUnit.MILLISECONDS.toMicros(limitMillis)
                    ? took
                    : Long.MAX_VALUE;
        } catch (IOException e) {
            return Long.MAX_VALUE;
        }
    }

    private static void assertAllAnswered(String what, int limitMillis, OpsServer server, Strangers strangers) {
        List<Long> took = new ArrayList<>();
        for (int i = 0; i < PROBES && Collections.frequency(took, Long.MAX_VALUE) < ENOUGH; i++) {
            took.add(probeMicros(server, i % 2 == 0 ? "/live" : "/ready?mode=connected", limitMillis));
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(PERIOD_MILLIS));
        }
        Collections.sort(took);
        long answered = took.stream().filter(each -> each < Long.MAX_VALUE).count();
        long soon = took.stream()
                .filter(each -> each <= TimeUnit.MILLISECONDS.toMicros(LIMIT_MILLIS))
                .count();
        LOG.info(
                "{}: {} of {} probes within {} ms, {} within {} ms; median {} us, slowest {} us; strangers got {} bytes",
                what,
                answered,
                PROBES,
                limitMillis,
                soon,
                LIMIT_MILLIS,
                took.get(took.size() / 2),
                took.get(took.size() - 1),
                strangers.bytesRead());
        assertThat(answered).as(what).isEqualTo(PROBES);
    }

    @Test
    void probesAreAnsweredBesideDearQuestions() throws Exception {
        try (OpsServer server = OpsServer.builder(client).port(0).start();
                Strangers strangers = Strangers.asking(server, STRANGERS, PER_SECOND, DEAR)) {
            assertAllAnswered("20 requests a second", LIMIT_MILLIS, server, strangers);
        }
    }

    @Test
    void probesAreAnsweredInAFloodOfProbes() throws Exception {
        try (OpsServer server = OpsServer.builder(client).port(0).start();
                Strangers strangers = Strangers.flooding(server, STRANGERS, "/live")) {
            assertAllAnswered("a flood of /live", FLOOD_LIMIT_MILLIS, server, strangers);
        }
    }

    @Test
    void probesAreAnsweredInAFloodOfAllEndpoints() throws Exception {
        try (OpsServer server = OpsServer.builder(client).port(0).start();
                Strangers strangers = Strangers.flooding(server, STRANGERS, DEAR)) {
            assertAllAnswered("a flood of all", FLOOD_LIMIT_MILLIS, server, strangers);
        }
    }

    @Test
    void probesAreAnsweredInAFloodOfUnknownEndpoints() throws Exception {
        try (OpsServer server = OpsServer.builder(client).port(0).start();
                Strangers strangers = Strangers.flooding(server, STRANGERS, "/unknown")) {
            assertAllAnswered("a flood of unknown endpoints", FLOOD_LIMIT_MILLIS, server, strangers);
        }
    }
}
