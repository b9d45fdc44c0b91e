package io.quorate.core.message;

import io.quorate.core.voters.Round;
import io.quorate.core.voters.VoterList;

/**
 * Asks a voter to promise: it accepts nothing below this round any more (docs/reconfiguration.md, R4).
 *
 * @param round of the attempt
 * @param base  the configuration that the sender wants to be followed; its voters decide
 */
public record Prepare(Round round, VoterList base) implements NodeMessage {
    @Override
    public Sender sender() {
        return Sender.MEMBER;
    }

    @Override
    public boolean isInRange() {
        return Ranges.isRound(round) && Ranges.isConfig(base);
    }

    @Override
    public void dispatch(Handler handler) {
        handler.on(this);
    }
}
