package io.quorate.core.path;

import io.quorate.core.message.ContenderId;
import io.quorate.core.message.ContenderRecord;
import io.quorate.core.path.ContenderState.Claiming;
import io.quorate.core.path.ContenderState.Joining;
import io.quorate.core.path.ContenderState.Leader;
import io.quorate.core.path.ContenderState.Leading;
import io.quorate.core.path.ContenderState.Leaving;
import io.quorate.core.path.ContenderState.Placed;
import io.quorate.core.path.ContenderState.Resting;
import io.quorate.core.step.StepContext;
import io.quorate.core.vote.Candidate;
import io.quorate.engine.Lease;
import io.quorate.engine.LeaseTiming;
import io.quorate.engine.Tenure;
import io.quorate.spi.Check;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One contender of this node: what it does, its place in the queue, and its claim or tenure. */
final class LocalContender {

    // Most contenders share these, because a latch at rest is counted in bytes.
    private static final Joining NEW = new Joining("its application contends");
    private static final Resting LISTED = new Resting("a majority of voters lists it");
    private static final Leading BACKED = new Leading("a majority of voters backs its claim");

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

    private ContenderState state = NEW;
    /** Its place in the join order, 0 while it joins. */
    private long stamp;

    /** Null if no claim has failed since it led last. */
    private @Nullable BackOff backOff;

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
        return state instanceof Claiming;
    }

    /** Whether it has a tenure; it may be leaving. */
    boolean isLeading() {
        return state instanceof Leader;
    }

    /** The claim that is under way. Only while it is claiming. */
    Claiming claim() {
        return (Claiming) state;
    }

    /** How it leaves; null unless it is leaving. */
    @Nullable
    Leaving leaving() {
        return state instanceof Leaving leaving ? leaving : null;
    }

    /**
     * The one place where the state changes. Before and after, state and candidate agree: only a contender that has its
     * place claims or leads, and it does so for the candidate too. Joining again loses the place.
     */
    void become(StepContext context, ContenderState next) {
        boolean isSound = state.mayBecome(next)
                && candidate.isClaiming() == next instanceof Claiming
                && candidate.isLeading() == next instanceof Leader
                && (!(next instanceof Placed) || stamp > 0);
        Check.state(
                isSound,
                "contender %d of %s is %s and cannot become %s: stamp %d, it %s",
                number,
                path,
                state,
                next,
                stamp,
                candidate);
        ContenderState former = state;
        state = next;
        stamp = next instanceof Joining ? 0 : stamp;
        if (former instanceof Claiming ended) {
            ended.end();
        }
        if (next.getClass() != former.getClass()) {
            context.trace().became(path, number, next.getClass(), next.reason());
        }
    }

    /** A majority of voters lists it: it has this place. */
    void onPlace(StepContext context, long place) {
        stamp = place;
        become(context, LISTED);
    }

    void beginClaim(StepContext context, Claiming claim, long term) {
        candidate.claim(term);
        become(context, claim);
    }

    /** Its claim is backed: there is a tenure, and no failure counts any more. */
    Tenure lead(StepContext context, Lease lease) {
        backOff = null;
        Tenure tenure = candidate.lead(path, lease);
        become(context, BACKED);
        return tenure;
    }

    /** Its claim or tenure is over, if it has one. */
    void stop(StepContext context, ContenderState next) {
        candidate.stop();
        become(context, next);
    }

    // ---------------------------------------------------------------- its claims that failed

    void backOff(StepContext context, String failure, long blocked, int claimants) {
        backOff = backOff == null ? new BackOff() : backOff;
        backOff.onFailure(context, failure, blocked, claimants);
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

    /**
     * Counts the claims of one contender that failed in a row. After each the contender keeps quiet, longer each time
     * and at random, so that contenders that claimed at one moment do not do so again.
     */
    static final class BackOff {

        /** After the first failure 5 to 20 ms, doubled with each failure in a row. */
        private static final long MIN_NANOS = 5_000_000;

        private static final long MAX_NANOS = 20_000_000;
        private static final int DOUBLINGS_MAX = 16;
        /** Many contenders share what voters can answer; more than so many wait no longer. */
        private static final int SHARES_MAX = 64;

        private String reason = "";
        private int failures;
        private long failedAt;
        private long quiet;

        /**
         * A claim has failed.
         *
         * @param failure   why
         * @param blocked  how long too many votes are another's, in nanoseconds
         * @param claimants how many nodes may claim the path, this one included
         */
        void onFailure(StepContext context, String failure, long blocked, int claimants) {
            LeaseTiming lease = context.lease();
            // While nobody can lead, all of them together claim about once in a support time. A contender that can lead
            // and has failed less often than the others tries more often.
            long limit = limit(lease, claimants);
            long backOffMax = Math.min(MAX_NANOS << Math.min(failures++, DOUBLINGS_MAX), limit);
            long backOff = context.jitter().between(backOffMax / (MAX_NANOS / MIN_NANOS), backOffMax);
            // The holder was heard recently, so its votes will not expire soon. If it only claims too, it gives them
            // back much earlier.
            boolean isHolderAlive = blocked > lease.support() - lease.suspicion();
            quiet = isHolderAlive ? Math.min(blocked, backOffMax) + backOff : Math.max(blocked, backOff);
            failedAt = context.now();
            reason = failure;
        }

        /** Why the last claim failed. */
        String reason() {
            return reason;
        }

        private static long limit(LeaseTiming lease, int claimants) {
            return lease.support() * Math.min(claimants, SHARES_MAX);
        }

        /**
         * Until when it keeps quiet.
         *
         * @param claimants how many nodes may claim the path now: if others are gone meanwhile, it is sooner
         */
        long quietUntil(LeaseTiming lease, int claimants) {
            return failedAt + Math.min(quiet, limit(lease, claimants));
        }
    }
}
