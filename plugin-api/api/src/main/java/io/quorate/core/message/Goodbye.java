package io.quorate.core.message;

/** The sender has ended its tenures and stops. */
public record Goodbye() implements NodeMessage {
    @Override
    public boolean isInRange() {
        return true;
    }

    @Override
    public void dispatch(Handler handler) {
        handler.on(this);
    }
}
