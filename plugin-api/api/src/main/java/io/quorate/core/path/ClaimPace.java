package io.quorate.core.path;

import io.quorate.core.step.StepContext;
import io.quorate.spi.Timing;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * How fast this node claims: as fast as voters answer (ADR-0085). With thousands of paths to claim, what the others have
 * to say about them, that they contend too or lead already, would else come behind all those claims; and claims that are
 * repeated while voters are busy would keep them busy. Elections go by what it has learned, too.
 *
 * <p>It learns from claims that no leader has arranged and nobody's vote was in the way of: the others are answered
 * sooner or later for other reasons.
 */
final class ClaimPace {

    /** So many claims are young at a time, at the beginning and at least. Each that is answered soon makes it one more. */
    private static final int YOUNG_MIN = 8;

    private static final int YOUNG_MAX = 4_000;

    private final StepContext context;
    /** Claims that may still be answered in the usual time. */
    private final Set<LocalContender> young = new HashSet<>();
    /** The paths that are to be claimed when fewer claims are young. */
    private final Set<String> backlog = new LinkedHashSet<>();

    private int youngMax = YOUNG_MIN;
    /** How long the votes of a claim took lately; more, if no claim got any. */
    private long usualAnswerTime;
    /** The least time that the votes of a claim took lately. */
    private long quickest = Long.MAX_VALUE;
    /** When a claim of this node began last. */
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

    /** If there is room for a claim, the next path is evaluated. If it is not claimed then, this is to be called again. */
    void admit() {
        Iterator<String> next = backlog.iterator();
        if (!isFull() && next.hasNext()) {
            context.agenda().add(next.next());
            next.remove();
        }
    }

    /** The contender asks voters, and nobody has told them to expect that. */
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
        if (isOnly && context.now() - begunAt > context.settings().lease().support()) {
            usualAnswerTime = 0;
            quickest = Long.MAX_VALUE;
            youngMax = YOUNG_MIN;
        }
        begunAt = context.now();
    }

    /** A majority has voted for the contender. */
    void onBacked(LocalContender contender) {
        ClaimAttempt claim = contender.claim();
        long took = context.now() - claim.begunAt();
        if (!claim.isNamed()) {
            // Not what a link takes at its best, but what voters add to that, is a sign of too many claims.
            quickest = Math.min(quickest, took);
            youngMax += took - quickest <= quick() && youngMax < YOUNG_MAX ? 1 : 0;
        }
        if (isTelling(claim)) {
            usualAnswerTime = (7 * usualAnswerTime + took) / 8;
        }
        onEnd(contender);
    }

    /** Too few voters have answered in time: they take longer than this, and more is not known. */
    void onLate(LocalContender contender) {
        ClaimAttempt claim = contender.claim();
        if (isTelling(claim)) {
            usualAnswerTime = Math.max(usualAnswerTime, context.now() - claim.begunAt());
            youngMax = young.contains(contender) ? Math.max(YOUNG_MIN, youngMax / 2) : youngMax;
        }
        onEnd(contender);
    }

    /** The contender does not claim any more. */
    void onEnd(LocalContender contender) {
        if (young.remove(contender)) {
            admit();
        }
    }

    private static boolean isTelling(ClaimAttempt claim) {
        return !claim.isNamed() && !claim.blockade().isAny();
    }

    // ---------------------------------------------------------------- what follows

    /**
     * How long the claim waits for votes: there and back, or twice as long as votes took lately (ADR-0077), and twice as
     * long after each repetition; up to half a support time. Else a link on which votes take longer than all repetitions
     * together would leave its paths without a leader for good; and the bound is for a network that loses most messages,
     * which looks like a slow one.
     */
    long patience(ClaimAttempt claim) {
        long patience = Math.max(quick(), 2 * usualAnswerTime) << claim.repetitions();
        return Math.min(patience, Math.max(quick(), context.settings().lease().support() / 2));
    }

    /**
     * The bound on a delay that elections go by: the configured one, or as long as votes took lately, up to a support
     * time. An algorithm whose messages take longer than it waits begins anew again and again.
     */
    Timing timing() {
        Timing configured = context.settings().timing();
        long lately = Math.min(usualAnswerTime, context.settings().lease().support());
        return lately > configured.delta() ? new Timing(lately) : configured;
    }

    private long quick() {
        return context.settings().timing().deltas(2);
    }
}
