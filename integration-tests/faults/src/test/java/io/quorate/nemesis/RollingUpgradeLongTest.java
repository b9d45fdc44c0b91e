package io.quorate.nemesis;

import static io.quorate.testkit.CodeChange.in;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.core.message.WireVersion;
import io.quorate.demo.PluginNames;
import io.quorate.history.HistoryEvent.Kind;
import io.quorate.testkit.Mutants;
import io.quorate.testkit.simulation.Seeds;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Rolling upgrades and back, with a kill of the leader after each step: {@code mvn verify -Pnemesis}, {@code
 * -Dupgrades=N} for another number than one with each algorithm over each transport, {@code -Dseed=N} for one.
 */
@Tag("nemesis")
@Timeout(7_200)
class RollingUpgradeLongTest {

    private static final int UPGRADES = Integer.getInteger("upgrades", 10);
    private static final int SEEDS = 1_000_000;

    @TempDir
    private Path directory;

    @Test
    void everyStepOfAnUpgradeAndOfTheWayBackSurvivesKills() {
        Seeds.each(UPGRADES, ThreadLocalRandom.current().nextInt(SEEDS), seed -> {
            Random random = new Random(seed);
            PluginNames plugins = new PluginNames(
                    NemesisTest.ALGORITHMS.get((int) (seed % NemesisTest.ALGORITHMS.size())),
                    PluginNames.TRANSPORTS.get((int) (seed % PluginNames.TRANSPORTS.size())));
            System.out.println("rolling upgrade: seed=" + seed);
            try (RollingRestarts nodes = new RollingRestarts(plugins, WireTwo.KIND)) {
                nodes.start();
                roll(nodes, RollingUpgradeTest.NEW, random);
                roll(nodes, WireTwo.KIND, random);
                System.out.println("rolling upgrade: " + nodes.describe());
                nodes.assertHandOversWereQuick();
                assertThat(nodes.cluster().report().count(Kind.ACQUIRED))
                        .as(nodes::describe)
                        .isGreaterThan(6);
            }
        });
    }

    private static void roll(RollingRestarts nodes, RollingRestarts.Kind next, Random random) {
        for (String node : RollingUpgradeTest.leaderLast(nodes, random)) {
            if (random.nextInt(3) == 0) {
                nodes.kill(node, next);
            } else {
                nodes.restart(node, next);
            }
            nodes.killLeader();
        }
    }

    // Proof that the upgrade can fail: nothing that this node says can be read by those of the version before.
    @Test
    void aNodeThatSpeaksTheNewestVersionToEverybodyIsFound() {
        Mutants.write(in("io.quorate.runtime.Link", "version").returns(WireVersion.NEWEST), directory);
        RollingRestarts.Kind deaf =
                new RollingRestarts.Kind("one that speaks version 3 only", List.of(directory), Map.of());
        try (RollingRestarts nodes = new RollingRestarts(new PluginNames("ballot", PluginNames.TCP), WireTwo.KIND)) {
            nodes.start();
            String node = RollingUpgradeTest.leaderLast(nodes, new Random(1)).get(0);
            assertThatThrownBy(() -> nodes.restart(node, deaf))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("not within 60 s: all agree on a leader");
        }
    }
}
