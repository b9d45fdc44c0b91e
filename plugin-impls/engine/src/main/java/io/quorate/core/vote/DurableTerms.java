package io.quorate.core.vote;

import io.quorate.core.message.NodeMessage;
import io.quorate.core.step.NodeEffect;
import io.quorate.core.step.StepContext;
import io.quorate.engine.LeaseTiming;
import java.util.Optional;

/**
 * The ceiling of a voter's terms. Terms are made durable in blocks, ahead of need, so that a restarted voter votes in
 * no term that a former life may have voted in (ADR-0007). A voter without a disk has no such limit.
 */
public final class DurableTerms {

    /**
     * Terms are made durable in blocks of this many, so that a vote hardly ever waits for the disk. The voter does
     * not answer a claim above the ceiling, and the claimer repeats it.
     */
    public static final long BLOCK = 1L << 16;

    /** A voter's word on terms may be this far above every term that is known here; a term beyond is nonsense. */
    private static final long LEAP_MAX = 1L << 40;

    /** No voter's word is followed beyond this term: the terms above it are never used up. */
    static final long LAST = NodeMessage.NUMBER_MAX / 2;

    /** The highest term that a voter without a disk begins with, under any wall clock. */
    public static final long CLOCK_MAX = LAST / 2;

    private final StepContext context;
    private final boolean isDurable;

    private long highest;
    private long ceiling;
    /** The term up to which terms are to be durable; and the one that the write under way makes durable, 0 for none. */
    private long wanted;

    private long reserving;
    /** For how many heartbeats the write has been under way. */
    private int periods;
    /** When the last one was counted: claims hurry heartbeats. */
    private long countedAt;

    private Optional<String> failure = Optional.empty();

    /**
     * @param isDurable whether this voter has a disk
     * @param stored    up to which term its former lives may have voted
     */
    public DurableTerms(StepContext context, boolean isDurable, long stored) {
        this.context = context;
        this.isDurable = isDurable;
        this.highest = stored;
        this.ceiling = isDurable ? stored : NodeMessage.NUMBER_MAX;
    }

    /** The highest term that this voter knows on any path. */
    public long highest() {
        return highest;
    }

    /** The highest term in which this voter may vote. */
    public long ceiling() {
        return ceiling;
    }

    /** Up to which term a release may close a ballot: what is durable, and not far above what is in use. */
    public long closable() {
        return Math.min(ceiling, highest + BLOCK);
    }

    /** Whether a claim of this term is too far above what is in use to be one. */
    public boolean isFarAhead(long term) {
        // All terms begin above the floor, which may be far above the terms that a new voter knows. Without a disk,
        // terms begin where wall clocks are. So a voter that was restarted, and that only the claimer hears, may be any
        // distance ahead, and its vote may be needed.
        long known = Math.max(highest, context.voters().floor());
        return term - Math.max(known, isDurable ? ceiling : CLOCK_MAX) > StepContext.CLAIM_LEAP_MAX;
    }

    /** Why the last write failed, or that it has no end; empty if it did not, and while it may be under way. */
    public Optional<String> failure() {
        return failure;
    }

    /** The first block is asked for when the voter begins. */
    public void start() {
        if (isDurable) {
            reserve(ceiling + BLOCK);
        }
    }

    /** Once per heartbeat: the disk may have room again, or does not answer. */
    public void retry() {
        if (isDurable && failure.isPresent() && reserving == 0) {
            reserve(Math.max(ceiling, highest) + BLOCK);
        }
        // Heartbeats are counted, not time: while the process stands still, the disk cannot be heard.
        LeaseTiming lease = context.lease();
        if (reserving == 0 || context.now() - countedAt < lease.heartbeat()) {
            return;
        }
        countedAt = context.now();
        if (++periods > StepContext.SUPPORTS_KEPT * lease.support() / lease.heartbeat()) {
            fail("the disk has not answered for some support times");
        }
    }

    /** A term is in use on some path, as another voter says. */
    public void onHeard(long term) {
        // Without a disk, terms come from wall clocks, which may differ by any amount.
        boolean isAbsurd = isDurable && term - Math.max(ceiling, highest) > LEAP_MAX || term > LAST;
        if (term > highest && !isAbsurd) {
            raise(term);
        }
    }

    /** This voter has voted in the term. */
    public void onVoted(long term) {
        raise(term);
    }

    private void raise(long term) {
        highest = Math.max(highest, term);
        if (isDurable && highest > ceiling - BLOCK / 2) {
            reserve(highest + BLOCK);
        }
    }

    /** A claim is not answered, because its term is above the ceiling: it will be repeated. */
    public void onNeeded(long term) {
        if (term > reserving) {
            reserve(term + BLOCK);
        }
    }

    /** One write is under way at a time. Requests that come meanwhile become one more write after it. */
    private void reserve(long upTo) {
        wanted = Math.max(wanted, upTo);
        if (reserving == 0 && wanted > ceiling) {
            reserving = wanted;
            periods = 0;
            countedAt = context.now();
            context.emit(new NodeEffect.ReserveTerms(wanted));
        }
    }

    /** The write has succeeded. */
    public void onReserved(long upTo) {
        reserving = 0;
        ceiling = Math.max(ceiling, upTo);
        reserve(wanted);
        if (failure.isPresent()) {
            failure = Optional.empty();
            context.note(false, "terms can be stored again: this voter votes in terms up to %d", ceiling);
        }
    }

    /** The write has failed. */
    public void onFailed(String reason) {
        reserving = 0;
        wanted = ceiling;
        fail(reason);
    }

    /** Forgets the failure, which concerns a voter. If this node votes again, {@link #start} asks the disk again. */
    public void onVotesNoMore() {
        failure = Optional.empty();
    }

    private void fail(String reason) {
        if (!context.isVoter()) {
            return;
        }
        if (failure.isEmpty()) {
            context.note(
                    true,
                    "terms cannot be stored: this voter keeps its votes and gives none above term %d: %s",
                    ceiling,
                    reason);
        }
        failure = Optional.of(reason);
    }
}
