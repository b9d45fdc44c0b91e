package io.quorate.lcr;

import io.quorate.machine.Patience;
import io.quorate.machine.Terms;
import io.quorate.ring.Attempt;
import io.quorate.ring.RingState;
import io.quorate.spi.Election;
import io.quorate.spi.WireWriter;

/** The whole state of {@link HardenedLcrElection}; that of the faithful machine is a {@link RingState}. */
record HardenedLcrState(RingState shared, Terms terms, Attempt attempt, Patience patience) implements Election.State {

    @Override
    public void writeTo(WireWriter out) {
        shared.writeTo(out);
        terms.writeTo(out);
        attempt.writeTo(out);
        patience.writeTo(out);
    }
}
