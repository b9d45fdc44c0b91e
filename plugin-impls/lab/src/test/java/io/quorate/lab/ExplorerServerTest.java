package io.quorate.lab;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.testkit.model.Exploration;
import io.quorate.testkit.model.ModelChecker.Links;
import io.quorate.testkit.model.ModelChecker.World;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** docs/lab.md#explorer: --serve and --from. */
class ExplorerServerTest {

    private static final String RUN =
            """
            {"format": "quorate-lab run 1", "algorithm": "ballot", "way": "documented", "processes": 3,
             "leader": 2, "steps": [%s]}
            """;

    @TempDir
    private Path directory;

    private Explorer explorer;
    private ExplorerServer server;

    @BeforeEach
    void serve() throws IOException {
        SavedRun start = new SavedRun(LabWay.DOCUMENTED, 3, OptionalInt.of(2), Links.FIFO, List.of());
        explorer = Explorer.of(LabAlgorithms.on("").of("ballot"), start, "", 10);
        server = new ExplorerServer(explorer, 0);
    }

    @AfterEach
    void close() {
        server.close();
    }

    /** Says it as a client would that may send any header. */
    private String answer(String request, String host) throws IOException {
        try (Socket socket = new Socket(
                InetAddress.getLoopbackAddress(), URI.create(server.url()).getPort())) {
            socket.setSoTimeout(600_000);
            String text = request + " HTTP/1.1\r\n" + (host.isEmpty() ? "" : "Host: " + host + "\r\n")
                    + "Connection: close\r\n\r\n";
            socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private String mine() {
        return URI.create(server.url()).getAuthority();
    }

    private Map<String, Object> after(String steps) throws IOException {
        String answer = answer("GET /after?steps=" + steps, mine());
        assertThat(answer).startsWith("HTTP/1.1 200 ");
        return Json.object(answer.substring(answer.indexOf("\r\n\r\n")));
    }

    // ---------------------------------------------------------------- what it serves

    // Far beyond the ten states of the page; machines that know nothing of the server take the same steps.
    @Test
    void answersFollowTheMachines() throws IOException {
        LabWords words = LabWords.ofCheck(explorer.algorithm(), LabWay.DOCUMENTED, 3);
        Random random = new Random(7);
        Exploration exploration = new Exploration(explorer.model());
        World world = exploration.first();
        List<String> places = new ArrayList<>();
        for (int step = 0; step < 40; step++) {
            Map<String, Object> answer = after(String.join(".", places));
            List<?> texts = (List<?>) answer.get("texts");
            List<?> states = (List<?>) answer.get("states");
            List<?> here = (List<?>) states.get(0);
            for (int process = 0; process < 3; process++) {
                Object local = ((List<?>) answer.get("locals")).get(number(((List<?>) here.get(0)).get(process)));
                assertThat(((List<?>) local).get(0)).isEqualTo(world.isAlive(process) ? 1L : 0L);
                if (world.isAlive(process)) {
                    assertThat(texts.get(number(((List<?>) local).get(3))))
                            .isEqualTo(words.state(world.state(process)));
                }
            }
            assertThat((List<?>) here.get(1)).hasSize(world.messages());
            List<String> next = exploration.next(world).stream()
                    .map(moment -> StateGraph.words(words, moment.step()))
                    .toList();
            assertThat(((List<?>) here.get(3)).stream().map(edge -> texts.get(number(((List<?>) edge).get(1)))
                            .toString()))
                    .containsExactlyInAnyOrderElementsOf(next);
            assertThat(states).hasSizeLessThanOrEqualTo(1 + next.size());
            String chosen = next.get(random.nextInt(next.size()));
            places.add(String.valueOf(next.stream().sorted().toList().indexOf(chosen)));
            world = exploration.next(world).stream()
                    .filter(moment -> StateGraph.words(words, moment.step()).equals(chosen))
                    .findFirst()
                    .orElseThrow()
                    .after();
        }
    }

    private static int number(Object value) {
        return Math.toIntExact((Long) value);
    }

    @Test
    void pageKnowsThatItIsServed() throws IOException {
        assertThat(answer("GET /", mine())).startsWith("HTTP/1.1 200 ").contains("\"isServed\":true");
        assertThat(explorer.html(false)).contains("\"isServed\":false");
    }

    // ---------------------------------------------------------------- what it refuses

    @Test
    void otherHostsMethodsAndPathsAreRefused() throws IOException {
        assertThat(server.url()).matches("http://127\\.0\\.0\\.1:\\d+/");
        for (String host : List.of("example.org", "127.0.0.1.example.org", "localhost:80x", "")) {
            assertThat(answer("GET /", host))
                    .as(host)
                    .startsWith("HTTP/1.1 403 ")
                    .contains("': must be 127.0.0.1, localhost or [::1]");
        }
        // Through a tunnel, or at port 80.
        assertThat(answer("GET /", "localhost:1")).startsWith("HTTP/1.1 200 ");
        assertThat(answer("GET /", "127.0.0.1")).startsWith("HTTP/1.1 200 ");
        assertThat(answer("POST /", mine())).startsWith("HTTP/1.1 405 ").contains("POST: must be GET");
        assertThat(answer("GET /../../etc/passwd", mine())).startsWith("HTTP/1.1 404 ");
    }

    // One has said half of a question, the other does not read its answer.
    @Test
    void slowClientsDoNotDelayOthers() throws IOException {
        int port = URI.create(server.url()).getPort();
        try (Socket half = new Socket(InetAddress.getLoopbackAddress(), port);
                Socket other = new Socket(InetAddress.getLoopbackAddress(), port)) {
            half.getOutputStream().write("GET / HT".getBytes(StandardCharsets.US_ASCII));
            other.getOutputStream().write("GET / HTTP/1.1\r\nHost".getBytes(StandardCharsets.US_ASCII));
            assertThat(answer("GET /after?steps=", mine())).startsWith("HTTP/1.1 200 ");
        }
    }

    @Test
    void wrongQuestionsHaveAPlaceAndARule() throws IOException {
        for (String steps : List.of("x", "1..2", "-1", "12345", "0" + ".0".repeat(1000))) {
            assertThat(answer("GET /after?steps=" + steps, mine())).as(steps).startsWith("HTTP/1.1 400 ");
        }
        assertThat(answer("GET /after", mine())).contains("must be steps= and at most 1000 numbers");
        assertThat(answer("GET /after?steps=0.99", mine())).contains("steps[1] 99: must be below ");
    }

    @Test
    void portMustBeFree() throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String port = String.valueOf(taken.getLocalPort());
            Run run = Run.of("bully", "--explore", "--nodes", "2", "--serve", port);
            assertThat(run.exitCode()).isEqualTo(1);
            assertThat(run.err()).contains("--serve " + port + ": cannot be served: ");
        }
        assertThat(Run.of("bully", "--explore", "--serve", "70000").err())
                .contains("--serve 70000: must be from 0 to 65535");
        assertThat(Run.of("bully", "--explore", "--serve", "--html", "x").err()).contains("must stand without --serve");
    }

