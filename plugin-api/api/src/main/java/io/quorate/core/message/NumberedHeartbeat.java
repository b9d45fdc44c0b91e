package io.quorate.core.message;

import io.quorate.core.voters.VoterList;

/**
 * A heartbeat under a number above 1 (docs/reconfiguration.md, R1). Under number 1 the digest of the settings covers the
 * voters, and a plain {@link Heartbeat} says all.
 *
 * @param number the newest configuration that the sender knows
 * @param hash   {@link VoterList#hash} of it
 */
public record NumberedHeartbeat(long number, long hash, Heartbeat heartbeat) implements VotersMessage {
    @Override
    public boolean overtakes() {
        return true;
    }

    @Override
    public boolean isInRange() {
        return Ranges.isNumber(number) && heartbeat.isInRange();
    }

    @Override
    public void dispatch(Handler handler) {
        handler.on(this);
    }
}
