package io.quorate.nemesis;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.Profile;
import io.quorate.demo.Cluster;
import io.quorate.demo.DemoNode;
import io.quorate.demo.Launch;
import io.quorate.demo.PluginNames;
import io.quorate.demo.RunHistory;
import io.quorate.process.ChildJvm;
import io.quorate.testkit.FreePorts;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two processes with one id, both of which hear the voters: the one that begins stops by itself, ADR-0004, and says so
 * to probes, docs/settings.md#probes. Over the event bus, where whoever listens at an address gets what is sent there;
 * {@code tcp} has one connection for each id, and refuses the second process before it is heard.
 */
@Tag("nemesis")
class SecondProcessTest {

    private static final List<String> NODES = List.of("n1", "n2", "n3");
    private static final String SECOND = "second n1";

    @TempDir
    private Path directory;

    private final Probes probes = new Probes(List.of("n1", "n2", "n3", SECOND));
    private final Tee tee = new Tee();
    private final Cluster cluster = new Cluster(3, new PluginNames("ballot", "vertx"), new Launch() {
        // All others find n1 where both processes listen.
        @Override
        public String peers(String node, Map<String, String> addresses) {
            return list(node.equals("n1") ? addresses.get("n1") : "127.0.0.1:" + tee.port(), addresses);
        }

        @Override
        public Map<String, String> environment(String node) {
            return environmentOf(node);
        }
    });
    private Optional<ChildJvm> second = Optional.empty();

    @AfterEach
    void end() {
        probes.close();
        second.ifPresent(ChildJvm::end);
        cluster.close();
        tee.close();
    }

    // So long the second process has to hear the voters before it votes. On a busy machine a cold JVM takes seconds.
    private Map<String, String> environmentOf(String process) {
        return Map.of(
                DemoNode.HTTP_PORT,
                Integer.toString(probes.port(process)),
                DemoNode.PROFILE,
                Profile.CALM.name(),
                "QUORATE_SUPPORT",
                "20s");
    }

    private static String list(String first, Map<String, String> addresses) {
        Map<String, String> changed = new TreeMap<>(addresses);
        changed.put("n1", first);
        return Cluster.peers(changed);
    }

    private static int port(String address) {
        return Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
    }

    /** With a disk and an address of its own, else it would not even start. */
    private void startSecond() {
        Map<String, String> addresses = NODES.stream().collect(Collectors.toMap(id -> id, cluster::address));
        int port = FreePorts.take();
        second = Optional.of(ChildJvm.start(
                SECOND,
                new ChildJvm.Command(
                        DemoNode.class,
                        List.of(
                                "n1",
                                list("127.0.0.1:" + port, addresses),
                                "ballot",
                                "vertx",
                                directory.resolve("terms").toString(),
                                directory.resolve("n1-2.history").toString()),
                        ChildJvm.SMALL,
                        List.of(),
                        environmentOf(SECOND)),
                log(),
                line -> {}));
        cluster.await("it listens", () -> probes.status(SECOND, "/live") == 200 && isListening(port));
        tee.add(port);
    }

    private static boolean isListening(int port) {
        try (Socket socket = new Socket("127.0.0.1", port)) {
            return socket.isConnected();
        } catch (IOException e) {
            return false;
        }
    }

    private Path log() {
        return directory.resolve("second.log");
    }

    @Test
    void theOneThatBeginsStopsAndProbesSeeIt() throws IOException {
        tee.add(port(cluster.address("n1")));
        NODES.forEach(cluster::start);
        NODES.forEach(node -> {
            cluster.await(node + " is ready", () -> probes.status(node, "/ready") == 200);
            probes.add(node);
        });
        RunHistory.Answers leader = cluster.awaitLeaderAfter(0);
        startSecond();
        cluster.await("the second process has stopped by itself", () -> probes.status(SECOND, "/live") == 503);
        assertThat(probes.status(SECOND, "/ready")).isEqualTo(503);
        assertThat(probes.status(SECOND, "/ready?mode=connected")).isEqualTo(503);
        assertThat(probes.body(SECOND, "/status"))
                .contains("\"state\":\"FAILED\"", "\"live\":false", "a second process runs under it", "\"led\":0");
        assertThat(Files.readAllLines(log()))
                .filteredOn(line -> line.contains("ERROR"))
                .singleElement()
                .asString()
                .contains("node n1 has stopped: ");
        // The one that runs has lost nothing.
        cluster.await(
                "it goes on",
                () -> cluster.history().lastLeader().orElseThrow().span().lastAsked()
                        > System.nanoTime() - 1_000_000_000);
        assertThat(cluster.history().lastLeader().orElseThrow().token()).isEqualTo(leader.token());
        probes.close();
        assertThat(probes.lapses()).isEmpty();
        assertThat(probes.asked()).isGreaterThan(50);
    }
}
