package io.quorate.core.path;

import io.quorate.core.path.ContenderState.Claiming;
import io.quorate.core.step.StepContext;
import io.quorate.spi.Timing;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * How fast this node claims: as fast as voters answer (ADR-0085). Otherwise, with thousands of paths to claim, the word
 * of the others that they contend too or lead already would come behind all those claims; and repeated claims would
 * keep busy voters busy. Elections use the measured times too.
 *
 * <p>It learns from claims that no leader has arranged and no vote of another was in the way of: other claims are
 * answered sooner or later for other reasons.
 */
final class ClaimPace {

    /** The number of young claims at the beginning, and the least later. Each claim that is answered soon adds one. */
    private static final int YOUNG_MIN = 8;

    private static final int YOUNG_MAX = 4_000;

    private final StepContext context;
    /** The claims that may still be answered in the usual time. */
    private final Set<LocalContender> young = new HashSet<>();
    /** The paths that are claimed when fewer claims are young. */
    private final Set<String> backlog = new LinkedHashSet<>();

    private int youngMax = YOUNG_MIN;
    /** How long the votes of a claim took lately; more, if no claim got any. */
    private long usualAnswerTime;
    /** The least time that the votes of a claim took lately. */
    private long quickest = Long.MAX_VALUE;

    private long begunAt;

    ClaimPace(StepContext context) {
        this.context = context;
    }

    // ---------------------------------------------------------------- one after the other

    /** Whether the next claim has to wait until an earlier one is answered, or not young any more. */
    boolean isFull() {
        return young.size() >= youngMax;
    }

    /** The path is to be evaluated again when there is room for its claim. */
    void defer(String path) {
        backlog.add(path);
    }

    /** Has the next path evaluated if there is room for a claim. If that path is not claimed then, call this again. */
    void admit() {
        Iterator<String> next = backlog.iterator();
        if (!isFull() && next.hasNext()) {
            context.agenda().add(next.next());
            next.remove();
        }
    }

    /** The contender has asked voters for votes that no leader has arranged. */
    void onAsked(LocalContender contender) {
        young.add(contender);
    }

    // ---------------------------------------------------------------- what it learns

    /**
     * A claim begins.
     *
     * @param isOnly whether no other is under way. If the last began a support time ago, the voters have been idle, and
     *               were slow for a reason that is over
     */
    void onBegin(boolean isOnly) {
        if (isOnly && context.now() - begunAt > context.lease().support()) {
            usualAnswerTime = 0;
            quickest = Long.MAX_VALUE;
            youngMax = YOUNG_MIN;
        }
        begunAt = context.now();
    }

    void onBacked(LocalContender contender) {
        Claiming claim = contender.claim();
        long took = context.now() - claim.begunAt;
        if (!claim.isNamed) {
            // A sign of too many claims is the time that voters add, not what a link takes at its best.
            quickest = Math.min(quickest, took);
            youngMax += took - quickest <= quick() && youngMax < YOUNG_MAX ? 1 : 0;
        }
        if (isTelling(claim)) {
            usualAnswerTime = (7 * usualAnswerTime + took) / 8;
        }
        onEnd(contender);
    }

    /** Too few voters have answered in time: votes take longer than this, and how much longer is not known. */
    void onLate(LocalContender contender) {
        Claiming claim = contender.claim();
        if (isTelling(claim)) {
            usualAnswerTime = Math.max(usualAnswerTime, context.now() - claim.begunAt);
            youngMax = young.contains(contender) ? Math.max(YOUNG_MIN, youngMax / 2) : youngMax;
        }
        onEnd(contender);
    }

    void onEnd(LocalContender contender) {
        if (young.remove(contender)) {
            admit();
        }
    }

    private static boolean isTelling(Claiming claim) {
        return !claim.isNamed && !claim.blockade.isAny();
    }

    // ---------------------------------------------------------------- what follows

    /**
     * How long the claim waits for votes: there and back, or twice as long as votes took lately (ADR-0077), and twice
     * as long after each repetition; up to half a support time. With fixed waits, a slow link would leave its paths
     * without a leader for good. The bound is for a network that loses most messages, which looks like a slow one.
     */
    long patience(Claiming claim) {
        long patience = Math.max(quick(), 2 * usualAnswerTime) << claim.repetitions;
        return Math.min(patience, Math.max(quick(), context.lease().support() / 2));
    }

    /**
     * The bound on a delay that elections use: the configured one, or as long as votes took lately, up to a support
     * time. An algorithm whose messages take longer than it waits would begin anew again and again.
     */
    Timing timing() {
        Timing configured = context.timing();
        long lately = Math.min(usualAnswerTime, context.lease().support());
        return lately > configured.delta() ? new Timing(lately) : configured;
    }

    private long quick() {
        return context.timing().deltas(2);
    }
}
