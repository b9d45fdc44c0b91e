package io.quorate.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.Profile;
import io.quorate.core.settings.NodeSettings;
import io.quorate.engine.Connection;
import io.quorate.runtime.DriverProvider;
import io.quorate.testkit.model.Keyed;
import io.quorate.testkit.simulation.HighestUp;
import io.quorate.testkit.simulation.VirtualCluster;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Nodes that start, at one moment or one after the other, report CONNECTED and nothing else. Production driver. */
class ColdStartTest {

    private static final int SEEDS = Effort.of(300, 90);

    /** Each link takes its time to be connected. */
    private static void connect(VirtualCluster cluster, List<NodeSettings> nodes, Keyed instants, long latest) {
        for (NodeSettings from : nodes) {
            for (NodeSettings to : nodes) {
                if (from != to) {
                    cluster.network()
                            .connectsAt(
                                    from.self(),
                                    to.self(),
                                    instants.of(from.self() + ">" + to.self()).between(0, 0, latest));
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void startingNodeConnectsOnce(Profile profile) {
        List<NodeSettings> nodes = ClusterSettings.ofVoters(3).profile(profile).nodes().stream()
                .map(DriverProvider::nodeSettings)
                .toList();
        long support = profile.supportDuration().toNanos();
        for (int seed = 0; seed < SEEDS; seed++) {
            VirtualCluster cluster = new VirtualCluster(seed, new HighestUp());
            cluster.network().inOrder();
            nodes.forEach(node -> cluster.addDriver(node, Optional.empty()));
            Keyed instants = new Keyed(seed);
            for (NodeSettings node : nodes) {
                // All at once, within a heartbeat, or within two support times.
                long latest = List.of(0L, node.lease().heartbeat(), 2 * support).get(seed % 3);
                cluster.time()
                        .at(instants.of(node.self().value()).between(0, 0, latest), () -> cluster.start(node.self()));
            }
            connect(cluster, nodes, instants, 3 * support);
            cluster.time().advanceTo(6 * support);
            for (NodeSettings node : nodes) {
                assertThat(cluster.connections(node.self()))
                        .as("%s, seed %d: %s", profile, seed, node.self())
                        .containsExactly(Connection.CONNECTED);
            }
        }
    }
}
