package io.quorate.core.message;

/** A starting node asks whether another life of it is alive. */
public record Inquiry() implements NodeMessage {
    @Override
    public boolean isInRange() {
        return true;
    }

    @Override
    public void dispatch(Handler handler) {
        handler.on(this);
    }
}
