package io.quorate.core.message;

/** Since the receiver's inquiry, another life of it has proved to be alive. */
public record Heard(long incarnation) implements NodeMessage {
    @Override
    public Sender sender() {
        return Sender.VOTER;
    }

    @Override
    public boolean isInRange() {
        return Ranges.isNumber(incarnation);
    }

    @Override
    public void dispatch(Handler handler) {
        handler.on(this);
    }
}
