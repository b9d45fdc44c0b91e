package io.quorate.core.message;

/** Somebody else claims: does the receiver's contender still need the vote it holds in this term? */
public record Challenge(String path, ContenderId holder, long term) implements NodeMessage {
    @Override
    public Sender sender() {
        return Sender.VOTER;
    }

    @Override
    public boolean isInRange() {
        return Ranges.isContender(holder) && Ranges.isNumber(term);
    }

    @Override
    public void dispatch(Handler handler) {
        handler.on(this);
    }
}
