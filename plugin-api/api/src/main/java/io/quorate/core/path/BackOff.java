package io.quorate.core.path;

import io.quorate.core.settings.LeaseTiming;
import io.quorate.core.step.StepContext;

/**
 * Counts the claims of one contender that failed in a row. After each the contender keeps quiet, longer each time and
 * at random, so that contenders that claimed at one moment do not do so again.
 */
final class BackOff {

    /** After the first failure 5 to 20 ms, doubled with each failure in a row. */
    private static final long MIN_NANOS = 5_000_000;

    private static final long MAX_NANOS = 20_000_000;
    private static final int DOUBLINGS_MAX = 6;

    private int failures;
    private long quietUntil;

    /**
     * A claim has failed.
     *
     * @param blocked how long too many votes are another's, in nanoseconds
     */
    void onFailure(StepContext context, long blocked) {
        int doublings = Math.min(failures++, DOUBLINGS_MAX);
        long backOffMax = MAX_NANOS << doublings;
        long backOff = context.jitter().between(MIN_NANOS << doublings, backOffMax);
        // The holder was heard recently, so its votes will not expire soon. If it only claims too, it gives them back
        // much earlier.
        LeaseTiming lease = context.settings().lease();
        boolean isHolderAlive = blocked > lease.support() - lease.suspicion();
        long quiet = isHolderAlive ? Math.min(blocked, backOffMax) + backOff : Math.max(blocked, backOff);
        quietUntil = context.now() + Math.min(quiet, lease.support());
    }

    /** A leader is known: the next failure counts as the first one. */
    void forgive() {
        failures = 0;
    }

    void endQuiet(long now) {
        quietUntil = now;
    }

    long quietUntil() {
        return quietUntil;
    }
}
