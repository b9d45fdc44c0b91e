package io.quorate.platforms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.platforms.Nodes.Node;
import io.quorate.platforms.Platform.Transport;
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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Three processes of an application with quorate-cdi: the one that runs the job is killed again and again. The job never
 * runs twice at one time, soon runs elsewhere, and probes answer by the table of docs/settings.md#probes.
 */
class QuarkusTest {

    private static final int SIGTERM = 128 + 15;
    private static final int FEW = 3;
    private static final int MANY = 50;

    private static final Map<String, String> SETTINGS = Map.of(
            // A process that starts keeps a small machine from its heartbeats for longer than a second.
            "QUORATE_SUPPORT", "3s",
            "QUORATE_HEARTBEAT", "400ms");

    private static final Pattern ADDRESS = Pattern.compile("Listening on: (http://127\\.0\\.0\\.1:\\d+)");

    private static final HttpClient HTTP =
            HttpClient.newBuilder().connectTimeout(Duration.ofMinutes(10)).build();

    @TempDir
    private Path directory;

    /** A run of the job, on the clock of the machine; one that was killed ends when its process was gone. */
    private record Run(String node, long token, long begin, long end) {}

    // ---------------------------------------------------------------- what the processes say and answer

    /** Each life of each process, and when it was gone. */
    private final Map<Node, Long> gone = new HashMap<>();

    private final List<Node> lives = new ArrayList<>();

    private List<Run> runs() {
        return lives.stream()
                .flatMap(life -> runsOf(life).stream())
                .sorted(Comparator.comparingLong(Run::begin))
                .toList();
    }

    private List<Run> runsOf(Node life) {
        List<Run> runs = new ArrayList<>();
        for (String line : life.said()) {
            String[] words = line.split(" ");
            if (words[0].equals("begin")) {
                runs.add(new Run(
                        life.id,
                        Long.parseLong(words[1]),
                        Long.parseLong(words[2]),
                        gone.getOrDefault(life, Long.MAX_VALUE)));
            } else if (words[0].equals("end")) {
                Run begun = runs.remove(runs.size() - 1);
                runs.add(new Run(life.id, begun.token, begun.begin, Long.parseLong(words[2])));
            }
        }
        return runs;
    }

    private Optional<Run> runAfter(long nanos) {
        return runs().stream().filter(run -> run.begin > nanos).findFirst();
    }

    private Run awaitRunAfter(Nodes nodes, long nanos) {
        nodes.await("a run", () -> runAfter(nanos).isPresent());
        return runAfter(nanos).orElseThrow();
    }

    private static Optional<String> address(Node node) {
        return node.said().stream()
                .map(ADDRESS::matcher)
                .filter(Matcher::find)
                .map(found -> found.group(1))
                .findFirst();
    }

