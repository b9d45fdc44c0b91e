package io.quorate.core.vote;

import io.quorate.core.message.ContenderId;
import io.quorate.core.support.Supporters;
import io.quorate.engine.Epoch;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A voter's ballot for one path, the voter's half of layer 2 (docs/protocol.md#votes): one vote at a time, tied to the
 * epoch of support in which it was given, and a term that only rises. No clock appears here; time enters through
 * {@link Supporters}.
 */
public final class Ballot {

    /** The result of a claim. */
    public sealed interface Verdict {}

    /** A vote for the claimer, in the term of its claim. */
    public record Voted(Epoch epoch) implements Verdict {}

    /**
     * A refusal: the term is not above the voter's, or the vote is another's and alive; {@code holder} is challenged
     * then.
     */
    public record NotVoted(long term, Optional<ContenderId> holder, long remaining) implements Verdict {}

    /** The claimer has no support. It gets no answer, because it claims again without one. */
    record NotHeard() implements Verdict {}

    /** The term must be made durable before a vote in it may leave. */
    public record NotReserved() implements Verdict {}

    private long term;
    private @Nullable ContenderId holder;
    private @Nullable Epoch epoch;

    /** A ballot of a path that was never seen, or was forgotten: no lower term may be voted in. */
    public Ballot(long floor) {
        term = floor;
    }

    /** A ballot in the same state, for a checker that branches here. */
    Ballot copy() {
        Ballot copy = new Ballot(term);
        copy.holder = holder;
        copy.epoch = epoch;
        return copy;
    }

    /** The highest term that was voted in or closed. */
    public long term() {
        return term;
    }

    /** The holder of the vote, which counts while {@link #isLive}. */
    public Optional<ContenderId> holder() {
        return Optional.ofNullable(holder);
    }

    /** The epoch of support in which the vote was given. */
    Optional<Epoch> epoch() {
        return Optional.ofNullable(epoch);
    }

    /** Whether there is a vote whose epoch of support has not ended. */
    public boolean isLive(Supporters supporters) {
        return holder != null
                && Objects.requireNonNull(epoch, "epoch of a vote")
                        .equals(supporters.epochOf(holder.node(), holder.incarnation()));
    }

    /** Whether the vote is another's and alive, so that this contender cannot have it. */
    public boolean isLiveForAnother(ContenderId contender, Supporters supporters) {
        return isLive(supporters) && !contender.equals(holder);
    }

    /**
     * A claim.
     *
     * @param claimer the contender, in the life that sent the claim
     * @param claimed its term
     * @param ceiling the highest term that a restart cannot forget
     */
    public Verdict onClaim(ContenderId claimer, long claimed, Supporters supporters, long ceiling) {
        Epoch supported = supporters.epochOf(claimer.node(), claimer.incarnation());
        if (supported == null) {
            return new NotHeard();
        }
        if (holder != null && isLiveForAnother(claimer, supporters)) {
            return new NotVoted(term, holder(), supporters.remaining(holder.node()));
        }
        boolean isNewTerm = claimed > term;
        boolean isRepeated = claimed == term && claimer.equals(holder);
        if (!isNewTerm && !isRepeated) {
            return new NotVoted(term, Optional.empty(), 0);
        }
        if (claimed > ceiling) {
            return new NotReserved();
        }
        term = claimed;
        holder = claimer;
        epoch = supported;
        return new Voted(supported);
    }

    /** The contender gives its vote back, with everything up to this term. Answers whether it held the vote. */
    public boolean onRelease(ContenderId contender, long released, long ceiling) {
        if (!contender.equals(holder) || term > released) {
            return false;
        }
        holder = null;
        epoch = null;
        // The term is closed against late copies of its claim. Above the ceiling no vote was given, and a restart would
        // forget a term closed there.
        term = Math.max(term, Math.min(released, ceiling));
        return true;
    }
}
