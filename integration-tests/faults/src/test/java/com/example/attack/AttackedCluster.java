package com.example.attack;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.demo.Cluster;
import io.quorate.process.ChildJvm;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;

/** Three nodes in small JVMs of their own, which are asked how they are before and after an attack. */
final class AttackedCluster implements AutoCloseable {

    static final String CLUSTER = "attacked";

    private static final Duration DEADLINE = Duration.ofSeconds(60);
    private static final long HEAP_BYTES_MAX = 8L << 20;
    private static final int LINES_MAX = 9;
    private static final List<String> OPTIONS = List.of(
            "-Xmx64m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Dorg.slf4j.simpleLogger.defaultLogLevel=info");

    private final Map<String, Node> nodes = new LinkedHashMap<>();

    /** What a node says. */
    record Answer(boolean leads, long token, int contenders, long heap) {
        private static Answer of(String line) {
            String[] words = line.split(" ", -1);
            return new Answer(
                    Boolean.parseBoolean(words[0]),
                    Long.parseLong(words[1]),
                    Integer.parseInt(words[2]),
                    Long.parseLong(words[3]));
        }
    }

    /** How a node's settings differ from what all have. */
    interface Settings {
        /** Puts them in. */
        void put(String node, Properties into) throws Exception;
    }

    private static final class Node {
        private final String id;
        private final String address;
        private final Path log;
        private final BlockingQueue<String> said = new LinkedBlockingQueue<>();
        private final ChildJvm jvm;

        private Node(String id, String address, Path properties, Path log) {
            this.id = id;
            this.address = address;
            this.log = log;
            this.jvm = ChildJvm.start(
                    id,
                    ChildJvm.Command.of(AttackedNode.class, List.of(properties.toString()), OPTIONS),
                    log,
                    said::add);
        }

        private Answer ask() {
            return tell("how are you");
        }

        private Answer tell(String command) {
            jvm.send(command);
            try {
                String line = said.poll(DEADLINE.toSeconds(), TimeUnit.SECONDS);
                assertThat(line)
                        .as("%s answers: %s", id, jvm.describe(List.of()))
                        .isNotNull();
                return Answer.of(line);
            } catch (InterruptedException e) {
                throw new AssertionError("interrupted", e);
            }
        }

        private List<String> lines() {
            try {
                return Files.readAllLines(log, StandardCharsets.UTF_8);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** Starts it, and waits until one leads and all know it. */
    AttackedCluster(Path directory, String transport, Settings settings) throws Exception {
        this(directory, transport, Cluster.freeAddresses(List.of("n1", "n2", "n3")), settings);
    }

    AttackedCluster(Path directory, String transport, Map<String, String> addresses, Settings settings)
            throws Exception {
        List<String> peers = new ArrayList<>();
        addresses.forEach((id, address) -> peers.add(id + "=" + address));
        for (Map.Entry<String, String> node : addresses.entrySet()) {
            Properties properties = new Properties();
            properties.setProperty("quorate.node-id", node.getKey());
            properties.setProperty("quorate.cluster-id", CLUSTER);
            properties.setProperty("quorate.peers", String.join(",", peers));
            properties.setProperty("quorate.transport", transport);
            // What else runs on the machine must not cost a lease: that would be held against the attack.
            properties.setProperty("quorate.support", "3s");
            settings.put(node.getKey(), properties);
            Path file = directory.resolve(node.getKey() + ".properties");
            try (var out = Files.newBufferedWriter(file)) {
                properties.store(out, null);
            }
            nodes.put(
                    node.getKey(),
                    new Node(node.getKey(), node.getValue(), file, directory.resolve(node.getKey() + ".log")));
        }
        await("one leads, and all know it", () -> {
            List<Answer> answers = answers(ids());
            return answers.stream().filter(Answer::leads).count() == 1
                    && answers.stream().allMatch(answer -> answer.contenders() == nodes.size());
        });
    }

    List<String> ids() {
        return List.copyOf(nodes.keySet());
    }

    String address(String id) {
        return nodes.get(id).address;
    }

    ChildJvm jvm(String id) {
        return nodes.get(id).jvm;
    }

    private List<Answer> answers(List<String> of) {
        return of.stream().map(id -> nodes.get(id).ask()).toList();
    }

    void await(String what, Callable<Boolean> condition) {
        Awaitility.await(what).atMost(DEADLINE).until(condition);
    }

    /** The node that leads, of these. */
    String leader(List<String> of) {
        await("one leads", () -> of.stream().anyMatch(id -> nodes.get(id).ask().leads()));
        return of.stream()
                .filter(id -> nodes.get(id).ask().leads())
                .findFirst()
                .orElseThrow(() -> new AssertionError("a leader has lost leadership at once"));
    }

    /** The attack has no effect on these: who leads goes on, nobody else does, heap and log hardly grow. */
    void isUnharmedBy(List<String> asked, Runnable attack) {
        String leader = leader(asked);
        List<Answer> before = answers(asked);
        List<Integer> lines =
                asked.stream().map(id -> nodes.get(id).lines().size()).toList();
        attack.run();
        // What waits for a greeting is closed a second later.
        Awaitility.await().pollDelay(Duration.ofMillis(1_500)).atMost(DEADLINE).until(() -> true);
        List<Answer> after = answers(asked);
        for (int i = 0; i < asked.size(); i++) {
            Node node = nodes.get(asked.get(i));
            List<String> log = node.lines();
            List<String> fresh = log.subList(lines.get(i), log.size());
            assertThat(after.get(i).leads())
                    .as("%s leads, as it did before; %s", node.id, this)
                    .isEqualTo(node.id.equals(leader));
            assertThat(after.get(i).token())
                    .as("token of %s", node.id)
                    .isEqualTo(before.get(i).token());
            assertThat(after.get(i).heap() - before.get(i).heap())
                    .as("the heap of %s has grown by", node.id)
                    .isLessThan(HEAP_BYTES_MAX);
            assertThat(fresh).as("log of %s", node.id).hasSizeLessThanOrEqualTo(LINES_MAX);
            assertThat(fresh)
                    .noneMatch(line -> line.contains("\u001b")
                            || line.startsWith("[main] ERROR forged")
                            || line.contains("Exception")
                            || line.startsWith("\tat "));
        }
    }

    /** Latches come and go on the node from now on. */
    void churn(String id) {
        nodes.get(id).tell(AttackedNode.CHURN);
    }

    long heap(String id) {
        return nodes.get(id).ask().heap();
    }

    /** After all attacks the leader ends, and another one leads. */
    void electsAnother() {
        String leader = leader(ids());
        long token = nodes.get(leader).ask().token();
        nodes.get(leader).jvm.end();
        List<String> others = ids().stream().filter(id -> !id.equals(leader)).toList();
        String next = leader(others);
        assertThat(nodes.get(next).ask().token()).isGreaterThan(token);
    }

    /** How many contenders the node knows. */
    int contenders(String id) {
        return nodes.get(id).ask().contenders();
    }

    /** The end of each node's log. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        nodes.values().forEach(node -> text.append("\n  ").append(node.jvm.describe(List.of())));
        return text.toString();
    }

    @Override
    public void close() {
        nodes.values().forEach(node -> node.jvm.end());
    }
}
