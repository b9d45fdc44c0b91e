package io.quorate.platforms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.platforms.Nodes.Node;
import io.quorate.platforms.Platform.Transport;
import io.quorate.process.ChildJvm;
import io.quorate.testkit.FreePorts;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Three processes of an application whose leader alone takes messages from a broker, while leadership is handed over
 * and leaders are killed: each message is processed, and no two processes work at one time.
 */
class ListenersTest {

    private static final Map<String, String> SETTINGS = Map.of(
            // A process that starts keeps a small machine from its heartbeats for longer than a second.
            "QUORATE_SUPPORT",
            "3s",
            "QUORATE_HEARTBEAT",
            "400ms",
            "LOGGING_LEVEL_ROOT",
            "WARN",
            // The broker's classes are there too, and Boot would start one.
            "SPRING_ARTEMIS_MODE",
            "native",
            "SPRING_JMS_LISTENER_AUTO_STARTUP",
            "false",
            "SPRING_KAFKA_CONSUMER_AUTO_OFFSET_RESET",
            "earliest",
            // A container processes all that it has polled before it stops.
            "SPRING_KAFKA_CONSUMER_MAX_POLL_RECORDS",
            "20",
            // The shortest one that a broker allows. The partitions of a killed consumer rest until it is over.
            "SPRING_KAFKA_CONSUMER_PROPERTIES_SESSION_TIMEOUT_MS",
            "6000");

    /** The address of a broker that the test does not start, such as guest:guest@127.0.0.1:5672; may be empty. */
    private static final String RABBIT = System.getProperty("platforms.rabbitmq", "");

    @TempDir
    private Path directory;

    /** One message in work, on the clock of the machine; one that was killed ends when its process was gone. */
    private record Run(String life, String message, long begin, long end) {
        @Override
        public String toString() {
            return message + " on " + life + " from " + begin + " to " + end;
        }
    }

    // ---------------------------------------------------------------- what the processes say

