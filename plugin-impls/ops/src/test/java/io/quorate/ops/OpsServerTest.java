package io.quorate.ops;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.ElectionClient;
import io.quorate.Health;
import io.quorate.LeaderLatch;
import io.quorate.Profile;
import io.quorate.engine.Connection;
import io.quorate.spi.Problem;
import io.quorate.testkit.ClusterSettings;
import io.quorate.testkit.SimulatedCluster;
import io.quorate.testkit.simulation.Clients;
import io.quorate.testkit.simulation.FakeEngine;
import io.quorate.testkit.simulation.HighestUp;
import io.quorate.testkit.simulation.Seeds;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What probes, proxies and people are told. The cluster lives in virtual time, the sockets are real. */
class OpsServerTest {

    private static final String PATH = "/app/leader";

    private final SimulatedCluster cluster =
            new SimulatedCluster(ClusterSettings.ofVoters(3).algorithm(new HighestUp()));
    private final Map<String, OpsServer> servers = new TreeMap<>();
    private final FakeEngine engine = new FakeEngine();
    private final ElectionClient fake = Clients.over(engine);

    @AfterEach
    void close() {
        servers.values().forEach(OpsServer::close);
        fake.close();
        cluster.close();
    }

    /** Nothing of it is cut off in real time, however slow the machine is. */
    private static OpsServer serving(ElectionClient client) {
        return OpsServer.builder(client).port(0).timeout(Duration.ofHours(1)).start();
    }

    private OpsServer server(String node) {
        return servers.computeIfAbsent(node, name -> serving(cluster.client(name)));
    }

    private OpsServer ofFake() {
        return servers.computeIfAbsent("fake", name -> serving(fake));
    }

    private void contend() {
        for (String node : cluster.nodes()) {
            Web.latch(cluster.client(node), PATH, "id of " + node);
            cluster.awaitLeader(PATH);
        }
        cluster.advance(Profile.DEFAULT.supportDuration());
    }

    private void awaitState(String node, Health.State state) {
        cluster.awaitUntil(
                node + " is " + state, () -> cluster.client(node).health().state() == state);
    }

    // ---------------------------------------------------------------- probes

    private static void assertProbes(OpsServer server, int live, int joined, int connected, String state) {
        HttpResponse<String> answer = Web.get(server, "/live");
        assertThat(answer.statusCode()).isEqualTo(live);
        assertThat(Web.field(answer, "state")).isEqualTo(state);
        assertThat(Web.get(server, "/ready").statusCode()).isEqualTo(joined);
        assertThat(Web.get(server, "/ready?mode=joined").statusCode()).isEqualTo(joined);
        answer = Web.get(server, "/ready?mode=connected");
        assertThat(answer.statusCode()).isEqualTo(connected);
        assertThat(Web.field(answer, "state")).isEqualTo(state);
        assertThat(Web.field(answer, "reason")).isNotEmpty();
    }

    @Test
    void probesFollowTheStatesOfTheClient() {
        cluster.partition("n1", "n2,n3");
        cluster.advance(Profile.DEFAULT.supportDuration().multipliedBy(5));
        assertProbes(server("n1"), 200, 503, 503, "JOINING");
        cluster.heal();
        awaitState("n1", Health.State.UP);
        assertProbes(server("n1"), 200, 200, 200, "UP");
        cluster.client("n1").standby(true);
        awaitState("n1", Health.State.STANDBY);
        assertProbes(server("n1"), 200, 200, 200, "STANDBY");
        cluster.isolate("n1");
        awaitState("n1", Health.State.DISCONNECTED);
        assertProbes(server("n1"), 200, 200, 503, "DISCONNECTED");
        cluster.client("n1").close();
        assertProbes(server("n1"), 200, 503, 503, "CLOSED");
    }

    @Test
    void aRestartHelpsANodeThatHasStoppedByItself() {
        fake.start();
        engine.connect(Connection.CONNECTED);
        assertProbes(ofFake(), 200, 200, 200, "UP");
        engine.fail(new IllegalStateException("two processes"));
        assertProbes(ofFake(), 503, 503, 503, "FAILED");
        assertThat(Web.field(Web.get(ofFake(), "/live"), "reason")).isEqualTo("two processes");
    }

    @Test
    void anUnknownModeOfReadinessIsRefused() {
        HttpResponse<String> answer = Web.get(ofFake(), "/ready?mode=leader");
        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(answer.body()).isEqualTo("{\"error\":\"parameter mode: must be joined or connected\"}\n");
        assertThat(Web.get(ofFake(), "/ready?mode=joined&mode=connected").statusCode())
                .isEqualTo(400);
    }

