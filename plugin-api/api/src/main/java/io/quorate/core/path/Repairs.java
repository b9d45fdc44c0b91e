package io.quorate.core.path;

import io.quorate.core.step.StepContext;
import io.quorate.core.voters.PerVoter;

/**
 * How many votes this node asks each voter for, to win them back for its tenures. The next batch is asked for when
 * nearly all of the last is answered. At a heartbeat it is also asked for when the last was less than the least, or the
 * voter has not answered for a support time. So a voter is asked no faster than it answers: repeated repairs would keep
 * a busy voter busy for ever (ADR-0085).
 */
final class Repairs {

    private static final int BATCH_MIN = 16;
    private static final int BATCH_MAX = 4_000;
    private static final int LOST_DIVISOR = 8;

    private static final class Batch {

        int size = BATCH_MIN;
        /** Not if a heartbeat period has begun since: who was asked then would be asked twice. */
        boolean isOpen;

        int asked;
        int answered;
        long beganAt;
        /** When it began, or when the voter answered last. */
        long heardAt;

        /** The next batch follows when nearly all of the last is answered: a lost message is no reason to wait. */
        boolean isAnswered() {
            return answered >= asked - asked / LOST_DIVISOR;
        }
    }

    private final StepContext context;
    private final PerVoter<Batch> batches;

    Repairs(StepContext context) {
        this.context = context;
        batches = context.perVoter(Batch::new);
    }

    /** A heartbeat period begins: voters that have answered may be asked again. */
    void beginPeriod() {
        for (Batch batch : batches.all()) {
            boolean isSilent =
                    context.now() - batch.heardAt >= context.settings().lease().support();
            // So few keep no voter busy, and a lease that needs a vote may end before a support time is over.
            if (batch.isAnswered()) {
                begin(batch, batch.size);
            } else if (batch.asked < BATCH_MIN || isSilent) {
                begin(batch, Math.max(BATCH_MIN, batch.size / 4));
            } else {
                batch.isOpen = false;
            }
        }
    }

    private void begin(Batch batch, int size) {
        batch.size = size;
        batch.isOpen = true;
        batch.asked = 0;
        batch.answered = 0;
        batch.beganAt = context.now();
        batch.heardAt = context.now();
    }

    /** Whether the voter may be asked for one vote more; then it is asked. */
    boolean tryAsk(int voter) {
        Batch batch = batches.of(voter);
        boolean isAsked = batch.isOpen && batch.asked < batch.size;
        batch.asked += isAsked ? 1 : 0;
        return isAsked;
    }

    /**
     * The voter has voted for a leader of this node, or refused to.
     *
     * @return how many votes it may be asked for now; 0 if the batch is not answered, or was not needed whole
     */
    int onAnswer(int voter) {
        Batch batch = batches.of(voter);
        batch.answered++;
        batch.heardAt = context.now();
        if (batch.asked < batch.size || !batch.isAnswered()) {
            return 0;
        }
        // The voter has not more waiting than it does in some heartbeat periods.
        boolean isQuick =
                context.now() - batch.beganAt <= context.settings().lease().heartbeat();
        begin(batch, isQuick ? Math.min(BATCH_MAX, 2 * batch.size) : batch.size);
        return batch.size;
    }
}
