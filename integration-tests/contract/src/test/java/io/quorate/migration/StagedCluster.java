package io.quorate.migration;

import io.quorate.demo.Cluster;
import io.quorate.link.Links;
import io.quorate.process.ChildJvm;
import io.quorate.process.ChildJvms;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/** Three processes of {@link StagedNode}, with a link of each to ZooKeeper and one from each to each. */
final class StagedCluster implements AutoCloseable {

    static final List<String> IDS = List.of("n1", "n2", "n3");

    /** A process certainly led from the one instant to the other; the token is 0 if it led by the old side alone. */
    record Streak(String process, long token, long from, long to) {}

    private final Path directory;
    private final String zooKeeper;
    private final Map<String, String> addresses = Cluster.freeAddresses(IDS);
    private final Links links = new Links();
    private final Links toZooKeeper = new Links();
    private final ChildJvms nodes = new ChildJvms();
    private int started;

    // Guarded by itself.
    private final List<Streak> streaks = new ArrayList<>();

    StagedCluster(String zooKeeper, Path directory) {
        this.zooKeeper = zooKeeper;
        this.directory = directory;
    }

    private Path data(String id) {
        try {
            return Files.createDirectories(directory.resolve(id));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Starts a process, or another one in the place of one that has ended, and waits until it is at the stage. */
    void start(String id, String stage) {
        String life = id + "-" + ++started;
        List<String> arguments = List.of(
                id,
                toZooKeeper.address(id, "zk", zooKeeper),
                links.peers(id, addresses),
                addresses.get(id),
                data(id).toString());
        nodes.add(ChildJvm.start(
                id,
                ChildJvm.Command.of(StagedNode.class, arguments, ChildJvm.SMALL),
                directory.resolve(id + ".log"),
                line -> hear(life, line)));
        move(id, stage);
    }

    private void hear(String life, String line) {
        String[] words = line.split(" ");
        if (words[0].equals("led")) {
            synchronized (streaks) {
                streaks.add(
                        new Streak(life, Long.parseLong(words[1]), Long.parseLong(words[2]), Long.parseLong(words[3])));
            }
        }
    }

    /** Lets a process end what it is and begin anew as this. */
    void move(String id, String stage) {
        nodes.get(id).ask("stage " + stage);
    }

    void kill(String id) throws InterruptedException {
        nodes.get(id).kill();
        nodes.get(id).awaitExit();
    }

    void pause(String id) {
        nodes.get(id).pause();
    }

    void resume(String id) {
        nodes.get(id).resume();
    }

    /** Cuts its link to ZooKeeper: both ways, without a word to either end. */
    void cutOldSide(String id) {
        toZooKeeper.cut(id);
    }

    void isolate(String id) {
        links.cut(id);
    }

    void heal() {
        toZooKeeper.heal();
        links.heal();
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
        nodes.await("somebody leads " + when, () -> streaks().stream().anyMatch(streak -> streak.to > now));
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

    String describe() {
        return nodes.describe();
    }

    @Override
    public void close() {
        nodes.close();
        links.close();
        toZooKeeper.close();
    }
}
