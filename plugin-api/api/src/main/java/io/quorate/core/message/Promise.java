package io.quorate.core.message;

import io.quorate.core.voters.Round;
import io.quorate.core.voters.Seat.Accepted;
import java.util.Optional;

/**
 * The promise that was asked for; durable before it leaves.
 *
 * @param slot     the number that is decided
 * @param round    of the attempt
 * @param termMax  the highest term that the voter knows on any path (R6)
 * @param accepted what the voter has accepted for this number before
 */
public record Promise(long slot, Round round, long termMax, Optional<Accepted> accepted) implements NodeMessage {
    @Override
    public Sender sender() {
        return Sender.VOTER;
    }

    @Override
    public boolean isInRange() {
        return Ranges.isNumber(slot)
                && Ranges.isRound(round)
                && Ranges.isFloor(termMax)
                && accepted.stream().allMatch(last -> Ranges.isRound(last.round()) && Ranges.isConfig(last.value()));
    }

    @Override
    public void dispatch(Handler handler) {
        handler.on(this);
    }
}
