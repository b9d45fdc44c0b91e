package io.quorate.ops;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.quorate.ElectionClient;
import io.quorate.testkit.Deadline;
import io.quorate.testkit.simulation.Clients;
import io.quorate.testkit.simulation.FakeEngine;
import io.quorate.testkit.simulation.Seeds;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.Socket;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Strangers, slow clients and many clients. */
class OpsServerLimitsTest {

    private static final String PATH = "/app/leader";
    private static final String TOKEN = "token-of-the-tests";
    private static final String HALF = "GET /live HTTP/1.1\r\nHost: localhost";
    private static final String WITHOUT_ITS_BODY = "GET /live HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n";

    private final FakeEngine engine = new FakeEngine();
    private final ElectionClient client = Clients.over(engine);
    private final List<Socket> opened = new ArrayList<>();

    @TempDir
    Path folder;

    private Path file;
    private Set<Thread> before;

    @BeforeEach
    void open() throws IOException {
        file = Files.writeString(folder.resolve("token"), TOKEN);
        client.start();
        before = Thread.getAllStackTraces().keySet();
    }

    @AfterEach
    void close() throws IOException {
        for (Socket socket : opened) {
            socket.close();
        }
        client.close();
    }

    private OpsServer serving(Duration timeout) {
        return OpsServer.builder(client)
                .port(0)
                .tokenFile(file)
                .timeout(timeout)
                .start();
    }

    private OpsServer serving() {
        // Longer than a test waits: nobody is cut off in favour of whom it asks for.
        return serving(Duration.ofHours(1));
    }

    private Socket sent(OpsServer server, String text) {
        Socket socket = Web.sent(server, text);
        opened.add(socket);
        return socket;
    }

    private static void assertAnswers(OpsServer server) {
        assertThat(Web.answerInTime(Web.request(server, "/live")).statusCode()).isEqualTo(200);
    }

    // ---------------------------------------------------------------- too much

