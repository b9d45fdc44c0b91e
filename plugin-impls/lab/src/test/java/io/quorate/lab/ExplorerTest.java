package io.quorate.lab;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.spi.Effect;
import io.quorate.spi.Election;
import io.quorate.spi.ElectionAlgorithm;
import io.quorate.spi.Event;
import io.quorate.spi.Membership;
import io.quorate.spi.Message;
import io.quorate.spi.Options;
import io.quorate.spi.Timing;
import io.quorate.testkit.Effort;
import io.quorate.testkit.model.Exploration;
import io.quorate.testkit.model.ModelChecker;
import io.quorate.testkit.model.ModelChecker.Links;
import io.quorate.testkit.model.ModelChecker.Moment;
import io.quorate.testkit.model.ModelChecker.World;
import io.quorate.testkit.simulation.HighestUp;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * docs/lab.md#explorer: the graph in the page is that of the shipped machines, which are asked here without the code that
 * writes it.
 */
class ExplorerTest {

    /** The graphs that together take as long as all others. */
    private static final Set<List<Object>> LARGE = Set.of(
            List.of("ballot", LabWay.HARDENED),
            List.of("lcr", LabWay.HARDENED),
            List.of("three-phase", LabWay.DOCUMENTED));

    private static final int SIZE = 3;

    @TempDir
    private Path directory;

    /** The graph of a page, as a browser reads it. */
    private record Graph(Map<String, Object> json) {

        static Graph of(String html) {
            String begin = "<script type=\"application/json\" id=\"graph\">";
            int from = html.indexOf(begin) + begin.length();
            return new Graph(Json.object(html.substring(from, html.indexOf("</script>", from))));
        }

        @SuppressWarnings("unchecked")
        List<List<Object>> table(String name) {
            return (List<List<Object>>) json.get(name);
        }

        String text(Object number) {
            return ((List<?>) json.get("texts"))
                    .get(Math.toIntExact((Long) number))
                    .toString();
        }

        int size() {
            return table("states").size();
        }

        @SuppressWarnings("unchecked")
        List<List<Object>> edges(int state) {
            return (List<List<Object>>) table("states").get(state).get(3);
        }

        List<?> local(int state, int process) {
            Object number = ((List<?>) table("states").get(state).get(0)).get(process);
            return table("locals").get(Math.toIntExact((Long) number));
        }

        List<?> messages(int state) {
            return (List<?>) table("states").get(state).get(1);
        }

        List<String> broken(int state) {
            return ((List<?>) table("states").get(state).get(2))
                    .stream()
                            .map(rule -> table("rules")
                                    .get(Math.toIntExact((Long) rule))
                                    .get(0)
                                    .toString())
                            .toList();
        }
    }

    private Graph page(String... arguments) throws Exception {
        Path page = directory.resolve("page.html");
        String[] all = new String[arguments.length + 3];
        System.arraycopy(arguments, 0, all, 0, arguments.length);
        System.arraycopy(new String[] {"--explore", "--html", page.toString()}, 0, all, arguments.length, 3);
        Run run = Run.of(all);
        assertThat(run.exitCode()).as(run.err()).isZero();
        String html = Files.readString(page);
        assertThat(html.getBytes(StandardCharsets.UTF_8).length).isLessThanOrEqualTo(Explorer.BYTES_MAX + 100_000);
        return Graph.of(html);
    }

    private static ElectionAlgorithm algorithm(String name) {
        return LabAlgorithms.on("").of(name);
    }

    private static ModelChecker listed(String name, LabWay way) {
        String faults = Explorer.listed(algorithm(name), way);
        return RuleSearch.model(algorithm(name), way.variant(), SIZE)
                .crashes(faults.contains("crash") ? 1 : 0)
                .restarts(faults.contains("restart") ? 1 : 0)
                .losses(faults.contains("loss") ? 1 : 0)
                .duplicates(faults.contains("copy") ? 1 : 0)
                .initialLeader(SIZE - 1);
    }

