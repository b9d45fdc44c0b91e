package io.quorate.platforms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.platforms.Nodes.Node;
import io.quorate.platforms.Platform.Transport;
import io.quorate.testkit.RealTime;
import io.quorate.testkit.RepeatedWhenStalled;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * Three processes of an application that has the starter and nothing else of Quorate: they lose their leader by kill -9
 * and by SIGTERM, and do what docs/spring.md promises.
 */
class StarterTest {

    private static final int SIGTERM = 128 + 15;
    private static final Map<String, String> BOOT = Map.of(
            // Three web servers that start at once keep a small machine from its heartbeats for longer than a second.
            "QUORATE_SUPPORT",
            "3s",
            "QUORATE_HEARTBEAT",
            "400ms",
            "SERVER_PORT",
            "0",
            "SERVER_SHUTDOWN",
            "graceful",
            "MANAGEMENT_ENDPOINT_HEALTH_PROBES_ENABLED",
            "true",
            "MANAGEMENT_ENDPOINT_HEALTH_SHOW_DETAILS",
            "always",
            "MANAGEMENT_ENDPOINTS_WEB_EXPOSURE_INCLUDE",
            "health,quorate");

    private static final HttpClient HTTP =
            HttpClient.newBuilder().connectTimeout(Duration.ofMinutes(10)).build();

    /** One run of the leader-only method, on the clock of the machine. */
    record Run(String node, long token, long begin, long end) {

        static Run of(String node, String line) {
            String[] words = line.split(" ");
            return new Run(node, Long.parseLong(words[1]), Long.parseLong(words[2]), Long.parseLong(words[3]));
        }
    }

    // ---------------------------------------------------------------- requests

    private static String said(Node node, String word) {
        return node.said().stream()
                .filter(line -> line.startsWith(word + " "))
                .map(line -> line.substring(word.length() + 1))
                .findFirst()
                .orElse("");
    }