    @Test
    void aBodyHas4096BytesAtMost() {
        try (OpsServer server = serving()) {
            String most = "x".repeat(4096);
            assertThat(Web.answer(Web.request(server, "/live").method("GET", BodyPublishers.ofString(most)))
                            .statusCode())
                    .isEqualTo(200);
            HttpResponse<String> tooLarge =
                    Web.answer(Web.request(server, "/live").method("GET", BodyPublishers.ofString(most + "x")));
            assertThat(tooLarge.statusCode()).isEqualTo(413);
            assertThat(tooLarge.body())
                    .isEqualTo("{\"error\":\"the body has more than 4096 bytes: none is needed\"}\n");
            // Its length is not told before.
            byte[] chunks = new byte[5000];
            HttpResponse<String> change = Web.answer(Web.request(server, "/standby?on=true")
                    .header("Authorization", "Bearer " + TOKEN)
                    .POST(BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(chunks))));
            assertThat(change.statusCode()).isEqualTo(413);
            assertThat(engine.standBys()).doesNotContain("its client is on standby");
        }
    }

    @Test
    void aRequestLineWithoutEndHurtsNobody() {
        try (OpsServer server = serving()) {
            sent(server, "GET /" + "x".repeat(2_000_000));
            assertAnswers(server);
        }
    }

    @Test
    void garbageHurtsNobody() {
        try (OpsServer server = serving(Duration.ofSeconds(1))) {
            Seeds.each(50, 1, seed -> {
                Random random = new Random(seed);
                byte[] bytes = new byte[random.nextInt(3000)];
                random.nextBytes(bytes);
                Socket socket = Web.sent(server, bytes);
                try {
                    socket.shutdownOutput();
                } catch (IOException e) {
                    // The server was faster.
                }
                Web.received(socket);
            });
            assertAnswers(server);
        }
    }

    @Test
    void aThousandRequestsTakeAFewThreads() throws Exception {
        try (OpsServer server = serving()) {
            for (int round = 0; round < 50; round++) {
                List<CompletableFuture<HttpResponse<String>>> answers = new ArrayList<>();
                for (int i = 0; i < 20; i++) {
                    answers.add(Web.laterInTurn(Web.request(server, "/leader?path=/app/leader")));
                }
                for (CompletableFuture<HttpResponse<String>> answer : answers) {
                    assertThat(Deadline.get(answer).statusCode()).isEqualTo(404);
                }
            }
            // Eight of the server, one for the time, four of the lane.
            assertThat(own().stream().filter(thread -> thread.getName().startsWith("quorate-http-fake")))
                    .hasSizeBetween(2, 8 + 1 + 4);
        }
    }

    // ---------------------------------------------------------------- too slow

    @Test
    void slowClientsHoldUpNobody() {
        try (OpsServer server = serving()) {
            for (int i = 1; i < 8; i++) {
                sent(server, i % 2 == 0 ? HALF : WITHOUT_ITS_BODY);
            }
            for (int i = 0; i < 20; i++) {
                assertAnswers(server);
            }
        }
    }

    // Twice as many as there are threads.
    @Test
    void slowClientsAreCutOff() {
        try (OpsServer server = serving(Duration.ofSeconds(1))) {
            List<Socket> slow = new ArrayList<>();
            for (int i = 0; i < 16; i++) {
                slow.add(sent(server, i % 2 == 0 ? HALF : WITHOUT_ITS_BODY));
            }
            assertAnswers(server);
            slow.forEach(socket -> assertThat(Web.received(socket)).isIn("", "reset"));
            assertAnswers(server);
        }
    }

    // The node's thread owes four transfers an answer. Probes do not ask it.
    @Test
    void aStuckNodeHoldsUpNoProbe() throws Exception {
        Web.latch(client, PATH, "me");
        engine.last().grant(1);
        try (OpsServer server = serving()) {
            List<CompletableFuture<HttpResponse<String>>> stuck = new ArrayList<>();
            for (String to : List.of("a", "b", "c", "d")) {
                stuck.add(Web.later(Web.post(server, "/transfer?path=/app/leader&to=" + to)
                        .header("Authorization", "Bearer " + TOKEN)));
            }
            Deadline.until(
                    () -> engine.last().transfers().size() >= stuck.size()
                            || stuck.stream().anyMatch(CompletableFuture::isDone),
                    client);
            HttpResponse<String> fifth = Web.answer(
                    Web.post(server, "/transfer?path=/app/leader&to=e").header("Authorization", "Bearer " + TOKEN));
            assertThat(fifth.statusCode()).isEqualTo(503);
            assertThat(fifth.body())
                    .isEqualTo("{\"error\":\"4 requests wait for a change already, and this one has begun none:"
                            + " ask again later\"}\n");
            assertThat(engine.last().transfers()).doesNotContainKey("e");
            assertThat(Web.field(Web.leader(server, PATH), "reason")).isEqualTo("as the test says");
            assertAnswers(server);
            engine.last().transfers().values().forEach(transfer -> transfer.complete(null));
            stuck.forEach(answer -> assertThat(answer.join().statusCode()).isEqualTo(200));
            assertThat(Web.field(Web.leader(server, PATH), "reason")).isEqualTo("as the test says");
        }
    }

    // What a node leads is asked of its thread, path by path.
    @Test
    void aStuckNodeThatIsAskedWhatItLeadsHoldsUpNoStatus() throws Exception {
        Web.latch(client, PATH, "me");
        engine.last().grant(1);
        CountDownLatch asked = new CountDownLatch(2);
        CountDownLatch answers = new CountDownLatch(1);
        engine.last().onExplain(() -> {
            asked.countDown();
            Deadline.await(answers, "the node answers");
        });
        try (OpsServer server = serving()) {
            List<CompletableFuture<HttpResponse<String>>> stuck = Stream.of(1, 2)
                    .map(each -> Web.later(Web.request(server, "/led")))
                    .toList();
            Deadline.await(asked, client);
            HttpResponse<String> status = Web.get(server, "/status");
            answers.countDown();
            stuck.forEach(answer -> assertThat(answer.join().statusCode()).isEqualTo(200));
            assertThat(status.statusCode()).as(status.body()).isEqualTo(200);
        }
    }

    private CompletableFuture<HttpResponse<String>> changing(OpsServer server, String voters) {
        return Web.later(
                Web.post(server, "/voters?number=7&voters=" + voters).header("Authorization", "Bearer " + TOKEN));
    }

    // A change takes seconds, and the node answers all the same.
    @Test
    void requestsThatWaitForAChangeOfVotersHoldUpNobody() throws Exception {
        Web.latch(client, PATH, "me");
        engine.last().grant(1);
        try (OpsServer server = serving()) {
            List<CompletableFuture<HttpResponse<String>>> all = Stream.of("a", "b", "c", "d")
                    .map(id -> changing(server, id))
                    .toList();
            await().atMost(Duration.ofMinutes(10))
                    .until(() -> all.stream().filter(CompletableFuture::isDone).count()
                                    + engine.changes().size()
                            >= all.size());
            assertThat(Web.leader(server, PATH).body()).contains("\"reason\":\"as the test says\"");
            assertAnswers(server);
            // Whoever is refused has begun nothing.
            assertThat(engine.changes()).hasSize(2);
            assertThat(all)
                    .filteredOn(CompletableFuture::isDone)
                    .hasSize(2)
                    .map(CompletableFuture::join)
                    .allSatisfy(refused -> {
                        assertThat(refused.statusCode()).isEqualTo(503);
                        assertThat(refused.body())
                                .isEqualTo("{\"error\":\"2 requests wait for a change of voters already, and this"
                                        + " one has begun none: ask again later\"}\n");
                    });
            engine.changes().values().forEach(change -> change.complete(null));
            assertThat(all).map(answer -> answer.join().statusCode()).containsExactlyInAnyOrder(200, 200, 503, 503);
        }
    }

    // ---------------------------------------------------------------- its end

    /** The threads that were not there before. */
    private Set<Thread> own() {
        Set<Thread> own = new HashSet<>(Thread.getAllStackTraces().keySet());
        own.removeAll(before);
        return own;
    }

    @Test
    void nothingIsLeftOfAClosedServer() throws Exception {
        OpsServer server = serving();
        Socket slow = sent(server, HALF);
        for (int i = 0; i < 20; i++) {
            assertAnswers(server);
        }
        List<Thread> threads = own().stream()
                .filter(thread -> thread.getName().startsWith("quorate-http-"))
                .toList();
        assertThat(threads).hasSizeGreaterThan(2).allMatch(Thread::isDaemon);
        server.close();
        server.close();
        for (Thread thread : threads) {
            thread.join(Web.PATIENCE_MILLIS);
            assertThat(thread.isAlive()).as(thread.getName()).isFalse();
        }
        assertThat(Web.received(slow)).isIn("", "reset");
        assertThatThrownBy(() -> Web.get(server, "/live"))
                .isInstanceOf(UncheckedIOException.class)
                .hasCauseInstanceOf(ConnectException.class);
        assertThat(server.address().getPort()).isPositive();
        // The client is the application's.
        assertThat(client.getState()).isEqualTo(ElectionClient.State.STARTED);
    }
}
