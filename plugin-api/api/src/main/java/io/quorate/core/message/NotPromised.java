package io.quorate.core.message;

import io.quorate.core.voters.Round;
import java.util.Optional;

/**
 * No promise, or no acceptance.
 *
 * @param slot      the number that is decided
 * @param round     of the attempt
 * @param promised  the higher round that was promised to another; empty if that is not the reason
 * @param waitNanos after so long the voter may promise: support that it gave under an older number lives until then
 *                  (R4); 0 if that is not the reason
 * @param failure   why the voter cannot store it, for people; empty if that is not the reason
 */
public record NotPromised(long slot, Round round, Optional<Round> promised, long waitNanos, String failure)
        implements NodeMessage {
    @Override
    public Sender sender() {
        return Sender.VOTER;
    }

    @Override
    public boolean isInRange() {
        return Ranges.isNumber(slot)
                && Ranges.isRound(round)
                && promised.stream().allMatch(Ranges::isRound)
                && Ranges.isNumber(waitNanos);
    }

    @Override
    public void dispatch(Handler handler) {
        handler.on(this);
    }
}
