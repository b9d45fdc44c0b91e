package io.quorate.core.message;

/** Asks for a vote. Nobody but its holder frees a vote, so a claim says nothing of the tenure before it. */
public record Claim(String path, long number, long term) implements NodeMessage {
    @Override
    public boolean isInRange() {
        return Ranges.isNumber(number) && Ranges.isNumber(term);
    }

    @Override
    public void dispatch(Handler handler) {
        handler.on(this);
    }
}