    /** Algorithm, variant, and whether the page has the whole graph. A sample leaves out the large ones. */
    static Stream<Arguments> graphs() {
        return Stream.of(
                        Arguments.of("ballot", LabWay.DOCUMENTED, false),
                        Arguments.of("ballot", LabWay.HARDENED, false),
                        Arguments.of("bully", LabWay.DOCUMENTED, true),
                        Arguments.of("bully", LabWay.HARDENED, true),
                        Arguments.of("lcr", LabWay.DOCUMENTED, true),
                        Arguments.of("lcr", LabWay.HARDENED, false),
                        Arguments.of("three-phase", LabWay.DOCUMENTED, false),
                        Arguments.of("three-phase", LabWay.HARDENED, false),
                        Arguments.of("token-ring", LabWay.DOCUMENTED, true),
                        Arguments.of("token-ring", LabWay.HARDENED, true))
                .filter(graph -> Effort.isWhole() || !LARGE.contains(List.of(graph.get()[0], graph.get()[1])));
    }

    @ParameterizedTest
    @MethodSource("graphs")
    void everyEdgeAndEveryWalkIsTheMachines(String name, LabWay way, boolean isWhole) throws Exception {
        // One page for both: writing one costs more than reading it.
        Graph graph = page(name, "--way", way.name().toLowerCase(java.util.Locale.ROOT));
        assertThat(graph.json().get("isWhole")).isEqualTo(isWhole);
        assertEveryEdge(graph, name, way, isWhole);
        assertRandomWalks(graph, name, way);
    }

    private static void assertEveryEdge(Graph graph, String name, LabWay way, boolean isWhole) {
        assertThat(graph.size()).isBetween(2000, StateGraph.STATES_MAX);
        Exploration exploration = new Exploration(listed(name, way));
        Map<Integer, World> worlds = new HashMap<>(Map.of(0, exploration.first()));
        Map<Long, Integer> numbers = new HashMap<>(Map.of(exploration.fingerprint(exploration.first()), 0));
        int left = 0;
        for (int state = 0; state < graph.size(); state++) {
            World world = worlds.get(state);
            assertSame(graph, state, world);
            List<List<Object>> edges = graph.edges(state);
            if (edges == null) {
                assertThat(isWhole).as("state %d is not left", state).isFalse();
                continue;
            }
            left++;
            List<Moment> moments = exploration.next(world);
            assertThat(edges).as("state %d", state).hasSameSizeAs(moments);
            assertThat(edges.stream().map(edge -> edge.get(1)).distinct()).hasSameSizeAs(edges);
            for (int i = 0; i < edges.size(); i++) {
                Moment moment = moments.get(i);
                int to = Math.toIntExact((Long) edges.get(i).get(0));
                assertThat(edges.get(i).get(5)).isEqualTo(moment.isFault() ? 1L : 0L);
                assertThat((List<?>) edges.get(i).get(6))
                        .hasSameSizeAs(moment.step().sent());
                if (to == StateGraph.BEYOND) {
                    assertThat(isWhole).isFalse();
                    continue;
                }
                // One number for one world, and one world for one number.
                long fingerprint = exploration.fingerprint(moment.after());
                assertThat(numbers.computeIfAbsent(fingerprint, added -> to)).isEqualTo(to);
                worlds.putIfAbsent(to, moment.after());
                assertThat(exploration.fingerprint(worlds.get(to))).isEqualTo(fingerprint);
            }
        }
        assertThat(left).isGreaterThan(1000);
    }

    private static void assertSame(Graph graph, int state, World world) {
        for (int process = 0; process < SIZE; process++) {
            List<?> local = graph.local(state, process);
            assertThat(local.get(0)).isEqualTo(world.isAlive(process) ? 1L : 0L);
            if (world.isAlive(process)) {
                assertThat(local.get(1)).isEqualTo((long) world.leader(process).orElse(-1));
                assertThat(local.get(2)).isEqualTo(world.isParticipating(process));
                assertThat(local.get(4)).isEqualTo(world.timers(process));
                int suspicious = process;
                assertThat(local.get(5))
                        .isEqualTo(LongStream.range(0, SIZE)
                                .filter(other -> world.suspects(suspicious, (int) other))
                                .boxed()
                                .toList());
            }
        }
        assertThat(graph.messages(state).stream()
                        .map(message -> graph.table("messages").get(Math.toIntExact((Long) message)))
                        .map(message -> message.get(0) + " to " + message.get(1)))
                .containsExactlyElementsOf(IntStream.range(0, world.messages())
                        .mapToObj(world::message)
                        .map(sent -> sent.from() + " to " + sent.to())
                        .toList());
        assertThat(graph.broken(state))
                .isEqualTo(ElectionRule.ofStates().stream()
                        .filter(rule -> rule.isBrokenIn(world))
                        .map(ElectionRule::written)
                        .toList());
    }

