package io.quorate.tokenring;

import io.quorate.spi.Election;
import io.quorate.spi.ElectionAlgorithm;
import io.quorate.spi.Guarantee;
import io.quorate.spi.MalformedInputException;
import io.quorate.spi.Membership;
import io.quorate.spi.Message;
import io.quorate.spi.Options;
import io.quorate.spi.Timing;
import io.quorate.spi.Variant;
import io.quorate.spi.WireReader;
import java.util.Set;

/**
 * The token ring with the list of members, under the name {@code token-ring}. The package {@link io.quorate.tokenring}
 * describes it.
 */
public final class TokenRingAlgorithm implements ElectionAlgorithm {

    /** For the service loader. */
    public TokenRingAlgorithm() {}

    @Override
    public String name() {
        return "token-ring";
    }

    /**
     * {@inheritDoc}
     *
     * <p>{@link Guarantee#ONE_LEADER_IF_FAIL_STOP} also needs that all processes start together, or with the same
     * initial leader. Then every list passes all live processes, so none lacks the highest of them. The faithful
     * variant may have no leader or a dead one. In the hardened variant, in spite of {@link Guarantee#HIGHEST_LEADS},
     * an initial leader that is not the highest leads until a process starts an election. With {@link
     * Options#quorumGuard()} nobody leads unless a majority is alive.
     */
    @Override
    public Set<Guarantee> guarantees(Variant variant) {
        return switch (variant) {
            // A crash during an election may lose the list, or elect the dead (D3).
            case FAITHFUL -> Set.of(Guarantee.ONE_LEADER_IF_FAIL_STOP);
            case HARDENED ->
                Set.of(
                        Guarantee.EVENTUAL_AGREEMENT,
                        Guarantee.HIGHEST_LEADS,
                        Guarantee.MONOTONIC_MARKS,
                        Guarantee.SELF_HEALING,
                        Guarantee.ONE_LEADER_IF_FAIL_STOP);
        };
    }

    @Override
    public Election create(Membership membership, Timing timing, Options options) {
        return options.variant() == Variant.FAITHFUL
                ? new FaithfulTokenRingElection(membership, options)
                : new HardenedTokenRingElection(membership, timing, options);
    }

    @Override
    public Message readMessage(WireReader in) throws MalformedInputException {
        return TokenRingMessage.read(in);
    }

    /**
     * {@inheritDoc}
     *
     * <p>One delta per link: {@code size} links for the list and {@code size} for the COORDINATOR. A list that dies
     * with a process is sent again when that process is suspected, or after as much time again at the latest.
     */
    @Override
    public long usualFailover(Timing timing, int size) {
        return timing.deltas(2 * size);
    }
}
