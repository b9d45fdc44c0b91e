package io.quorate.ops;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.ElectionClient;
import io.quorate.Health;
import io.quorate.Profile;
import io.quorate.Voters;
import io.quorate.VotersNotChangedException;
import io.quorate.testkit.ClusterSettings;
import io.quorate.testkit.SimulatedCluster;
import io.quorate.testkit.simulation.Clients;
import io.quorate.testkit.simulation.FakeEngine;
import io.quorate.testkit.simulation.HighestUp;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Changes need the token of a file. The cluster lives in virtual time, the sockets are real. */
class OpsServerChangesTest {

    private static final String PATH = "/app/leader";
    private static final String TOKEN = "4b1d/Zk+0.~_-wasted==";
    private static final String TRANSFER = "/transfer?path=/app/leader&to=n2";

    private final SimulatedCluster cluster =
            new SimulatedCluster(ClusterSettings.ofVoters(3).algorithm(new HighestUp()));
    private final Map<String, OpsServer> servers = new TreeMap<>();

    @TempDir
    Path folder;

    private Path file;

    @BeforeEach
    void contend() throws IOException {
        file = Files.writeString(folder.resolve("token"), TOKEN + "\n");
        for (String node : cluster.nodes()) {
            Web.latch(cluster.client(node), PATH, node);
            cluster.awaitLeader(PATH);
        }
        cluster.advance(Profile.DEFAULT.supportDuration());
    }

    @AfterEach
    void close() {
        servers.values().forEach(OpsServer::close);
        cluster.close();
    }

    /** Nothing of it is cut off in real time, however slow the machine is. */
    private OpsServer server(String node) {
        return servers.computeIfAbsent(node, name -> OpsServer.builder(cluster.client(name))
                .port(0)
                .timeout(Duration.ofHours(1))
                .tokenFile(file)
                .start());
    }

    private static HttpRequest.Builder withToken(HttpRequest.Builder request) {
        return request.header("Authorization", "Bearer " + TOKEN);
    }

    /** The answer to a request that needs time to pass. */
    private HttpResponse<String> changed(String node, String target) {
        CompletableFuture<HttpResponse<String>> answer = Web.later(withToken(Web.post(server(node), target)));
        while (true) {
            try {
                // Justification: virtual time passes while the answer is not there.
                return answer.get(1, TimeUnit.MILLISECONDS);
            } catch (TimeoutException e) {
                cluster.advance(Duration.ofMillis(1));
            } catch (InterruptedException | ExecutionException e) {
                throw new AssertionError(target, e);
            }
        }
    }

    private boolean leads(String node) {
        return cluster.client(node).health().leads().containsKey(PATH);
    }

    // ---------------------------------------------------------------- transfer