    /** Machines, links and timers, driven by nothing but what the edges of a graph say. */
    private static final class Driven {
        private record OnLink(int from, int life, Message message) {}

        private final ElectionAlgorithm algorithm;
        private final LabWay way;
        private final Election[] machines = new Election[SIZE];
        private final int[] lives = new int[SIZE];
        private final Event.Saved[] saved = {Event.Saved.NOTHING, Event.Saved.NOTHING, Event.Saved.NOTHING};
        private final Map<List<Integer>, Deque<OnLink>> links = new HashMap<>();
        private final List<Effect.Send> unsent = new ArrayList<>();

        Driven(ElectionAlgorithm algorithm, LabWay way) {
            this.algorithm = algorithm;
            this.way = way;
            // Each is there before the first one sends.
            for (int process = 0; process < SIZE; process++) {
                machines[process] = made(process);
            }
            for (int process = 0; process < SIZE; process++) {
                start(process, OptionalInt.of(SIZE - 1));
            }
        }

        private Election made(int process) {
            return algorithm.create(
                    Membership.of(process, SIZE), new Timing(10), new Options(way.variant(), false, false));
        }

        private void start(int process, OptionalInt leader) {
            lives[process]++;
            on(process, new Event.Start(lives[process], saved[process], leader));
        }

        private void on(int process, Event event) {
            for (Effect effect : machines[process].on(0, event)) {
                if (effect instanceof Effect.Save save) {
                    saved[process] = save.saved();
                } else if (effect instanceof Effect.Send send && machines[send.to()] != null) {
                    links.computeIfAbsent(List.of(process, send.to()), link -> new ArrayDeque<>())
                            .add(new OnLink(process, lives[process], send.message()));
                }
            }
        }

        void take(String kind, String words, int process, int from) {
            Deque<OnLink> link = links.getOrDefault(List.of(from, process), new ArrayDeque<>());
            switch (kind) {
                case "deliver" ->
                    on(process, new Event.Received(from, link.remove().message()));
                case "copy" ->
                    on(process, new Event.Received(from, link.element().message()));
                case "drop", "ignore" -> link.remove();
                case "timer" -> on(process, new Event.TimerFired(words.replaceFirst("P\\d timer ([^,]*).*", "$1")));
                case "suspect" -> on(process, new Event.Suspected(Integer.parseInt(words.replaceFirst(".* P", ""))));
                case "trust" -> on(process, new Event.Trusted(Integer.parseInt(words.replaceFirst(".* P", ""))));
                case "crash" -> {
                    machines[process] = null;
                    links.forEach((ends, queue) -> {
                        if (ends.get(1) == process) {
                            queue.clear();
                        }
                    });
                }
                case "restart" -> {
                    machines[process] = made(process);
                    start(process, OptionalInt.empty());
                }
                default -> throw new AssertionError(kind);
            }
        }

        int onTheirWay() {
            return links.values().stream().mapToInt(Deque::size).sum();
        }
    }

    // failed with seed=N; -Dseed=N walks again.
    private static void assertRandomWalks(Graph graph, String name, LabWay way) {
        String given = System.getProperty("seed", "");
        long seed = given.isBlank() ? System.nanoTime() : Long.parseLong(given);
        LabWords words = new LabWords(name, way.variant(), List.of("P0", "P1", "P2"));
        Random random = new Random(seed);
        for (int walk = 0; walk < 20; walk++) {
            Driven driven = new Driven(algorithm(name), way);
            List<String> taken = new ArrayList<>();
            int state = 0;
            while (taken.size() < 60
                    && graph.edges(state) != null
                    && !graph.edges(state).isEmpty()) {
                List<Object> edge =
                        graph.edges(state).get(random.nextInt(graph.edges(state).size()));
                if ((Long) edge.get(0) == StateGraph.BEYOND) {
                    break;
                }
                int message = Math.toIntExact((Long) edge.get(4));
                int from = message < 0
                        ? -1
                        : Math.toIntExact(
                                (Long) graph.table("messages").get(message).get(0));
                taken.add(graph.text(edge.get(1)));
                driven.take(
                        graph.text(edge.get(2)), graph.text(edge.get(1)), Math.toIntExact((Long) edge.get(3)), from);
                state = Math.toIntExact((Long) edge.get(0));
                assertIsThere(graph, state, driven, words, "failed with seed=" + seed + ": " + taken);
            }
            assertThat(taken).as("failed with seed=" + seed).isNotEmpty();
        }
    }

