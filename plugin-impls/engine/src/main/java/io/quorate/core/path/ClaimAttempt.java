package io.quorate.core.path;

import io.quorate.core.step.Timers;
import io.quorate.core.vote.Blockade;
import org.jspecify.annotations.Nullable;

/** The state of one claim of a contender. It begins with the claim, and ends when the claim has failed or is backed. */
final class ClaimAttempt {

    /** A claim whose term was too low is repeated at once with a higher one, so many times. */
    private static final int RAISES_MAX = 8;

    /** A claim that too few voters answer is repeated so many times: a voter that has just started is slow. */
    private static final int REPETITIONS_MAX = 3;

    private Blockade blockade;
    private boolean isNamed;
    private int repetitions;
    private int raises;
    private long begunAt;
    private Timers.@Nullable Handle timer;

    /** @param isNamed whether a leader has named the contender as its successor, and freed the votes for it */
    ClaimAttempt(Blockade blockade, boolean isNamed) {
        this.blockade = blockade;
        this.isNamed = isNamed;
    }

    Blockade blockade() {
        return blockade;
    }

    /** The voters have changed: they are asked anew. */
    void setBlockade(Blockade none) {
        blockade = none;
    }

    boolean isNamed() {
        return isNamed;
    }

    /** A leader has named the contender, which claims already. */
    void setNamed() {
        isNamed = true;
    }

    /** The claim's term is to be raised. Answers whether it may be, once more. */
    boolean tryRaise() {
        return raises++ < RAISES_MAX;
    }

    /** Too few voters have answered. Answers whether the claim may be repeated, once more. */
    boolean tryRepeat() {
        return repetitions++ < REPETITIONS_MAX;
    }

    int repetitions() {
        return repetitions;
    }

    /** Votes are asked for from now on. */
    void setBegunAt(long instant) {
        begunAt = instant;
    }

    long begunAt() {
        return begunAt;
    }

    /** The votes will be free soon: repetitions count from 0 again. */
    void forgetRepetitions() {
        repetitions = 0;
    }

    /** Waits for votes until this timer, and for no other. */
    void setTimer(Timers.Handle next) {
        end();
        timer = next;
    }

    void end() {
        if (timer != null) {
            timer.cancel();
        }
    }
}