    // ---------------------------------------------------------------- status

    // Word for word: scripts rely on it.
    @Test
    void statusIsOneObject() {
        contend();
        Health health = cluster.client("n1").health();
        assertThat(Web.get(server("n1"), "/status").body().replaceFirst("\"turnAge\":\\d+,", "\"turnAge\":7,"))
                .isEqualTo("{\"node\":\"n1\",\"cluster\":\"simulated\",\"state\":\"UP\",\"reason\":\"" + health.reason()
                        + "\",\"live\":true,\"ready\":true,\"voters\":[\"n1\",\"n2\",\"n3\"],\"votersNumber\":1,"
                        + "\"supporters\":[\"n1\",\"n2\",\"n3\"],\"hears\":[\"n1\",\"n2\",\"n3\"],\"margin\":null,"
                        + "\"turnAge\":7,\"certificateEnd\":null,\"problems\":[],\"version\":" + version()
                        + ",\"led\":1,\"misplaced\":0,\"leads\":[{\"path\":\"/app/leader\",\"token\":"
                        + health.leads().get(PATH) + "}],\"leaving\":[]}\n");
        assertThat(Web.get(server("n2"), "/status").body())
                .endsWith(",\"led\":0,\"misplaced\":0,\"leads\":[],\"leaving\":[]}\n");
        assertThat(Web.get(server("n1"), "/status?leads=false").body()).endsWith(",\"led\":1,\"misplaced\":0}\n");
        assertThat(Web.get(server("n1"), "/status?leads=none").statusCode()).isEqualTo(400);
        assertThat(Web.get(ofFake(), "/status").body())
                .isEqualTo("{\"node\":\"fake\",\"cluster\":\"fake\",\"state\":\"JOINING\",\"reason\":\"it is not"
                        + " started\",\"live\":true,\"ready\":false,\"voters\":[],\"votersNumber\":0,\"supporters\":[],\"hears\":[],\"margin\":null,"
                        + "\"turnAge\":0,\"certificateEnd\":null,\"problems\":[],\"version\":" + version()
                        + ",\"led\":0,\"misplaced\":null,\"leads\":[],\"leaving\":[]}\n");
    }

    @Test
    void problemsAreInTheStatusAndInTheReason() {
        fake.start();
        engine.connect(Connection.CONNECTED);
        engine.hasProblems(new Problem(Problem.Kind.TERMS, "terms cannot be stored: no space left"));
        assertThat(Web.get(ofFake(), "/status").body())
                .contains("\"problems\":[{\"kind\":\"terms\",\"text\":\"terms cannot be stored: no space left\"}]");
        assertThat(Web.field(Web.get(ofFake(), "/ready"), "reason"))
                .isEqualTo("a majority of voters supports this node; terms cannot be stored: no space left");
        engine.hasProblems();
        assertThat(Web.field(Web.get(ofFake(), "/ready"), "reason"))
                .isEqualTo("a majority of voters supports this node");
    }

    private static String version() {
        return Views.version() == null ? "null" : "\"" + Views.version() + "\"";
    }

    // ---------------------------------------------------------------- leader

    @Test
    void theLeaderAloneAnswers200() {
        contend();
        long token = cluster.client("n1").health().leads().get(PATH);
        String known = "\"leader\":{\"id\":\"id of n1\",\"node\":\"n1\"},\"token\":" + token + ",\"reason\":\"";
        HttpResponse<String> leads = Web.leader(server("n1"), PATH);
        assertThat(leads.statusCode()).isEqualTo(200);
        assertThat(leads.body())
                .isEqualTo("{\"node\":\"n1\",\"path\":\"/app/leader\",\"leads\":true," + known + "it leads with token "
                        + token + "\",\"leaving\":null}\n");
        for (String node : new String[] {"n2", "n3"}) {
            HttpResponse<String> follows = Web.leader(server(node), PATH);
            assertThat(follows.statusCode()).isEqualTo(503);
            assertThat(follows.body())
                    .startsWith("{\"node\":\"" + node + "\",\"path\":\"/app/leader\",\"leads\":false," + known);
        }
    }

