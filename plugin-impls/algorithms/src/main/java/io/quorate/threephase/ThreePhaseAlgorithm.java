package io.quorate.threephase;

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
 * Three-phase group election, under the name {@code three-phase}. The package {@link io.quorate.threephase} describes
 * it.
 */
public final class ThreePhaseAlgorithm implements ElectionAlgorithm {

    /** For the service loader. */
    public ThreePhaseAlgorithm() {}

    @Override
    public String name() {
        return "three-phase";
    }

    /**
     * {@inheritDoc}
     *
     * <p>{@link Guarantee#ONE_LEADER_IF_FAIL_STOP} also needs that all processes start together, or with the same
     * initial leader, that no message is lost, and that none takes longer than delta. With {@link
     * Options#quorumGuard()} nobody leads unless a majority is alive.
     */
    @Override
    public Set<Guarantee> guarantees(Variant variant) {
        return switch (variant) {
            // A late message or a lost one may block it for ever (line 46); a partition leaves two leaders.
            case FAITHFUL -> Set.of(Guarantee.ONE_LEADER_IF_FAIL_STOP, Guarantee.NEEDS_NO_DETECTOR);
            // A better process that comes back waits for the next election, so the highest need not lead.
            case HARDENED ->
                Set.of(
                        Guarantee.EVENTUAL_AGREEMENT,
                        Guarantee.MONOTONIC_MARKS,
                        Guarantee.SELF_HEALING,
                        Guarantee.ONE_LEADER_IF_FAIL_STOP,
                        Guarantee.NEEDS_NO_DETECTOR);
        };
    }

    @Override
    public Election create(Membership membership, Timing timing, Options options) {
        return ThreePhaseElection.create(Setup.of(membership, timing, options));
    }

    @Override
    public Message readMessage(WireReader in) throws MalformedInputException {
        return ThreePhaseMessage.read(in);
    }

    /**
     * {@inheritDoc}
     *
     * <p>The case of processes that were born before the leader died: they listen for a leader until its first
     * freshness point (6 delta), the judge of their round is the dead leader (4 delta), and the next judge waits for
     * ACKs (4 delta), collects (2 delta) and announces (1 delta). This does not depend on {@code size}. Each further
     * dead judge in a row adds 4 delta.
     */
    @Override
    public long usualFailover(Timing timing, int size) {
        Times times = Times.of(timing, Variant.HARDENED);
        return times.firstFreshness() + times.judgeTimeout() + times.window() + timing.deltas(3);
    }
}