    @Test
    void leadershipIsTransferred() {
        HttpResponse<String> answer = changed("n1", TRANSFER);
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.body()).isEqualTo("{\"path\":\"/app/leader\",\"to\":\"n2\"}\n");
        assertThat(leads("n2")).isTrue();
        assertThat(Web.leader(server("n2"), PATH).statusCode()).isEqualTo(200);
    }

    private void assertRefused(String node, String target, int status, String reason) {
        HttpResponse<String> answer = changed(node, target);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
        assertThat(Web.field(answer, "error")).contains(reason);
        assertThat(leads("n1")).isTrue();
    }

    @Test
    void impossibleTransferIsRejected() {
        assertRefused("n2", TRANSFER, 409, "Not leading /app/leader");
        assertRefused("n1", "/transfer?path=/other&to=n2", 409, "Not contending on /other");
        assertRefused("n1", "/transfer?path=/app/leader&to=nobody", 400, "nobody");
        assertRefused("n1", "/transfer?path=/app/leader", 400, "parameter to: is required");
        assertRefused("n1", "/transfer?to=n2", 400, "parameter path: is required");
        cluster.pause("n2");
        cluster.advance(Duration.ofMillis(700));
        assertRefused("n1", TRANSFER, 409, "its node n2 is not up");
    }

    @Test
    void aTransferThatDoesNotComeToItsEndIsAnsweredAsLate() {
        FakeEngine engine = new FakeEngine();
        try (ElectionClient client = Clients.over(engine)) {
            client.start();
            Web.latch(client, PATH, "me");
            engine.last().grant(1);
            // Justification: the time has to end; what is cut off for a slow machine is asked again.
            servers.put(
                    "fake",
                    OpsServer.builder(client)
                            .port(0)
                            .tokenFile(file)
                            .timeout(Duration.ofSeconds(2))
                            .start());
            HttpResponse<String> answer = Web.answerInTurn(withToken(Web.post(server("fake"), TRANSFER)));
            assertThat(answer.statusCode()).isEqualTo(504);
            assertThat(Web.field(answer, "error"))
                    .isEqualTo("'n2' does not lead /app/leader after 1000 ms; it may still come to that");
        }
    }

    // ---------------------------------------------------------------- standby

    @Test
    void standbyIsSwitchedOnAndOff() {
        HttpResponse<String> on = changed("n1", "/standby?on=true");
        assertThat(on.statusCode()).isEqualTo(200);
        assertThat(on.body()).isEqualTo("{\"standby\":true}\n");
        assertThat(cluster.client("n1").health().state()).isEqualTo(Health.State.STANDBY);
        cluster.awaitLeaderOtherThan("n1", PATH);
        assertThat(changed("n1", "/standby?on=false").body()).isEqualTo("{\"standby\":false}\n");
        assertThat(cluster.client("n1").health().state()).isEqualTo(Health.State.UP);
    }

    @Test
    void standbyIsTrueOrFalse() {
        assertRefused("n1", "/standby?on=yes", 400, "parameter on: must be true or false");
        assertRefused("n1", "/standby", 400, "parameter on: is required");
        assertThat(cluster.client("n1").health().state()).isEqualTo(Health.State.UP);
    }

    // ---------------------------------------------------------------- priority

    @Test
    void aNodeIsGivenAnotherPriority() {
        assertThat(changed("n1", "/priority?value=-7").body()).isEqualTo("{\"priority\":-7}\n");
        assertRefused("n1", "/priority", 400, "parameter value: is required");
        for (String wrong : new String[] {"high", "2147483648", ""}) {
            assertRefused(
                    "n1",
                    "/priority?value=" + wrong,
                    400,
                    "parameter value: must be a number from -2147483648 to 2147483647");
        }
    }

    // After a transfer, the one that ranks best does not lead.
    @Test
    void misplacedPathsAreCounted() {
        assertThat(Web.get(server("n1"), "/status").body()).contains("\"misplaced\":0");
        changed("n1", TRANSFER);
        cluster.advance(Duration.ofSeconds(1));
        assertThat(Web.get(server("n2"), "/status").body()).contains("\"misplaced\":1");
        assertThat(Web.get(server("n1"), "/status").body()).contains("\"misplaced\":0");
        cluster.client("n1").close();
        assertThat(Web.get(server("n1"), "/status").body()).contains("\"misplaced\":null");
    }

    // ---------------------------------------------------------------- voters

    @Test
    void votersAreReported() {
        assertThat(Web.get(server("n2"), "/voters").body())
                .isEqualTo("{\"node\":\"n2\",\"number\":1,\"voters\":[{\"id\":\"n1\",\"address\":null},"
                        + "{\"id\":\"n2\",\"address\":null},{\"id\":\"n3\",\"address\":null}]}\n");
    }

    @Test
    void otherVotersAreTakenIn() {
        HttpResponse<String> answer = changed("n1", "/voters?number=1&voters=n1,n2");
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        assertThat(answer.body())
                .isEqualTo("{\"node\":\"n1\",\"number\":2,\"voters\":[{\"id\":\"n1\",\"address\":null},"
                        + "{\"id\":\"n2\",\"address\":null}]}\n");
        assertThat(Web.field(Web.get(server("n1"), "/status"), "votersNumber")).isEqualTo("2");
        assertThat(leads("n1")).isTrue();
    }

    @Test
    void failedChangeIsRejectedWithTheReason() {
        assertRefused("n1", "/voters?number=7&voters=n1,n2", 409, "number 7 was expected, and the voters are number 1");
        assertRefused("n1", "/voters?number=1&voters=n1,n1", 400, "voter 'n1': is given twice");
        assertRefused("n1", "/voters?number=1&voters=n1,", 400, "voter ''");
        assertRefused("n1", "/voters?number=0&voters=n1", 400, "parameter number: must be a number from 1 on");
        assertRefused("n1", "/voters?number=x&voters=n1", 400, "parameter number: must be a number from 1 on");
        assertRefused("n1", "/voters?voters=n1", 400, "parameter number: is required");
        assertRefused("n1", "/voters?number=1", 400, "parameter voters: is required");
        assertUnauthorized(Web.answer(Web.post(server("n1"), "/voters?number=1&voters=n1")));
        assertThat(cluster.client("n1").voters().number()).isEqualTo(1);
    }

    // It begins once, and each end is told once.
    @Test
    void repeatedRequestLearnsTheOutcome() {
        FakeEngine engine = new FakeEngine();
        try (ElectionClient client = Clients.over(engine)) {
            client.start();
            // Justification: the time has to end; what is cut off for a slow machine is asked again.
            OpsServer server = OpsServer.builder(client)
                    .port(0)
                    .tokenFile(file)
                    .timeout(Duration.ofSeconds(3))
                    .start();
            servers.put("fake", server);
            HttpRequest.Builder request = withToken(Web.post(server, "/voters?number=7&voters=n1,n4%3Dh:1"));
            HttpResponse<String> late = Web.answerInTurn(request);
            assertThat(late.statusCode()).isEqualTo(504);
            assertThat(Web.field(late, "error"))
                    .isEqualTo("the change of voters has not ended after 1500 ms; ask again with the same number and"
                            + " voters to hear how it ends");
            HttpResponse<String> end = endOfChange(engine, request);
            for (int round = 1; round < 100 && end.statusCode() == 504; round++) {
                // A busy machine has lost the answer, or asked too late, and has begun another change.
                end = endOfChange(engine, request);
            }
            assertThat(end.statusCode()).isEqualTo(409);
            assertThat(Web.field(end, "error")).isEqualTo("number 8 is in force");
            assertThat(engine.changes()).isEmpty();
            assertThat(Web.answerInTurn(request).statusCode()).isEqualTo(504);
            assertThat(engine.changes()).hasSize(1);
        }
    }

    /** Ends the only change, and asks for its end. */
    private static HttpResponse<String> endOfChange(FakeEngine engine, HttpRequest.Builder request) {
        assertThat(engine.changes()).hasSize(1);
        CompletableFuture<Void> change = engine.changes().values().iterator().next();
        engine.changes().clear();
        change.completeExceptionally(new VotersNotChangedException("number 8 is in force"));
        return Web.answerInTurn(request);
    }

    @Test
    void anEndThatNobodyHasHeardOfIsKeptForAWhile() {
        AtomicLong now = new AtomicLong();
        VoterChanges changes = new VoterChanges(Duration.ofNanos(10), now::get);
        CompletableFuture<Voters> first = new CompletableFuture<>();
        CompletableFuture<Voters> begun = changes.of("a", () -> first);
        now.set(50);
        assertThat(changes.of("a", CompletableFuture::new)).isSameAs(begun);
        first.complete(new Voters(1, List.of()));
        now.set(59);
        assertThat(changes.of("a", CompletableFuture::new)).isSameAs(begun);
        now.set(60);
        assertThat(changes.of("a", CompletableFuture::new)).isNotSameAs(begun);
        assertThat(changes.of("b", () -> first)).isNotSameAs(begun);
    }

    private static CompletableFuture<Voters> refused() {
        return CompletableFuture.failedFuture(new VotersNotChangedException("another change of voters is under way"));
    }

    // Two operators: the second one is refused at once, and the first one asks again.
    @Test
    void anotherRequestDoesNotHideTheChangeThatIsUnderWay() {
        VoterChanges changes = new VoterChanges(Duration.ofNanos(10), () -> 0);
        CompletableFuture<Voters> first = new CompletableFuture<>();
        CompletableFuture<Voters> begun = changes.of("a", () -> first);
        CompletableFuture<Voters> other = changes.of("b", OpsServerChangesTest::refused);
        assertThat(other).isCompletedExceptionally();
        assertThat(changes.of("a", OpsServerChangesTest::refused)).isSameAs(begun);
        changes.told(other);
        first.complete(new Voters(3, List.of()));
        assertThat(changes.of("a", OpsServerChangesTest::refused)).isSameAs(begun);
        changes.told(begun);
        assertThat(changes.of("a", OpsServerChangesTest::refused)).isNotSameAs(begun);
    }

    // ---------------------------------------------------------------- token

    private HttpResponse<String> shown(String authorization) {
        return Web.answer(Web.post(server("n1"), "/standby?on=true").header("Authorization", authorization));
    }

    private void assertUnauthorized(HttpResponse<String> answer) {
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(401);
        assertThat(answer.headers().firstValue("WWW-Authenticate")).contains("Bearer");
        assertThat(answer.body()).doesNotContain("wasted");
        assertThat(cluster.client("n1").health().state()).isEqualTo(Health.State.UP);
    }

    // A server that keeps headers of a connection might compare them without regard to case.
    @Test
    void aTokenIsComparedAnewForEachRequestOfAConnection() {
        String right =
                "POST /standby?on=true HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\nAuthorization: Bearer "
                        + TOKEN + "\r\n";
        String wrong = right.replace(TOKEN, TOKEN.toUpperCase(Locale.ROOT));
        assertThat(wrong).isNotEqualTo(right);
        String answers = Web.received(Web.sent(server("n1"), right + "\r\n" + wrong + "Connection: close\r\n\r\n"));
        assertThat(answers).startsWith("HTTP/1.1 200 ").contains("HTTP/1.1 401 ");
    }

    @Test
    void withoutTheTokenNothingIsChanged() {
        assertUnauthorized(Web.answer(Web.post(server("n1"), "/standby?on=true")));
        assertUnauthorized(Web.answer(Web.post(server("n1"), TRANSFER)));
        // In the query it would stand in the logs of proxies.
        assertUnauthorized(Web.answer(Web.post(server("n1"), "/standby?on=true&token=" + Web.encoded(TOKEN))));
        for (String wrong : new String[] {
            "Bearer",
            "Bearer ",
            "Bearer another/token/of/this/node",
            "Bearer " + TOKEN + "=",
            "Bearer " + TOKEN.substring(1),
            "Bearer " + TOKEN.substring(0, TOKEN.length() - 1),
            "Bearer " + TOKEN.toUpperCase(Locale.ROOT),
            "Basic " + TOKEN,
            TOKEN
        }) {
            assertUnauthorized(shown(wrong));
        }
        // The schemes of HTTP have no case.
        assertThat(shown("bearer  " + TOKEN).statusCode()).isEqualTo(200);
    }

    @Test
    void readsNeedNoToken() {
        assertThat(Web.get(server("n1"), "/status").statusCode()).isEqualTo(200);
        assertThat(Web.leader(server("n1"), PATH).statusCode()).isEqualTo(200);
    }

    @Test
    void anotherTokenCountsAtOnce() throws IOException {
        assertThat(shown("Bearer " + TOKEN).statusCode()).isEqualTo(200);
        cluster.client("n1").standby(false);
        Files.writeString(file, "another-token-0001");
        assertUnauthorized(shown("Bearer " + TOKEN));
        assertThat(shown("Bearer another-token-0001").statusCode()).isEqualTo(200);
    }

    @Test
    void withoutAReadableTokenNothingIsChanged() throws IOException {
        OpsServer server = server("n1");
        Files.delete(file);
        HttpResponse<String> lost = shown("Bearer " + TOKEN);
        assertThat(lost.statusCode()).isEqualTo(503);
        assertThat(lost.body())
                .isEqualTo("{\"error\":\"the token cannot be checked: the log of the node has the" + " reason\"}\n");
        Files.writeString(file, "\n");
        assertThat(shown("Bearer ").statusCode()).isEqualTo(503);
        assertThat(cluster.client("n1").health().state()).isEqualTo(Health.State.UP);
        assertThat(Web.get(server, "/live").statusCode()).isEqualTo(200);
        Files.writeString(file, TOKEN);
        assertThat(shown("Bearer " + TOKEN).statusCode()).isEqualTo(200);
    }

    // ---------------------------------------------------------------- whether there are changes

    @Test
    void changesArePosted() {
        for (String target : new String[] {TRANSFER, "/standby?on=true"}) {
            HttpResponse<String> answer = Web.answer(withToken(Web.request(server("n1"), target)));
            assertThat(answer.statusCode()).isEqualTo(405);
            assertThat(answer.headers().firstValue("Allow")).contains("POST");
        }
        HttpResponse<String> put =
                Web.answer(withToken(Web.request(server("n1"), "/voters").method("PUT", BodyPublishers.noBody())));
        assertThat(put.headers().firstValue("Allow")).contains("GET, HEAD, POST");
        assertThat(cluster.client("n1").health().state()).isEqualTo(Health.State.UP);
    }

    @Test
    void withoutATokenFileThereAreNone() {
        try (OpsServer server = OpsServer.builder(cluster.client("n1"))
                .port(0)
                .timeout(Duration.ofHours(1))
                .start()) {
            for (String target : new String[] {TRANSFER, "/standby?on=true"}) {
                HttpResponse<String> answer = Web.answer(withToken(Web.post(server, target)));
                assertThat(answer.statusCode()).isEqualTo(404);
                assertThat(answer.body()).contains("changes are offered with a tokenFile only");
            }
            HttpResponse<String> voters = Web.answer(withToken(Web.post(server, "/voters?number=1&voters=n1")));
            assertThat(voters.statusCode()).isEqualTo(405);
            assertThat(voters.headers().firstValue("Allow")).contains("GET, HEAD");
            assertThat(voters.body())
                    .isEqualTo(
                            "{\"error\":\"method: must be GET, HEAD; changes are offered with a tokenFile only\"}\n");
            assertThat(Web.get(server, "/voters").statusCode()).isEqualTo(200);
        }
        assertThat(Web.get(server("n1"), "/change").body())
                .isEqualTo("{\"error\":\"unknown endpoint: there are /, /cluster, /events, /explain, /leader, /led,"
                        + " /live, /log, /paths, /priority, /ready, /standby, /status, /transfer, /voters\"}\n");
        assertThat(cluster.client("n1").health().state()).isEqualTo(Health.State.UP);
    }
}
