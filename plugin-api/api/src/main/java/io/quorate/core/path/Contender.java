package io.quorate.core.path;

import io.quorate.core.message.ContenderId;
import io.quorate.core.message.Registration;
import io.quorate.core.settings.LeaseTiming;
import io.quorate.core.step.Context;
import io.quorate.core.step.Timers;
import io.quorate.core.vote.Blockade;
import io.quorate.core.vote.Candidate;
import java.util.Optional;

/** One contender of this node: where it stands in the queue, and its claim or tenure. */
final class Contender {

    /** Back-off after a failed claim: 5 to 20 ms, doubled with each failure in a row. */
    private static final long BACK_OFF_MIN_NANOS = 5_000_000;
    private static final long BACK_OFF_MAX_NANOS = 20_000_000;
    private static final int BACK_OFF_DOUBLINGS_MAX = 6;

    enum Stage {
        /** Its place in the join order is not known yet. */
        JOINING,
        /** It has its place, and leads or would like to. */
        QUEUED,
        /** Its tenure has ended, and the application has not sent it back into the queue yet. */
        OUT
    }

    final String path;
    final long number;
    final String participantId;
    final long weight;
    final Candidate candidate;

    Stage stage = Stage.JOINING;
    long stamp;
    long version;
    /** While {@link Stage#OUT}: it gave its tenure up by itself, and returns to its old place. */
    boolean keepsPlace;

    /** It does not claim before this. */
    long quietUntil;
    boolean isQuiet;
    /** Claims that failed in a row. */
    int failures;
    /** While it claims: a leader has named it as its successor, and freed the votes for it. */
    boolean isNamed;

    /** While it claims. */
    Blockade blockade;
    byte repetitions;
    byte raises;
    Timers.Handle claimTimer;
    /** While it leads: a voter refused its term, so that a higher one is needed to win that voter back. */
    boolean mustRaise;

    Contender(String path, long number, String participantId, long weight, int voters) {
        this.path = path;
        this.number = number;
        this.participantId = participantId;
        this.weight = weight;
        this.candidate = new Candidate(voters);
    }

    /** This contender in the present life of its node. */
    ContenderId id(Context context) {
        return new ContenderId(context.self(), context.incarnation(), number);
    }

    /** Whether the voters are to list it. */
    boolean isRegistered() {
        return stage != Stage.OUT;
    }

    Registration registration(Context context) {
        long token = candidate.isLeading() ? candidate.tenure().orElseThrow().token() : 0;
        return new Registration(id(context), participantId, stamp, weight, token, version);
    }

    void cancelClaimTimer() {
        if (claimTimer != null) {
            claimTimer.cancel();
            claimTimer = null;
        }
    }

    /**
     * Its claim has failed: it keeps quiet for a while, and longer with each failure in a row.
     *
     * @param blocked how long too many votes are another's
     */
    void backOff(Context context, long blocked) {
        int doublings = Math.min(failures++, BACK_OFF_DOUBLINGS_MAX);
        long backOffMax = BACK_OFF_MAX_NANOS << doublings;
        long backOff = context.jitter().between(BACK_OFF_MIN_NANOS << doublings, backOffMax);
        // Of one that was heard of late the votes will not run out. If it claims too, it gives them back much earlier.
        LeaseTiming lease = context.settings().lease();
        boolean isHolderAlive = blocked > lease.support() - lease.suspicion();
        long quiet = isHolderAlive ? Math.min(blocked, backOffMax) + backOff : Math.max(blocked, backOff);
        quietUntil = context.now() + Math.min(quiet, lease.support());
        isQuiet = true;
    }
}
