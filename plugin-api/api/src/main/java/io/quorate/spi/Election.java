package io.quorate.spi;

import java.util.List;
import java.util.OptionalInt;

/**
 * One documented election algorithm at one process of one election: a deterministic machine.
 *
 * <p>The same events give the same effects in the same order. An implementation reads no clock and no random number,
 * starts no thread, does no I/O, writes no log and iterates over nothing whose order depends on hashing. Time arrives
 * as an argument, and a machine asks for a delay with {@link Effect.SetTimer}. One thread at a time calls it, and no
 * method blocks.
 *
 * <p>The whole state is a {@link State}, so that a model checker can branch: after {@code restore(snapshot())} the
 * machine behaves as if nothing had happened.
 */
public interface Election {

    /**
     * Handles one event.
     *
     * @param now   the elapsed time of this process, in the unit of {@link Timing}; never decreases. Algorithms that
     *              only use timers ignore it
     * @param event what happened; the first one is {@link Event.Start}
     * @return what to do, in order; empty for stale input, never null
     * @throws IllegalStateException if an invariant of the algorithm is broken; never because of a peer's message
     */
    List<Effect> on(long now, Event event);

    /** {@return the process that this one takes for the leader; empty if there is none} */
    OptionalInt leader();

    /** {@return whether this process takes part in an election at the moment, in the document's sense} */
    boolean isParticipating();

    /** {@return the whole state, as an immutable value} */
    State snapshot();

    /**
     * Goes back to an earlier state.
     *
     * @param state a {@link #snapshot} of a machine with the same membership, timing and options
     */
    void restore(State state);

    /** The state of a machine: a record that shares nothing mutable with it. */
    interface State {

        /**
         * Writes the state canonically: equal states give equal bytes, and different states give different bytes.
         *
         * @param out takes the bytes
         */
        void writeTo(WireWriter out);
    }
}
