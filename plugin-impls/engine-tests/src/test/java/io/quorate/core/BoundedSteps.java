package io.quorate.core;

import static io.quorate.core.Contexts.N1;
import static io.quorate.core.Contexts.N2;
import static io.quorate.core.Contexts.N3;
import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.core.step.NodeEvent;
import io.quorate.spi.NodeId;
import io.quorate.testkit.simulation.VirtualCluster;
import io.quorate.testkit.simulation.VirtualTime;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * Whatever happens to nodes with very many paths, none of their steps wants very much done. A node that is busy for as
 * long as a lease lasts counts as dead, and then the others have as much to do for it.
 */
abstract class BoundedSteps {

    /** A step looks at 512 paths, for each of three reasons. When the majority is lost, a path wants ten effects. */
    private static final int EFFECTS_MAX = 6_000;

    private static final int LOOK_MILLIS = 100;
    /** The work of nodes is what counts here, not that of 10,000 applications. */
    private static final long APPLICATION_LOOKS_NANOS = 1_000 * VirtualTime.MILLI;

    final ChangingCluster changing = new ChangingCluster(Long.getLong("seed", 1));
    final VirtualCluster cluster = changing.cluster;
    private final int paths;
    private final List<NodeId> nodes;
    private long began = System.nanoTime();

    /** @param nodes how many, of which the first three vote */
    BoundedSteps(int paths, int nodes) {
        this.paths = paths;
        this.nodes = ChangingCluster.from1to(nodes);
    }

    private static String path(int number) {
        return "/many/" + number;
    }

    private void contend(NodeId node) {
        contend(node, 0, paths);
    }

    void contend(NodeId node, int first, int end) {
        for (int number = first; number < end; number++) {
            cluster.contend(node, path(number));
        }
    }

    private boolean areLed() {
        for (int number = 0; number < paths; number++) {
            if (cluster.leader(path(number)).isEmpty()) {
                return false;
            }
        }
        return true;
    }

    private NodeId leader() {
        return cluster.leader(path(0)).orElseThrow();
    }

    /** Asserts that no step since the last time has wanted too much, and that some did want something. */
    void assertBounded(String what) {
        int max = 0;
        long steps = 0;
        for (NodeId node : nodes) {
            VirtualCluster.Work work = cluster.takeWork(node);
            max = Math.max(max, work.effectsMax());
            steps += work.steps();
        }
        assertThat(max).as(what).isBetween(1, EFFECTS_MAX);
        // Justification: the time is printed, and not compared with anything.
        System.out.printf(
                "%d paths, seed=%d, %s: %d steps, largest %d effects; %d ms of virtual time, %d ms of this machine's%n",
                paths,
                cluster.seed(),
                what,
                steps,
                max,
                cluster.time().now() / VirtualTime.MILLI,
                (System.nanoTime() - began) / VirtualTime.MILLI);
        began = System.nanoTime();
    }

    void awaitAllLed(String what) {
        for (int looks = 0; !areLed(); looks++) {
            assertThat(looks).as(what + ": not yet led").isLessThan(600 + paths / 100);
            cluster.advance(LOOK_MILLIS);
        }
        cluster.advance(2_000);
        assertBounded(what);
    }

    @Test
    void everyStepIsBounded() {
        cluster.time().expect(100 * paths);
        changing.start(3, nodes.size());
        everythingHappens();
    }

    void everythingHappens() {
        nodes.forEach(node -> cluster.process(node).looksEvery(APPLICATION_LOOKS_NANOS));
        contend(N1);
        awaitAllLed("one contends");
        contend(N2);
        contend(N3);
        cluster.advance(5_000);
        assertBounded("two others contend");

        cluster.crash(N3);
        cluster.advance(5_000);
        assertBounded("a node that waits is killed");
        cluster.start(N3);
        cluster.advance(3_000);
        contend(N3);
        cluster.advance(5_000);
        assertBounded("it is back");

        assertThat(changing.change(1, 1, 2, 4)).isEqualTo("done");
        cluster.advance(3_000);
        assertThat(changing.change(1, 1, 2, 3)).isEqualTo("done");
        cluster.advance(3_000);
        assertBounded("the voters change");

        NodeId first = leader();
        cluster.isolate(first);
        cluster.await(
                "another leads", 60_000, () -> cluster.leaders(path(0)).stream().anyMatch(id -> !id.equals(first)));
        awaitAllLed("the leader is cut off");
        cluster.heal();
        cluster.advance(5_000);
        assertBounded("it is back");

        NodeId second = leader();
        cluster.step(second, new NodeEvent.StandBy(Optional.of("test")));
        cluster.advance(5_000);
        cluster.step(second, new NodeEvent.StandBy(Optional.empty()));
        cluster.advance(5_000);
        awaitAllLed("the leader stands by for a while");

        NodeId third = leader();
        while (!cluster.node(third).isStopped()) {
            cluster.step(third, new NodeEvent.Close());
            cluster.advance(1);
        }
        awaitAllLed("the leader closes");
        cluster.crash(leader());
        cluster.advance(3_000);
        assertBounded("the leader is killed");
    }
}