    @Test
    void aLaterLeaderHasAHigherToken() {
        contend();
        HttpResponse<String> first = Web.leader(server("n1"), PATH);
        cluster.crash("n1");
        HttpResponse<String> gone = Web.leader(server("n1"), PATH);
        assertThat(gone.statusCode()).isEqualTo(503);
        assertThat(gone.body()).isEqualTo("{\"error\":\"the client of this node is closed\"}\n");
        String next = cluster.awaitLeaderOtherThan("n1", PATH);
        HttpResponse<String> second = Web.leader(server(next), PATH);
        assertThat(second.statusCode()).isEqualTo(200);
        assertThat(Long.parseLong(Web.field(second, "token"))).isGreaterThan(Long.parseLong(Web.field(first, "token")));
    }

    // Its lease is over before its node knows.
    @Test
    void aLeaderWhoseLeaseHasRunOutIsNoLeader() {
        contend();
        assertThat(Web.leader(server("n1"), PATH).statusCode()).isEqualTo(200);
        cluster.pause("n1");
        cluster.awaitLeaderOtherThan("n1", PATH);
        assertThat(Web.leader(server("n1"), PATH).statusCode()).isEqualTo(503);
    }

    @Test
    void beforeAnybodyLeadsNobodyIsNamed() {
        Web.latch(fake, PATH, "me");
        HttpResponse<String> answer = Web.leader(ofFake(), PATH);
        assertThat(answer.statusCode()).isEqualTo(503);
        assertThat(answer.body())
                .isEqualTo("{\"node\":\"fake\",\"path\":\"/app/leader\",\"leads\":false,\"leader\":null,\"token\":null,"
                        + "\"reason\":\"its client is not running\",\"leaving\":null}\n");
    }

    // Whoever led may be dead, and nobody would tell this node.
    @Test
    void aNodeThatHasLostTheMajorityNamesNobody() {
        contend();
        long token = cluster.client("n1").health().leads().get(PATH);
        cluster.crash("n1");
        cluster.crash("n2");
        cluster.advance(Duration.ofMinutes(1));
        HttpResponse<String> answer = Web.leader(server("n3"), PATH);
        assertThat(answer.statusCode()).isEqualTo(503);
        assertThat(answer.body())
                .contains("\"leads\":false,\"leader\":null,\"token\":null,")
                .endsWith("; n1 was the last that was known to lead, with token " + token + "\",\"leaving\":null}\n");
    }

    // Its listings have the leader's name from before, and it cannot say that it has lost the voters.
    @Test
    void ofANodeWhoseThreadIsStuckNoPathHasALeader() {
        OpsServer server = server("n1");
        contend();
        assertThat(Web.get(server, "/paths").body()).contains("\"leads\":true,\"leader\":{\"id\":\"id of n1\"");
        cluster.pause("n1");
        cluster.awaitLeaderOtherThan("n1", PATH);
        assertThat(Web.get(server, "/paths").body())
                .contains("\"path\":\"/app/leader\",\"leads\":false,\"leader\":null,\"token\":null,");
    }

    @Test
    void aPathWithoutASlashIsAskedBack() {
        contend();
        assertThat(Web.leader(server("n1"), "app/leader").body())
                .isEqualTo("{\"node\":\"n1\",\"error\":\"path 'app/leader': no latch or selector of this node contends"
                        + " on it; a path begins with a slash\"}\n");
    }

    @Test
    void aPathOnWhichNobodyHereContendsIsUnknown() throws Exception {
        contend();
        HttpResponse<String> answer = Web.leader(server("n1"), "/other");
        assertThat(answer.statusCode()).isEqualTo(404);
        assertThat(answer.body())
                .isEqualTo(
                        "{\"node\":\"n1\",\"error\":\"path '/other': no latch or selector of this node contends on it\"}\n");
        for (String noPath : new String[] {"", "/", "app/leader", "/app/leader/", "/a/../b", "\u0000\ud800\uffff"}) {
            assertThat(Web.leader(server("n1"), noPath).statusCode()).as(noPath).isEqualTo(404);
        }
        LeaderLatch latch = Web.latch(cluster.client("n1"), "/other", "n1");
        assertThat(Web.leader(server("n1"), "/other").statusCode()).isNotEqualTo(404);
        latch.close();
        assertThat(Web.leader(server("n1"), "/other").statusCode()).isEqualTo(404);
    }

