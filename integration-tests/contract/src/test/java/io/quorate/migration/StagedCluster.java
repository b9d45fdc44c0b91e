package io.quorate.migration;

import io.quorate.demo.Cluster;
import io.quorate.link.LinkProxy;
import io.quorate.link.LinkProxy.Way;
import io.quorate.process.ChildJvm;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;

/** Three processes of {@link StagedNode}, with a link of each to ZooKeeper and one from each to each. */
final class StagedCluster implements AutoCloseable {

    static final List<String> IDS = List.of("n1", "n2", "n3");

    /** Generous, because a machine may be busy; the usual wait is a second. */
    private static final Duration DEADLINE = Duration.ofMinutes(10);

    /** A process certainly led from the one instant to the other; the token is 0 if it led by the old side alone. */
    record Streak(String process, long token, long from, long to) {}

    private record Link(String from, String to) {}

    private final Path directory;
    private final String zooKeeper;
    private final Map<String, String> addresses = Cluster.freeAddresses(IDS);
    private final Map<Link, LinkProxy> links = new LinkedHashMap<>();
    private final Map<String, LinkProxy> toZooKeeper = new LinkedHashMap<>();
    private final Map<String, Node> nodes = new LinkedHashMap<>();
    private int started;

    // Guarded by itself.
    private final List<Streak> streaks = new ArrayList<>();

    /** One life of a process. */
    private final class Node {
        private final String id;
        private final String name;
        private final ChildJvm jvm;
        private volatile String stage = "";

        private Node(String id) {
            this.id = id;
            this.name = id + "-" + ++started;
            this.jvm = ChildJvm.start(
                    name,
                    ChildJvm.Command.of(
                            StagedNode.class,
                            List.of(
                                    id,
                                    toZooKeeper.get(id).address(),
                                    peersOf(id),
                                    addresses.get(id),
                                    data(id).toString()),
                            ChildJvm.SMALL),
                    directory.resolve(id + ".log"),
                    this::onLine);
        }

        private void onLine(String line) {
            String[] words = line.split(" ");
            if (words[0].equals("stage")) {
                stage = words[1];
            } else if (words[0].equals("led")) {
                synchronized (streaks) {
                    streaks.add(new Streak(
                            name, Long.parseLong(words[1]), Long.parseLong(words[2]), Long.parseLong(words[3])));
                }
            }
        }
    }

    StagedCluster(String zooKeeper, Path directory) {
        this.zooKeeper = zooKeeper;
        this.directory = directory;
        for (String from : IDS) {
            toZooKeeper.put(from, new LinkProxy(zooKeeper));
            IDS.stream().filter(to -> !to.equals(from)).forEach(to -> {
                links.put(new Link(from, to), new LinkProxy(addresses.get(to)));
            });
        }
    }

    private Path data(String id) {
        try {
            return Files.createDirectories(directory.resolve(id));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String peersOf(String id) {
        return IDS.stream()
                .map(to -> to + "="
                        + Optional.ofNullable(links.get(new Link(id, to)))
                                .map(LinkProxy::address)
                                .orElse(addresses.get(id)))
                .collect(Collectors.joining(","));
    }

    /** Starts a process, or another one in the place of one that has ended, and waits until it is at the stage. */
    void start(String id, String stage) {
        nodes.put(id, new Node(id));
        move(id, stage);
    }

    /** Lets a process end what it is and begin anew as this. */
    void move(String id, String stage) {
        Node node = nodes.get(id);
        node.stage = "";
        node.jvm.send("stage " + stage);
        await(id + " is at " + stage, () -> node.stage.equals(stage));
    }

    void kill(String id) throws InterruptedException {
        nodes.get(id).jvm.kill();
        nodes.get(id).jvm.awaitExit();
    }

    void pause(String id) {
        nodes.get(id).jvm.pause();
    }

    void resume(String id) {
        nodes.get(id).jvm.resume();
    }

    /** Cuts its link to ZooKeeper: both ways, without a word to either end. */
    void cutOldSide(String id) {
        for (Way way : Way.values()) {
            toZooKeeper.get(id).cut(way);
        }
    }

    void isolate(String id) {
        links.forEach((link, proxy) -> {
            if (link.from.equals(id) || link.to.equals(id)) {
                for (Way way : Way.values()) {
                    proxy.cut(way);
                }
            }
        });
    }

    void heal() {
        toZooKeeper.values().forEach(LinkProxy::heal);
        links.values().forEach(LinkProxy::heal);
    }

    /** Who was the last to say that it leads. */
    String leader() {
        return streaks().stream()
                .max(Comparator.comparingLong(Streak::to))
                .map(streak -> streak.process.substring(0, streak.process.indexOf('-')))
                .orElse(IDS.get(0));
    }

    /** Waits until somebody leads, who began or went on after this call. */
    void awaitLeader(String when) {
        long now = System.nanoTime();
        await("somebody leads " + when, () -> streaks().stream().anyMatch(streak -> streak.to > now));
    }

    List<Streak> streaks() {
        synchronized (streaks) {
            return List.copyOf(streaks);
        }
    }

    /** What was said until now, in the order of time; it is forgotten here. */
    List<Streak> takeStreaks() {
        synchronized (streaks) {
            List<Streak> taken = streaks.stream()
                    .sorted(Comparator.comparingLong(Streak::from))
                    .toList();
            streaks.clear();
            return taken;
        }
    }

    private void await(String what, BooleanSupplier condition) {
        try {
            Awaitility.await(what)
                    .atMost(DEADLINE)
                    .pollDelay(Duration.ZERO)
                    .pollInterval(Duration.ofMillis(20))
                    .until(condition::getAsBoolean);
        } catch (ConditionTimeoutException e) {
            throw new AssertionError(e.getMessage() + describe(), e);
        }
    }

    String describe() {
        return nodes.values().stream()
                .map(node -> "\n  " + node.id + " at '" + node.stage + "': " + node.jvm.describe(List.of()))
                .collect(Collectors.joining());
    }

    @Override
    public void close() {
        nodes.values().forEach(node -> node.jvm.kill());
        links.values().forEach(LinkProxy::close);
        toZooKeeper.values().forEach(LinkProxy::close);
    }
}
