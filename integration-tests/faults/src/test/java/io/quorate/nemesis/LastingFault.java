package io.quorate.nemesis;

import java.time.Duration;

/**
 * One thing that goes wrong for a while.
 *
 * @param what in words, with the nodes that it strikes
 * @param ends undoes what the healing of the network does not
 */
record LastingFault(String what, Duration lasts, Runnable begins, Runnable ends) {

    /** What may go wrong. */
    enum Kind {
        KILL,
        KILL_OF_ALL,
        WIPE,
        SHORT_PAUSE,
        LONG_PAUSE,
        PAUSE_OF_TWO,
        CUT,
        ONE_WAY_CUT,
        DEAFNESS,
        MUTENESS,
        ISOLATION,
        SPLIT,
        FLAPPING,
        REFUSAL,
        SLOWNESS,
        OVERTAKING,
        COMBINATION;

        /** Not a wipe: while another node is away it may lose the highest term, and nobody promises tokens then. */
        boolean canBeCombined() {
            return this != COMBINATION && this != WIPE && this != KILL_OF_ALL;
        }
    }

    @Override
    public String toString() {
        return what + " for " + lasts.toMillis() + " ms";
    }
}
