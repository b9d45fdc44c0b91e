package io.quorate.cli.play;

import io.quorate.spi.NodeId;
import io.quorate.testkit.FreePorts;
import io.quorate.testkit.picture.Recording;
import io.quorate.testkit.simulation.Fault;
import io.quorate.testkit.simulation.Places;
import io.quorate.testkit.simulation.Places.Way;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

/**
 * Plays a scenario on real JVMs of this machine. One thread runs it; any other may close it, which ends all processes
 * and removes their files.
 */
public final class Play implements AutoCloseable, Child.Listener {

    /** One after the other JVMs start in a second each, and on a very busy machine in a minute. */
    private static final long START_NANOS = TimeUnit.MINUTES.toNanos(5);

    /** A first election takes some supports, and on a busy machine some more. */
    private static final long ELECTION_NANOS = TimeUnit.SECONDS.toNanos(60);

    /** The support of a leader that is gone ends, and another one is elected, if one can be. */
    private static final int SUPPORTS = 3;

    private static final long NANOS_PER_MILLI = 1_000_000;
    private static final long WAIT_NANOS = 10 * NANOS_PER_MILLI;

    /** Something that happens to the nodes. */
    private interface Action {
        void run() throws IOException, InterruptedException;
    }

    private final PlayPlan plan;
    private final String algorithm;
    private final String classPath;
    private final Path directory;
    private final Places places;
    private final Sightings sightings = new Sightings();
    private final Map<NodeId, Integer> ports = new TreeMap<>();
    private final Map<Way, Valve> valves = new HashMap<>();
    private final Map<Way, Proxy> proxies = new HashMap<>();
    private final Map<NodeId, Child> children = new TreeMap<>();
    private final Set<NodeId> contending = new HashSet<>();
    private final TreeMap<Long, List<Action>> agenda = new TreeMap<>();
    /** Ends with the reason why the run cannot go on, or fails if it is not to. */
    private final CompletableFuture<String> broken = new CompletableFuture<>();

    private long begin;
    private boolean isClosed;

    /**
     * Prepares it; nothing runs yet.
     *
     * @param algorithm which nominates
     * @param more      a class path beside that of this JVM; may be empty
     */
    public Play(PlayPlan plan, String algorithm, String more) throws IOException {
        this.plan = plan;
        this.algorithm = algorithm;
        this.classPath = System.getProperty("java.class.path") + (more.isEmpty() ? "" : File.pathSeparator + more);
        this.directory = Files.createTempDirectory("quorate-lab");
        this.places = new Places(plan.setup().nodes(), this::leader);
        for (NodeId node : places.nodes()) {
            ports.put(node, FreePorts.take());
        }
        for (Way way : places.ways("*-*")) {
            valves.put(way, new Valve());
        }
        for (Way way : valves.keySet()) {
            proxies.put(way, new Proxy(port(way.to()), valve(way.from(), way.to()), valve(way.to(), way.from())));
        }
    }

    /**
     * Runs it to its end.
     *
     * @throws IOException          if a process cannot do its part; says why
     * @throws InterruptedException if this is closed meanwhile
     */
    public Recording run(String title, String story) throws IOException, InterruptedException {
        for (NodeId node : places.nodes()) {
            start(node);
        }
        long started = System.nanoTime();
        while (!sightings.areReady(children.size())) {
            waitUntil(System.nanoTime() + WAIT_NANOS);
            check(started, START_NANOS, "all nodes must be ready");
        }
        begin = System.nanoTime();
        long first = begin;
        for (Child child : children.values()) {
            sightings.add(begin, child.name, "runs");
            child.send("start");
        }
        for (Fault fault : plan.played()) {
            at(fault.at(), () -> at(fault.until(), begin(fault)));
        }
        while (!agenda.isEmpty() && agenda.firstKey() < plan.untilMillis()) {
            long next = agenda.firstKey();
            waitUntil(instant(next));
            for (Action action : Optional.ofNullable(agenda.remove(next)).orElse(List.of())) {
                action.run();
            }
        }
        waitUntil(instant(plan.untilMillis()));
        return sightings.recording(
                title,
                story,
                places.nodes().stream().map(NodeId::value).toList(),
                first,
                System.nanoTime(),
                plan.factor());
    }

    private void at(long millis, Action action) {
        agenda.computeIfAbsent(millis, key -> new ArrayList<>()).add(action);
    }

    private long instant(long millis) {
        return begin + millis * plan.factor() * NANOS_PER_MILLI;
    }

    private void waitUntil(long instant) throws IOException, InterruptedException {
        try {
            throw new IOException(broken.get(Math.max(0, instant - System.nanoTime()), TimeUnit.NANOSECONDS));
        } catch (TimeoutException e) {
            // Justification: that is what should happen, because nothing is broken.
        } catch (ExecutionException e) {
            throw stopped();
        }
    }

    private static InterruptedException stopped() {
        return new InterruptedException("stopped");
    }

    private void check(long since, long nanosMax, String rule) throws IOException {
        if (System.nanoTime() - since > nanosMax) {
            StringBuilder text = new StringBuilder(rule + " within " + TimeUnit.NANOSECONDS.toSeconds(nanosMax) + " s");
            children.values()
                    .forEach(child ->
                            text.append("\n").append(child.name).append(":\n  ").append(child.lastLines()));
            throw new IOException(text.toString());
        }
    }

    // ---------------------------------------------------------------- what happens

    /** What ends it is the answer. */
    private Action begin(Fault fault) throws IOException, InterruptedException {
        if (fault.where().contains("leader")) {
            awaitLeader();
        }
        return switch (fault.kind()) {
            case CONTEND ->
                contend(places.node(fault.where().substring(0, fault.where().indexOf('/'))));
            case CUT -> cut(fault);
            default -> onProcess(fault, places.node(fault.where()));
        };
    }

