package io.quorate.core;

import io.quorate.spi.NodeId;
import java.util.Comparator;
import java.util.Objects;

/**
 * Who holds a vote: one contender, in one life of its node. The same contender after a restart is another holder, so a
 * node may forget its own terms when it restarts.
 *
 * @param node        the node
 * @param incarnation which life of the node
 * @param number      which contender of the node, counted over all paths
 */
public record ContenderId(NodeId node, long incarnation, int number) implements Comparable<ContenderId> {

    private static final Comparator<ContenderId> ORDER = Comparator.comparing(ContenderId::node)
            .thenComparingLong(ContenderId::incarnation).thenComparingInt(ContenderId::number);

    public ContenderId {
        Objects.requireNonNull(node, "node");
    }

    @Override
    public int compareTo(ContenderId other) {
        return ORDER.compare(this, other);
    }

    @Override
    public String toString() {
        return node + "#" + number;
    }
}
