package io.quorate.tokenring;

import io.quorate.ring.RingState;
import io.quorate.spi.Election;
import io.quorate.spi.WireWriter;
import java.util.List;

/** The whole state of {@link FaithfulTokenRingElection}; {@code ring} are the members. */
record FaithfulTokenRingState(RingState shared, List<Integer> ring) implements Election.State {

    FaithfulTokenRingState {
        ring = List.copyOf(ring);
    }

    @Override
    public void writeTo(WireWriter out) {
        shared.writeTo(out);
        TokenRingMessage.writeProcesses(out, ring);
    }
}
