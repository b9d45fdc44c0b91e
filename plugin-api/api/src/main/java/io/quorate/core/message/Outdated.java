package io.quorate.core.message;

/** The receiver's incarnation is older than a silent rival's: it must use one above this. */
public record Outdated(long incarnation) implements NodeMessage {
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
