package io.quorate.core.path;

import io.quorate.core.step.StepContext;
import io.quorate.engine.LeaseTiming;

/**
 * Counts the claims of one contender that failed in a row. After each the contender keeps quiet, longer each time and
 * at random, so that contenders that claimed at one moment do not do so again.
 */
final class BackOff {

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
        LeaseTiming lease = context.settings().lease();
        // While nobody can lead, all of them together claim about once in a support time. One that can lead and has
        // failed less often than the others tries more often.
        long limit = limit(lease, claimants);
        long backOffMax = Math.min(MAX_NANOS << Math.min(failures++, DOUBLINGS_MAX), limit);
        long backOff = context.jitter().between(backOffMax / (MAX_NANOS / MIN_NANOS), backOffMax);
        // The holder was heard recently, so its votes will not expire soon. If it only claims too, it gives them back
        // much earlier.
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
