package io.quorate.core.path;

import io.quorate.core.message.ContenderId;
import io.quorate.core.message.ContenderRecord;
import io.quorate.core.step.StepContext;
import io.quorate.core.vote.Candidate;
import io.quorate.engine.Lease;
import io.quorate.engine.Tenure;
import io.quorate.spi.Check;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One contender of this node: what it does, its place in the queue, and its claim or tenure. */
final class LocalContender {

    final String path;
    final long number;
    final String participantId;
    final Candidate candidate;
    long weight;
    long version;
    /** Whether it ranks behind all others, with any weight. */
    boolean ranksLast;
    /** Whether the application finishes its work before a tenure ends on purpose. */
    boolean drains;

    private ContenderState state = ContenderState.JOINING;
    /** Its place in the join order, 0 while it joins. */
    private long stamp;

    /** Not null while it claims, and only then. */
    private @Nullable ClaimAttempt claim;
    /** Null if no claim has failed since it led last. */
    private @Nullable BackOff backOff;
    /** Not null while it is leaving, and only then. */
    private @Nullable Departure departure;

    LocalContender(String path, long number, String participantId, long weight, int voters) {
        this.path = path;
        this.number = number;
        this.participantId = participantId;
        this.weight = weight;
        this.candidate = new Candidate(voters);
    }

    // ---------------------------------------------------------------- what it does

    ContenderState state() {
        return state;
    }

    boolean isClaiming() {
        return state == ContenderState.CLAIMING;
    }

    /** Whether it has a tenure; it may be leaving. */
    boolean isLeading() {
        return state.leads();
    }

    /**
     * The one place where the state changes. Before and after, state and candidate agree: no claim without an attempt,
     * no tenure of a contender that has no place.
     *
     * @param reason why, in a few words: for the trace, and for the check that fails
     */
    void become(StepContext context, ContenderState next, String reason) {
        boolean isSound = state.mayBecome(next)
                && candidate.isClaiming() == (next == ContenderState.CLAIMING)
                && candidate.isLeading() == next.leads()
                && (departure != null) == (next == ContenderState.LEAVING)
                && (claim != null) == (next == ContenderState.CLAIMING)
                && (!next.hasPlace() || stamp > 0);
        Check.state(
                isSound,
                "contender %d of %s is %s and cannot become %s (%s): stamp %d, it %s",
                number,
                path,
                state,
                next,
                reason,
                stamp,
                candidate);
        if (next != state) {
            state = next;
            context.trace().became(path, number, next, reason);
        }
    }

    /** A majority of voters lists it: it has this place. */
    void onPlace(StepContext context, long place) {
        stamp = place;
        become(context, ContenderState.RESTING, "a majority of voters lists it");
    }

    /** It loses its place, and asks for one at the tail. */
    void joinAtTail(StepContext context, String reason) {
        stamp = 0;
        become(context, ContenderState.JOINING, reason);
    }

    // ---------------------------------------------------------------- its claims

    /** The claim that is under way; there is none unless it is claiming. */
    ClaimAttempt claim() {
        return Objects.requireNonNull(claim, "claim");
    }

    void beginClaim(StepContext context, ClaimAttempt attempt, long term, String reason) {
        candidate.claim(term);
        claim = attempt;
        become(context, ContenderState.CLAIMING, reason);
    }

    /** Its claim is backed: there is a tenure, and no failure counts any more. */
    Tenure lead(StepContext context, Lease lease) {
        endClaim();
        backOff = null;
        Tenure tenure = candidate.lead(path, lease);
        become(context, ContenderState.LEADING, "a majority of voters backs its claim");
        return tenure;
    }

    void leave(StepContext context, Departure begun) {
        departure = begun;
        become(context, ContenderState.LEAVING, begun.reason());
    }

    void stay(StepContext context, String reason) {
        departure = null;
        become(context, ContenderState.LEADING, reason);
    }

    /** How it leaves; null unless it is leaving. */
    @Nullable
    Departure departure() {
        return departure;
    }

    void stop(StepContext context, ContenderState next, String reason) {
        endClaim();
        departure = null;
        candidate.stop();
        become(context, next, reason);
    }

    private void endClaim() {
        if (claim != null) {
            claim.end();
            claim = null;
        }
    }

    void backOff(StepContext context, long blocked, int claimants) {
        backOff = backOff == null ? new BackOff() : backOff;
        backOff.onFailure(context, blocked, claimants);
    }

    /** A leader is known, or has named this contender: what failed before counts no more. */
    void forgive() {
        backOff = null;
    }

    Optional<BackOff> backOff() {
        return Optional.ofNullable(backOff);
    }

    // ---------------------------------------------------------------- what is registered of it

    /** This contender in the present life of its node. */
    ContenderId id(StepContext context) {
        return new ContenderId(context.self(), context.incarnation(), number);
    }

    ContenderRecord registration(StepContext context) {
        long token = candidate.isLeading() ? candidate.tenure().orElseThrow().token() : 0;
        return new ContenderRecord(
                id(context), participantId, stamp, ranksLast ? ContenderRecord.LAST : weight, token, version);
    }
}
