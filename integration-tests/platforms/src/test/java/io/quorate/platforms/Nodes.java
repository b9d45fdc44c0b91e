package io.quorate.platforms;

import io.quorate.demo.Cluster;
import io.quorate.platforms.Platform.Transport;
import io.quorate.process.ChildJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;

/** Three processes of the application, which contend for one path. For one thread. */
final class Nodes implements AutoCloseable {

    private static final List<String> IDS = List.of("n1", "n2", "n3");
    /** Generous, because a machine may be busy; the usual wait is two seconds. */
    private static final Duration DEADLINE = Duration.ofMinutes(10);

    private static final Duration POLL = Duration.ofMillis(5);

    private final Path directory;
    private final List<String> command;
    private final Map<String, Map<String, String>> environments = new LinkedHashMap<>();
    private final Map<String, Node> nodes = new LinkedHashMap<>();

    /** One process, and what it has said. */
    static final class Node {

        final String id;
        private final ChildJvm jvm;

        private Node(String id, ChildJvm jvm) {
            this.id = id;
            this.jvm = jvm;
        }

        ChildJvm jvm() {
            return jvm;
        }

        boolean hasSaid(String line) {
            return said().contains(line);
        }

        boolean hasLoaded(Platform platform, String artifact) {
            return said().stream().anyMatch(line -> platform.isLoaded(artifact, line));
        }

        /** The token of its latest leadership, 0 if it has not led. */
        long token() {
            return jvm.said("leads ").stream().mapToLong(Long::parseLong).max().orElse(0);
        }

        /** The lines that it has said. */
        List<String> said() {
            return jvm.said();
        }

        /** All that it wrote: its answers, and its log, wherever that goes. */
        List<String> output() {
            return jvm.output();
        }

        String describe() {
            return jvm.describe();
        }
    }

    private Nodes(Path directory, List<String> command) {
        this.directory = directory;
        this.command = command;
    }

    /** Starts them. */
    static Nodes start(Platform platform, Jdk jdk, Transport transport, Path directory) throws IOException {
        return start(platform, jdk, transport, directory, Map.of());
    }

    /** As {@link #start(Platform, Jdk, Transport, Path)}, with further variables of the environment. */
    static Nodes start(Platform platform, Jdk jdk, Transport transport, Path directory, Map<String, String> further)
            throws IOException {
        Nodes started = new Nodes(directory, platform.command(jdk, transport, ChildJvm.SMALL));
        Map<String, String> addresses = Cluster.freeAddresses(IDS);
        String peers = Cluster.peers(addresses);
        Path secret = Files.writeString(directory.resolve("secret"), "a secret that nobody has to guess\n");
        boolean areStarted = false;
        try {
            for (String id : IDS) {
                Map<String, String> environment = new LinkedHashMap<>(further);
                environment.put("QUORATE_NODE_ID", id);
                environment.put("QUORATE_PEERS", peers);
                environment.put("QUORATE_TRANSPORT", transport.name);
                environment.put("QUORATE_SECRET_FILE", secret.toString());
                environment.put(
                        "QUORATE_DATA_DIRECTORY",
                        Files.createDirectory(directory.resolve("data-" + id)).toString());
                started.environments.put(id, environment);
                started.start(id);
            }
            areStarted = true;
            return started;
        } finally {
            // Whoever was to close it has not got it.
            if (!areStarted) {
                started.close();
            }
        }
    }

    /** Starts one, in place of a process that has ended. */
    Node start(String id) {
        Node node = new Node(id, ChildJvm.start(id, command, environments.get(id), directory.resolve(id + ".log")));
        nodes.put(id, node);
        return node;
    }

    /** Waits until one leads, or all have ended by themselves. Answers whether one leads. */
    boolean doElect() {
        await(
                "a leader or an end",
                () -> all().stream().anyMatch(node -> node.token() > 0)
                        || all().stream().noneMatch(node -> node.jvm.isAlive()));
        return all().stream().anyMatch(node -> node.token() > 0);
    }

    List<Node> all() {
        return List.copyOf(nodes.values());
    }

    /** Waits until one leads with a token above this; no process may end by itself meanwhile. */
    Node awaitLeaderAfter(long token, List<Node> alive) {
        await("a leader with a token above " + token, () -> {
            if (!alive.stream().allMatch(node -> node.jvm.isAlive())) {
                throw new AssertionError("a process ended by itself: " + describe());
            }
            return alive.stream().anyMatch(node -> node.token() > token);
        });
        return alive.stream().filter(node -> node.token() > token).findFirst().orElseThrow();
    }

    /** Waits for something else. */
    void await(String what, Callable<Boolean> condition) {
        try {
            Awaitility.await()
                    .atMost(DEADLINE)
                    .pollDelay(Duration.ZERO)
                    .pollInterval(POLL)
                    .until(condition);
        } catch (ConditionTimeoutException e) {
            throw new AssertionError(what + ": not within " + DEADLINE + ": " + describe(), e);
        }
    }

    String describe() {
        return nodes.values().stream().map(Node::describe).collect(Collectors.joining("\n"));
    }

    @Override
    public void close() {
        nodes.values().forEach(node -> node.jvm.end());
    }
}
