package io.quorate.core.message;

import io.quorate.core.voters.Round;

/**
 * What was asked for is accepted; durable before this leaves.
 *
 * @param slot  the number that is decided
 * @param round of the attempt
 */
public record Acceptance(long slot, Round round) implements NodeMessage {
    @Override
    public Sender sender() {
        return Sender.VOTER;
    }

    @Override
    public boolean isInRange() {
        return Ranges.isNumber(slot) && Ranges.isRound(round);
    }

    @Override
    public void dispatch(Handler handler) {
        handler.on(this);
    }
}