    // ---------------------------------------------------------------- saved runs

    private Run from(String text, String... more) throws IOException {
        Path file = Files.writeString(directory.resolve("run.json"), text);
        List<String> all = new ArrayList<>(List.of("ballot", "--explore", "--from", file.toString()));
        all.addAll(List.of("--html", directory.resolve("page.html").toString()));
        all.addAll(List.of(more));
        return Run.of(all.toArray(new String[0]));
    }

    // So far from the start, the page of the algorithm has no states.
    @Test
    void pageUnfoldsFromTheEndOfARun() throws IOException {
        LabWords words = LabWords.ofCheck(explorer.algorithm(), LabWay.DOCUMENTED, 3);
        Exploration exploration = new Exploration(explorer.model());
        World world = exploration.first();
        List<String> steps = new ArrayList<>();
        while (steps.size() < 60) {
            var moment = exploration.next(world).get(0);
            steps.add(StateGraph.words(words, moment.step()));
            world = moment.after();
        }
        String written = String.join(",", steps.stream().map(StateGraph::quoted).toList());
        SavedRun run = SavedRun.read(RUN.formatted(written), explorer.algorithm());
        Explorer page = Explorer.of(explorer.algorithm(), run, "", 200);
        assertThat(page.html(false)).contains("The page has the 200 states nearest to the end of the run");
        Map<String, Object> graph = Json.object(page.json(false));
        assertThat(graph.get("run")).isEqualTo(steps);
        int state = 0;
        for (String step : steps) {
            List<?> edges = (List<?>) ((List<?>) ((List<?>) graph.get("states")).get(state)).get(3);
            state = edges.stream()
                    .map(edge -> (List<?>) edge)
                    .filter(edge -> ((List<?>) graph.get("texts"))
                            .get(number(edge.get(1)))
                            .equals(step))
                    .mapToInt(edge -> number(edge.get(0)))
                    .findFirst()
                    .orElseThrow();
        }
        List<?> end = (List<?>) ((List<?>) ((List<?>) graph.get("states")).get(state)).get(3);
        assertThat(end).as("what follows").hasSameSizeAs(exploration.next(world));
        assertThat(end).allMatch(edge -> number(((List<?>) edge).get(0)) >= 0);
    }