    private final List<Node> lives = new ArrayList<>();
    private final Map<Node, Long> gone = new HashMap<>();

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
                runs.add(new Run(life.id, words[1], Long.parseLong(words[2]), gone.getOrDefault(life, Long.MAX_VALUE)));
            } else if (words[0].equals("end")) {
                Run begun = runs.remove(runs.size() - 1);
                assertThat(begun.message).isEqualTo(words[1]);
                runs.add(new Run(life.id, begun.message, begun.begin, Long.parseLong(words[2])));
            }
        }
        return runs;
    }

    private static boolean isUp(Node life) {
        assertThat(life.jvm().isAlive()).as(life::describe).isTrue();
        return life.hasSaid("is up");
    }

    private long begun(Node life) {
        return life.said().stream().filter(line -> line.startsWith("begin ")).count();
    }

    private Set<String> processed() {
        return lives.stream()
                .flatMap(life -> life.said().stream())
                .filter(line -> line.startsWith("end "))
                .map(line -> line.split(" ")[1])
                .collect(Collectors.toCollection(TreeSet::new));
    }

    // ---------------------------------------------------------------- judgement

    private static void assertOneProcessAtATime(List<Run> runs) {
        for (int i = 1; i < runs.size(); i++) {
            Run before = runs.get(i - 1);
            Run next = runs.get(i);
            assertThat(next.begin).as("%s after %s", next, before).isGreaterThan(before.end);
        }
    }

    @Test
    void overlapsAreNoticed() {
        Run first = new Run("n1", "1", 10, 20);
        Run last = new Run("n1", "2", 40, 50);
        assertOneProcessAtATime(List.of(new Run("n1", "0", 1, 2), new Run("n1", "1", 10, 20)));
        assertThatThrownBy(() -> assertOneProcessAtATime(List.of(first, new Run("n1", "1", 19, 30), last)))
                .isInstanceOf(AssertionError.class);
    }

    // ---------------------------------------------------------------- the run

    private void movesTheListener(String broker, int messages, int handOvers, int kills) throws Exception {
        long seed = Long.getLong("seed", 1);
        Random random = new Random(seed);
        Path files = Files.createTempDirectory(directory, broker);
        List<String> command = new ArrayList<>(Platform.LISTENERS_3_5
                .program("com.example.platforms.listeners.Broker")
                .command(Jdk.RUNNING, Transport.TCP, List.of("-Xmx512m", "-Djava.io.tmpdir=" + files)));
        command.addAll(List.of(broker, "" + FreePorts.take(), RABBIT));
        ChildJvm server = ChildJvm.start(broker, command, Map.of(), files.resolve("broker.log"));
        Map<String, String> settings = new HashMap<>(SETTINGS);
        settings.put("SPRING_PROFILES_ACTIVE", broker);
        try {
            awaitBroker(server);
            settings.put(
                    switch (broker) {
                        case "kafka" -> "SPRING_KAFKA_BOOTSTRAP_SERVERS";
                        case "artemis" -> "SPRING_ARTEMIS_BROKER_URL";
                        default -> "SPRING_RABBITMQ_ADDRESSES";
                    },
                    server.said("listens ").get(0));
            try (Nodes nodes = Nodes.start(Platform.LISTENERS_3_5, Jdk.RUNNING, Transport.TCP, files, settings)) {
                move(nodes, server, random, messages, handOvers, kills);
                report(broker, seed, messages, handOvers, kills);
            }
        } finally {
            server.end();
        }
    }

    private static void awaitBroker(ChildJvm server) {
        Awaitility.await()
                .atMost(10, TimeUnit.MINUTES)
                .until(() -> !server.said("listens ").isEmpty() || !server.isAlive());
        assertThat(server.said("listens ")).as(server::describe).hasSize(1);
    }

    private void move(Nodes nodes, ChildJvm server, Random random, int messages, int handOvers, int kills)
            throws Exception {
        lives.addAll(nodes.all());
        int moves = handOvers + kills;
        int sent = 0;
        for (int i = 0; i < moves; i++) {
            nodes.await("all are up", () -> nodes.all().stream().allMatch(ListenersTest::isUp));
            // The move meets a listener that has work.
            int next = messages * (i + 1) / (moves + 1);
            int half = (sent + next) / 2;
            server.send("send " + sent + " " + next);
            nodes.await(half + " are processed", () -> processed().size() >= half);
            sent = next;
            Node leader = nodes.all().stream()
                    .max(Comparator.comparingLong(Node::token))
                    .orElseThrow();
            long token = leader.token();
            // Justification: only tests of suites come here.
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(random.nextInt(100)));
            // The kills stand between the hand-overs.
            boolean isKill = (i + 1) * kills / moves > i * kills / moves;
            if (isKill) {
                leader.jvm().kill();
                leader.jvm().awaitExit();
                gone.put(leader, System.nanoTime());
                lives.add(nodes.start(leader.id));
            } else {
                List<Node> others =
                        nodes.all().stream().filter(node -> node != leader).toList();
                Node successor = others.get(random.nextInt(others.size()));
                leader.jvm().send("transfer " + successor.id);
                nodes.awaitLeaderAfter(token, List.of(successor));
            }
        }
        server.send("send " + sent + " " + messages);
        nodes.await("all are processed", () -> processed().size() >= messages);
    }

    private void report(String broker, long seed, int messages, int handOvers, int kills) {
        assertThat(processed())
                .containsExactlyInAnyOrderElementsOf(
                        IntStream.range(0, messages).mapToObj(id -> "" + id).toList());
        List<Run> runs = runs();
        long cutOff = runs.stream().filter(run -> gone.containsValue(run.end)).count();
        System.out.printf(
                "platforms: %s, %s, %s: %d messages, %d hand-overs, %d kills, seed %d: none lost, %d runs, one process at a "
                        + "time, %d cut off by a kill, %d delivered again%n",
                Platform.LISTENERS_3_5.name(),
                Jdk.RUNNING,
                broker,
                messages,
                handOvers,
                kills,
                seed,
                runs.size(),
                cutOff,
                runs.size() - messages);
        assertOneProcessAtATime(runs);
        long leaders = lives.stream().filter(life -> begun(life) > 0).count();
        assertThat(leaders).as("processes that took messages").isGreaterThan(1);
        assertThat(runs.size() - messages).as("delivered again without a kill").isBetween(0, 20 * kills);
    }

    static List<String> brokers() {
        return RABBIT.isEmpty() ? List.of("kafka", "artemis") : List.of("kafka", "artemis", "rabbit");
    }

    @ParameterizedTest
    @MethodSource("brokers")
    @Tag("platforms")
    void theLeaderAloneTakesMessages(String broker) throws Exception {
        movesTheListener(broker, 300, 2, 1);
    }

    @ParameterizedTest
    @MethodSource("brokers")
    @Tag("nemesis")
    void theLeaderAloneTakesMessagesHoweverOftenItMoves(String broker) throws Exception {
        movesTheListener(broker, 10_000, 20, 5);
    }
}
