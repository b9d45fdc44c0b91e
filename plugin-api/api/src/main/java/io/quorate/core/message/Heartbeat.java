package io.quorate.core.message;

import io.quorate.core.settings.NodeSettings;
import io.quorate.core.voters.VoterList;
import java.util.Optional;

/**
 * Asks a voter for support.
 *
 * @param number     of the newest list of voters that the sender knows (docs/reconfiguration.md, R1)
 * @param hash       {@link VoterList#hash} of it; 0 up to number 1, where {@code configHash} covers the voters
 * @param sequence   numbers the heartbeats of one life of the sender
 * @param renounced  an epoch in which the sender gives back every vote, until a newer epoch is acknowledged
 * @param connected  whether the sender reaches a majority of voters
 * @param urgent     whether the sender wants the acknowledgement at once, not with the receiver's next heartbeat
 * @param termMax    the highest term that the sender's voter knows on any path; 0 if the sender does not vote
 * @param configHash {@link NodeSettings#configHash}: its upper half must be equal, its lower half should be
 * @param durable    whether the sender, if it votes, keeps its terms on disk
 * @param upVersion  the newest list of live nodes that the sender has from this voter; -1: none is wanted
 */
public record Heartbeat(
        long number,
        long hash,
        long sequence,
        Optional<Epoch> renounced,
        boolean connected,
        boolean urgent,
        long termMax,
        long configHash,
        boolean durable,
        long upVersion)
        implements NodeMessage {
    @Override
    public boolean overtakes() {
        return true;
    }

    @Override
    public boolean isInRange() {
        return Ranges.isNumber(number)
                && Ranges.isNumber(sequence)
                && Ranges.isNumber(termMax)
                && upVersion >= -1
                && upVersion <= NodeMessage.NUMBER_MAX
                && (renounced.isEmpty() || Ranges.isEpoch(renounced.get()));
    }

    @Override
    public void dispatch(Handler handler) {
        handler.on(this);
    }
}