    @Test
    void thePathIsRequiredOnce() {
        HttpResponse<String> none = Web.get(ofFake(), "/leader");
        assertThat(none.statusCode()).isEqualTo(400);
        assertThat(none.body()).isEqualTo("{\"error\":\"parameter path: is required, in the query of the address\"}\n");
        HttpResponse<String> two = Web.get(ofFake(), "/leader?path=/a&path=/b");
        assertThat(two.statusCode()).isEqualTo(400);
        assertThat(two.body()).isEqualTo("{\"error\":\"parameter path: must be given once\"}\n");
        assertThat(Web.received(Web.sent(ofFake(), "GET /leader?path=/%zz HTTP/1.0\r\n\r\n")))
                .startsWith("HTTP/1.1 400 ");
    }

    private static void assertCarries(OpsServer server, ElectionClient client, String path) {
        assertThat(Web.leader(server, path).statusCode()).isEqualTo(404);
        LeaderLatch latch = Web.latch(client, path, "me");
        HttpResponse<String> answer = Web.leader(server, path);
        assertThat(answer.statusCode()).isEqualTo(503);
        assertThat(Web.field(answer, "path")).isEqualTo(path);
        assertThat(answer.body()).matches("\\p{Print}+\n");
        try {
            latch.close();
        } catch (IOException e) {
            throw new AssertionError("never thrown", e);
        }
    }

    @Test
    void aPathMayHaveEveryKindOfCharacter() {
        fake.start();
        assertCarries(ofFake(), fake, "/a b+c%20d%/\"quoted\"\\'<>&=#?;:@,\u00fc\u65e5\u672c\u2028~");
        Seeds.each(20, 1, seed -> {
            Random random = new Random(seed);
            StringBuilder path = new StringBuilder("/");
            while (path.length() < 20) {
                path.append(legal(random));
            }
            assertCarries(ofFake(), fake, path.toString());
        });
    }

    @Test
    void anIdMayHaveEveryKindOfCharacter() {
        String id = "id \u0001\"\\\n\u2028\u00fc\ud83d\ude00";
        Web.latch(cluster.client("n1"), "/id", id);
        cluster.awaitLeader("/id");
        HttpResponse<String> answer = Web.leader(server("n1"), "/id");
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(Web.field(answer, "id")).isEqualTo(id);
        assertThat(answer.body()).matches("\\p{Print}+\n");
    }

    /** A character that a path may have at any place. */
    private char legal(Random random) {
        while (true) {
            char any = (char) random.nextInt(random.nextBoolean() ? 0x80 : 0x10000);
            try {
                new LeaderLatch(fake, "/x" + any + "x");
                if (any != '/') {
                    return any;
                }
            } catch (IllegalArgumentException e) {
                // The next one.
            }
        }
    }

    // ---------------------------------------------------------------- methods and addresses

    @Test
    void unknownEndpointsAreNamed() {
        for (String target :
                new String[] {"/page.html", "/metrics", "/live/", "/LIVE", "/live/../status", "/transfer"}) {
            HttpResponse<String> answer = Web.get(ofFake(), target);
            assertThat(answer.statusCode()).as(target).isEqualTo(404);
            assertThat(answer.body())
                    .isEqualTo(
                            "{\"error\":\"unknown endpoint: there are /, /cluster, /events, /explain,"
                                    + " /leader, /led, /live, /log, /paths, /ready, /status, /voters; changes are offered with a tokenFile only\"}\n");
        }
    }

    @Test
    void otherMethodsAreRefused() {
        for (String method : new String[] {"POST", "PUT", "DELETE", "OPTIONS", "PATCH", "get"}) {
            HttpResponse<String> answer =
                    Web.answer(Web.request(ofFake(), "/live").method(method, BodyPublishers.noBody()));
            assertThat(answer.statusCode()).as(method).isEqualTo(405);
            assertThat(answer.headers().firstValue("Allow")).contains("GET, HEAD");
            assertThat(answer.body()).isEqualTo("{\"error\":\"method: must be GET, HEAD\"}\n");
        }
    }

    @Test
    void headHasTheStatusAlone() {
        HttpResponse<String> live = Web.answer(Web.request(ofFake(), "/live").method("HEAD", BodyPublishers.noBody()));
        assertThat(live.statusCode()).isEqualTo(200);
        assertThat(live.body()).isEmpty();
        assertThat(Web.answer(Web.request(ofFake(), "/ready").method("HEAD", BodyPublishers.noBody()))
                        .statusCode())
                .isEqualTo(503);
    }

    @Test
    void answersAreJsonThatNobodyKeeps() {
        HttpResponse<String> answer = Web.get(ofFake(), "/status");
        assertThat(answer.headers().firstValue("Content-Type")).contains("application/json");
        assertThat(answer.headers().firstValue("Cache-Control")).contains("no-store");
    }
}
