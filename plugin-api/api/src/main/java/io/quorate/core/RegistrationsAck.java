package io.quorate.core;

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
