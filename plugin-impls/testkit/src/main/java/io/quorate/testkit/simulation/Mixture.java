package io.quorate.testkit.simulation;

import io.quorate.core.settings.NodeSettings;
import io.quorate.spi.Check;
import io.quorate.spi.ElectionAlgorithm;
import io.quorate.spi.RankOrder;
import java.util.List;

/**
 * The settings that may differ between nodes of one cluster: each algorithm with each rank order, numbered from 0.
 *
 * @param algorithms at least one
 */
record Mixture(List<ElectionAlgorithm> algorithms) {

    private static final List<RankOrder> RANK_ORDERS = List.of(RankOrder.values());

    Mixture {
        algorithms = List.copyOf(algorithms);
        Check.argument(!algorithms.isEmpty(), "a mixture of no algorithm: must be of one at least");
    }

    int size() {
        return algorithms.size() * RANK_ORDERS.size();
    }

    ElectionAlgorithm algorithm(long number) {
        return algorithms.get(index(number) / RANK_ORDERS.size());
    }

    /** The settings of a node with the rank order of this number; under {@code JOIN_ORDER} nobody is preempted. */
    NodeSettings settings(NodeSettings of, long number) {
        RankOrder rankOrder = RANK_ORDERS.get(index(number) % RANK_ORDERS.size());
        return new NodeSettings(
                of.clusterId(),
                of.self(),
                of.voters(),
                of.lease(),
                of.timing(),
                rankOrder,
                of.priority(),
                of.preempt() && rankOrder != RankOrder.JOIN_ORDER);
    }

    private int index(long number) {
        Check.argument(0 <= number && number < size(), "settings %d: must be from 0 to %d", number, size() - 1);
        return (int) number;
    }
}
