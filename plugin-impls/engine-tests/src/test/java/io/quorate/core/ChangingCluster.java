package io.quorate.core;

import io.quorate.core.settings.NodeSettings;
import io.quorate.engine.LeaseTiming;
import io.quorate.spi.NodeId;
import io.quorate.spi.RankOrder;
import io.quorate.spi.Timing;
import io.quorate.testkit.simulation.HighestUp;
import io.quorate.testkit.simulation.VirtualCluster;
import java.util.List;
import java.util.stream.IntStream;

/** Nodes n1, n2, ... of which the first vote and the others wait to be told; and changes of who votes. */
final class ChangingCluster {

    /** Several steps, each of which fails only when its time is over. */
    private static final long LIMIT_MILLIS = 300_000;

    final VirtualCluster cluster;

    ChangingCluster(long seed) {
        cluster = new VirtualCluster(seed, new HighestUp());
    }

    static NodeId node(int number) {
        return new NodeId("n" + number);
    }

    static List<NodeId> nodes(int... numbers) {
        return IntStream.of(numbers).mapToObj(ChangingCluster::node).toList();
    }

    static List<NodeId> from1to(int last) {
        return nodes(IntStream.rangeClosed(1, last).toArray());
    }

    /** Heartbeats of 200 ms, and support of one second; all have been connected for a while. */
    void start(int voters, int all) {
        for (int number = 1; number <= all; number++) {
            NodeSettings of = VirtualCluster.settings(node(number), from1to(voters));
            cluster.add(number <= voters ? of : of.joining());
            cluster.start(node(number));
        }
        cluster.advance(2500);
    }

    /** The same with longer times, in nanoseconds. */
    void start(int voters, int all, LeaseTiming lease) {
        for (int number = 1; number <= all; number++) {
            NodeSettings of = new NodeSettings(
                    "test",
                    node(number),
                    from1to(voters),
                    lease,
                    new Timing(20_000_000),
                    RankOrder.JOIN_ORDER,
                    0,
                    false);
            cluster.add(number <= voters ? of : of.joining());
            cluster.start(node(number));
        }
        cluster.advance(3 * lease.support() / 1_000_000);
    }

    long number(int node) {
        return cluster.node(node(node)).voters().number();
    }

    /** Asks for these voters, and answers how that has ended: "done", or why not. */
    String change(int at, int... wanted) {
        return change(at, nodes(wanted));
    }

    String change(int at, List<NodeId> wanted) {
        int before = cluster.changes(node(at)).size();
        cluster.changeVoters(node(at), number(at), wanted);
        cluster.await(
                "the change ends", LIMIT_MILLIS, () -> cluster.changes(node(at)).size() > before);
        return cluster.changes(node(at)).get(before);
    }
}
