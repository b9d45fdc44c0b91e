package io.quorate.nemesis;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.Profile;
import io.quorate.demo.Cluster;
import io.quorate.demo.DemoNode;
import io.quorate.demo.Launch;
import io.quorate.demo.NodeProcess;
import io.quorate.demo.PluginNames;
import io.quorate.demo.RunHistory.Answers;
import io.quorate.history.Report;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * Three processes that contend for a few paths without a pause, and are restarted one after the other, each time as
 * another kind of process if it is wanted: with other settings. After each restart all have to agree
 * on a leader, and what was seen so far has to keep every rule.
 */
final class RollingRestarts implements AutoCloseable {

    /** Beside the one whose leaders are shown. */
    private static final int FURTHER_PATHS = 3;

    private static final Profile PROFILE = Profile.DEFAULT;

    /**
     * A kind of process.
     *
     * @param name     for the story
     * @param settings variables of its environment
     */
    record Kind(String name, Map<String, String> settings) {}

    private final Map<String, Kind> kinds = new TreeMap<>();
    private final List<String> story = new ArrayList<>();
    private final Cluster cluster;
    private long quarantineUntil = System.nanoTime();
    private Duration longestHandOver = Duration.ZERO;

    /** How each node is started next. */
    private final class ByKind implements Launch {

        @Override
        public Map<String, String> environment(String node) {
            Map<String, String> all = new TreeMap<>(kinds.get(node).settings());
            all.put(DemoNode.FURTHER_PATHS, Integer.toString(FURTHER_PATHS));
            return all;
        }
    }

    /** Three nodes of a kind, not started. */
    RollingRestarts(PluginNames plugins, Kind first) {
        cluster = new Cluster(3, plugins, new ByKind());
        cluster.ids().forEach(node -> kinds.put(node, first));
        story.add(plugins.toString());
    }

    Cluster cluster() {
        return cluster;
    }

    /** Starts all. */
    void start() {
        cluster.startAll();
        settle("all start as " + kinds.values().iterator().next().name());
    }

    /** A node hands over and ends; its next process is of this kind. */
    void restart(String node, Kind next) {
        awaitQuarantineOver();
        long before = lastToken();
        NodeProcess process = cluster.node(node);
        boolean hasLed = isLeader(node);
        process.close();
        cluster.await(node + " is closed", process::isClosed);
        end(process);
        if (hasLed) {
            Duration without = withoutLeader(cluster.awaitLeaderAfter(before));
            longestHandOver = without.compareTo(longestHandOver) > 0 ? without : longestHandOver;
        }
        startAs(next, node, hasLed ? "closes, and has led" : "closes", before);
    }

    /** A node dies; its next process is of this kind. */
    void kill(String node, Kind next) {
        awaitQuarantineOver();
        long before = lastToken();
        boolean hasLed = isLeader(node);
        end(cluster.node(node));
        if (hasLed) {
            cluster.awaitLeaderAfter(before);
        }
        startAs(next, node, hasLed ? "is killed, and has led" : "is killed", before);
    }

    /** A process of this kind is started in place of one that is closed, and nothing is expected of it. */
    void replaceByStranger(String node, Kind next) {
        awaitQuarantineOver();
        NodeProcess process = cluster.node(node);
        process.close();
        cluster.await(node + " is closed", process::isClosed);
        end(process);
        kinds.put(node, next);
        cluster.start(node);
    }

    private void end(NodeProcess process) {
        process.kill();
        cluster.await(process + " has ended", () -> !process.isAlive());
    }

    private void startAs(Kind next, String node, String how, long tokenBefore) {
        kinds.put(node, next);
        cluster.start(node);
        settle(node + " " + how + ", and is back as " + next.name() + "; " + since(tokenBefore));
        quarantineUntil = System.nanoTime() + PROFILE.supportDuration().toNanos();
    }

    /** One may go when the voter that was restarted before votes again: else there is no majority. */
    private void awaitQuarantineOver() {
        cluster.await("the quarantine is over", () -> System.nanoTime() - quarantineUntil >= 0);
    }

    private void settle(String what) {
        story.add(what);
        Answers leader = cluster.await("all agree on a leader after " + story, new Agreement(cluster));
        story.set(story.size() - 1, what + " -> " + leader.life() + " with token " + leader.token());
        check();
    }

    private boolean isLeader(String node) {
        return cluster.leader().life().node().equals(node);
    }

    /** The highest token with which somebody has led. */
    long lastToken() {
        return cluster.history().lastLeader().orElseThrow().token();
    }

    /** For how long nobody was known to lead before this one did. */
    private Duration withoutLeader(Answers next) {
        // By its token: a leader that goes on has answered more by now.
        List<Answers> reigns = cluster.history().reigns();
        int place = reigns.stream().map(Answers::token).toList().indexOf(next.token());
        Answers former = reigns.get(place - 1);
        return Duration.ofNanos(
                Math.max(0, next.span().firstGiven() - former.span().lastAsked()));
    }

    private String since(long token) {
        List<String> changes = cluster.history().reigns().stream()
                .filter(reign -> reign.token() > token)
                .map(reign -> String.format("%.1f", withoutLeader(reign).toNanos() / 1e6))
                .toList();
        return changes.isEmpty() ? "the leader stays" : "without a leader for " + String.join(", ", changes) + " ms";
    }

    /**
     * Whether each hand-over of a node that was closed was one: without it, the others wait for the end of its support.
     */
    void assertHandOversWereQuick() {
        assertThat(longestHandOver).as(this::describe).isLessThan(PROFILE.supportDuration());
    }

    /** @throws AssertionError if a rule was broken so far; with the story and the history */
    void check() {
        Report report = cluster.report();
        assertThat(report.violations()).as(() -> describe() + report).isEmpty();
        assertThat(cluster.history().faults()).as(this::describe).isEmpty();
    }

    /** Waits until the latest process of a node has logged this. */
    void awaitLog(String node, String part) {
        cluster.await(node + " logs " + part, () -> hasLogged(node, part));
    }

    /** Whether there is a line with this in the log of the latest process of a node. */
    boolean hasLogged(String node, String part) {
        return cluster.log(node).lines().anyMatch(line -> line.contains(part));
    }

    /** What was done, and who led thereafter. */
    String describe() {
        return String.join("\n  ", story) + "\nlongest hand-over: "
                + TimeUnit.NANOSECONDS.toMicros(longestHandOver.toNanos()) / 1000.0 + " ms\n";
    }

    @Override
    public void close() {
        cluster.close();
    }
}
