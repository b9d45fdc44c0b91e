package io.quorate.core.message;

/**
 * Asks who votes.
 *
 * @param number the newest configuration that the sender knows: whoever knows a newer one tells it
 */
public record VotersWanted(long number) implements NodeMessage {
    @Override
    public boolean isInRange() {
        return Ranges.isNumber(number);
    }

    @Override
    public void dispatch(Handler handler) {
        handler.on(this);
    }
}
