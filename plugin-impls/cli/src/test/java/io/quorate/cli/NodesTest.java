package io.quorate.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.cli.Nodes.Said;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Whatever an address answers, it is a row and not the end of the command, and it holds up nobody. */
class NodesTest {

    private static final Duration PATIENCE = Duration.ofMinutes(10);
    private static final Duration SHORT = Duration.ofMillis(300);
    /** How often a busy machine may be late. */
    private static final int ROUNDS_MAX = 100;

    private final FakeNode node = new FakeNode();

    @AfterEach
    void close() {
        node.close();
    }

    private static List<Said<String>> ask(Duration timeout, String... urls) throws InterruptedException {
        return new Nodes(Arrays.stream(urls).map(Url::of).toList(), timeout)
                .ask("/status", (status, body) -> status + " " + body.text("a"));
    }

    private String silence(Duration timeout) throws InterruptedException {
        return ask(timeout, node.url()).get(0).silence();
    }

    @Test
    void anAnswerIsRead() throws InterruptedException {
        node.answer("/status", 503, "{'a':'x','b':[1,2.5,{'c':null}],'d':true}");
        assertThat(ask(PATIENCE, node.url()).get(0).said()).contains("503 x");
    }

    // Its time runs for all of them, and on a busy machine the third may be late too, but not each time.
    @Test
    void aSlowNodeHoldsUpNobody() throws InterruptedException {
        node.answer("/status", 200, "{'a':'x'}");
        try (FakeNode slow = new FakeNode();
                FakeNode stalled = new FakeNode()) {
            slow.hang("/status");
            stalled.stall("/status");
            List<Said<String>> all = ask(SHORT, slow.url(), stalled.url(), node.url());
            for (int round = 1; round < ROUNDS_MAX && all.get(2).said().isEmpty(); round++) {
                all = ask(SHORT, slow.url(), stalled.url(), node.url());
            }
            assertThat(all.get(0).silence()).isEqualTo("no answer within 300 ms");
            assertThat(all.get(1).silence()).isEqualTo("no answer within 300 ms");
            assertThat(all.get(2).said()).contains("200 x");
        }
    }

    @Test
    void nobodyListens() throws InterruptedException {
        assertThat(ask(PATIENCE, FakeNode.nobody()).get(0).silence()).startsWith("cannot be reached");
    }

    @Test
    void anUnknownNameIsSaid() throws InterruptedException {
        assertThat(ask(PATIENCE, "http://no-such-host.invalid:1").get(0).silence())
                .isEqualTo("its name does not resolve");
    }

    @Test
    void aConnectionThatBreaksIsSaid() throws InterruptedException {
        node.handle("/status", exchange -> {
            exchange.sendResponseHeaders(200, 100);
            exchange.getResponseBody().write('{');
            exchange.getResponseBody().flush();
        });
        assertThat(silence(PATIENCE)).startsWith("the connection broke");
    }

    @Test
    void somethingThatIsNoHttpIsSaid() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Thread other = new Thread(() -> greet(server));
            other.start();
            assertThat(ask(PATIENCE, "http://127.0.0.1:" + server.getLocalPort())
                            .get(0)
                            .silence())
                    .startsWith("the connection broke");
            other.join();
        }
    }

    private static void greet(ServerSocket server) {
        try (Socket socket = server.accept()) {
            socket.getOutputStream().write("220 mail ready\r\n".getBytes(StandardCharsets.US_ASCII));
            socket.getInputStream().read();
        } catch (IOException e) {
            // The client has gone away, as it should.
        }
    }

    @Test
    void somethingThatIsNoJsonIsSaid() throws InterruptedException {
        for (String body : List.of("", "<html>", "[]", "{'a':", "{'a':'x'} {", "null")) {
            node.answer("/status", 200, body);
            assertThat(silence(PATIENCE)).as(body).isEqualTo("answers, but not with a JSON object");
        }
    }

    @Test
    void aFieldOfAnotherTypeIsSaid() throws InterruptedException {
        node.answer("/status", 200, "{'a':1}");
        assertThat(silence(PATIENCE)).isEqualTo("answers without a field 'a' that is a text");
        node.answer("/status", 200, "{'b':'x'}");
        assertThat(silence(PATIENCE)).isEqualTo("answers without a field 'a' that is a text");
    }

    @Test
    void numbersHaveAtMost64Bits() throws NoAnswer {
        JsonObject object = JsonObject.parse("{\"a\":99999999999999999999,\"b\":1}".getBytes(StandardCharsets.UTF_8));
        assertThat(object.number("b")).isEqualTo(1);
        assertThatThrownBy(() -> object.number("a"))
                .isInstanceOf(NoAnswer.class)
                .hasMessage("answers without a field 'a' that is a number of at most 64 bits");
    }

    @Test
    void aFloodIsCutOff() throws InterruptedException {
        node.flood("/status");
        assertThat(silence(PATIENCE)).isEqualTo("answers with more than 16777216 bytes");
    }

    // Else whoever may answer for a node decides who is asked.
    @Test
    void nobodyIsSentElsewhere() throws InterruptedException {
        try (FakeNode other = new FakeNode()) {
            node.handle("/status", exchange -> {
                exchange.getResponseHeaders().set("Location", other.url() + "/status");
                exchange.sendResponseHeaders(302, -1);
            });
            assertThat(silence(PATIENCE)).isEqualTo("answers, but not with a JSON object");
            assertThat(other.requests()).isEmpty();
        }
    }

    @Test
    void parametersAreEncoded() throws InterruptedException {
        assertThat(Nodes.query("path", "/a b&c", "to", "ü")).isEqualTo("?path=%2Fa+b%26c&to=%C3%BC");
    }
}
