package io.quorate.core.settings;

import io.quorate.engine.Engine;
import io.quorate.engine.LeaseTiming;
import io.quorate.spi.Check;
import io.quorate.spi.NodeId;
import io.quorate.spi.RankOrder;
import io.quorate.spi.Timing;
import io.quorate.spi.TransportProvider.HostAndPort;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The settings of a node.
 *
 * @param clusterId which cluster; must be equal on all nodes
 * @param self      this node
 * @param voters    who votes while nobody has changed that; must be equal on all nodes, and need not hold {@code self}
 * @param lease     the times of the lease; support must be equal on all nodes
 * @param timing    the delay bound that the algorithms' timers are computed from, in nanoseconds
 * @param rankOrder by what contenders are ranked; must be equal on all nodes
 * @param priority  this node's weight under {@link RankOrder#PRIORITY}; the higher, the better
 * @param preempt   whether a leader hands over to a better ranked contender that has been up for two support times
 * @param joins     whether this node waits to be told who votes; the voters above are then those that it asks
 * @param addresses where nodes are reached, as far as the settings say; empty if the transport finds them by itself
 */
public record NodeSettings(
        String clusterId,
        NodeId self,
        List<NodeId> voters,
        LeaseTiming lease,
        Timing timing,
        RankOrder rankOrder,
        int priority,
        boolean preempt,
        boolean joins,
        Map<NodeId, HostAndPort> addresses) {

    /** The most voters: their number decides the cost of every change. */
    public static final int VOTERS_MAX = Engine.VOTERS_MAX;

    /** A node that takes the voters from its settings. */
    public NodeSettings(
            String clusterId,
            NodeId self,
            List<NodeId> voters,
            LeaseTiming lease,
            Timing timing,
            RankOrder rankOrder,
            int priority,
            boolean preempt) {
        this(clusterId, self, voters, lease, timing, rankOrder, priority, preempt, false, Map.of());
    }

    public NodeSettings {
        Objects.requireNonNull(clusterId, "clusterId");
        Objects.requireNonNull(self, "self");
        Objects.requireNonNull(lease, "lease");
        Objects.requireNonNull(timing, "timing");
        Objects.requireNonNull(rankOrder, "rankOrder");
        voters = voters.stream().sorted().distinct().toList();
        addresses = Map.copyOf(addresses);
        Check.argument(
                !voters.isEmpty() && voters.size() <= VOTERS_MAX, "voters %s: must be 1 to %d", voters, VOTERS_MAX);
        Check.argument(
                !preempt || rankOrder != RankOrder.JOIN_ORDER,
                "preempt: not with JOIN_ORDER, where no newcomer is ever ranked better");
    }

    /**
     * A digest of the settings, sent with every heartbeat. Its upper half is of what must be equal on all nodes:
     * cluster id, support time and drift, and the voters while nobody has changed them. Its lower half is of what
     * should be: algorithm and rank order, which decide who is nominated, and nothing else.
     *
     * @param voters those that vote as long as nobody has changed that, sorted; else none
     */
    public static long configHash(NodeSettings settings, String algorithm, List<NodeId> voters) {
        Fnv64 hard = new Fnv64().add(settings.clusterId);
        voters.forEach(voter -> hard.add(voter.value()));
        hard.add(settings.lease.support()).add(settings.lease.driftPercent());
        Fnv64 soft = new Fnv64().add(algorithm).add(settings.rankOrder.name());
        return fold(hard.value()) << Integer.SIZE | fold(soft.value());
    }

    private static long fold(long digest) {
        return (digest >>> Integer.SIZE ^ digest) & 0xffff_ffffL;
    }

    /** Whether this node votes from the beginning. */
    public boolean isVoter() {
        return !joins && voters.contains(self);
    }

    /** These settings for a node that waits to be told who votes. */
    public NodeSettings joining() {
        return new NodeSettings(clusterId, self, voters, lease, timing, rankOrder, priority, preempt, true, addresses);
    }

    /** These settings for a node that is told where nodes are reached. */
    public NodeSettings reaching(Map<NodeId, HostAndPort> nodes) {
        return new NodeSettings(clusterId, self, voters, lease, timing, rankOrder, priority, preempt, joins, nodes);
    }
}
