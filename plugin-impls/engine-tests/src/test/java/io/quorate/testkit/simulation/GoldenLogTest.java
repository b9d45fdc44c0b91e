package io.quorate.testkit.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.core.settings.NodeSettings;
import io.quorate.engine.LeaseTiming;
import io.quorate.runtime.ElectionDriver;
import io.quorate.spi.NodeId;
import io.quorate.spi.RankOrder;
import io.quorate.spi.Timing;
import io.quorate.testkit.CapturedLog;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What operators read, line by line: every line at INFO and above of the production driver in virtual time, as it was
 * read and found good by a person. {@code -Drewrite} writes the files anew; read the difference before it is committed.
 */
class GoldenLogTest {

    private static final Path FOLDER = Path.of("src", "test", "resources", "logs");
    private static final String PATH = "/app/leader";
    private static final long MILLI = VirtualTime.MILLI;
    private static final NodeId N1 = new NodeId("n1");
    private static final NodeId N2 = new NodeId("n2");
    private static final NodeId N3 = new NodeId("n3");
    private static final List<NodeId> VOTERS = List.of(N1, N2, N3);

    @TempDir
    private Path disks;

    private final CapturedLog log = CapturedLog.atInfo(ElectionDriver.class);
    private final Deque<VirtualDisk> opened = new ArrayDeque<>();
    private final StringBuilder story = new StringBuilder();
    private final VirtualCluster cluster = new VirtualCluster(17, new HighestUp());

    @BeforeEach
    void asOnTcpConnections() {
        // A frame that is overtaken counts as stale.
        cluster.network().inOrder();
    }

    @AfterEach
    void close() {
        log.close();
        opened.forEach(VirtualDisk::close);
    }

    // ---------------------------------------------------------------- the cluster

    private static NodeSettings settings(NodeId self) {
        return settings("demo", self, VOTERS, 1000, 10, RankOrder.JOIN_ORDER);
    }

    private static NodeSettings settings(
            String clusterId, NodeId self, List<NodeId> voters, int support, int drift, RankOrder rank) {
        return new NodeSettings(
                clusterId,
                self,
                voters,
                new LeaseTiming(200 * MILLI, support * MILLI, drift),
                new Timing(20 * MILLI),
                rank,
                0,
                false);
    }

    private void add(NodeSettings settings) {
        VirtualDisk disk = new VirtualDisk(disks, settings.self(), settings.clusterId());
        opened.add(disk);
        cluster.addDriver(settings, Optional.of(disk));
    }

    private void start(NodeId node) {
        cluster.start(node);
        cluster.contend(node, PATH);
    }

    /** Three nodes; n1 leads, n2 and n3 wait. What that logs is told only if it was asked for. */
    private void settled() {
        VOTERS.forEach(node -> add(settings(node)));
        VOTERS.forEach(cluster::start);
        cluster.advance(2000);
        for (NodeId node : VOTERS) {
            cluster.contend(node, PATH);
            cluster.advance(1000);
        }
        log.forget();
    }

    // ---------------------------------------------------------------- the log

    /** What was logged since the last time, under a heading. */
    private void tell(String heading) {
        story.append("# ").append(heading).append('\n');
        log.lines().forEach(line -> story.append(line.replace(disks.toString(), "DISKS"))
                .append('\n'));
        story.append('\n');
        log.forget();
    }

