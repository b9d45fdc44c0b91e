package io.quorate.complaints;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.ElectionClient;
import io.quorate.LeaderLatch;
import io.quorate.LeaderLatch.CloseMode;
import io.quorate.Participant;
import io.quorate.spi.ElectionAlgorithm;
import io.quorate.testkit.ClusterSettings;
import io.quorate.testkit.RecordingListener;
import io.quorate.testkit.SimulatedCluster;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.stream.Stream;

/** A cluster in virtual time whose nodes contend on one path, and what the listener of each latch was told. */
public final class Contenders implements AutoCloseable {

    /** Where all of them contend. */
    public static final String PATH = "/app/leader";

    /** How long a voter supports a node with the default times: the "session time-out". */
    public static final Duration SUPPORT = Duration.ofMillis(1000);

    /** A contender's joining is known everywhere after that. */
    private static final Duration JOINING = Duration.ofMillis(300);

    // As over one connection: no frame overtakes another, so none is lost unless the test says so.
    private static final Duration DELAY = Duration.ofNanos(500_000);

    private static final Duration STEP = Duration.ofMillis(5);

    private final SimulatedCluster cluster;
    private final Map<String, LeaderLatch> latches = new LinkedHashMap<>();
    private final Map<String, List<String>> told = new LinkedHashMap<>();

    /** A cluster of which nobody contends yet. */
    public Contenders(ClusterSettings settings) {
        cluster = new SimulatedCluster(settings);
        cluster.delay(DELAY, DELAY);
        cluster.advance(SUPPORT.multipliedBy(2));
    }

    /** Three voters that have joined in the order of their names, so that n1 leads. */
    public static Contenders three(ElectionAlgorithm algorithm) {
        return joined(ClusterSettings.ofVoters(3).algorithm(algorithm));
    }

    /** All nodes of a cluster, joined in the order of their names, voters first. */
    public static Contenders joined(ClusterSettings settings) {
        Contenders contenders = new Contenders(settings);
        contenders.cluster.nodes().forEach(contenders::join);
        contenders.cluster.awaitLeader(PATH);
        return contenders;
    }

    /** Every algorithm of the class path. */
    public static Stream<ElectionAlgorithm> algorithms() {
        return ServiceLoader.load(ElectionAlgorithm.class).stream().map(ServiceLoader.Provider::get);
    }

    /** The cluster that they live in. */
    public SimulatedCluster cluster() {
        return cluster;
    }

    /** Opens a latch whose id is the name of its node, in place of the node's former one, and lets it join. */
    public LeaderLatch join(String node) {
        return join(node, cluster.client(node));
    }

    /** As {@link #join(String)}, on a client of that node. */
    public LeaderLatch join(String node, ElectionClient client) {
        LeaderLatch latch = new LeaderLatch(client, PATH, node, CloseMode.NOTIFY_LEADER);
        RecordingListener listener = new RecordingListener();
        latch.addListener(listener);
        latches.put(node, latch);
        told.put(node, listener.events);
        start(latch);
        cluster.advance(JOINING);
        return latch;
    }

    /** Starts a latch; it throws nothing in a test that starts it once. */
    public static void start(LeaderLatch latch) {
        try {
            latch.start();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    /** Closes the latch of a node. */
    public void leave(String node) {
        try {
            latch(node).close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The present latch of a node. */
    public LeaderLatch latch(String node) {
        return latches.get(node);
    }

    /** What the listener of that latch was told so far, in order. */
    public List<String> told(String node) {
        return told.get(node);
    }

    /** The node whose latch says that it leads; fails if two do. */
    public Optional<String> leader() {
        List<String> leaders = latches.keySet().stream()
                .filter(node -> latch(node).hasLeadership())
                .toList();
        // Described only if it fails, because it is asked every few milliseconds.
        assertThat(leaders).as(cluster::describe).hasSizeLessThanOrEqualTo(1);
        return leaders.stream().findFirst();
    }

    /** Lets time pass, and asks all latches every few milliseconds whether they lead. */
    public void watch(Duration duration) {
        Duration end = cluster.now().plus(duration);
        while (cluster.now().compareTo(end) < 0) {
            cluster.advance(STEP);
            leader();
        }
    }

    /** The ids of who contends, in order of rank, as the node of this latch sees it. */
    public List<String> queue(String node) {
        try {
            return latch(node).getParticipants().stream()
                    .map(Participant::getId)
                    .toList();
        } catch (Exception e) {
            throw new AssertionError(cluster.describe(), e);
        }
    }

    /** How often leadership began anywhere. */
    public long grants() {
        return cluster.log().stream().filter(line -> line.contains(" leads ")).count();
    }

    @Override
    public void close() {
        cluster.close();
    }
}
