package io.quorate.core.message;

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