    /** A real election takes as long as it takes: what comes afterwards comes so much later. */
    private void awaitLeader() throws IOException, InterruptedException {
        long since = System.nanoTime();
        while (sightings.leader().isEmpty()) {
            waitUntil(System.nanoTime() + WAIT_NANOS);
            check(since, ELECTION_NANOS, "somebody must lead");
        }
        // After that time the one that led last is meant, as in virtual time.
        long again = since + SUPPORTS * plan.supportMillis() * NANOS_PER_MILLI;
        while (!sightings.isLed() && System.nanoTime() < again) {
            waitUntil(System.nanoTime() + WAIT_NANOS);
        }
        begin += System.nanoTime() - since;
    }

    private NodeId leader() {
        return sightings.leader().map(NodeId::new).orElse(places.nodes().get(0));
    }

    private Action contend(NodeId node) throws IOException {
        if (!contending.add(node)) {
            // As in virtual time: it contends already, and does so until the end of the first one.
            return () -> {};
        }
        tell(node, "contend");
        return () -> {
            contending.remove(node);
            tell(node, "leave");
        };
    }

    private void tell(NodeId node, String command) throws IOException {
        Child child = child(node);
        if (child.isAlive() && !child.isMeantToEnd()) {
            child.send(command);
        }
    }

    private Action cut(Fault fault) {
        List<Way> ways = places.ways(fault.where());
        String text = fault.text(leader().value());
        ways.forEach(way -> valve(way.from(), way.to()).cut());
        sightings.mark(System.nanoTime(), text);
        return () -> {
            ways.forEach(way -> valve(way.from(), way.to()).heal());
            sightings.mark(System.nanoTime(), text + " is over");
        };
    }

    private Action onProcess(Fault fault, NodeId node) throws IOException {
        Child child = child(node);
        if (child.isMeantToEnd()) {
            return () -> {};
        }
        switch (fault.kind()) {
            case PAUSE -> {
                // It may stand still for as long as its lease before we hear of it. So its bar ends before that, and
                // another one begins when it says that it leads after the moment at which it goes on.
                long now = System.nanoTime();
                child.pause();
                sightings.add(now, child.name, "stops");
                return () -> {
                    if (child.isLastPause()) {
                        sightings.add(System.nanoTime(), child.name, "goes on");
                    }
                    child.resume();
                    tell(node, "again");
                };
            }
            case SHUTDOWN -> child.close();
            case CRASH -> {
                long now = System.nanoTime();
                child.destroy();
                sightings.add(now, child.name, "is gone");
                child.kill();
            }
            default -> throw new IllegalArgumentException("no fault of a process: " + fault);
        }
        return () -> {
            // It may stand still, and closes when it goes on.
            child.resumeAtOnce();
            child.awaitEnd();
            sightings.add(System.nanoTime(), child.name, "runs");
            Child next = start(node);
            next.send("start");
            if (contending.contains(node)) {
                next.send("contend");
            }
        };
    }

    // ---------------------------------------------------------------- processes

    private synchronized Child start(NodeId node) throws IOException, InterruptedException {
        if (isClosed) {
            throw stopped();
        }
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                classPath,
                "-Xmx64m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-XX:-UsePerfData",
                // The output is for the lines of the node alone.
                "-Xlog:disable",
                "-Xlog:all=warning:stderr",
                PlayedNode.class.getName()));
        command.addAll(plan.settings(node));
        command.add("algorithm=" + algorithm);
        command.add("peers=" + peers(node));
        if (plan.setup().isDurable()) {
            command.add("data-directory=" + Files.createDirectories(directory.resolve(node.value())));
        }
        Child child = new Child(node.value(), command, directory.resolve(node + ".log"), this);
        children.put(node, child);
        return child;
    }

    /** It reaches the others through proxies. */
    private String peers(NodeId self) {
        List<String> all = new ArrayList<>();
        for (NodeId node : places.nodes()) {
            Proxy proxy = proxies.get(new Way(self, node));
            all.add(node + "=127.0.0.1:" + (proxy == null ? port(node) : proxy.port()));
        }
        return String.join(",", all);
    }

    @Override
    public void onLine(Child child, String line) {
        try {
            sightings.heard(System.nanoTime(), child, line);
        } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
            broken.complete(child.name + " has said what no node says: '" + line + "'");
        }
    }

    @Override
    public void onEnd(Child child) {
        if (child.isMeantToEnd()) {
            sightings.add(System.nanoTime(), child.name, "is gone");
        } else {
            broken.complete(child.name + " has ended by itself:\n  " + child.lastLines());
        }
    }

    private Child child(NodeId node) {
        return Optional.ofNullable(children.get(node)).orElseThrow();
    }

    private int port(NodeId node) {
        return Optional.ofNullable(ports.get(node)).orElseThrow();
    }

    private Valve valve(NodeId from, NodeId to) {
        return Optional.ofNullable(valves.get(new Way(from, to))).orElseThrow();
    }

    /**
     * Ends all processes, and removes their files. Again it does nothing.
     *
     * @throws UncheckedIOException if a process does not end, or a file cannot be removed
     */
    @Override
    public synchronized void close() {
        if (isClosed) {
            return;
        }
        isClosed = true;
        broken.completeExceptionally(stopped());
        try {
            endAll();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void endAll() throws IOException {
        children.values().forEach(Child::destroy);
        for (Child child : children.values()) {
            child.kill();
        }
        for (Proxy proxy : proxies.values()) {
            proxy.close();
        }
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        }
    }
}
