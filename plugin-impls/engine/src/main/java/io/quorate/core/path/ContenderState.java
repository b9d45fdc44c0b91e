package io.quorate.core.path;

import io.quorate.core.message.ContenderId;
import io.quorate.core.step.Timers;
import io.quorate.core.vote.Blockade;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The state of one contender of this node, with the data of that state. {@link LocalContender#become}
 * changes it, and nothing else does; docs/architecture.md#contender-states has the picture.
 */
sealed interface ContenderState {

    /** Why it is in this state, in a few words: the trace and {@code explain()} say it. */
    String reason();

    /** Voters are to list it. */
    sealed interface Registered extends ContenderState {}

    /** It has its place in the order of rank. */
    sealed interface Placed extends Registered {}

    /** It neither claims nor leads. */
    sealed interface Idle extends Placed {}

    /** It has a tenure. */
    sealed interface Leader extends Placed {}

    /** Its place in the join order is not known yet: a majority of voters has not confirmed it. */
    record Joining(String reason) implements Registered {}

    /** There is nothing to do: somebody leads, another goes first, or no majority is heard. */
    record Resting(String reason) implements Idle {}

    /** No leader is up: it takes part in an election, or waits until the successor has led or patience is over. */
    record Electing(String reason) implements Idle {}

    /**
     * It is about to claim, and something is in the way.
     *
     * @param until the instant at which that is over; empty if time alone does not end it
     */
    record Waiting(String reason, OptionalLong until) implements Idle {}

    /** Its claim is backed. */
    record Leading(String reason) implements Leader {}

    /**
     * Its tenure goes to another contender when its application has finished its work: ADR-0096.
     *
     * @param number    tells this departure from the others of its node
     * @param to        whom leadership goes to if that one is up at the end; empty if the best may have it
     * @param isDrained whether the application has finished its work
     */
    record Leaving(long number, Cause cause, String reason, Optional<ContenderId> to, boolean isDrained)
            implements Leader {

        /** The origin of the wish. A later cause replaces an earlier one. */
        enum Cause {
            /** Others rank better. It stays if that changes before its work is done. */
            RANK,
            /** It was transferred. */
            TRANSFER,
            /** The application resigns or closes, and ends the tenure itself. */
            APPLICATION
        }

        Leaving drained() {
            return new Leaving(number, cause, reason, to, true);
        }

        /** It is wanted for another cause too. */
        Leaving join(Cause another, String why, Optional<ContenderId> whom) {
            boolean counts = another.compareTo(cause) >= 0;
            return new Leaving(
                    number, counts ? another : cause, counts ? why : reason, whom.isPresent() ? whom : to, isDrained);
        }
    }

    /** Its tenure has ended. When the application sends it back, it queues at the tail. */
    record Out(String reason) implements ContenderState {}

    /** It gave its tenure up or handed it over. When the application sends it back, it has its old place. */
    record Aside(String reason) implements ContenderState {}

    /** It has left the path permanently. */
    record Gone(String reason) implements ContenderState {}

    /** It asks the voters for their votes. The claim ends with this state: it has failed, or is backed. */
    final class Claiming implements Placed {

        /** A claim whose term was too low is repeated at once with a higher one, so many times. */
        private static final int RAISES_MAX = 8;

        /** A claim that too few voters answer is repeated so many times: a voter that has just started is slow. */
        private static final int REPETITIONS_MAX = 3;

        private final String reason;
        /** From when on votes are asked for. */
        final long begunAt;
        /** The votes that are another's, since voters were asked first. */
        Blockade blockade;
        /** Whether a leader has named the contender as its successor, and freed the votes for it. */
        boolean isNamed;
        /** How often it was repeated, since too few voters answered. */
        int repetitions;

        private int raises;
        private Timers.@Nullable Handle timer;

        /** A claim of which no voter has been told. */
        Claiming(String reason, Blockade blockade, boolean isNamed, long begunAt) {
            this.reason = reason;
            this.blockade = blockade;
            this.isNamed = isNamed;
            this.begunAt = begunAt;
        }

        @Override
        public String reason() {
            return reason;
        }

        @Override
        public String toString() {
            return "Claiming[reason=" + reason + "]";
        }

        /** The claim's term is to be raised. Answers whether it may be, once more. */
        boolean tryRaise() {
            return raises++ < RAISES_MAX;
        }

        /** Too few voters have answered. Answers whether the claim may be repeated, once more. */
        boolean tryRepeat() {
            return repetitions++ < REPETITIONS_MAX;
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

    /** Whether the other state may follow. A state of the same kind may: that is no transition. */
    default boolean mayBecome(ContenderState next) {
        if (next instanceof Gone || next.getClass() == getClass()) {
            return true;
        }
        if (this instanceof Joining) {
            return next instanceof Resting;
        }
        // A hand-over or a claim may come at any time. A lost majority takes its place away.
        if (this instanceof Idle) {
            return next instanceof Idle || next instanceof Claiming || next instanceof Joining;
        }
        if (this instanceof Claiming) {
            return next instanceof Leading || next instanceof Resting || next instanceof Joining;
        }
        if (this instanceof Leader) {
            return next instanceof Leader || next instanceof Out || next instanceof Aside;
        }
        if (this instanceof Out) {
            return next instanceof Joining;
        }
        return this instanceof Aside && (next instanceof Resting || next instanceof Out);
    }
}
