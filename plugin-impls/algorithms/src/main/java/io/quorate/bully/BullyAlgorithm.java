package io.quorate.bully;

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

/** The bully algorithm, under the name {@code bully}. The package {@link io.quorate.bully} describes it. */
public final class BullyAlgorithm implements ElectionAlgorithm {

    /** For the service loader. */
    public BullyAlgorithm() {}

    @Override
    public String name() {
        return "bully";
    }

    /**
     * {@inheritDoc}
     *
     * <p>{@link Guarantee#ONE_LEADER_IF_FAIL_STOP} also needs that all processes start together, or with the same
     * initial leader, and that no message takes longer than delta. In spite of {@link Guarantee#HIGHEST_LEADS}, an
     * initial leader that is not the highest leads until it is suspected. With {@link Options#quorumGuard()} nobody
     * leads unless a majority is alive.
     */
    @Override
    public Set<Guarantee> guarantees(Variant variant) {
        return switch (variant) {
            // A restart may swap two leaders for good (B3); a lost VICTORY or a partition leaves two or none.
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
        return BullyElection.create(membership, timing, options);
    }

    @Override
    public Message readMessage(WireReader in) throws MalformedInputException {
        return BullyMessage.read(in);
    }

    /**
     * {@inheritDoc}
     *
     * <p>The case in which the candidate that answered us dies: T2 (5 delta) until we try again, T (2.5 delta) until it
     * is clear that nobody answers, one delta for our ELECTION and one for the VICTORY. This does not depend on {@code
     * size}.
     */
    @Override
    public long usualFailover(Timing timing, int size) {
        return BullyElection.victoryTimeout(timing) + BullyElection.aliveTimeout(timing) + timing.deltas(2);
    }
}
