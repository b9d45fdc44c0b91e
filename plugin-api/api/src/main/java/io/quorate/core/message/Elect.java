package io.quorate.core.message;

import io.quorate.spi.Message;

/**
 * A message of the election algorithm. An election depends on nothing but its electors and their order of rank, so all
 * paths with the same electors share one, and it has no path.
 *
 * @param election digest of the electors in the order of their rank, each in its present life
 * @param birth    which attempt of the sender at this election
 * @param from     the sender's number in the election's membership
 * @param to       the receiver's
 * @param isToWitness whether the receiver takes part as a witness only
 */
public record Elect(long election, long birth, int from, int to, boolean isToWitness, Message message)
        implements NodeMessage {
    @Override
    public boolean isInRange() {
        return Ranges.isNumber(birth) && from >= 0 && to >= 0;
    }

    @Override
    public void dispatch(Handler handler) {
        handler.on(this);
    }
}
