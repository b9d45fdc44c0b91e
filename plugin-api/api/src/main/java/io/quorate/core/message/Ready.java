package io.quorate.core.message;

/**
 * How a node stands that votes, or is to.
 *
 * @param query       of the question
 * @param store       the identity of its data directory; 0 if it has none, and so cannot vote under a number above 1
 * @param number      the newest configuration that it knows
 * @param clusterHash of cluster id, support time and drift, which must be equal on all voters
 * @param failure     why it cannot take part, for people: with no store, why it cannot store the identity of its data
 *                    directory; empty if it can
 */
public record Ready(long query, long store, long number, long clusterHash, String failure) implements NodeMessage {
    @Override
    public boolean isInRange() {
        return Ranges.isNumber(query) && Ranges.isNumber(store) && Ranges.isNumber(number);
    }

    @Override
    public void dispatch(Handler handler) {
        handler.on(this);
    }
}
