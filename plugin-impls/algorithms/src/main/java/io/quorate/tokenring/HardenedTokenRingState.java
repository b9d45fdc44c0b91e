package io.quorate.tokenring;

import io.quorate.machine.Patience;
import io.quorate.ring.Attempt;
import io.quorate.ring.RingState;
import io.quorate.spi.Election;
import io.quorate.spi.WireWriter;
import java.util.List;

/** The whole state of {@link HardenedTokenRingElection}, whose fields explain it; {@code ring} are the members. */
record HardenedTokenRingState(
        RingState shared, List<Integer> ring, long term, Victory seen, Attempt attempt, Patience patience)
        implements Election.State {

    HardenedTokenRingState {
        ring = List.copyOf(ring);
    }

    @Override
    public void writeTo(WireWriter out) {
        shared.writeTo(out);
        TokenRingMessage.writeProcesses(out, ring);
        out.writeUnsigned(term);
        seen.writeTo(out);
        attempt.writeTo(out);
        patience.writeTo(out);
    }
}
