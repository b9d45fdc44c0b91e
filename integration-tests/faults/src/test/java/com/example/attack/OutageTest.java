package com.example.attack;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.demo.Cluster;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A peer that takes nothing for long, and one that cannot be reached for long: what the others keep for it. */
@Tag("attacks")
class OutageTest {

    private static final Duration STOPPED = Duration.ofSeconds(60);
    private static final Duration UNREACHABLE = Duration.ofSeconds(30);
    /**
     * A third of the outage at most: far more than the longest pause between two attempts (1 s), one attempt (1 s) and a
     * few heartbeats, of which a busy machine makes more. A kernel that goes on with the old connection takes nearly as long again as
     * the outage has lasted, 24 s.
     */
    private static final int SHARE_OF_OUTAGE = 3;

    private static final long HEAP_BYTES_MAX = 5L << 20;
    private static final List<String> OTHERS = List.of("n1", "n2");

    @TempDir
    private Path directory;

    private static void let(Duration pass) {
        Awaitility.await().pollDelay(pass).atMost(pass.plusSeconds(30)).until(() -> true);
    }

    // A hundred latches come and go each second on each of the others, and each is told to the one that stands still.
    @ParameterizedTest
    @ValueSource(strings = {"tcp", "vertx"})
    void littleIsKeptForAPeerThatStandsStill(String transport) throws Exception {
        try (AttackedCluster cluster = new AttackedCluster(directory, transport, (node, properties) -> {})) {
            OTHERS.forEach(cluster::churn);
            // Until the code is loaded and each path has been seen.
            let(Duration.ofSeconds(20));
            List<Long> before = OTHERS.stream().map(cluster::heap).toList();
            cluster.jvm("n3").pause();
            let(STOPPED);
            for (int i = 0; i < OTHERS.size(); i++) {
                long growth = cluster.heap(OTHERS.get(i)) - before.get(i);
                System.out.printf(
                        "%s: heap of %s after %d s of a stopped peer: %+d kB%n",
                        transport, OTHERS.get(i), STOPPED.toSeconds(), growth / 1024);
                assertThat(growth).isLessThan(HEAP_BYTES_MAX);
            }
            OTHERS.forEach(id -> assertThat(cluster.hasLogged(id, AttackedNode.CHURN_ENDED))
                    .as("latches come and go on %s to the end; %s", id, cluster)
                    .isFalse());
            cluster.jvm("n3").resume();
            cluster.await("n3 is back", () -> cluster.contenders("n3") == 3 && cluster.contenders("n1") == 3);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"tcp", "vertx"})
    void peerBehindABlackHoleComesBackWhenItIsGone(String transport) throws Exception {
        Map<String, String> addresses = Cluster.freeAddresses(List.of("n1", "n2", "n3"));
        List<Line> lines = new ArrayList<>();
        try (AttackedCluster cluster = new AttackedCluster(
                directory, transport, addresses, (node, properties) -> lead(node, properties, addresses, lines))) {
            lines.forEach(line -> line.swallow(true));
            cluster.await("n3 is missed", () -> cluster.contenders("n1") == 2);
            let(UNREACHABLE);
            lines.forEach(line -> line.swallow(false));
            long begin = System.nanoTime();
            cluster.await("n3 is back", () -> cluster.contenders("n3") == 3 && cluster.contenders("n1") == 3);
            Duration back = Duration.ofNanos(System.nanoTime() - begin);
            System.out.printf(
                    "%s: back %d ms after a black hole of %d s%n", transport, back.toMillis(), UNREACHABLE.toSeconds());
            assertThat(back.multipliedBy(SHARE_OF_OUTAGE))
                    .as("%d times what it took", SHARE_OF_OUTAGE)
                    .isLessThan(UNREACHABLE);
            cluster.electsAnother();
        } finally {
            for (Line line : lines) {
                line.close();
            }
        }
    }

    /** Leads everything to and from n3 over lines. */
    private static void lead(String node, Properties properties, Map<String, String> addresses, List<Line> lines)
            throws Exception {
        for (String other : node.equals("n3") ? OTHERS : List.of("n3")) {
            Line line = new Line(addresses.get(other));
            lines.add(line);
            properties.setProperty(
                    "quorate.peers",
                    properties.getProperty("quorate.peers").replace(addresses.get(other), line.address()));
        }
    }
}
