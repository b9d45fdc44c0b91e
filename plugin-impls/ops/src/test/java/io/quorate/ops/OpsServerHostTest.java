package io.quorate.ops;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.ElectionClient;
import io.quorate.testkit.simulation.Clients;
import io.quorate.testkit.simulation.FakeEngine;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A page in a browser of this machine does not get at the server under a name of its own (DNS rebinding). */
class OpsServerHostTest {

    private final ElectionClient client = Clients.over(new FakeEngine());

    @BeforeEach
    void start() {
        client.start();
    }

    @AfterEach
    void close() {
        client.close();
    }

    /** Nothing of it is cut off in real time, however slow the machine is. */
    private OpsServer.Builder serving() {
        return OpsServer.builder(client).port(0).timeout(Duration.ofHours(1));
    }

    private static String answer(OpsServer server, String target, String host) {
        return Web.received(
                Web.sent(server, "GET " + target + " HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n"));
    }

    private static String host(OpsServer server, String host) {
        return answer(server, "/live", host);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "localhost",
                "LOCALHOST:8080",
                "127.0.0.1",
                "127.0.0.1:8080",
                "127.1.2.3:1",
                "[::1]",
                "[::1]:8080",
                "[0:0:0:0:0:0:0:1]:8080",
                "[::ffff:127.0.0.1]"
            })
    void namesOfThisMachineAreAnswered(String name) {
        try (OpsServer server = serving().start()) {
            assertThat(host(server, name)).startsWith("HTTP/1.1 200 ");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "evil.example",
                "evil.example:8080",
                "localhost.evil.example",
                "127.0.0.1.evil.example",
                "0.0.0.0",
                "10.0.0.1:80",
                "128.0.0.1",
                "[::2]:80",
                "[2001:db8::1]",
                "::1"
            })
    void otherNamesAreRefused(String name) {
        try (OpsServer server = serving().start()) {
            assertThat(answer(server, "/events", name)).startsWith("HTTP/1.1 403 ");
            String answer = host(server, name);
            assertThat(answer).startsWith("HTTP/1.1 403 ");
            assertThat(answer)
                    .endsWith("{\"error\":\"header Host: must be a loopback address or localhost, because this server"
                            + " listens at a loopback address\"}\n");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"evil.example:127.0.0.1", "[::1", "[localhost]", ""})
    void whatIsNoNameIsRefused(String name) {
        try (OpsServer server = serving().start()) {
            assertThat(answer(server, "/events", name)).startsWith("HTTP/1.1 400 ");
            assertThat(host(server, name))
                    .startsWith("HTTP/1.1 400 ")
                    .endsWith("{\"error\":\"no request of HTTP that is read here: Bad Request\"}\n");
        }
    }

    // The proxy in between might look at the first, and the server at the second.
    @Test
    void eachOfSeveralNamesMustBeOfThisMachine() {
        assertThat(LocalNames.areLoopback(List.of("localhost", "evil.example"))).isFalse();
        assertThat(LocalNames.areLoopback(List.of("evil.example", "localhost"))).isFalse();
        assertThat(LocalNames.areLoopback(List.of("127.0.0.1", "localhost"))).isTrue();
    }

    // No browser does that; a probe with HTTP 1.0 may.
    @Test
    void withoutANameItIsAnswered() {
        try (OpsServer server = serving().start()) {
            assertThat(Web.received(Web.sent(server, "GET /live HTTP/1.0\r\n\r\n")))
                    .startsWith("HTTP/1.1 200 ");
        }
    }

    @Test
    void elsewhereEachNameIsAnswered() {
        try (OpsServer server = serving().address("0.0.0.0").start()) {
            for (String name : List.of("evil.example", "n1.default.svc:8080", "10.0.0.1")) {
                assertThat(host(server, name)).startsWith("HTTP/1.1 200 ");
            }
        }
    }
}
