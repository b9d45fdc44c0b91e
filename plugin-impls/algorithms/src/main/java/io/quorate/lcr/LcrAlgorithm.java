package io.quorate.lcr;

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
 * The ring election of Le Lann, Chang and Roberts, under the name {@code lcr}. The package {@link io.quorate.lcr}
 * describes it.
 */
public final class LcrAlgorithm implements ElectionAlgorithm {

    /** For the service loader. */
    public LcrAlgorithm() {}

    @Override
    public String name() {
        return "lcr";
    }

    /**
     * {@inheritDoc}
     *
     * <p>{@link Guarantee#ONE_LEADER_IF_FAIL_STOP} also needs that all processes start together, or with the same
     * initial leader. Then no process wins past a live higher one, because its PROBE must go through that one. The
     * faithful variant may have no leader or a dead one. In the hardened variant, in spite of {@link
     * Guarantee#HIGHEST_LEADS}, an initial leader that is not the highest leads until it is suspected. With {@link
     * Options#quorumGuard()} nobody leads unless a majority is alive.
     */
    @Override
    public Set<Guarantee> guarantees(Variant variant) {
        return switch (variant) {
            // A crash during an election may lose the only PROBE (C3) or leave a dead leader for ever (C4).
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
        return create(membership, timing, options, LcrRules.DEFAULT);
    }

    static Election create(Membership membership, Timing timing, Options options, LcrRules rules) {
        return options.variant() == Variant.FAITHFUL
                ? new FaithfulLcrElection(membership, options, rules)
                : new HardenedLcrElection(membership, timing, options);
    }

    @Override
    public Message readMessage(WireReader in) throws MalformedInputException {
        return LcrMessage.read(in);
    }

    /**
     * {@inheritDoc}
     *
     * <p>One delta per link: at most {@code size} links until the highest has joined, {@code size} for its PROBE and
     * {@code size} for its SELECTED. A PROBE that dies with a process is repeated when that process is suspected, or
     * after as much time again at the latest.
     */
    @Override
    public long usualFailover(Timing timing, int size) {
        return timing.deltas(3 * size);
    }
}
