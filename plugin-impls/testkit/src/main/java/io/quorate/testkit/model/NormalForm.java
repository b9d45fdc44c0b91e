package io.quorate.testkit.model;

import io.quorate.spi.Election;
import io.quorate.spi.Message;

/**
 * Makes one of states and messages between which the algorithm makes no difference, so that fewer are told apart.
 * Its changes must not influence any check, which its author must argue.
 */
public interface NormalForm {

    /** Everything as it is; for a machine that keeps no times. */
    NormalForm NONE = (state, elapsed) -> state;

    /**
     * The state as it would be if the clock were set back by {@code elapsed}; times lie behind 0 then. Always called
     * after an event, with 0 as long as no time has passed.
     */
    Election.State of(Election.State state, long elapsed);

    /** The message to send in place of this one. */
    default Message of(Message message) {
        return message;
    }
}
