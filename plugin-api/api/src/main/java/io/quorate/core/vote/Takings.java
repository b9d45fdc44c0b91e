package io.quorate.core.vote;

import io.quorate.core.step.StepContext;
import io.quorate.spi.NodeId;
import java.util.Map;
import java.util.TreeMap;

/**
 * Which nodes were seen to claim or lead a path anew of late: of thousands of paths, others may come to have their turn
 * soon.
 */
public final class Takings {

    /** From so many nodes on, those that took something long ago are forgotten. */
    private static final int NODES_MAX = 64;

    private final StepContext context;
    private final Map<NodeId, Long> last = new TreeMap<>();

    /** Nobody was seen yet. */
    public Takings(StepContext context) {
        this.context = context;
    }

    /** The node claims some path, or has come to lead one. */
    public void onTaking(NodeId taker) {
        last.put(taker, context.now());
        if (last.size() > NODES_MAX) {
            last.values().removeIf(at -> !isOfLate(at));
        }
    }

    /** Whether the node was seen to claim or lead a path anew of late. */
    public boolean isTaking(NodeId taker) {
        Long at = last.get(taker);
        return at != null && isOfLate(at);
    }

    private boolean isOfLate(long at) {
        // Claims that are late are so together, half a support time apart.
        long late = Math.max(
                2 * context.settings().claimPeriod(), context.settings().lease().support());
        return context.now() - at <= late;
    }
}
