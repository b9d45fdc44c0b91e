package io.quorate.core.message;

/** The sender, a voter, has the batch of this number of what the receiver registers. */
public record RegistrationsAck(long batch) implements NodeMessage {
    @Override
    public Sender sender() {
        return Sender.VOTER;
    }

    @Override
    public boolean isInRange() {
        return Ranges.isNumber(batch);
    }

    @Override
    public void dispatch(Handler handler) {
        handler.on(this);
    }
}
