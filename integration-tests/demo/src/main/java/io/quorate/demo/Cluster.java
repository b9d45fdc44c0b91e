package io.quorate.demo;

import io.quorate.demo.RunHistory.Answers;
import io.quorate.demo.RunHistory.Life;
import io.quorate.history.HistoryCheck;
import io.quorate.history.HistoryFile;
import io.quorate.history.Report;
import io.quorate.testkit.FreePorts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Several {@link NodeProcess}es on this machine that contend for one path, with their files in a temporary directory.
 * They never outlive it: they are ended by
 * {@link #close}, at the latest when this JVM shuts down, and by themselves if it is killed. For one thread.
 */
public final class Cluster implements AutoCloseable {

    /** Generous, because a machine may be busy; the usual wait is a second. */
    private static final Duration DEADLINE = Duration.ofMinutes(10);

    private static final long POLL_NANOS = 5_000_000;

    private final PluginNames plugins;
    private final NodeFiles files;
    private final Resource resource;
    private final Map<String, String> addresses;
    private final Launch launch;
    private final DirectoryGuard guard;
    private final RunHistory history = new RunHistory();
    private final Map<String, NodeProcess> nodes = new TreeMap<>();
    private final Thread hook = new Thread(this::end, "end of the cluster");
    private volatile boolean isEnded;
    private volatile boolean keepsDirectory;

    /**
     * A cluster with no node started.
     *
     * @param size how many nodes; all are voters
     */
    public Cluster(int size, PluginNames plugins) {
        this(size, plugins, Launch.PLAIN);
    }

    /** As {@link #Cluster(int, PluginNames)}, with nodes that are started in another way. */
    public Cluster(int size, PluginNames plugins, Launch launch) {
        this.plugins = plugins;
        this.launch = launch;
        this.addresses = freeAddresses(
                IntStream.rangeClosed(1, size).mapToObj(i -> "n" + i).toList());
        try {
            this.files = new NodeFiles(Files.createTempDirectory("quorate-demo-"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        this.guard = new DirectoryGuard(files.directory());
        this.resource = new Resource(HistoryFile.create(files.resourceHistory()));
        Runtime.getRuntime().addShutdownHook(hook);
    }

    /** From each id to a free address of 127.0.0.1, which nobody else is given as long as this JVM runs. */
    public static Map<String, String> freeAddresses(List<String> ids) {
        Map<String, String> addresses = new LinkedHashMap<>();
        ids.forEach(id -> addresses.put(id, "127.0.0.1:" + FreePorts.take()));
        return addresses;
    }

    /** The list of peers that names these. */
    public static String peers(Map<String, String> addresses) {
        return addresses.entrySet().stream().map(Object::toString).collect(Collectors.joining(","));
    }

    /** The ids of all nodes, started or not. */
    public List<String> ids() {
        return List.copyOf(addresses.keySet());
    }

    /** Where the node listens. */
    public String address(String id) {
        return addresses.get(id);
    }

    /** What the latest process of the node has logged so far. */
    public String log(String id) {
        try {
            return Files.readString(files.log(node(id).life()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What happened so far. */
    public RunHistory history() {
        return history;
    }

    /** The files in which each process and the resource wrote down what they saw. */
    public List<Path> historyFiles() {
        return files.histories();
    }

    /** The judgement on these files. There must never be two leaders, which is what leases are for. */
    public Report report() {
        return HistoryCheck.check(HistoryFile.merge(historyFiles()), true);
    }

    /** The latest process of a node. */
    public NodeProcess node(String id) {
        return nodes.get(id);
    }

    /** Starts a node, or starts it again with the data that it had. */
    public synchronized NodeProcess start(String id) {
        if (isEnded) {
            throw new IllegalStateException("the cluster is closed");
        }
        NodeProcess before = nodes.get(id);
        Life life = new Life(id, before == null ? 1 : before.life().number() + 1);
        List<String> arguments = List.of(
                launch.peers(id, addresses),
                plugins.algorithm(),
                plugins.transport(),
                files.data(life).toString(),
                files.history(life).toString());
        NodeProcess node = NodeProcess.start(
                life, arguments, launch, new NodeProcess.Listeners(files.log(life), history, resource));
        nodes.put(id, node);
        return node;
    }

    /** Starts a node again that has ended, without the data that it had. */
    public NodeProcess startWiped(String id) {
        delete(files.data(node(id).life()));
        return start(id);
    }

    /** Starts all nodes and waits until each contends. */
    public void startAll() {
        ids().forEach(this::start);
        awaitLeaderAfter(0);
        ids().forEach(this::awaitContends);
    }

    /** Waits until the latest process of a node contends, as far as the leader knows; there must have been a leader. */
    public void awaitContends(String id) {
        await(
                id + " contends",
                () -> node(id).hasStarted() && leader().participants().contains(id));
    }

    /** The present leader's latest process; there must have been one. */
    public NodeProcess leader() {
        return node(history.lastLeader().orElseThrow().life().node());
    }

    /** Waits for a leader with a token above {@code token}. */
    public Answers awaitLeaderAfter(long token) {
        return await("a leader with a token above " + token, () -> history.leaderAfter(token));
    }

    /** Waits until a condition holds; if it does not in time, or a node ends by itself, the state is in the message. */
    public void await(String what, BooleanSupplier condition) {
        await(what, () -> condition.getAsBoolean() ? Optional.of(true) : Optional.empty());
    }

    /** As {@link #await(String, BooleanSupplier)}, for something. */
    public <T> T await(String what, Supplier<Optional<T>> question) {
        long deadline = System.nanoTime() + DEADLINE.toNanos();
        while (true) {
            Optional<T> answer = question.get();
            if (answer.isPresent()) {
                return answer.get();
            }
            if (isEnded) {
                throw new IllegalStateException("the cluster was closed while waiting for: " + what);
            }
            if (nodes.values().stream().anyMatch(NodeProcess::hasFailed)) {
                throw new IllegalStateException("a node ended by itself while waiting for: " + what + describe());
            }
            // Justification: ten minutes.
            if (System.nanoTime() - deadline > 0) {
                throw new IllegalStateException("not within " + DEADLINE.toSeconds() + " s: " + what + describe());
            }
            // Justification: looks again soon.
            LockSupport.parkNanos(POLL_NANOS);
        }
    }

    /** For error messages: the leaders so far, and the state of each node. */
    public String describe() {
        String leaders = history.reigns().stream()
                .map(reign -> reign.life() + ":" + reign.token())
                .collect(Collectors.joining(", "));
        return "\n  leaders and tokens so far: " + leaders
                + nodes.values().stream().map(node -> "\n  " + node.describe()).collect(Collectors.joining());
    }

    /** Whether {@link #close} was called, or the JVM shuts down. */
    boolean isEnded() {
        return isEnded;
    }

    /** Where the nodes have their data and logs. Is not deleted at the end after this was called. */
    Path keepDirectory() {
        keepsDirectory = true;
        guard.close();
        return files.directory();
    }

    /** Ends all processes, and deletes their files. */
    @Override
    public void close() {
        end();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // Justification: the JVM shuts down already; the hook then finds nothing left to do.
        }
    }

    private synchronized void end() {
        isEnded = true;
        nodes.values().forEach(NodeProcess::end);
        resource.close();
        if (!keepsDirectory) {
            delete(files.directory());
        }
        guard.close();
    }

    /** Deletes a directory, if it is there. */
    public static void delete(Path directory) {
        if (!Files.exists(directory)) {
            return;
        }
        try {
            List<Path> deepestFirst;
            try (Stream<Path> paths = Files.walk(directory)) {
                deepestFirst = paths.sorted(Comparator.reverseOrder()).toList();
            }
            for (Path path : deepestFirst) {
                Files.deleteIfExists(path);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
