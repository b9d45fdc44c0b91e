package io.quorate.ops;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.sun.net.httpserver.HttpServer;
import io.quorate.ElectionClient;
import io.quorate.LeaderLatch;
import io.quorate.Profile;
import io.quorate.testkit.ClusterSettings;
import io.quorate.testkit.SimulatedCluster;
import io.quorate.testkit.simulation.HighestUp;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What people and tools see of a node beside the probes: paths, changes, the other nodes, the page and its events. */
class OpsServerViewsTest {

    private static final String PATH = "/app/leader";

    private final SimulatedCluster cluster =
            new SimulatedCluster(ClusterSettings.ofVoters(3).algorithm(new HighestUp()));
    private final List<AutoCloseable> open = new ArrayList<>();

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable each : open) {
            each.close();
        }
        cluster.close();
    }

    private OpsServer server(String node, URI... others) {
        OpsServer server = OpsServer.builder(cluster.client(node))
                .port(0)
                .timeout(Duration.ofHours(1))
                .others(others)
                .start();
        open.add(server);
        return server;
    }

    private static URI url(OpsServer server) {
        return URI.create("http://127.0.0.1:" + server.address().getPort());
    }

    private static boolean isLate(HttpResponse<String> answer) {
        return answer.statusCode() == 503 || answer.body().contains("it has not answered for 2000 ms");
    }

    /** What it says when all others have answered, which a busy machine may not do in time. */
    private static HttpResponse<String> cluster(OpsServer server) {
        HttpResponse<String> answer = Web.get(server, "/cluster");
        for (int round = 1; round < Web.ROUNDS_MAX && isLate(answer); round++) {
            answer = Web.get(server, "/cluster");
        }
        return answer;
    }

    private void contend() {
        for (String node : cluster.nodes()) {
            Web.latch(cluster.client(node), PATH, "id of " + node);
            cluster.awaitLeader(PATH);
        }
        cluster.advance(Profile.DEFAULT.supportDuration());
    }

    private static void isJson(String text) {
        try (JsonParser parser = new JsonFactory().createParser(text)) {
            while (parser.nextToken() != null) {
                assertThat(parser.currentToken()).isNotNull();
            }
        } catch (IOException e) {
            throw new AssertionError("no JSON: " + text, e);
        }
    }

    // ---------------------------------------------------------------- paths

    // Word for word: tools rely on it.
    @Test
    void anExplanationIsOneObject() {
        contend();
        long token = cluster.client("n1").health().leads().get(PATH);
        String rest = ",\"contenders\":[{\"id\":\"id of n1\",\"node\":\"n1\",\"leader\":true,\"rank\":1},"
                + "{\"id\":\"id of n2\",\"node\":\"n2\",\"leader\":false,\"rank\":2},"
                + "{\"id\":\"id of n3\",\"node\":\"n3\",\"leader\":false,\"rank\":3}],"
                + "\"supporters\":[\"n1\",\"n2\",\"n3\"],\"voters\":[\"n1\",\"n2\",\"n3\"]}\n";
        HttpResponse<String> leading = Web.get(server("n1"), "/explain?path=" + PATH);
        assertThat(leading.statusCode()).isEqualTo(200);
        assertThat(leading.body())
                .startsWith(
                        "{\"node\":\"n1\",\"path\":\"/app/leader\",\"leads\":true,\"leader\":{\"id\":\"id of n1\",\"node\":\"n1\"},"
                                + "\"token\":" + token + ",\"reason\":\"it leads with token " + token
                                + "\",\"leaseLeft\":")
                .endsWith(rest);
        HttpResponse<String> waiting = Web.get(server("n2"), "/explain?path=" + PATH);
        assertThat(waiting.body())
                .contains("\"leads\":false", "\"leaseLeft\":null")
                .endsWith(rest);
        assertThat(Web.get(server("n2"), "/explain?path=/other").statusCode()).isEqualTo(404);
        assertThat(Web.get(server("n2"), "/explain").statusCode()).isEqualTo(400);
    }

    // Word for word: tools rely on it.
    @Test
    void ledPathsAreListedWithTheirContenders() {
        contend();
        for (String path : List.of("/a", "/b")) {
            Web.latch(cluster.client("n1"), path, "of " + path);
            cluster.awaitLeader(path);
        }
        cluster.client("n3").standby(true);
        cluster.advance(Duration.ofSeconds(1));
        OpsServer server = server("n1");
        Map<String, Long> tokens = cluster.client("n1").health().leads();
        assertThat(Web.get(server, "/led?limit=2").body())
                .isEqualTo("{\"node\":\"n1\",\"paths\":[{\"path\":\"/a\",\"token\":" + tokens.get("/a")
                        + ",\"contenders\":[{\"id\":\"of /a\",\"node\":\"n1\",\"leader\":true,\"rank\":1}]},"
                        + "{\"path\":\"/app/leader\",\"token\":" + tokens.get(PATH)
                        + ",\"contenders\":[{\"id\":\"id of n1\",\"node\":\"n1\",\"leader\":true,\"rank\":1},"
                        + "{\"id\":\"id of n2\",\"node\":\"n2\",\"leader\":false,\"rank\":2},"
                        + "{\"id\":\"id of n3\",\"node\":\"n3\",\"leader\":false,\"rank\":0}]}],"
                        + "\"next\":\"/app/leader\"}\n");
        assertThat(Web.get(server, "/led?after=/app/leader").body())
                .contains("\"path\":\"/b\"")
                .doesNotContain("/app")
                .endsWith("\"next\":null}\n");
        assertThat(Web.get(server("n2"), "/led").body()).isEqualTo("{\"node\":\"n2\",\"paths\":[],\"next\":null}\n");
        assertThat(Web.get(server, "/led?limit=0").statusCode()).isEqualTo(400);
    }

    @Test
    void aNodeThatMovesToQuorateSaysHowFar() throws Exception {
        try (SimulatedCluster moving =
                new SimulatedCluster(ClusterSettings.ofVoters(1).moving().algorithm(new HighestUp()))) {
            ElectionClient client = moving.client("n1");
            OpsServer server = OpsServer.builder(client).port(0).start();
            open.add(server);
            assertThat(Web.get(server, "/status").body()).endsWith(",\"leaving\":[]}\n");
            Web.latch(client, PATH, "n1");
            assertThat(client.stages()).hasToString("{/app/leader=Quorate alone}");
            assertThat(Web.get(server, "/status").body())
                    .endsWith(",\"stages\":[{\"path\":\"/app/leader\",\"stage\":\"Quorate alone\"}]}\n");
        }
    }

    // Word for word: tools rely on it.
    @Test
    void aLeaderThatLeavesSaysSo() throws Exception {
        contend();
        OpsServer server = server("n1");
        assertThat(Web.get(server, "/status").body()).endsWith(",\"leaving\":[]}\n");
        LeaderLatch latch = new LeaderLatch(cluster.client("n1"), "/draining", "n1");
        latch.drain(leadership -> new CompletableFuture<Void>(), Duration.ofSeconds(40));
        latch.start();
        assertThat(cluster.awaitLeader("/draining")).isEqualTo("n1");
        Web.latch(cluster.client("n2"), "/draining", "n2");
        cluster.advance(Profile.DEFAULT.supportDuration());
        assertThat(Web.leader(server, "/draining").body()).endsWith(",\"leaving\":null}\n");
        latch.transferTo("n2");
        cluster.advance(Duration.ofSeconds(1));
        String why = "its work is being finished, for PT40S at most: it was transferred to n2#2";
        assertThat(Web.get(server, "/status").body())
                .endsWith(",\"leaving\":[{\"path\":\"/draining\",\"reason\":\"" + why + "\"}]}\n");
        assertThat(Web.get(server, "/status?leads=false").body()).doesNotContain("leaving");
        HttpResponse<String> leader = Web.leader(server, "/draining");
        assertThat(leader.statusCode()).isEqualTo(200);
        assertThat(leader.body()).endsWith(",\"leaving\":\"" + why + "\"}\n");
        assertThat(Web.leader(server("n2"), "/draining").body()).endsWith(",\"leaving\":null}\n");
        assertThat(Web.get(server, "/paths?find=draining").body()).endsWith(",\"leaving\":\"" + why + "\"}]}\n");
        assertThat(Web.get(server, "/paths?find=app").body()).endsWith(",\"leaving\":null}]}\n");
    }

    @Test
    void pathsAreListedByNameAndFound() {
        OpsServer server = server("n1");
        contend();
        for (int i = 0; i < 150; i++) {
            Web.latch(cluster.client("n1"), "/many/" + (100 + i), "n1");
        }
        cluster.awaitUntil(
                "n1 leads all", () -> cluster.client("n1").health().leads().size() == 151);
        HttpResponse<String> all = Web.get(server, "/paths");
        assertThat(all.body())
                .startsWith("{\"node\":\"n1\",\"total\":151,\"paths\":[{\"path\":\"/app/leader\",\"leads\":true,"
                        + "\"leader\":{\"id\":\"id of n1\",\"node\":\"n1\"},\"token\":");
        isJson(all.body());
        assertThat(all.body().split("\"path\":", -1)).hasSize(101);
        assertThat(Web.get(server, "/paths?find=y/24&limit=3").body())
                .startsWith("{\"node\":\"n1\",\"total\":10,")
                .contains("/many/240", "/many/242")
                .doesNotContain("/many/243");
        for (String bad : List.of("0", "1001", "-1", "x", "99999999999")) {
            HttpResponse<String> refused = Web.get(server, "/paths?limit=" + bad);
            assertThat(refused.statusCode()).isEqualTo(400);
            assertThat(refused.body()).isEqualTo("{\"error\":\"parameter limit: must be a number from 1 to 1000\"}\n");
        }
    }

    @Test
    void theLogTellsTheLastChanges() {
        OpsServer server = server("n2");
        contend();
        cluster.crash("n1");
        cluster.awaitLeaderOtherThan("n1", PATH);
        cluster.advance(Profile.DEFAULT.supportDuration());
        HttpResponse<String> log = Web.get(server, "/log?path=" + PATH);
        isJson(log.body());
        assertThat(log.body())
                .containsSubsequence(
                        "\"kind\":\"LEADER\",\"path\":\"/app/leader\",\"leader\":null,\"token\":null,\"reason\":null}",
                        "\"kind\":\"LEADS\",\"path\":\"/app/leader\",\"leader\":null,"
                                + "\"token\":"
                                + cluster.client("n2").health().leads().get(PATH));
        assertThat(log.body()).doesNotContain("CONNECTION");
        assertThat(Web.get(server, "/log").body()).contains("\"kind\":\"CONNECTION\",\"path\":null");
        assertThat(Web.get(server, "/log?limit=1").body().split("\"number\":", -1))
                .hasSize(2);
        assertThat(Web.get(server, "/log?path=/unknown").body()).isEqualTo("{\"node\":\"n2\",\"changes\":[]}\n");
    }

    // ---------------------------------------------------------------- the other nodes

    @Test
    void theClusterIsWhatEachNodeSaysOfItself() throws Exception {
        contend();
        OpsServer second = server("n2");
        HttpServer stranger = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        stranger.createContext("/", exchange -> {
            byte[] text = "<html>".getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, text.length);
            exchange.getResponseBody().write(text);
            exchange.close();
        });
        stranger.start();
        open.add(() -> stranger.stop(0));
        OpsServer gone = server("n3");
        gone.close();
        OpsServer first = server(
                "n1",
                url(second),
                URI.create("http://127.0.0.1:" + stranger.getAddress().getPort()),
                url(gone));
        HttpResponse<String> answer = cluster(first);
        isJson(answer.body());
        assertThat(answer.body())
                .startsWith("{\"nodes\":[{\"url\":null,\"error\":null,\"status\":{\"node\":\"n1\",")
                .containsSubsequence(
                        "{\"url\":\"" + url(second) + "\",\"error\":null,\"status\":{\"node\":\"n2\",",
                        "\"error\":\"its answer is no status: ",
                        "\"status\":null}",
                        "\"error\":\"it cannot be reached: ",
                        "\"status\":null}]}");
    }

    // What a server of the JDK does whose machine loses its power between head and body.
    @Test
    void anotherServerThatStopsInTheMiddleHoldsUpNobody() throws Exception {
        try (ServerSocket half = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            Thread answering = new Thread(() -> {
                try {
                    while (true) {
                        Socket asked = half.accept();
                        open.add(0, asked);
                        asked.getOutputStream()
                                .write("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{"
                                        .getBytes(StandardCharsets.US_ASCII));
                    }
                } catch (IOException e) {
                    // The test is over.
                }
            });
            answering.setDaemon(true);
            answering.start();
            OpsServer server = server("n1", URI.create("http://127.0.0.1:" + half.getLocalPort()));
            List<CompletableFuture<HttpResponse<String>>> asking = new ArrayList<>();
            for (int i = 0; i < 16; i++) {
                asking.add(Web.laterInTurn(Web.request(server, "/cluster")));
            }
            assertThat(Web.get(server, "/live").statusCode()).isEqualTo(200);
            List<String> bodies = new ArrayList<>();
            for (CompletableFuture<HttpResponse<String>> answer : asking) {
                assertThat(answer.get().statusCode()).isEqualTo(200);
                bodies.add(answer.get().body());
            }
            assertThat(bodies).anyMatch(body -> body.contains("it has not answered for 2000 ms"));
        }
    }

    @Test
    void anAnswerThatIsNoStatusIsSaidToBeNone() throws Exception {
        HttpServer strange = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        strange.createContext("/", exchange -> {
            byte[] text = (exchange.getRequestURI().getPath().startsWith("/long")
                            ? "{\"a\":\"" + "x".repeat(100_000) + "\"}"
                            : "{\"node\":\"n9\"}")
                    .getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, text.length);
            exchange.getResponseBody().write(text);
            exchange.close();
        });
        strange.start();
        open.add(() -> strange.stop(0));
        String base = "http://127.0.0.1:" + strange.getAddress().getPort();
        OpsServer server = server("n1", URI.create(base + "/"), URI.create(base + "/long"));
        assertThat(cluster(server).body())
                .contains(
                        "its answer is no status: it has no field [hears, led, margin, state, supporters, voters]",
                        "its answer is no status: more than 65536 bytes");
    }

    /** What the script of the page takes apart. */
    private static final String FIELDS = "\"node\":\"n9\",\"state\":\"UP\",\"voters\":[\"n9\"],\"supporters\":[],"
            + "\"hears\":[],\"led\":0,\"margin\":null";

    // One such answer would end the script that draws the table of all nodes.
    @Test
    void anAnswerWithWrongTypesIsSaidToBeNone() throws Exception {
        Map<String, String> wrong = Map.of(
                "/number", FIELDS.replace("\"n9\",\"state\"", "9,\"state\""),
                "/null", FIELDS.replace("\"voters\":[\"n9\"]", "\"voters\":null"),
                "/object", FIELDS.replace("\"supporters\":[]", "\"supporters\":{}"),
                "/text", FIELDS.replace("\"hears\":[]", "\"hears\":\"n1\""),
                "/items", FIELDS.replace("[\"n9\"]", "[\"n9\",[]]"),
                "/led", FIELDS.replace("\"led\":0", "\"led\":\"many\""),
                "/margin", FIELDS.replace("null", "{}"),
                "/list", FIELDS + ",\"votersNumber\":[1]",
                "/reason", FIELDS + ",\"reason\":{}",
                "/twice", FIELDS + ",\"voters\":null");
        HttpServer strange = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        strange.createContext("/", exchange -> {
            String path = exchange.getRequestURI().getPath().replace("/status", "");
            byte[] text =
                    ("{" + wrong.getOrDefault(path, FIELDS) + ",\"more\":{\"a\":1}}").getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, text.length);
            exchange.getResponseBody().write(text);
            exchange.close();
        });
        strange.start();
        open.add(() -> strange.stop(0));
        String base = "http://127.0.0.1:" + strange.getAddress().getPort();
        URI[] urls = Stream.concat(wrong.keySet().stream(), Stream.of("/right"))
                .map(path -> URI.create(base + path))
                .toArray(URI[]::new);
        HttpResponse<String> answer = cluster(server("n1", urls));
        isJson(answer.body());
        assertThat(answer.body()).contains("{\"url\":\"" + base + "/right\",\"error\":null,\"status\":{" + FIELDS);
        for (String path : wrong.keySet()) {
            assertThat(answer.body())
                    .contains("{\"url\":\"" + base + path + "\",\"error\":\"its answer is no status: its field ");
        }
    }

    // An operator reads them, who need not know Java.
    @Test
    void reasonsAreNoExceptionsOfJava() throws Exception {
        OpsServer gone = server("n3");
        gone.close();
        HttpServer strange = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        strange.createContext("/", exchange -> {
            byte[] text = "<html>".getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, text.length);
            exchange.getResponseBody().write(text);
            exchange.close();
        });
        strange.start();
        open.add(() -> strange.stop(0));
        int port = strange.getAddress().getPort();
        try (ServerSocket rude = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            Thread answering = new Thread(() -> {
                try {
                    while (true) {
                        try (Socket asked = rude.accept()) {
                            asked.getOutputStream().write("SSH-2.0\r\n".getBytes(StandardCharsets.US_ASCII));
                        }
                    }
                } catch (IOException e) {
                    // The test is over.
                }
            });
            answering.setDaemon(true);
            answering.start();
            OpsServer server = server(
                    "n1",
                    url(gone),
                    URI.create("https://127.0.0.1:" + rude.getLocalPort()),
                    URI.create("http://127.0.0.1:" + port),
                    URI.create("http://name.invalid:8080"),
                    URI.create("http://127.0.0.1:" + rude.getLocalPort()));
            String body = cluster(server).body();
            assertThat(body).doesNotContain("Exception", "java.", "javax.", "com.fasterxml", "jackson");
            assertThat(body)
                    .containsSubsequence(
                            "it cannot be reached: no connection could be made",
                            "it cannot be reached: TLS",
                            "its answer is no status: it is no JSON",
                            "it cannot be reached: its name is not known",
                            "it cannot be reached: ");
        }
    }

    @Test
    void anotherServerIsAnAddressOverHttp() {
        ElectionClient client = cluster.client("n1");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> OpsServer.builder(client)
                        .port(0)
                        .others(URI.create("ftp://n2"), URI.create("n3:8080"))
                        .start())
                .withMessage(
                        "Bad configuration: others 'ftp://n2': must be an address with http or https, a host and a port,"
                                + " without user, query and fragment, and without an underscore in the host; others 'n3:8080': must"
                                + " be an address with http or https, a host and a port, without user, query and fragment, and without"
                                + " an underscore in the host");
        for (String bad : List.of("http://user:word@n2", "http://my_host:1", "http://n2/?a=b", "http://n2/#a")) {
            assertThatIllegalArgumentException().isThrownBy(() -> OpsServer.builder(client)
                    .port(0)
                    .others(URI.create(bad))
                    .start());
        }
    }

    // ---------------------------------------------------------------- the page

    @Test
    void thePageNeedsNothingElseAndRunsItsOwnScriptAlone() {
        HttpResponse<String> page = Web.get(server("n1"), "/");
        assertThat(page.statusCode()).isEqualTo(200);
        assertThat(page.headers().firstValue("Content-Type")).contains("text/html; charset=utf-8");
        assertThat(page.headers().firstValue("Content-Security-Policy").orElseThrow())
                .startsWith("default-src 'none'; script-src 'sha256-")
                .contains("connect-src 'self'", "frame-ancestors 'none'");
        // Nothing from elsewhere; the namespace of SVG is a name.
        assertThat(page.body().replace("http://www.w3.org/2000/svg", "")).doesNotContain("http:", "https:", "//cdn");
        // What comes from the cluster is text, never HTML.
        assertThat(page.body()).doesNotContain("innerHTML", "insertAdjacentHTML", "document.write", "eval(");
    }

    private static BufferedReader reader(Socket socket) throws IOException {
        return new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
    }

    private static String nextEvent(BufferedReader stream) throws IOException {
        String line = stream.readLine();
        while (line != null && !line.startsWith("data: ")) {
            line = stream.readLine();
        }
        return String.valueOf(line);
    }

    @Test
    void eventsComeWhileSomebodyListens() throws Exception {
        contend();
        OpsServer server = server("n1");
        try (Socket socket = Web.sent(server, "GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n")) {
            BufferedReader stream = reader(socket);
            assertThat(stream.readLine()).isEqualTo("HTTP/1.1 200 OK");
            String event = nextEvent(stream);
            assertThat(event)
                    .startsWith("data: {\"status\":{\"node\":\"n1\",")
                    .contains("\"changed\":", "\"leaving\":0,\"margins\":[");
            isJson(event.substring("data: ".length()));
            assertThat(nextEvent(stream)).startsWith("data: {\"status\":");
            server.close();
            assertThat(nextEvent(stream)).isEqualTo("null");
        }
    }

    @Test
    void someThatListenHoldUpNobodyAndMoreAreRefused() throws Exception {
        OpsServer server = server("n1");
        for (int i = 0; i < EventStream.STREAMS_MAX; i++) {
            Socket socket = Web.sent(server, "GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n");
            open.add(0, socket);
            assertThat(reader(socket).readLine()).isEqualTo("HTTP/1.1 200 OK");
        }
        HttpResponse<String> refused = Web.get(server, "/events");
        assertThat(refused.statusCode()).isEqualTo(503);
        assertThat(refused.body()).contains(EventStream.STREAMS_MAX + " pages listen already");
        assertThat(Web.get(server, "/live").statusCode()).isEqualTo(200);
        assertThat(Web.get(server, "/events/more").statusCode()).isEqualTo(404);
        assertThat(Web.answer(Web.post(server, "/events")).statusCode()).isEqualTo(405);
    }
}
