package io.quorate.core.path;

import io.quorate.core.step.StepContext;
import io.quorate.core.voters.PerVoter;
import java.util.HashMap;
import java.util.Map;

/**
 * How many votes this node asks each voter for, to win them back for its tenures. A batch is asked for at a heartbeat,
 * when nearly all of the last is answered, or it was less than the least, or the voter has not answered for a support
 * time. Where it is urgent, the batch follows the votes at once. So a voter is asked no faster than it answers: repeated
 * repairs would keep a busy voter busy for ever (ADR-0085).
 */
final class Repairs {

    private static final int BATCH_MIN = 16;
    private static final int BATCH_MAX = 4_000;
    private static final int LOST_DIVISOR = 8;

    private static final class Batch {

        int size = BATCH_MIN;
        /** Closed until the first heartbeat, and by one that comes before its answers: the same leaders would ask again. */
        boolean isOpen;

        /** The leaders that have asked for a vote and were not answered, and in which batch each asked last. */
        final Map<Long, Integer> unanswered = new HashMap<>();

        Integer number = 0;
        int asked;
        int answered;
        int voted;
        /** When it began, or when the voter answered last. */
        long heardAt;

        boolean mayBeAsked() {
            return isOpen && asked < size;
        }

        /** The next batch follows when nearly all of the last is answered: a lost message is no reason to wait. */
        boolean isAnswered() {
            return isNearlyAll(answered);
        }

        boolean isNearlyAll(int count) {
            return count >= asked - asked / LOST_DIVISOR;
        }
    }

    private final StepContext context;
    private final PerVoter<Batch> batches;

    Repairs(StepContext context) {
        this.context = context;
        batches = context.perVoter(this::fresh);
    }

    /**
     * A voter that comes later lacks all votes, perhaps as many as a lease needs before a belief is over. It has
     * nothing else to do yet, so it is asked for as many at once as a voter that has kept pace for long.
     */
    private Batch fresh() {
        Batch batch = new Batch();
        if (context.votersSince().isPresent()) {
            batch.size = BATCH_MAX;
        }
        return batch;
    }

    /** A heartbeat period begins: voters that have answered may be asked again. */
    void beginPeriod() {
        for (Batch batch : batches.all()) {
            // So few keep no voter busy, and a lease that needs a vote may end before a support time is over.
            boolean isSilent =
                    context.now() - batch.heardAt >= context.settings().lease().support();
            if (batch.isAnswered() || batch.asked < BATCH_MIN || isSilent) {
                begin(batch);
            } else {
                batch.isOpen = false;
            }
        }
    }

    /** The next batch is larger if the voter kept pace, and smaller if it has not answered for a support time. */
    private void begin(Batch batch) {
        if (!batch.isAnswered()) {
            batch.size = Math.max(BATCH_MIN, batch.size / 4);
        } else if (batch.asked == batch.size) {
            batch.size = Math.min(BATCH_MAX, 2 * batch.size);
        }
        batch.isOpen = true;
        batch.number++;
        batch.asked = 0;
        batch.answered = 0;
        batch.voted = 0;
        batch.heardAt = context.now();
    }

    /** Whether the voter may be asked for one vote more. */
    boolean mayBeAsked(int voter) {
        return batches.of(voter).mayBeAsked();
    }

    /** The leader asks the voter, which may be asked, for its vote. */
    void onAsked(int voter, long leader) {
        Batch batch = batches.of(voter);
        batch.asked++;
        batch.unanswered.put(leader, batch.number);
    }

    /** The leader has ended, and waits for no answer. */
    void forget(long leader) {
        for (Batch batch : batches.all()) {
            batch.answered += batch.number.equals(batch.unanswered.remove(leader)) ? 1 : 0;
        }
    }

    /** The voter has refused the leader its vote. */
    void onRefusal(int voter, long leader) {
        onAnswer(batches.of(voter), leader);
    }

    /**
     * The voter has voted for the leader.
     *
     * @param isUrgent whether the next batch follows when nearly all of this one was voted for. Refusals do not bring
     *                 it: who is refused asks again, and nothing would come in between
     * @return whether a batch begins
     */
    boolean onVote(int voter, long leader, boolean isUrgent) {
        Batch batch = batches.of(voter);
        boolean isAnswer = onAnswer(batch, leader);
        batch.voted += isAnswer ? 1 : 0;
        if (!isAnswer || !isUrgent || batch.mayBeAsked() || !batch.isNearlyAll(batch.voted)) {
            return false;
        }
        begin(batch);
        return true;
    }

    /**
     * Answers whether the leader had asked in this batch: a vote for its first claim says nothing of what was asked for
     * since. What is left of former batches does not count either, or more would be left with each that follows.
     */
    private boolean onAnswer(Batch batch, long leader) {
        Integer number = batch.unanswered.remove(leader);
        if (number != null) {
            batch.heardAt = context.now();
        }
        boolean isAnswer = batch.number.equals(number);
        batch.answered += isAnswer ? 1 : 0;
        return isAnswer;
    }
}
