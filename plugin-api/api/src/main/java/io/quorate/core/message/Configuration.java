package io.quorate.core.message;

import io.quorate.core.settings.NodeSettings;
import io.quorate.spi.NodeId;
import io.quorate.spi.RankOrder;
import java.util.List;

/**
 * What the sender was configured with, because the receiver's configuration seems to be another. Both sides tell
 * their operators the values of both.
 *
 * @param support   in nanoseconds
 * @param durable   whether the sender, if it votes, keeps its terms on disk
 * @param algorithm the name of the algorithm, which may differ: it nominates only
 * @param rankOrder which may differ too
 */
public record Configuration(
        String clusterId,
        List<NodeId> voters,
        long support,
        int driftPercent,
        boolean durable,
        String algorithm,
        RankOrder rankOrder)
        implements NodeMessage {

    /** The longest name of a cluster or an algorithm on the wire, in UTF-8 bytes. */
    public static final int NAME_MAX = 256;

    public Configuration {
        voters = List.copyOf(voters);
    }

    @Override
    public boolean isInRange() {
        return Ranges.isNumber(support)
                && 0 <= driftPercent
                && driftPercent < 100
                && voters.size() <= NodeSettings.VOTERS_MAX;
    }

    @Override
    public void dispatch(Handler handler) {
        handler.on(this);
    }
}
