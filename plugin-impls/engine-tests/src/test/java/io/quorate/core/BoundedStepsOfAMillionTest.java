package io.quorate.core;

import static io.quorate.core.Contexts.N2;
import static io.quorate.core.Contexts.N3;
import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.core.step.NodeEvent;
import io.quorate.engine.Connection;
import io.quorate.spi.NodeId;
import io.quorate.testkit.simulation.VirtualCluster.Change;
import io.quorate.testkit.simulation.VirtualTime;
import java.lang.management.ManagementFactory;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;

/**
 * A step is as large with a million paths, which is what a voter keeps. Ten nodes contend for 100,000 each, which is
 * what a voter lists of one, and the first three of them vote. An eleventh waits for the paths of the tenth. Whatever
 * happens to some nodes, no other loses its connection or a path. {@code -Dpaths=N} for another number of each node.
 *
 * <p>Left out are a second contender for each path, because that would take twice as long, and a second change of voters,
 * which is the first one again: the tests with fewer paths have both. Applications look seldom whether they lead, because
 * with a million that would take longer than all else; those of storms look often.
 */
@Tag("many")
class BoundedStepsOfAMillionTest extends BoundedSteps {

    private static final int PATHS = Integer.getInteger("paths", 100_000);
    private static final int LEADERS = 10;
    private static final List<NodeId> ALL = ChangingCluster.from1to(LEADERS + 1);
    private static final NodeId TENTH = ALL.get(LEADERS - 1);
    private static final NodeId ELEVENTH = ALL.get(LEADERS);
    private static final long APPLICATION_LOOKS_NANOS = 30_000 * VirtualTime.MILLI;

    BoundedStepsOfAMillionTest() {
        super(LEADERS * PATHS, ALL.size());
    }

    private void contend(NodeId node) {
        int number = Math.min(ALL.indexOf(node), LEADERS - 1);
        contend(node, number * PATHS, (number + 1) * PATHS);
    }

    /** Lets something happen to these nodes; no other has lost its connection or a path meanwhile. */
    private void happens(List<NodeId> to, Runnable what) {
        Map<NodeId, Integer> before = new HashMap<>();
        ALL.forEach(node -> before.put(node, cluster.connections(node).size()));
        int changes = cluster.log().size();
        what.run();
        for (NodeId node : ALL) {
            List<Connection> all = cluster.connections(node);
            if (!to.contains(node)) {
                assertThat(all.subList(before.get(node), all.size()))
                        .as("%s, while something happened to %s", node, to)
                        .doesNotContain(Connection.LOST);
            }
        }
        assertThat(cluster.log().stream().skip(changes))
                .as("leaderships that have ended, while something happened to %s", to)
                .filteredOn(change -> !change.isGranted() && !to.contains(change.node()))
                .extracting(Change::node)
                .isEmpty();
    }

    private void startAgain(NodeId node) {
        happens(List.of(node), () -> {
            cluster.start(node);
            cluster.advance(3_000);
            contend(node);
            awaitAllLed(node + " is back");
        });
    }

    private void areCutOff(String what, List<NodeId> nodes) {
        happens(nodes, () -> {
            cluster.isolate(nodes.toArray(NodeId[]::new));
            cluster.advance(4_000);
            assertBounded("cut off: " + what);
            cluster.heal();
            awaitAllLed("healed: " + what);
        });
    }

    private static void printHeap() {
        System.gc();
        long used = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
        System.out.printf(
                "heap of all nodes and of the simulator: %d MB, %d bytes for each path%n",
                used >> 20, used / LEADERS / PATHS);
    }

    @Override
    void everythingHappens() {
        ALL.forEach(node -> cluster.process(node).looksEvery(APPLICATION_LOOKS_NANOS));
        happens(List.of(), () -> {
            ALL.subList(0, LEADERS).forEach(this::contend);
            awaitAllLed("ten nodes contend");
        });
        happens(List.of(), () -> {
            contend(ELEVENTH);
            cluster.advance(5_000);
            assertBounded("an eleventh waits");
        });
        printHeap();

        happens(List.of(TENTH), () -> {
            while (!cluster.node(TENTH).isStopped()) {
                cluster.step(TENTH, new NodeEvent.Close());
                cluster.advance(1);
            }
            awaitAllLed("the tenth closes");
        });
        startAgain(TENTH);
        happens(List.of(ELEVENTH), () -> {
            cluster.crash(ELEVENTH);
            awaitAllLed("the eleventh is killed, which leads now");
        });
        startAgain(ELEVENTH);
        happens(List.of(TENTH), () -> {
            cluster.isolate(TENTH);
            cluster.advance(2_000);
            awaitAllLed("the tenth is cut off, which leads now");
            cluster.heal();
            awaitAllLed("it is back");
        });

        happens(List.of(ELEVENTH), () -> {
            int changes = cluster.log().size();
            cluster.step(ELEVENTH, new NodeEvent.StandBy(Optional.of("test")));
            cluster.advance(5_000);
            cluster.step(ELEVENTH, new NodeEvent.StandBy(Optional.empty()));
            awaitAllLed("the eleventh stands by for a while");
            assertThat(cluster.log().stream().skip(changes))
                    .anyMatch(change -> change.isGranted() && change.node().equals(TENTH));
        });

        // Nobody else contends for what these lead.
        happens(List.of(N3), () -> {
            cluster.crash(N3);
            cluster.advance(3_000);
            assertBounded("a voter is killed");
        });
        startAgain(N3);
        areCutOff("a voter", List.of(N2));
        happens(List.of(), () -> {
            assertThat(changing.change(1, 1, 2, 4)).isEqualTo("done");
            awaitAllLed("another votes in place of a voter");
        });
        areCutOff("all but two voters", ALL.subList(2, ALL.size()));
        printHeap();
    }
}
