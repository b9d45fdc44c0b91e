package io.quorate.nemesis;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.demo.Cluster;
import io.quorate.demo.DemoNode;
import io.quorate.demo.NodeProcess;
import io.quorate.demo.PluginNames;
import io.quorate.testkit.FreePorts;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What probes are answered by processes that are killed, paused and cut off: docs/settings.md#probes. */
@Tag("nemesis")
@Timeout(300)
class ProbesTest {

    private static final List<String> NODES = List.of("n1", "n2", "n3");

    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(1)).build();
    private final Map<String, Integer> ports = new TreeMap<>();
    private final Network network = new Network(new Random(1));
    private Cluster cluster;

    /** The nodes that have been ready, and are to stay so until they are taken out. */
    private final Set<String> ready = ConcurrentHashMap.newKeySet();

    private final List<String> lapses = new CopyOnWriteArrayList<>();
    private int asked;
    private volatile boolean isOver;
    private Thread prober;

    @BeforeEach
    void begin() {
        Map<String, Map<String, String>> environments = new TreeMap<>();
        for (String node : NODES) {
            ports.put(node, FreePorts.take());
            environments.put(node, Map.of(DemoNode.HTTP_PORT, ports.get(node) + ""));
        }
        cluster = new Cluster(
                3, new PluginNames("ballot", PluginNames.TCP), new Altered(network, List.of(), environments));
        prober = new Thread(this::probe, "prober");
        prober.setDaemon(true);
        prober.start();
    }

    @AfterEach
    void end() {
        endProbing();
        cluster.close();
        network.close();
    }

    private void probe() {
        while (!isOver) {
            for (String node : new ArrayList<>(ready)) {
                int status = status(node, "/ready");
                // Taken out meanwhile: then it may be dead.
                if (status != 200 && ready.contains(node)) {
                    lapses.add(node + " was answered " + status);
                }
                asked++;
            }
            try {
                Thread.sleep(10);
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    private void endProbing() {
        isOver = true;
        try {
            prober.join();
        } catch (InterruptedException e) {
            throw new AssertionError("interrupted", e);
        }
    }

    /** 0 if nobody answers. */
    private int status(String node, String target) {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + ports.get(node) + target))
                .timeout(Duration.ofSeconds(2))
                .build();
        try {
            return http.send(request, BodyHandlers.discarding()).statusCode();
        } catch (IOException e) {
            return 0;
        } catch (InterruptedException e) {
            throw new AssertionError("interrupted", e);
        }
    }

    private void await(String node, String target, int status) {
        cluster.await(node + " answers " + target + " with " + status, () -> status(node, target) == status);
    }

    private void awaitReady(String node) {
        await(node, "/ready", 200);
        ready.add(node);
    }

    @Test
    void readinessLastsThroughTheFaultsOfOthersAndOfTheNetwork() {
        cluster.start("n1");
        await("n1", "/live", 200);
        assertThat(status("n1", "/ready")).as("alone").isEqualTo(503);
        cluster.start("n2");
        cluster.start("n3");
        NODES.forEach(this::awaitReady);

        NodeProcess leader = cluster.leader();
        String killed = leader.life().node();
        long token = cluster.history().lastLeader().orElseThrow().token();
        ready.remove(killed);
        leader.kill();
        cluster.awaitLeaderAfter(token);
        assertThat(status(killed, "/live")).isZero();
        cluster.start(killed);
        awaitReady(killed);

        NodeProcess paused = cluster.leader();
        String stopped = paused.life().node();
        token = cluster.history().lastLeader().orElseThrow().token();
        ready.remove(stopped);
        paused.pause();
        cluster.awaitLeaderAfter(token);
        paused.resume();
        await(stopped, "/live", 200);
        awaitReady(stopped);

        String cut = cluster.leader().life().node();
        network.split(List.of(cut), NODES);
        await(cut, "/ready?mode=connected", 503);
        assertThat(status(cut, "/ready")).isEqualTo(200);
        assertThat(status(cut, "/live")).isEqualTo(200);
        network.heal();
        await(cut, "/ready?mode=connected", 200);

        String closed = cluster.leader().life().node();
        ready.remove(closed);
        cluster.node(closed).close();
        await(closed, "/ready", 503);
        assertThat(status(closed, "/live")).isEqualTo(200);

        endProbing();
        assertThat(lapses).isEmpty();
        assertThat(asked).isGreaterThan(100);
    }
}
