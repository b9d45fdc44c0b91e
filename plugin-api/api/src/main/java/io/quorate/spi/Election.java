package io.quorate.spi;

import java.util.List;
import java.util.OptionalInt;

/**
 * One documented election algorithm at one process of one election: a deterministic machine.
 *
 * <p>The same events give the same effects in the same order. An implementation reads no clock and no random number,
 * starts no thread, does no I/O, writes no log and iterates over nothing whose order depends on hashing. Time arrives
 * as an argument, delays are asked for with {@link Effect.SetTimer}. It is called by one thread at a time.
 *
 * <p>The whole state is a {@link State}, so that a model checker can branch: after {@code restore(snapshot())} the
 * machine behaves as if nothing had happened.
 */
public interface Election {

    /**
     * Handles one event.
     *
     * @param now   this process' elapsed time, in the unit of {@link Timing}; never decreases. Algorithms that only
     *              use timers ignore it
     * @param event what happened; the first one is {@link Event.Start}
     * @return what to do, in order; empty for stale input, never null
     * @throws IllegalStateException on a broken invariant of the algorithm, never because of a peer's message
     */
    List<Effect> on(long now, Event event);

    /** The process that this one takes for the leader; empty if none. */
    OptionalInt leader();

    /** Whether this process takes part in an election at the moment, in the document's sense. */
    boolean isParticipating();

    /** The whole state, as an immutable value. */
    State snapshot();

    /** Goes back to a state that a machine of the same membership, timing and options gave. */
    void restore(State state);

    /** The state of a machine: a record that shares nothing mutable with it. */
    interface State {

        /** Writes the state canonically: equal states give equal bytes, different states different bytes. */
        void writeTo(WireWriter out);
    }
}
