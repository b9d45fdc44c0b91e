package io.quorate.nemesis;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.demo.PluginNames;
import io.quorate.nemesis.RollingRestarts.Kind;
import io.quorate.testkit.simulation.Seeds;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * docs/operations.md#rolling-upgrade: processes with the jars of the release before are replaced one by one, and back,
 * while all contend. {@link RollingUpgradeLongTest} does more of it.
 */
@Timeout(300)
class RollingUpgradeTest {

    static final Kind NEW = Kind.with("wire versions 2 to 3", Map.of());

    private static final int SEEDS = 1_000_000;

    // Upgraded by a close, by a kill and by a close of the leader; then one goes back.
    @Test
    void nodesOfTwoVersionsAreOneClusterThatUpgradesNodeByNode() {
        Seeds.each(1, ThreadLocalRandom.current().nextInt(SEEDS), seed -> {
            Random random = new Random(seed);
            String transport = PluginNames.TRANSPORTS.get(random.nextInt(PluginNames.TRANSPORTS.size()));
            System.out.println("rolling upgrade: seed=" + seed);
            try (RollingRestarts nodes = new RollingRestarts(new PluginNames("ballot", transport), WireTwo.KIND)) {
                nodes.start();
                List<String> order = leaderLast(nodes, random);
                String first = order.get(0);
                String second = order.get(1);
                String last = order.get(2);

                nodes.restart(first, NEW);
                nodes.awaitLog(first, "voter " + second + " speaks wire version 2; this node speaks 2 to 3");
                nodes.awaitLog(first, "voter " + last + " speaks wire version 2; this node speaks 2 to 3");
                nodes.awaitLog(last, WireTwo.COMPLAINT);
                nodes.kill(second, NEW);
                nodes.awaitLog(first, "voter " + second + " speaks wire version 3 now");
                nodes.restart(last, NEW);
                for (String upgraded : List.of(first, second)) {
                    nodes.awaitLog(upgraded, "voter " + last + " speaks wire version 3 now");
                }
                assertThat(nodes.hasLogged(last, "wire version"))
                        .as(nodes.cluster().log(last))
                        .isFalse();

                nodes.restart(last, WireTwo.KIND);
                nodes.awaitLog(first, "voter " + last + " speaks wire version 2; this node speaks 2 to 3");
                System.out.println("rolling upgrade: " + nodes.describe());
                nodes.assertHandOversWereQuick();
            }
        });
    }

    /** The nodes at random, but the leader last. */
    static List<String> leaderLast(RollingRestarts nodes, Random random) {
        String leader = nodes.cluster().leader().life().node();
        List<String> order = new ArrayList<>(nodes.cluster().ids());
        order.remove(leader);
        Collections.shuffle(order, random);
        order.add(leader);
        return order;
    }
}
