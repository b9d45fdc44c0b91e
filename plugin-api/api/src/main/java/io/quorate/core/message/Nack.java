package io.quorate.core.message;

/**
 * No vote.
 *
 * @param claimed        the term that was claimed
 * @param term           the voter's term: a claim must be above it
 * @param remainingNanos how long at least the voter's vote for another is alive; 0 if there is none
 */
public record Nack(String path, long number, long claimed, long term, long remainingNanos) implements NodeMessage {
    @Override
    public Sender sender() {
        return Sender.VOTER;
    }

    @Override
    public boolean isInRange() {
        return Ranges.isNumber(number)
                && Ranges.isNumber(claimed)
                && Ranges.isNumber(term)
                && Ranges.isNumber(remainingNanos);
    }

    @Override
    public void dispatch(Handler handler) {
        handler.on(this);
    }
}