    private static HttpRequest request(Node node, String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + said(node, "listens") + path))
                .timeout(Duration.ofMinutes(10))
                .build();
    }

    private static HttpResponse<String> get(Node node, String path) throws IOException, InterruptedException {
        return HTTP.send(request(node, path), BodyHandlers.ofString());
    }

    private static boolean isReady(Node node) throws IOException, InterruptedException {
        return !said(node, "listens").isEmpty()
                && get(node, "/actuator/health/readiness").statusCode() == 200;
    }

    /** Asks processes again and again whether they are ready, from when they have been on. */
    private static final class Probe implements AutoCloseable {

        private final Map<String, Node> probed = new ConcurrentHashMap<>();
        private final List<String> refused = new CopyOnWriteArrayList<>();
        private final Map<String, Integer> answers = new ConcurrentHashMap<>();
        private final Thread thread = new Thread(this::run, "probe");
        private volatile boolean isClosed;

        private Probe() {
            thread.start();
        }

        void begin(Node node) {
            probed.put(node.id, node);
        }

        /** Before the process is told to end. */
        void end(Node node) {
            synchronized (this) {
                probed.remove(node.id);
            }
        }

        private void run() {
            while (!isClosed) {
                for (String id : probed.keySet()) {
                    ask(id);
                }
                pause();
            }
        }

        private synchronized void ask(String id) {
            Node node = probed.get(id);
            if (node == null) {
                return;
            }
            try {
                HttpResponse<String> answer = get(node, "/actuator/health/readiness");
                answers.merge(id, 1, Integer::sum);
                if (answer.statusCode() != 200) {
                    refused.add(id + ": " + answer.statusCode() + " " + answer.body());
                }
            } catch (IOException e) {
                refused.add(id + ": " + e);
            } catch (InterruptedException e) {
                isClosed = true;
            }
        }

        private static void pause() {
            try {
                Thread.sleep(20);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        @Override
        public void close() {
            isClosed = true;
            try {
                thread.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    // ---------------------------------------------------------------- judgement

    /** In the order in which they began. */
    private static List<Run> runs(List<Node> nodes) {
        return nodes.stream()
                .flatMap(node -> node.said().stream()
                        .filter(line -> line.startsWith("worked "))
                        .map(line -> Run.of(node.id, line)))
                .sorted(Comparator.comparingLong(Run::begin))
                .toList();
    }

    /** No two runs overlap, tokens do not fall, and each token is that of one process. */
    private static void assertOneWorksAtATime(List<Run> runs) {
        for (int i = 1; i < runs.size(); i++) {
            Run before = runs.get(i - 1);
            Run next = runs.get(i);
            assertThat(next.begin()).as("%s after %s", next, before).isGreaterThanOrEqualTo(before.end());
            assertThat(next.token()).as("%s after %s", next, before).isGreaterThanOrEqualTo(before.token());
            if (next.token() == before.token()) {
                assertThat(next.node()).as("%s after %s", next, before).isEqualTo(before.node());
            }
        }
    }

    @RealTime
    @Test
    void overlapsAndFallingTokensAreFound() {
        Run first = new Run("n1", 1, 10, 20);
        assertOneWorksAtATime(List.of(first, new Run("n1", 1, 20, 30), new Run("n2", 2, 40, 50)));
        for (Run wrong : List.of(new Run("n2", 2, 19, 30), new Run("n2", 0, 30, 40), new Run("n2", 1, 30, 40))) {
            assertThatThrownBy(() -> assertOneWorksAtATime(List.of(first, wrong)))
                    .isInstanceOf(AssertionError.class);
        }
    }

    private static long millis(long from, long to) {
        return Duration.ofNanos(to - from).toMillis();
    }

    // ---------------------------------------------------------------- the run

    private static void keepsItsPromises(Platform platform, Jdk jdk, Path directory) throws Exception {
        Path files = Files.createTempDirectory(directory, platform.module());
        try (Nodes nodes = Nodes.start(platform, jdk, Transport.TCP, files, BOOT);
                Probe probe = new Probe()) {
            List<Node> all = new ArrayList<>(nodes.all());
            nodes.await("all are ready", () -> {
                for (Node node : nodes.all()) {
                    if (!isReady(node)) {
                        return false;
                    }
                }
                return true;
            });
            nodes.all().forEach(probe::begin);

            // Killed: the others stay ready, and one of them leads.
            Node killed = settled(nodes);
            awaitWork(nodes, killed, killed.token());
            assertThat(killed.hasLoaded(platform, platform.core()))
                    .as(nodes::describe)
                    .isTrue();
            assertTellsHowItIs(killed);
            awaitRole(nodes, nodes.all());
            probe.end(killed);
            long killedAt = killed.jvm().kill();
            List<Node> left =
                    nodes.all().stream().filter(node -> node != killed).toList();
            Node second = nodes.awaitLeaderAfter(killed.token(), left);
            awaitWork(nodes, second, second.token());
            long afterKill = millis(killedAt, firstRun(all, second.token()).begin());

            // Comes back.
            killed.jvm().awaitExit();
            Node again = nodes.start(killed.id);
            all.add(again);
            nodes.await(again.id + " is ready again", () -> isReady(again));
            probe.begin(again);

            // SIGTERM, while a request is served: the next one leads before the request is answered.
            CompletableFuture<HttpResponse<String>> slow =
                    HTTP.sendAsync(request(second, "/slow"), BodyHandlers.ofString());
            nodes.await("a request is served", () -> second.hasSaid("serves"));
            probe.end(second);
            second.jvm().terminate();
            List<Node> others =
                    nodes.all().stream().filter(node -> node != second).toList();
            Node third = nodes.awaitLeaderAfter(second.token(), others);
            awaitWork(nodes, third, third.token());
            awaitRole(nodes, others);
            assertThat(slow).as("the request is served still").isNotDone();
            second.jvm().send("close");
            assertThat(slow.get().body()).isEqualTo("served");
            assertThat(second.jvm().awaitExit()).as(nodes::describe).isIn(0, SIGTERM);

            assertOneWorksAtATime(runs(all));
            assertThat(probe.refused).as(nodes::describe).isEmpty();
            assertThat(probe.answers).as("answers of all").containsOnlyKeys("n1", "n2", "n3");
            Run last = runs(all).stream()
                    .filter(run -> run.token() == second.token())
                    .reduce((one, other) -> other)
                    .orElseThrow();
            System.out.println("platforms: " + platform.name() + ", " + jdk + ", starter: "
                    + runs(all).size()
                    + " runs, one at a time; " + probe.answers + " answers of readiness, all 200; " + afterKill
                    + " ms from the kill, "
                    + millis(last.end(), firstRun(all, third.token()).begin())
                    + " ms from the last run before SIGTERM to the next leader's first run");
        }
    }

    /** The leader, as soon as it says itself that it leads. */
    private static Node settled(Nodes nodes) throws Exception {
        nodes.await("somebody leads", () -> says(latest(nodes)));
        return latest(nodes);
    }

    private static Node latest(Nodes nodes) {
        return nodes.all().stream().max(Comparator.comparingLong(Node::token)).orElseThrow();
    }

    private static boolean says(Node leader) throws IOException, InterruptedException {
        return leader.token() > 0
                && get(leader, "/actuator/quorate").body().contains("\"/app/leader\":" + leader.token());
    }

    private static Run firstRun(List<Node> nodes, long token) {
        return runs(nodes).stream()
                .filter(run -> run.token() == token)
                .findFirst()
                .orElseThrow();
    }

    /** Not for ever: one that loses its lease on a busy machine before it works does so with no token of before. */
    private static void awaitWork(Nodes nodes, Node leader, long token) {
        nodes.await(
                leader.id + " works with token " + token,
                () -> hasWorked(leader, token) || nodes.all().stream().anyMatch(node -> node.token() > token));
        assertThat(hasWorked(leader, token))
                .as("%s works with token %d; %s", leader.id, token, nodes.describe())
                .isTrue();
    }

    private static boolean hasWorked(Node leader, long token) {
        return leader.said().stream().anyMatch(line -> line.startsWith("worked " + token + " "));
    }

    /** Until one of them has the role of Spring Integration, and all of them have heard of that. */
    private static void awaitRole(Nodes nodes, List<Node> present) {
        nodes.await("one has the role, and all know who", () -> present.stream()
                .filter(node -> !said(node, "granted").isEmpty())
                .anyMatch(node -> present.stream().allMatch(other -> other.hasSaid("hears of " + node.id))));
    }

    private static void assertTellsHowItIs(Node leader) throws IOException, InterruptedException {
        HttpResponse<String> health = get(leader, "/actuator/health");
        assertThat(health.statusCode()).isEqualTo(200);
        assertThat(health.body()).contains("\"quorate\":{", "\"supporters\":[");
        assertThat(get(leader, "/actuator/health/liveness").statusCode()).isEqualTo(200);
        assertThat(get(leader, "/actuator/quorate").body())
                .contains("\"node\":\"" + leader.id + "\"", "\"state\":\"UP\"", "\"/app/leader\":" + leader.token());
        assertThat(get(leader, "/actuator/quorate/app/leader").body())
                .contains("\"leader\":\"" + leader.id + "\"", "\"token\":" + leader.token());
        assertThat(get(leader, "/actuator/quorate/unknown").statusCode()).isEqualTo(404);
        HttpRequest standby = HttpRequest.newBuilder(
                        request(leader, "/actuator/quorate").uri())
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString("{\"standby\":true}"))
                .build();
        assertThat(HTTP.send(standby, BodyHandlers.ofString()).statusCode()).isEqualTo(405);
    }

    @RealTime
    @Test
    void onBoot35(@TempDir Path directory) throws Exception {
        keepsItsPromises(Platform.STARTER_3_5, Jdk.RUNNING, directory);
    }

    @Test
    @Tag("platforms")
    @ExtendWith(RepeatedWhenStalled.class)
    void onAllJdks(@TempDir Path directory) throws Exception {
        for (Jdk jdk : Jdk.all().values()) {
            keepsItsPromises(Platform.STARTER_3_5, jdk, directory);
            keepsItsPromises(Platform.STARTER_4_1, jdk, directory);
        }
    }
}
