package io.quorate.ballot;

import io.quorate.spi.Election;
import io.quorate.spi.ElectionAlgorithm;
import io.quorate.spi.Guarantee;
import io.quorate.spi.MalformedInputException;
import io.quorate.spi.Mark;
import io.quorate.spi.Membership;
import io.quorate.spi.Message;
import io.quorate.spi.Options;
import io.quorate.spi.Timing;
import io.quorate.spi.Variant;
import io.quorate.spi.WireReader;
import java.util.Optional;
import java.util.Set;

/** Gossip ballot leader election, under the name {@code ballot}. The package {@link io.quorate.ballot} describes it. */
public final class BallotAlgorithm implements ElectionAlgorithm {

    /** For the service loader. */
    public BallotAlgorithm() {}

    @Override
    public String name() {
        return "ballot";
    }

    /**
     * {@inheritDoc}
     *
     * <p>{@link Guarantee#EVENTUAL_AGREEMENT} needs a majority of the voters alive and connected. Without one there is
     * no leader.
     */
    @Override
    public Set<Guarantee> guarantees(Variant variant) {
        return switch (variant) {
            // Unequal round lengths can keep F from settling (quirk 8), and an even number of processes splits it (2).
            case FAITHFUL -> Set.of(Guarantee.MONOTONIC_MARKS, Guarantee.NEEDS_NO_DETECTOR);
            case HARDENED ->
                Set.of(
                        Guarantee.EVENTUAL_AGREEMENT,
                        Guarantee.MONOTONIC_MARKS,
                        Guarantee.SELF_HEALING,
                        Guarantee.NEEDS_NO_DETECTOR);
        };
    }

    @Override
    public Election create(Membership membership, Timing timing, Options options) {
        return BallotElection.create(membership, timing, options, BallotRules.DEFAULT);
    }

    @Override
    public Message readMessage(WireReader in) throws MalformedInputException {
        return BallotMessage.read(in);
    }

    /**
     * {@inheritDoc}
     *
     * <p>4 rounds: one in which the loss of the leader shows, one in which the others stop holding it (H7), one that
     * collects the raised ballots, and one because rounds are not aligned. An election that is born when the leader is
     * suspected takes 3: the first timer only sends, the second decides, and starts are not aligned. This does not
     * depend on {@code size}.
     */
    @Override
    public long usualFailover(Timing timing, int size) {
        return 4 * BallotElection.roundDelay(timing);
    }

    @Override
    public boolean countsVoters() {
        return true;
    }

    /** {@inheritDoc} The reply counts for the quorum (H1), is no candidate and holds nobody back (H8: qc is false). */
    @Override
    public Optional<Message> answerAsWitness(int witness, Message request) {
        if (request instanceof BallotMessage.Request ours) {
            Mark ballot = new Mark(0, witness, 0);
            return Optional.of(new BallotMessage.Reply(ours.round(), ballot, ours.incarnation(), Mark.NONE, false));
        }
        return Optional.empty();
    }
}
