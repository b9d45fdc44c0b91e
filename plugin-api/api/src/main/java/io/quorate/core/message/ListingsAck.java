package io.quorate.core.message;

/** The sender has the batch of this number of what the receiver, a voter, lists. */
public record ListingsAck(long batch) implements NodeMessage {
    @Override
    public boolean isInRange() {
        return Ranges.isNumber(batch);
    }

    @Override
    public void dispatch(Handler handler) {
        handler.on(this);
    }
}