    private static void assertIsThere(Graph graph, int state, Driven driven, LabWords words, String failure) {
        for (int process = 0; process < SIZE; process++) {
            Election machine = driven.machines[process];
            List<?> local = graph.local(state, process);
            assertThat(local.get(0)).as(failure).isEqualTo(machine == null ? 0L : 1L);
            if (machine != null) {
                assertThat(graph.text(local.get(3))).as(failure).isEqualTo(words.state(machine.snapshot()));
                assertThat(local.get(1)).as(failure).isEqualTo((long)
                        machine.leader().orElse(-1));
            }
        }
        assertThat(graph.messages(state)).as(failure).hasSize(driven.onTheirWay());
    }

    // The search found it, and the page opens where it ends.
    @Test
    void counterexampleOpensAtItsEnd() throws Exception {
        Graph graph = page("--break", "bully:HighestAliveProcessIsLeader");
        List<?> run = (List<?>) graph.json().get("run");
        assertThat(run).hasSize(6);
        int state = 0;
        for (Object words : run) {
            state = graph.edges(state).stream()
                    .filter(edge -> graph.text(edge.get(1)).equals(words))
                    .mapToInt(edge -> Math.toIntExact((Long) edge.get(0)))
                    .findFirst()
                    .orElseThrow();
        }
        assertThat(graph.broken(state)).contains("HighestAliveProcessIsLeader");
        assertThat(graph.json().get("leader")).isNull();
    }

    @Test
    void chosenFaultsAndSizesAreInThePage() throws Exception {
        Graph two = page("bully", "--nodes", "2", "--faults", "suspicion");
        assertThat((List<?>) two.json().get("processes")).hasSize(2);
        assertThat(two.json().get("isWhole")).isEqualTo(true);
        List<String> kinds = two.table("states").stream()
                .flatMap(state -> ((List<?>) state.get(3)).stream())
                .map(edge -> two.text(((List<?>) edge).get(2)))
                .distinct()
                .toList();
        assertThat(kinds).contains("suspect", "trust", "deliver").doesNotContain("crash", "drop", "copy");
    }

    // A wrong suspicion makes a second leader, as a student would find out.
    @Test
    void someStateHasTwoLeaders() throws Exception {
        Graph graph = page("bully", "--faults", "loss,crash,suspicion");
        assertThat(IntStream.range(0, graph.size())
                        .anyMatch(state -> graph.broken(state).contains("OneLeader")))
                .isTrue();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '!',
            value = {
                "--explore ! --explore: must stand with ALGORITHM, or with --break",
                "bully leader_dies --explore ! --explore: must stand without SCENARIO",
                "bully --explore --way lease ! --way lease: must be documented or hardened with --explore",
                "bully --explore --nodes 6 ! --nodes 6: must be from 2 to 5 with --explore",
                "bully --explore --nodes 0 ! --nodes 0: must be from 2 to 5 with --explore",
                "bully --explore --way hardened --way documented ! --way hardened, documented: must be documented or",
                "bully --explore --faults crash,crash ! --faults 'crash,crash': 'crash' must be there once",
                "bully --explore --faults crsh ! --faults 'crsh': 'crsh' must be one of crash, restart, loss",
                "bully --faults crash ! ALGORITHM: must stand without --faults",
                "buly --explore ! did you mean 'bully'?"
            })
    void wrongWishesAreRefused(String arguments, String rule) {
        Run run = Run.of(arguments.strip().split(" "));
        assertThat(run.err()).contains(rule.strip()).doesNotContain("\tat ");
        assertThat(run.exitCode()).isEqualTo(64);
    }

    @Test
    void pageOfOthersStaysInThisDirectory() {
        Explorer page = Explorer.of(
                new HighestUp(),
                new SavedRun(LabWay.HARDENED, 2, OptionalInt.of(1), Links.FIFO, List.of()),
                "loss",
                100);
        assertThat(page.fileName()).isEqualTo("highest-up-hardened-explorer.html");
        assertThat(LabRun.fileName("../My/Own explorer")).isEqualTo("my-own-explorer.html");
    }

    // A message of others may say anything, and must not end the script of the page.
    @Test
    void textStaysInsideItsQuotes() {
        String text = "</script><!-- \"\\ \u2028 \u00e9 \n &";
        assertThat(StateGraph.quoted(text)).doesNotContain("<", "&", "\u2028", "\n");
        assertThat(Json.object("{\"a\":" + StateGraph.quoted(text) + "}")).containsEntry("a", text);
    }
}