    @Test
    void faultsOfTheRunAreAllowedAgain() throws IOException {
        String run = RUN.formatted("\"P2 crashes\", \"P2 restarts\", \"P2 crashes\"");
        Explorer page = Explorer.of(explorer.algorithm(), SavedRun.read(run, explorer.algorithm()), "", 10);
        assertThat(page.saved().steps()).hasSize(3);
        assertThat(page.graph().size()).isEqualTo(10);
    }

    @Test
    void mistakesHaveAPlaceAndARule() throws IOException {
        String run = RUN.formatted("\"P2 crashes\"");
        for (Map.Entry<String, String> wrong : Map.of(
                        "{\n \"format\" 7}",
                        "line 2, column 2: '\"format\" 7}': must be a field such as \"leader\": 2 or \"steps\"",
                        "{7",
                        "line 1, column 2: '7': must be a field",
                        run + "x",
                        "line 3, column 1: 'x': must be the end",
                        run.replace("{", "{\"steps\": [], "),
                        "column 15: '\"steps\": [\"P2 crashes\"]}': must be there once",
                        run.replace("\"steps\"", "\"step\""),
                        "steps missing: must be a list of texts",
                        run.replace("ballot", "bully"),
                        "algorithm \"bully\": must be \"ballot\"",
                        run.replace(": 3", ": 9"),
                        "processes 9: must be 2 or 3 or 4 or 5",
                        run.replace(": 3", ": \"3\""),
                        "processes \"3\": must be 2 or 3 or 4 or 5",
                        run.replace("\"leader\"", "\"links\": \"x\", \"leader\""),
                        "links \"x\": must be \"FIFO\" or \"UNORDERED\"",
                        RUN.formatted("\"x\"" + ",\"x\"".repeat(1000)),
                        "steps: must be at most 1000, and are 1001")
                .entrySet()) {
            Run read = from(wrong.getKey());
            assertThat(read.err()).contains("--from '", wrong.getValue()).doesNotContain("\tat ");
            assertThat(read.exitCode()).isEqualTo(64);
        }
        assertThat(from(run.replace(": 2", ": 7")).err()).contains("leader 7: must be 0 or 1 or 2 or null");
        assertThat(from(run.replace("P2 crashes", "P2 \\\"\\n\\u002e")).err())
                .contains("steps[0] 'P2 \"\\u000a.': must be one of '");
        assertThat(from("{" + "[".repeat(900_000)).err())
                .contains("column 2: '[[[")
                .hasSizeLessThan(1000);
        assertThat(from(run.replace("ballot", "x".repeat(900_000))).err())
                .contains("algorithm \"xxx", "...: must be \"ballot\"")
                .hasSizeLessThan(1000);
        assertThat(from(run, "--nodes", "3").err()).contains("says how it runs, so --nodes and --way do not");
    }
}
