package io.quorate.core.message;

import io.quorate.core.voters.VoterList;

/**
 * Who votes: a configuration that is decided.
 *
 * @param config the newest that the sender knows
 */
public record DecidedVoters(VoterList config) implements NodeMessage {
    @Override
    public Sender sender() {
        return Sender.MEMBER;
    }

    @Override
    public boolean isInRange() {
        return Ranges.isConfig(config);
    }

    @Override
    public void dispatch(Handler handler) {
        handler.on(this);
    }
}
