package io.quorate.core;

import io.quorate.core.message.NodeMessage;
import io.quorate.core.voters.PaxosState;
import io.quorate.spi.Check;
import java.util.Optional;

/**
 * A node begins a life with this knowledge of its former ones.
 *
 * @param incarnation  the name of this life, which no other life of the node ever has
 * @param termCeiling  the highest term that was made durable; 0 at the first start
 * @param isDurable    whether terms are kept on disk. If not, {@code termCeiling} is a guess from the wall clock
 *                     that is above every term in use
 * @param store        the identity of the data directory; 0 if there is none
 * @param paxos        what was stored of the voters; empty if nothing was
 */
public record Birth(long incarnation, long termCeiling, boolean isDurable, long store, Optional<PaxosState> paxos) {

    /** A node that has stored no voter list. */
    public Birth(long incarnation, long termCeiling, boolean isDurable) {
        this(incarnation, termCeiling, isDurable, 0, Optional.empty());
    }

    public Birth {
        Check.argument(
                incarnation > 0 && incarnation <= NodeMessage.NUMBER_MAX,
                "incarnation %d: must be from 1 to 2^62",
                incarnation);
        Check.argument(
                termCeiling >= 0 && termCeiling <= NodeMessage.NUMBER_MAX,
                "term ceiling %d: must be from 0 to 2^62",
                termCeiling);
    }
}
