package io.quorate.core.message;

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
