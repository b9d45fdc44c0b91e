package io.quorate.core.message;

import io.quorate.core.voters.Round;
import io.quorate.core.voters.VoterList;

/**
 * Asks a voter to accept who votes next (docs/reconfiguration.md, R5).
 *
 * @param round of the attempt
 * @param base  the configuration that is followed; its voters decide
 * @param value the one that follows
 */
public record Accept(Round round, VoterList base, VoterList value) implements NodeMessage {
    @Override
    public Sender sender() {
        return Sender.MEMBER;
    }

    @Override
    public boolean isInRange() {
        return Ranges.isRound(round) && Ranges.isConfig(base) && Ranges.isConfig(value);
    }

    @Override
    public void dispatch(Handler handler) {
        handler.on(this);
    }
}
