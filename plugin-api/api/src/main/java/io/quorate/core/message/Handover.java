package io.quorate.core.message;

/**
 * The sender's tenure has ended; the receiver's contender may claim in its place. A hint, and no proof: without
 * the votes that the voters were asked for, it makes no leader.
 *
 * @param term  the highest term of the tenure
 * @param claim the term in which the voters were asked to vote for the successor, by {@link Release}
 */
public record Handover(String path, long number, long term, long claim) implements NodeMessage {
    @Override
    public boolean isInRange() {
        return Ranges.isNumber(number) && Ranges.isNumber(term) && Ranges.isNumber(claim);
    }

    @Override
    public void dispatch(Handler handler) {
        handler.on(this);
    }
}