    private void matches(String name) {
        String is = story.toString();
        assertThat(is).as("a stack trace").doesNotContain("\tat ");
        Path file = FOLDER.resolve(name + ".txt");
        try {
            if (System.getProperty("rewrite") != null) {
                Files.writeString(file, is);
            }
            assertThat(is).as(file.toString()).isEqualTo(Files.readString(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    // ---------------------------------------------------------------- an ordinary day

    @Test
    void startAndHandover() {
        VOTERS.forEach(node -> add(settings(node)));
        VOTERS.forEach(this::start);
        cluster.advance(5000);
        tell("three nodes start together, each with one latch");
        cluster.process(N1).resignAll();
        cluster.process(N2).resignAll();
        cluster.process(N3).resignAll();
        cluster.advance(2000);
        tell("the leader resigns");
        cluster.process(cluster.leader(PATH).orElseThrow()).shutdown();
        cluster.advance(3000);
        tell("the leader's client is closed");
        cluster.advance(60_000);
        tell("a quiet minute");
        matches("start-and-handover");
    }

    @Test
    void kill() {
        settled();
        cluster.crash(N1);
        cluster.advance(3000);
        tell("n1, the leader, is killed");
        start(N1);
        cluster.advance(5000);
        tell("n1 starts again");
        matches("kill");
    }

    @Test
    void pause() {
        settled();
        cluster.pause(N1);
        cluster.advance(3000);
        tell("n1, the leader, is stopped for three seconds");
        cluster.resume(N1);
        cluster.advance(3000);
        tell("n1 goes on");
        matches("pause");
    }

    @Test
    void rollingRestart() {
        settled();
        for (NodeId node : List.of(N3, N2, N1)) {
            cluster.process(node).shutdown();
            cluster.advance(300);
            start(node);
            cluster.advance(4000);
            tell(node + " is closed and starts again");
        }
        matches("rolling-restart");
    }

    // ---------------------------------------------------------------- a bad network

    @Test
    void oneWayLink() {
        settled();
        cluster.drop(f -> f.from().equals(N1) && f.to().equals(N2));
        cluster.advance(30_000);
        tell("for half a minute nothing passes from n1, the leader, to n2");
        cluster.heal();
        cluster.advance(3000);
        tell("it passes again");
        matches("one-way-link");
    }

    @Test
    void quorumLossAndItsEnd() {
        settled();
        cluster.isolate(N1);
        cluster.advance(5000);
        tell("n1, the leader, is cut off from both others");
        cluster.heal();
        cluster.advance(3000);
        tell("n1 is back");
        cluster.isolate(N1);
        cluster.cut(N2, N3);
        cluster.advance(5000);
        tell("all are cut off from each other");
        cluster.heal();
        cluster.advance(4000);
        tell("all are back");
        cluster.isolate(N2);
        cluster.advance(600);
        cluster.heal();
        cluster.advance(2000);
        tell("n2 is cut off for less than a lease");
        matches("quorum-loss");
    }

    // ---------------------------------------------------------------- misconfigurations

    private void misconfigured(String what, NodeSettings other) {
        VOTERS.forEach(node -> add(node.equals(N3) ? other : settings(node)));
        VOTERS.forEach(this::start);
        cluster.advance(70_000);
        tell(what + ", for seventy seconds");
        matches(what.replace(' ', '-'));
    }

    @Test
    void anotherClusterId() {
        misconfigured("another cluster id", settings("prod", N3, VOTERS, 1000, 10, RankOrder.JOIN_ORDER));
    }

    @Test
    void otherVoters() {
        misconfigured(
                "other voters",
                settings("demo", N3, List.of(N1, N2, N3, new NodeId("n4")), 1000, 10, RankOrder.JOIN_ORDER));
    }

    @Test
    void anotherSupportTime() {
        misconfigured("another support time", settings("demo", N3, VOTERS, 2000, 10, RankOrder.JOIN_ORDER));
    }

    @Test
    void anotherDrift() {
        misconfigured("another drift", settings("demo", N3, VOTERS, 1000, 5, RankOrder.JOIN_ORDER));
    }

    @Test
    void anotherRankOrder() {
        misconfigured("another rank order", settings("demo", N3, VOTERS, 1000, 10, RankOrder.NODE_ID));
    }

    @Test
    void noDataDirectory() {
        add(settings(N1));
        add(settings(N2));
        cluster.addDriver(settings(N3), Optional.empty());
        VOTERS.forEach(this::start);
        cluster.advance(70_000);
        tell("a voter has no data directory, for seventy seconds");
        matches("no-data-directory");
    }

    // Both are sent from elsewhere: a process of another version, and a second process under the id n3.
    @Test
    void anotherVersionAndAForeignFrame() {
        settled();
        for (int i = 0; i < 20; i++) {
            byte[] other = {'Q', 9, 1, 2, 3};
            cluster.deliver(new VirtualCluster.Flight(N2, N1, other, 0, 0));
            cluster.deliver(new VirtualCluster.Flight(N2, N1, new byte[] {'x'}, 0, 0));
            cluster.advance(500);
        }
        tell("frames of another version, and of nobody, for ten seconds");
        matches("another-version");
    }

    @Test
    void everyFileIsUsed() throws IOException {
        try (Stream<Path> files = Files.list(FOLDER)) {
            assertThat(files.count()).isEqualTo(13);
        }
    }
}
