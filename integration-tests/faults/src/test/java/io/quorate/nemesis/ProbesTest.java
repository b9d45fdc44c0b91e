package io.quorate.nemesis;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.demo.Cluster;
import io.quorate.demo.DemoNode;
import io.quorate.demo.NodeProcess;
import io.quorate.demo.PluginNames;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What probes are answered by processes that are killed, paused and cut off: docs/settings.md#probes. */
@Tag("nemesis")
class ProbesTest {

    private static final List<String> NODES = List.of("n1", "n2", "n3");

    private final Probes probes = new Probes(NODES);
    private final Network network = new Network(new Random(1));
    private Cluster cluster;

    @BeforeEach
    void begin() {
        cluster = new Cluster(
                3,
                new PluginNames("ballot", PluginNames.TCP),
                new Altered(
                        network,
                        List.of(),
                        NODES.stream()
                                .collect(Collectors.toMap(
                                        node -> node,
                                        node -> Map.of(DemoNode.HTTP_PORT, Integer.toString(probes.port(node)))))));
    }

    @AfterEach
    void end() {
        probes.close();
        cluster.close();
        network.close();
    }

    private void await(String node, String target, int status) {
        cluster.await(node + " answers " + target + " with " + status, () -> probes.status(node, target) == status);
    }

    private void awaitReady(String node) {
        await(node, "/ready", 200);
        probes.add(node);
    }

    @Test
    void readinessLastsThroughTheFaultsOfOthersAndOfTheNetwork() {
        cluster.start("n1");
        await("n1", "/live", 200);
        assertThat(probes.status("n1", "/ready")).as("alone").isEqualTo(503);
        cluster.start("n2");
        cluster.start("n3");
        NODES.forEach(this::awaitReady);

        NodeProcess leader = cluster.leader();
        String killed = leader.life().node();
        long token = cluster.history().lastLeader().orElseThrow().token();
        probes.remove(killed);
        leader.kill();
        cluster.awaitLeaderAfter(token);
        assertThat(probes.status(killed, "/live")).isZero();
        cluster.start(killed);
        awaitReady(killed);

        NodeProcess paused = cluster.leader();
        String stopped = paused.life().node();
        token = cluster.history().lastLeader().orElseThrow().token();
        probes.remove(stopped);
        paused.pause();
        cluster.awaitLeaderAfter(token);
        paused.resume();
        await(stopped, "/live", 200);
        awaitReady(stopped);

        String cut = cluster.leader().life().node();
        network.split(List.of(cut), NODES);
        await(cut, "/ready?mode=connected", 503);
        assertThat(probes.status(cut, "/ready")).isEqualTo(200);
        assertThat(probes.status(cut, "/live")).isEqualTo(200);
        network.heal();
        await(cut, "/ready?mode=connected", 200);

        String closed = cluster.leader().life().node();
        probes.remove(closed);
        cluster.node(closed).close();
        await(closed, "/ready", 503);
        assertThat(probes.status(closed, "/live")).isEqualTo(200);

        probes.close();
        assertThat(probes.lapses()).isEmpty();
        assertThat(probes.asked()).isGreaterThan(100);
    }
}