    private static HttpResponse<String> get(Node node, String path) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(address(node).orElseThrow() + path))
                .timeout(Duration.ofMinutes(10))
                .build();
        return HTTP.send(request, BodyHandlers.ofString());
    }

    private static void assertUp(Node node, String... probes) throws IOException, InterruptedException {
        for (String probe : probes) {
            HttpResponse<String> answer = get(node, "/q/health/" + probe);
            assertThat(answer.statusCode()).as("%s: %s", node.id, answer.body()).isEqualTo(200);
            assertThat(answer.body()).contains("\"name\": \"quorate\"", "\"status\": \"UP\"");
        }
    }

    private static void awaitReady(Nodes nodes) {
        nodes.await("all are ready", () -> {
            for (Node node : nodes.all()) {
                if (address(node).isEmpty() || get(node, "/q/health/ready").statusCode() != 200) {
                    return false;
                }
            }
            return true;
        });
    }

    // ---------------------------------------------------------------- judgement

    private static void assertNeverTwice(List<Run> runs) {
        for (int i = 1; i < runs.size(); i++) {
            Run before = runs.get(i - 1);
            Run next = runs.get(i);
            assertThat(next.begin).as("%s after %s", next, before).isGreaterThan(before.end);
            assertThat(next.token).as("%s after %s", next, before).isGreaterThanOrEqualTo(before.token);
        }
    }

    @Test
    void twoAtOnceAreNoticed() {
        Run first = new Run("n1", 1, 10, 20);
        assertNeverTwice(List.of(first, new Run("n1", 1, 21, 30), new Run("n2", 2, 40, 50)));
        for (Run wrong : List.of(new Run("n2", 2, 19, 30), new Run("n2", 0, 30, 40))) {
            assertThatThrownBy(() -> assertNeverTwice(List.of(first, wrong))).isInstanceOf(AssertionError.class);
        }
    }

    // ---------------------------------------------------------------- the run

    private void killHolders(Jdk jdk, int count) throws Exception {
        Random random = new Random(1);
        List<Long> gaps = new ArrayList<>();
        Path files = Files.createTempDirectory(directory, "quarkus");
        lives.clear();
        gone.clear();
        try (Nodes nodes = Nodes.start(Platform.QUARKUS_CDI, jdk, Transport.TCP, files, SETTINGS)) {
            lives.addAll(nodes.all());
            for (int i = 0; i < count; i++) {
                awaitReady(nodes);
                // A voter is silent for a support time after its start, and all three vote when the next one is killed.
                Run quiet = awaitRunAfter(nodes, System.nanoTime() + TimeUnit.SECONDS.toNanos(3));
                Run run = awaitRunAfter(nodes, quiet.begin);
                Node holder = node(nodes, run.node);
                // In the middle of the run, or in the pause after it.
                // Justification: only tests of suites come here.
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(random.nextInt(400)));
                long killed = holder.jvm().kill();
                holder.jvm().awaitExit();
                gone.put(holder, System.nanoTime());
                Run next = awaitRunAfter(nodes, killed);
                assertThat(next.node).as(nodes::describe).isNotEqualTo(run.node);
                gaps.add(next.begin - killed);
                for (Node other : nodes.all()) {
                    if (other != holder) {
                        assertUp(other, "live", "ready", "started");
                    }
                }
                lives.add(nodes.start(holder.id));
            }
            awaitReady(nodes);
            assertTellsHowItIs(nodes);
            assertHandsOver(nodes);
            assertNeverTwice(runs());
        }
        gaps.sort(null);
        System.out.printf(
                "platforms: %s, %s, quorate-cdi: %d runs, one at a time; from SIGKILL of the holder to the next run: %d "
                        + "values, median %d ms, longest %d ms%n",
                Platform.QUARKUS_CDI.name(),
                jdk,
                runs().size(),
                count,
                TimeUnit.NANOSECONDS.toMillis(gaps.get(count / 2)),
                TimeUnit.NANOSECONDS.toMillis(gaps.get(count - 1)));
    }

    private static Node node(Nodes nodes, String id) {
        return nodes.all().stream()
                .filter(node -> node.id.equals(id))
                .findFirst()
                .orElseThrow();
    }

    /** Over HTTP one says that it leads; all have heard of somebody, and runs are skipped where nobody leads. */
    private static void assertTellsHowItIs(Nodes nodes) {
        nodes.await("one says that it leads", () -> {
            int leaders = 0;
            for (Node node : nodes.all()) {
                leaders += get(node, "/leader").statusCode() == 200 ? 1 : 0;
            }
            return leaders == 1;
        });
        nodes.await("all have heard, and skip", () -> nodes.all().stream()
                .allMatch(node -> node.said().stream().anyMatch(line -> line.startsWith("hears of n"))
                        && node.hasSaid("skipped")));
        assertThat(nodes.all().stream().filter(node -> node.hasSaid("ticks")))
                .as("where it leads")
                .allMatch(node -> node.token() > 0);
    }

    /** SIGTERM in the middle of a run: that ends before the next one begins elsewhere. */
    private void assertHandsOver(Nodes nodes) throws Exception {
        Run run = awaitRunAfter(nodes, System.nanoTime());
        Node holder = node(nodes, run.node);
        holder.jvm().terminate();
        assertThat(holder.jvm().awaitExit()).as(nodes::describe).isIn(0, SIGTERM);
        gone.put(holder, System.nanoTime());
        Run last = runsOf(holder).get(runsOf(holder).size() - 1);
        Run next = awaitRunAfter(nodes, last.begin);
        assertThat(next.node).as(nodes::describe).isNotEqualTo(run.node);
        assertThat(holder.said())
                .as("the last run was not cut off")
                .filteredOn(line -> line.startsWith("begin "))
                .hasSize((int) holder.said().stream()
                        .filter(line -> line.startsWith("end "))
                        .count());
    }

    @Test
    @Tag("platforms")
    void aJobRunsOnOneProcessOnEachJdk() throws Exception {
        for (Jdk jdk : Jdk.all().values()) {
            killHolders(jdk, FEW);
        }
    }

    @Test
    @Tag("nemesis")
    void aJobRunsOnOneProcessHoweverManyAreKilled() throws Exception {
        killHolders(Jdk.RUNNING, MANY);
    }
}
