package io.quorate.core.message;

/**
 * A change of voters begins, or waits: asks how the receiver stands.
 *
 * @param query comes back in the answer
 */
public record ReadyQuery(long query) implements NodeMessage {
    @Override
    public Sender sender() {
        return Sender.MEMBER;
    }

    @Override
    public boolean isInRange() {
        return Ranges.isNumber(query);
    }

    @Override
    public void dispatch(Handler handler) {
        handler.on(this);
    }
}
