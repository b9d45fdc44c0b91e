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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** docs/operations.md#what-a-rolling-restart-may-change: what it may, and what is refused aloud. */
@Tag("nemesis")
class RollingChangeTest {

    private static final Kind BEFORE = new Kind(
            "ballot and JOIN_ORDER", Map.of("QUORATE_ALGORITHM", "ballot", "QUORATE_RANK_ORDER", "JOIN_ORDER"));
    private static final Kind AFTER =
            new Kind("bully and PRIORITY", Map.of("QUORATE_ALGORITHM", "bully", "QUORATE_RANK_ORDER", "PRIORITY"));
    private static final Kind OTHER_TIMES = new Kind(
            "another support time and drift",
            Map.of(
                    "QUORATE_ALGORITHM",
                    "bully",
                    "QUORATE_RANK_ORDER",
                    "PRIORITY",
                    "QUORATE_SUPPORT",
                    "2s",
                    "QUORATE_DRIFT",
                    "20"));

    private static final String DIFFERS = "are configured differently";
    private static final int SEEDS = 1_000_000;

    // The nodes that differ say so, with both values; the last that changes finds all equal, and says nothing.
    @Test
    void algorithmAndRankOrderChangeNodeByNodeAndTimesDoNot() {
        Seeds.each(1, ThreadLocalRandom.current().nextInt(SEEDS), seed -> {
            System.out.println("rolling change: seed=" + seed);
            try (RollingRestarts nodes = new RollingRestarts(new PluginNames("ballot", PluginNames.TCP), BEFORE)) {
                nodes.start();
                List<String> order = leaderLast(nodes, new Random(seed));
                String first = order.get(0);
                String second = order.get(1);
                String last = order.get(2);
                order.forEach(node -> assertThat(nodes.hasLogged(node, DIFFERS))
                        .as("before any change: %s", node)
                        .isFalse());

                nodes.restart(first, AFTER);
                nodes.awaitLog(
                        first,
                        "node " + last + " and this one are configured differently: algorithm bully here and ballot at "
                                + last + ", rank order PRIORITY here and JOIN_ORDER at " + last
                                + "; leadership is exclusive anyway");
                nodes.awaitLog(
                        last,
                        "node " + first
                                + " and this one are configured differently: algorithm ballot here and bully at "
                                + first + ", rank order JOIN_ORDER here and PRIORITY at " + first);
                nodes.kill(second, AFTER);
                nodes.awaitLog(second, "node " + last + " and this one are configured differently: algorithm");
                nodes.restart(last, AFTER);
                // It has heard the heartbeats of both for longer than a word about a difference takes.
                assertThat(nodes.hasLogged(last, DIFFERS))
                        .as(nodes.cluster().log(last))
                        .isFalse();
                nodes.assertHandOversWereQuick();

                long token = nodes.lastToken();
                String stranger = nodes.cluster().leader().life().node().equals(first) ? second : first;
                nodes.replaceByStranger(stranger, OTHER_TIMES);
                for (String other : nodes.cluster().ids()) {
                    if (!other.equals(stranger)) {
                        nodes.awaitLog(other, refusal(stranger, "1000 ms", "2000 ms", "10 %", "20 %"));
                        nodes.awaitLog(stranger, refusal(other, "2000 ms", "1000 ms", "20 %", "10 %"));
                    }
                }
                assertThat(nodes.lastToken()).as("the two others go on").isEqualTo(token);
                nodes.check();
                System.out.println("rolling change: " + nodes.describe());
            }
        });
    }

    /** The nodes at random, but the leader last. */
    private static List<String> leaderLast(RollingRestarts nodes, Random random) {
        String leader = nodes.cluster().leader().life().node();
        List<String> order = new ArrayList<>(nodes.cluster().ids());
        order.remove(leader);
        Collections.shuffle(order, random);
        order.add(leader);
        return order;
    }

    private static String refusal(String peer, String support, String theirSupport, String drift, String theirDrift) {
        return "node " + peer + " and this one are configured differently, and do not support each other: support time "
                + support + " here and " + theirSupport + " at " + peer + ", clock drift " + drift + " here and "
                + theirDrift + " at " + peer + "; must be equal on all nodes";
    }
}
