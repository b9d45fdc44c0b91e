package io.quorate.compare;

import io.quorate.demo.Cluster;
import io.quorate.link.Links;
import io.quorate.process.ChildJvm;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * What a user of one side has to run so that three processes contend: on one side three ZooKeeper servers and three
 * clients, on the other three nodes. All processes and files are gone when this is closed, or when this JVM ends.
 */
abstract class Deployment implements AutoCloseable {

    static final int NODES = 3;

    /**
     * What is varied.
     *
     * @param hasLinks   whether the network can be cut
     * @param contenders how many nodes there may be that contend and do not vote
     * @param container  what each process has of a processor; empty for as much as it wants
     */
    record Settings(
            int detectionMillis,
            Variant variant,
            int heapMegabytes,
            boolean hasLinks,
            int contenders,
            Optional<Container> container) {}

    final Settings settings;
    final Path directory;
    final Links links = new Links();
    final LatchReports reports = new LatchReports();
    final List<NodeHandle> nodes = new ArrayList<>();
    private final Map<String, CpuQuota> quotas = new HashMap<>();
    private final Thread hook = new Thread(this::end, "end of the deployment");
    private long lastStart = System.nanoTime();
    private volatile boolean isEnded;

    Deployment(Settings settings) {
        this.settings = settings;
        try {
            this.directory = Files.createTempDirectory("quorate-compare-");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        for (int i = 1; i <= NODES; i++) {
            nodes.add(new NodeHandle("n" + i, reports));
        }
        Runtime.getRuntime().addShutdownHook(hook);
    }

    /** Starts the servers, if this side has any; does not wait for them. */
    abstract void startServers();

    /** The arguments of {@link CompareNode} behind the side's name. */
    abstract List<String> arguments(NodeHandle node);

    abstract ComparedSide side();

    /** Whom this is a deployment of, for a reader. */
    String label() {
        return side() == ComparedSide.QUORATE ? side().label() + " " + settings.variant.label() : side().label();
    }

    /** Starts the processes of those that contend and do not vote; they say something once they agree who leads. */
    abstract void startContenders(Consumer<String> onLine);

    /** Kills, with SIGKILL, a process that is not the leader's, and that hurts most; answers the moment before it. */
    abstract long killVoter(NodeHandle leader);

    /** Starts what {@link #killVoter} killed, and waits until all is as before. */
    abstract void restoreVoter();

    /** The processes that a user has to run beside the nodes. */
    abstract List<ChildJvm> servers();

    /** Starts the process of a node, and tells it to connect; does not wait. Answers the moment before it. */
    long start(NodeHandle node) {
        List<String> all = new ArrayList<>(List.of(side().label()));
        all.addAll(arguments(node));
        long now = node.start(command(node.id(), CompareNode.class, all), directory.resolve(node.id() + ".log"));
        node.send("connect");
        lastStart = now;
        return now;
    }

    /** @param process which has the same share of a processor each time it is started */
    synchronized List<String> command(String process, Class<?> main, List<String> arguments) {
        List<String> words = ChildJvm.Command.of(
                        main,
                        arguments,
                        List.of("-Xmx" + settings.heapMegabytes + "m", "-Dorg.slf4j.simpleLogger.defaultLogLevel=off"))
                .words();
        settings.variant().code().ifPresent(other -> words.set(words.indexOf("-cp") + 1, other.classPath()));
        return settings.container()
                .map(container -> quotas.computeIfAbsent(
                                process, name -> CpuQuota.of(side().label() + "-" + name, container.percent()))
                        .limit(words))
                .orElse(words);
    }

    /** When the process of a node was started last. */
    long lastStart() {
        return lastStart;
    }

    /** Starts everything, and waits until each node is connected. Answers the moment before the first process. */
    long startAll() {
        long begin = System.nanoTime();
        startServers();
        nodes.forEach(this::start);
        nodes.forEach(NodeHandle::answer);
        return begin;
    }

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
        if (isEnded) {
            return;
        }
        isEnded = true;
        nodes.stream().filter(node -> node.process() != null).forEach(node -> node.process()
                .end());
        servers().forEach(ChildJvm::end);
        links.close();
        quotas.values().forEach(CpuQuota::close);
        Cluster.delete(directory);
    }
}
