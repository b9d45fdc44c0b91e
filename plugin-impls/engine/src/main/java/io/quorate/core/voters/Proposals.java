package io.quorate.core.voters;

import io.quorate.core.voters.PaxosState.Accepted;
import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** What a proposer may propose: the other half of {@link PaxosState}. */
public final class Proposals {

    private Proposals() {}

    /**
     * The value that has to be proposed again, because it may be decided already: among the values that a majority of
     * promises tells of, the one of the highest round.
     *
     * @return empty if the proposer is free
     */
    public static Optional<Accepted> last(Collection<Accepted> accepted) {
        return accepted.stream().max(Comparator.comparing(Accepted::round));
    }
}
