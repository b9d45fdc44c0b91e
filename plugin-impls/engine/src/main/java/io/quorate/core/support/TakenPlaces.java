package io.quorate.core.support;

import io.quorate.core.step.StepContext;
import io.quorate.core.voters.PerVoter;
import io.quorate.spi.NodeId;

/**
 * The voters that refuse this node because another life of its id has the place there
 * (docs/protocol.md#one-process-per-id).
 */
public final class TakenPlaces {

    /**
     * A voter that refuses this node for three support times, without a gap of one, hears a second process. The place of
     * a dead one is free after one support time, and one more is for frames of it that are read late.
     */
    private static final int REFUSED_SUPPORTS = 3;

    private final StepContext context;
    private final PerVoter<Answers> answers;

    private static final class Answers {
        private boolean isAny;
        private long first;
        private long last;
    }

    /** No voter refuses this node. */
    public TakenPlaces(StepContext context) {
        this.context = context;
        this.answers = context.perVoter(Answers::new);
    }

    /**
     * A voter refuses this node.
     *
     * @param life    the other one
     * @param isYoung whether this life has never voted. If it has, it waits twice as long, so that of two processes the
     *                one ends that began later
     * @return whether the other life cannot be one that is dead by now
     */
    public boolean onTaken(NodeId by, long life, boolean isYoung) {
        int voter = context.voterIndex(by);
        Answers of = answers.of(voter);
        of.first = isTaken(voter) ? of.first : context.now();
        of.last = context.now();
        of.isAny = true;
        long limit = REFUSED_SUPPORTS * context.settings().lease().support();
        boolean isSecond = context.now() - of.first >= (isYoung ? limit : 2 * limit);
        if (!isSecond && !isYoung) {
            // A young one may follow a dead process, whose place is free soon.
            context.noteOnce(
                    "place",
                    by,
                    "%s refuses this node, because another process under its id, with incarnation %d, has its"
                            + " place there; this voter promises nothing meanwhile: stop one of the two",
                    by,
                    life);
        }
        return isSecond;
    }

    /** Names the voters that refuse this node, for logs and error messages. */
    public String describe() {
        StringBuilder text = new StringBuilder();
        for (int voter = 0; voter < context.voterCount(); voter++) {
            if (isTaken(voter)) {
                text.append(", refused by ")
                        .append(context.voter(voter))
                        .append(": another process under this node's id has its place");
            }
        }
        return text.toString();
    }

    /** Whether the voter has refused this node within a support time. */
    private boolean isTaken(int voter) {
        Answers of = answers.of(voter);
        return of.isAny && context.now() - of.last < context.settings().lease().support();
    }
}
