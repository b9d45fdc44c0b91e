package io.quorate.core.path;

import io.quorate.core.step.StepContext;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The leaders of this node that lack the vote of one voter, and how many of them ask for it. They have turns, first
 * come, first served. A leader that has had a turn stands behind all others, and so does one that comes: those that
 * need many turns, and the many that come, do not keep any waiting for ever.
 *
 * <p>A batch asks at a heartbeat, when nearly all of the last is answered, or it was less than the least, or the voter
 * has not answered for a support time. Where it is urgent, the batch follows the votes at once. So a voter is asked no
 * faster than it answers, because repeated repairs would never let a busy voter rest (ADR-0085).
 */
final class VoterQueue {

    private static final int BATCH_MIN = 16;
    private static final int BATCH_MAX = 4_000;
    private static final int LOST_DIVISOR = 8;

    private final StepContext context;
    /** With the round in which each had its last turn, or came: those that have a turn now stand before all others. */
    private final Map<LocalContender, Integer> leaders = new LinkedHashMap<>();

    private Integer round = 0;
    private int size;
    /** Closed until the first heartbeat, and by one that comes before its answers: the same leaders would ask again. */
    private boolean isOpen;
    /** The leaders that have asked for a vote and were not answered, and in which batch each asked last. */
    private final Map<Long, Integer> unanswered = new HashMap<>();

    private Integer batch = 0;
    private int asked;
    private int answered;
    private int voted;
    /** When the batch began, or when the voter answered last. */
    private long heardAt;

    /**
     * A voter that comes later lacks all votes, perhaps as many as a lease needs before a belief is over. It has
     * nothing else to do yet, so it is asked for as many at once as a voter that has kept pace for long.
     */
    VoterQueue(StepContext context) {
        this.context = context;
        size = context.votersSince().isPresent() ? BATCH_MAX : BATCH_MIN;
    }

    // ---------------------------------------------------------------- turns

    /** No effect if it stands here. */
    void add(LocalContender leader) {
        leaders.putIfAbsent(leader, round);
    }

    /** No effect if it does not stand here. */
    void remove(LocalContender leader) {
        leaders.remove(leader);
    }

    /** Each has a turn from now on: those that have none yet have theirs behind the others. */
    void allow() {
        round++;
    }

    boolean hasTurn() {
        return !leaders.isEmpty() && !leaders.values().iterator().next().equals(round);
    }

    /** Takes a turn; answers whose it is. Only while there is one. */
    LocalContender next() {
        LocalContender next = leaders.keySet().iterator().next();
        leaders.remove(next);
        leaders.put(next, round);
        return next;
    }

    // ---------------------------------------------------------------- batches

    /** A heartbeat period begins: a voter that has answered may be asked again. */
    void beginPeriod() {
        // So few keep no voter busy, and a lease that needs a vote may end before a support time is over.
        boolean isSilent = context.now() - heardAt >= context.lease().support();
        if (isNearlyAll(answered) || asked < BATCH_MIN || isSilent) {
            begin();
        } else {
            isOpen = false;
        }
        allow();
    }

    /** The next batch is larger if the voter kept pace, and smaller if it has not answered for a support time. */
    private void begin() {
        if (!isNearlyAll(answered)) {
            size = Math.max(BATCH_MIN, size / 4);
        } else if (asked == size) {
            size = Math.min(BATCH_MAX, 2 * size);
        }
        isOpen = true;
        batch++;
        asked = 0;
        answered = 0;
        voted = 0;
        heardAt = context.now();
    }

    /** Whether these are nearly all that the batch asked for. A lost message is no reason to wait. */
    private boolean isNearlyAll(int count) {
        return count >= asked - asked / LOST_DIVISOR;
    }

    /** Whether the voter may be asked for one vote more. */
    boolean mayBeAsked() {
        return isOpen && asked < size;
    }

    /** The leader asks the voter, which may be asked, for its vote. */
    void onAsked(long leader) {
        asked++;
        unanswered.put(leader, batch);
    }

    /** The leader has ended, and waits for no answer. */
    void forget(long leader) {
        answered += batch.equals(unanswered.remove(leader)) ? 1 : 0;
    }

    /**
     * The voter has voted for the leader, or refused it. Answers whether the leader had asked in this batch: a vote for
     * its first claim says nothing of what was asked for since. Answers to former batches do not count either, or more
     * would remain with each following one.
     */
    boolean onAnswer(long leader) {
        Integer number = unanswered.remove(leader);
        if (number != null) {
            heardAt = context.now();
        }
        boolean isAnswer = batch.equals(number);
        answered += isAnswer ? 1 : 0;
        return isAnswer;
    }

    /**
     * The voter has voted for the leader.
     *
     * @param isUrgent whether the next batch follows when nearly all of this one was voted for. Refusals do not bring
     *                 it: who is refused asks again, and nothing would come in between
     */
    void onVote(long leader, boolean isUrgent) {
        if (onAnswer(leader)) {
            voted++;
            if (isUrgent && !mayBeAsked() && isNearlyAll(voted)) {
                begin();
                allow();
            }
        }
    }
}
