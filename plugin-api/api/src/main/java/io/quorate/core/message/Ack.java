package io.quorate.core.message;

import io.quorate.spi.NodeId;
import java.util.List;
import java.util.Optional;

/**
 * Grants support from the receipt of a heartbeat on.
 *
 * @param incarnation the life of the node that is supported
 * @param sequence    of the heartbeat; its <em>sending</em> is what the node counts its belief from
 * @param epoch       of the support
 * @param termMax     the highest term that the voter knows on any path
 * @param upVersion   numbers the lists of live nodes
 * @param up          the live nodes, empty if the heartbeat's list was current
 */
public record Ack(long incarnation, long sequence, Epoch epoch, long termMax, long upVersion, Optional<List<NodeId>> up)
        implements NodeMessage {
    public Ack {
        up = up.map(List::copyOf);
    }

    @Override
    public Sender sender() {
        return Sender.VOTER;
    }

    @Override
    public boolean overtakes() {
        return true;
    }

    @Override
    public boolean isInRange() {
        return Ranges.isNumber(incarnation)
                && Ranges.isNumber(sequence)
                && Ranges.isEpoch(epoch)
                && Ranges.isNumber(termMax)
                && Ranges.isNumber(upVersion);
    }

    @Override
    public void dispatch(Handler handler) {
        handler.on(this);
    }
}
