package io.quorate.core.vote;

import io.quorate.core.step.StepContext;
import io.quorate.core.support.SupportHeld;
import java.util.Arrays;
import java.util.OptionalLong;

/** The voters whose votes are another's while a contender claims, and until when, as far as they have told. */
public final class Blockade {

    /** A voter whose vote is free by now does not tell: it has to be asked again, at once. */
    private static final long ASKED_AGAIN = 1;

    private final StepContext context;
    private final SupportHeld supportHeld;
    private final long[] until;
    private final boolean[] isBlocked;
    private boolean isAny;

    /** No vote is known to be another's. */
    public Blockade(StepContext context, SupportHeld supportHeld) {
        this.context = context;
        this.supportHeld = supportHeld;
        until = new long[context.voterCount()];
        isBlocked = new boolean[context.voterCount()];
    }

    /** The voter's vote is another's, for so many nanoseconds at least. */
    public void by(int voter, long remaining) {
        until[voter] = context.now() + remaining;
        isBlocked[voter] = true;
        isAny = true;
    }

    /** Whether the vote of any voter was another's, since the claim began. */
    public boolean isAny() {
        return isAny;
    }

    /** The voters are asked again, and tell again of a vote that is still another's. */
    public void onAskedAgain() {
        Arrays.fill(isBlocked, false);
    }

    /**
     * How long to wait until a majority of votes may be free; empty if one may be free now, or if waiting is of no use.
     */
    public OptionalLong remaining() {
        long[] waits = new long[until.length];
        for (int v = 0; v < waits.length; v++) {
            // A voter that does not support this node, perhaps that of the dead leader, will not vote for it either.
            waits[v] = !supportHeld.believes(v)
                    ? Long.MAX_VALUE
                    : isBlocked[v] ? Math.max(ASKED_AGAIN, until[v] - context.now()) : 0;
        }
        Arrays.sort(waits);
        long wait = waits[waits.length / 2];
        return wait == 0 || wait == Long.MAX_VALUE ? OptionalLong.empty() : OptionalLong.of(wait);
    }
}
