package io.quorate.core.message;

/** A vote in this term, tied to this epoch of the voter's support. */
public record Vote(String path, long number, long term, Epoch epoch) implements NodeMessage {
    @Override
    public Sender sender() {
        return Sender.VOTER;
    }

    @Override
    public boolean isInRange() {
        return Ranges.isNumber(number) && Ranges.isNumber(term) && Ranges.isEpoch(epoch);
    }

    @Override
    public void dispatch(Handler handler) {
        handler.on(this);
    }
}
